"use strict";

// What is printed of the sources: all lines, with what matches beside each other; of very long
// ones those that have matches.

{
  const { element } = tools;
  const { align } = mosslite;
  const { SIDES, badge, byId, linesOf, marksIn, regionsOf, sourceOf } = mosslite.page;
  const { anchorsOf, cellsOf, filePairs, fillPart, tableOf } = mosslite.aligned;
  const MOST_ROWS = 10_000; // a reader turns no more pages, and a browser makes them in seconds
  const MOST_COLUMNS = 1_000_000;

  function columnsOf(side) {
    const lengths = (file) => file.lines.reduce((sum, line) => sum + mosslite.lengthOf(line), 0);
    return sourceOf(side).files.reduce((sum, file) => sum + lengths(file), 0);
  }

  function rowCount(side) {
    return sourceOf(side).files.reduce((sum, { lines }) => sum + lines.length, 0);
  }

  // What may still be printed, and whether all lines are.
  function newSheet() {
    const rows = Math.max(...SIDES.map(rowCount));
    const columns = Math.max(...SIDES.map(columnsOf));
    const isWhole = rows <= MOST_ROWS && columns <= MOST_COLUMNS;
    return { isWhole, rows: 2 * MOST_ROWS, columns: 2 * MOST_COLUMNS };
  }

  // ---- A line: of a long one the parts that have matches ----

  function fillText(sheet, cell, place, line) {
    for (const part of mosslite.partsOf(line)) {
      const regions = regionsOf(place.side, place.file, place.line, badge, part);
      const isShown = sheet.columns > 0 && (part.stop <= mosslite.LONGEST || regions.length);
      if (isShown) {
        fillPart(cell, place, part, regions);
        sheet.columns -= part.stop - part.start;
      } else if (cell.lastChild?.className !== "left-out") {
        cell.append(element("span", "left-out", " \u2026 "));
      }
    }
  }

  // ---- A file on either side ----

  function isMarked(side, file, line) {
    return line > 0 && regionsOf(side, file, line, badge).length > 0;
  }

  function rowNode(sheet, files, row) {
    const node = element("tr", "");
    for (const [at, side] of SIDES.entries()) {
      const place = { side, file: files[at], line: row[at], sign: "" };
      node.append(...cellsOf(place, (cell, line) => fillText(sheet, cell, place, line)));
    }
    return node;
  }

  function leftOutRow(count) {
    const cell = element("td", "left-out", `\u2026 ${ngettext("%(count)s line", "%(count)s lines", count)} \u2026`);
    cell.colSpan = 4;
    return element("tr", "", cell);
  }

  function paperTable(sheet, files) {
    const rows = align.rowsBetween(
      anchorsOf(files),
      ...SIDES.map((side, at) => linesOf(side, files[at]).length),
    );
    const body = element("tbody", "");
    let skipped = 0;
    const tellSkipped = () => {
      if (skipped) {
        body.append(leftOutRow(skipped));
      }
      skipped = 0;
    };
    for (const row of rows) {
      const isWanted =
        sheet.isWhole || SIDES.some((side, at) => isMarked(side, files[at], row[at]));
      if (isWanted && sheet.rows > 0 && sheet.columns > 0) {
        tellSkipped();
        body.append(rowNode(sheet, files, row));
        sheet.rows -= 1;
      } else {
        skipped += 1;
      }
    }
    tellSkipped();
    const table = tableOf(files);
    table.append(body);
    return table;
  }

  function isPrinted(sheet, files) {
    return sheet.isWhole || SIDES.some((side, at) => marksIn(side, files[at]).length);
  }

  function fillPaper() {
    const sheet = newSheet();
    byId("paper").replaceChildren();
    for (const files of filePairs()) {
      if (isPrinted(sheet, files)) {
        byId("paper").append(paperTable(sheet, files));
      }
    }
  }

  function setUpPaper() {
    window.addEventListener("beforeprint", fillPaper);
    window.addEventListener("afterprint", () => byId("paper").replaceChildren());
  }

  mosslite.setUpPaper = setUpPaper;
}
