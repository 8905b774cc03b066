"use strict";

// Two files beside each other in the rows of a table: for the diff, and for what is printed.

{
  const { align, element } = mosslite;
  const { SIDES, data, sourceOf } = mosslite.page;

  function filePairs() {
    return align.pairFiles(
      data.matches,
      sourceOf("left").files.length,
      sourceOf("right").files.length,
    );
  }

  function fileCell(side, file) {
    const cell = element("th");
    cell.colSpan = 2;
    cell.scope = "colgroup";
    if (file !== null) {
      const name = element("bdi", "user-text", data[side].files[file]);
      cell.append(element("span", "file-name", name));
    }
    return cell;
  }

  function sideCell(side) {
    const name = element("bdi", "user-text", data[side].name);
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

  function lineCells(side, file, line, regions, sign) {
    const number = element("td", "line-number");
    const text = element("td", "line-text");
    if (line) {
      const source = sourceOf(side);
      const { lines, origins } = source.files[file];
      number.append(mosslite.lineNumber(source.files[file], line));
      mosslite.fillLine(text, lines[line - 1], regions, source, { origins });
    }
    if (sign) {
      number.prepend(element("span", "sign", sign));
    }
    text.setAttribute("translate", "no");
    return [number, text];
  }

  function tableOf(pair, bodies) {
    const columns = ["number", "text", "number", "text"].map((kind) =>
      element("col", `column-${kind}`),
    );
    return element(
      "table",
      "aligned",
      element("colgroup", "", ...columns),
      headOf(pair),
      ...bodies,
    );
  }

  mosslite.aligned = { filePairs, lineCells, tableOf };
}
