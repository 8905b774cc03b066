"use strict";

// What is printed of the sources: all lines, with what matches beside each other.

{
  const { align, element } = mosslite;
  const { SIDES, badge, byId, data, linesOf, regionsOf } = mosslite.page;
  const { filePairs, lineCells, tableOf } = mosslite.aligned;

  function paperTable(files) {
    const regions = SIDES.map((side, at) => regionsOf(side, files[at], badge));
    const rows = align.rowsBetween(
      align.anchorsOf(data.matches, ...files),
      ...SIDES.map((side, at) => linesOf(side, files[at]).length),
    );
    const body = element("tbody", "");
    for (const row of rows) {
      const cells = SIDES.flatMap((side, at) =>
        lineCells(side, files[at], row[at], regions[at].get(row[at]) ?? [], ""),
      );
      body.append(element("tr", "", ...cells));
    }
    return tableOf(files, [body]);
  }

  function fillPaper() {
    byId("paper").replaceChildren(...filePairs().map(paperTable));
  }

  function setUpPaper() {
    window.addEventListener("beforeprint", fillPaper);
    window.addEventListener("afterprint", () => byId("paper").replaceChildren());
  }

  mosslite.setUpPaper = setUpPaper;
}
