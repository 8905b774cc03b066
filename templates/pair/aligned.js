"use strict";

// Two files beside each other in the rows of a table: for the diff, and for what is printed.

{
  const { element } = tools;
  const { align, lazy } = mosslite;
  const { SIDES, data, numbersIn, sourceOf } = mosslite.page;

  let pairs = null;

  function filePairs() {
    const files = (side) => sourceOf(side).files.map(({ name, lines }) => {
      return { name, text: lines.map(mosslite.textOf).join("\n") };
    });
    pairs ??= align.pairFiles(data.matches, ...SIDES.map(files));
    return pairs;
  }

  // Gives pairs of lines that matches put beside each other.
  function anchorsOf([left, right]) {
    const matches = numbersIn("left", left).map((number) => data.matches[number - 1]);
    return align.anchorsOf(matches, left, right);
  }

  function fileCell(side, file) {
    const cell = element("th");
    cell.colSpan = 2;
    cell.scope = "colgroup";
    if (file !== null) {
      const name = element("bdi", "", sourceOf(side).files[file].name);
      cell.append(element("span", "file-name", name));
    }
    return cell;
  }

  function sideCell(side) {
    const name = element("bdi", "", data[side].name);
    const owner = element("span", "", name);
    owner.dataset.submission = data[side].submission;
    const cell = element("th", "side-name", owner);
    cell.colSpan = 2;
    cell.scope = "colgroup";
    return cell;
  }

  function headOf(pair) {
    return element(
      "thead",
      "",
      element("tr", "", ...SIDES.map(sideCell)),
      element("tr", "", ...SIDES.map((side, at) => fileCell(side, pair[at]))),
    );
  }

  function tableOf(pair) {
    const columns = ["number", "text", "number", "text"].map((kind) =>
      element("col", `column-${kind}`),
    );
    return element("table", "aligned", element("colgroup", "", ...columns), headOf(pair));
  }

  // ---- Cells: {side, file, line, sign} and what fills the text of the line ----

  function cellsOf({ side, file, line, sign }, fillText) {
    const number = element("td", "line-number");
    const text = element("td", "line-text");
    if (line) {
      const source = sourceOf(side).files[file];
      number.append(mosslite.lineNumber(source, line));
      fillText(text, source.lines[line - 1]);
    }
    if (sign) {
      number.prepend(element("span", "sign", sign));
    }
    text.setAttribute("translate", "no");
    return [number, text];
  }

  function fillPart(parent, { side, file }, part, regions) {
    const source = sourceOf(side);
    mosslite.fillLine(parent, part, regions, source, source.files[file]);
    return parent;
  }

  // Fills a cell that scrolls within root; what is far down in a long line waits.
  function fillCell(root, cell, place, regions) {
    const line = sourceOf(place.side).files[place.file].lines[place.line - 1];
    if (mosslite.lengthOf(line) <= mosslite.LONGEST) {
      fillPart(cell, place, mosslite.wholeOf(line), regions);
      return;
    }
    const items = mosslite.partsOf(line).map((part) => ({
      rows: lazy.rowsOf(part.stop - part.start),
      text: () => mosslite.shownText(part.pieces),
      build: () => fillPart(element("div", "chunk"), place, part, []),
    }));
    lazy.fill(root, cell, items);
  }

  mosslite.aligned = { anchorsOf, cellsOf, fillCell, fillPart, filePairs, tableOf };
}
