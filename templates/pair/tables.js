"use strict";

// Both sources beside each other in the rows of tables, one for each pair of files: as a diff, and
// on paper.

{
  const { addAll, byId, element } = tools;
  const { align, lazy } = mosslite;
  const { SIDES, current, data, fileOf, marksIn, matchAt } = mosslite.page;
  const { numbersIn, regionsOf, sourceOf } = mosslite.page;
  const { ROWS_AT_FIRST, foldButton, holeFor, itemAt, itemsOf, leftOut, unfold } = mosslite.files;
  const MOST_WORDS = 400; // in a line whose changed words are marked
  const MOST_WORD_EDITS = 200;
  const ALIKE = 0.5; // share of words that two lines must have in common to be one that changed
  const MOST_PRINTED = 10_000; // rows: a reader turns no more, and a browser makes them in seconds
  const MOST_COLUMNS = 1_000_000; // printed

  // ---- Which files and which lines stand beside each other ----

  let pairs = null;
  const aligned = new Map(); // by pair of files, {lines: [left or 0, right or 0], texts} of each row

  function filePairs() {
    const filesOf = (side) =>
      sourceOf(side).files.map((file) => ({
        name: file.name,
        text: mosslite.textsOf(file).join("\n"),
      }));
    pairs ??= align.pairFiles(data.matches, ...SIDES.map(filesOf));
    return pairs;
  }

  function rowsOf(files) {
    if (!aligned.has(files)) {
      const [left, right] = files;
      const texts = SIDES.map((side, at) => mosslite.textsOf(fileOf(side, files[at])));
      const between = numbersIn("left", left).filter((each) => matchAt(each, "right").file === right);
      const rows = align.rowsOf(texts, between.map((number) => data.matches[number - 1]));
      const textAt = (line, at) => texts[at][line - 1] ?? "";
      aligned.set(files, rows.map((lines) => ({ lines, texts: lines.map(textAt) })));
    }
    return aligned.get(files);
  }

  // ---- Tables ----

  function wideCell(tag, look, ...content) {
    return element(tag, { ...look, colspan: tag === "th" ? 2 : 4 }, ...content);
  }

  function fileCell(side, file) {
    const name = element("bdi", "", fileOf(side, file).name ?? "");
    const shown = file === null ? [] : [element("span", "file-name", name)];
    return addAll(wideCell("th", { scope: "colgroup" }), shown);
  }

  function sideCell(side) {
    const { name, submission } = data[side];
    const owner = element("span", { "data-submission": submission }, element("bdi", "", name));
    return wideCell("th", { class: "side-name", scope: "colgroup" }, owner);
  }

  function tableOf(files) {
    const kinds = ["number", "text", "number", "text"];
    const columns = kinds.map((kind) => element("col", `column-${kind}`));
    const names = SIDES.map((side, at) => fileCell(side, files[at]));
    const head = [SIDES.map(sideCell), names].map((cells) => addAll(element("tr", ""), cells));
    return element(
      "table",
      "aligned",
      addAll(element("colgroup", ""), columns),
      addAll(element("thead", ""), head),
    );
  }

  // Gives a row; fillText fills the cell of a line, {side, file, line}, of which there is one.
  function rowNode(files, { lines }, signs, fillText) {
    const node = element("tr", "");
    for (const [at, side] of SIDES.entries()) {
      const place = { side, at, file: files[at], line: lines[at] };
      const number = element("td", "line-number");
      const text = element("td", { class: "line-text", translate: "no" });
      if (place.line) {
        number.append(mosslite.lineNumber(fileOf(side, place.file), place.line));
        fillText(text, place);
      }
      if (signs[at]) {
        number.prepend(element("span", "sign", signs[at]));
      }
      node.append(number, text);
    }
    return node;
  }

  function fillPart(parent, { side, file }, row, regions) {
    return mosslite.fillRow(parent, row, regions, sourceOf(side), fileOf(side, file));
  }

  // ---- The diff: what two lines that stand beside each other have in common ----

  // The signs of both sides, by what a row is; lines that have little in common are "replaced".
  const SIGNS = {
    same: ["", ""],
    changed: ["~", "~"],
    replaced: ["\u2212", "+"],
    left: ["\u2212", ""],
    right: ["", "+"],
  };

  function wordsAt(text) {
    return [...text.matchAll(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu)];
  }

  // Gives places of words that both lines have, [left, right], none where there are very many.
  function equalWords(words) {
    if (Math.max(words[0].length, words[1].length) > MOST_WORDS) {
      return [];
    }
    const texts = words.map((each) => each.map(([word]) => word));
    return align.equalItems(...texts, MOST_WORD_EDITS) ?? [];
  }

  function wordRegions(words, isEqual, tag) {
    return words
      .filter((_, at) => !isEqual.has(at))
      .map((word) => ({
        start: word.index,
        stop: word.index + word[0].length,
        wrap: (nodes) => [addAll(element(tag), nodes)],
      }));
  }

  function compared(texts) {
    const isLong = texts.some((text) => text.length > mosslite.LONGEST);
    const words = isLong ? [[], []] : texts.map(wordsAt);
    const equal = equalWords(words);
    if (isLong || equal.length * 2 < ALIKE * (words[0].length + words[1].length)) {
      return { kind: "replaced", regions: [[], []] };
    }
    const regions = ["del", "ins"].map((tag, side) =>
      wordRegions(words[side], new Set(equal.map((pair) => pair[side])), tag),
    );
    return { kind: "changed", regions };
  }

  function isSame({ lines: [left, right], texts }) {
    return left > 0 && right > 0 && align.words(texts[0]) === align.words(texts[1]);
  }

  function lookOf(row) {
    const [left, right] = row.lines;
    if (left && right && !isSame(row)) {
      return compared(row.texts);
    }
    return { kind: left && right ? "same" : left ? "left" : "right", regions: [[], []] };
  }

  // What is far down in a long line waits.
  function fillCell(cell, place, regions) {
    const rows = mosslite.rowsOfLine(fileOf(place.side, place.file), place.line);
    if (rows.length === 1) {
      fillPart(cell, place, rows[0], regions);
      return;
    }
    const items = rows.map((row) => ({
      rows: lazy.heightOf(row.length),
      text: () => mosslite.shownText([row]),
      build: () => fillPart(element("div", "chunk"), place, row, []),
    }));
    lazy.fill(byId("diff"), cell, items);
  }

  function diffRow(files, row) {
    const { kind, regions } = lookOf(row);
    const fill = (cell, place) => fillCell(cell, place, regions[place.at]);
    const node = rowNode(files, row, SIGNS[kind], fill);
    node.classList.add(`is-${kind}`);
    node.classList.toggle("is-current", isOfMatch(files, row, current.match));
    return node;
  }

  // ---- The bodies of a table, of which one can be a fold ----

  function wideBody(look, content) {
    return element("tbody", "", element("tr", look, wideCell("td", {}, content)));
  }

  function diffTable(files) {
    const rows = rowsOf(files);
    const columns = rows.map(({ texts }) => Math.max(texts[0].length, texts[1].length));
    const textOfRow = ({ texts }) => `${texts.join("\n")}\n`;
    const isDifferent = rows.map((row) => !isSame(row));
    const bodies = itemsOf(columns, (at) => isDifferent[at], `diff-${files.join("-")}`, {
      text: ({ start, stop }) => rows.slice(start, stop).map(textOfRow).join(""),
      build: ({ start, stop }) => {
        const nodes = rows.slice(start, stop).map((row) => diffRow(files, row));
        return addAll(element("tbody", ""), nodes);
      },
      fold: ({ start, stop }, stretch) => wideBody("fold-row", foldButton(stop - start, stretch)),
    });
    const table = tableOf(files);
    const hole = (items) => holeFor(items, wideBody("", element("div", "hole")));
    tables.set(table, { files, rows, list: lazy.fill(byId("diff"), table, bodies, hole) });
    return table;
  }

  function tableItem(files) {
    return {
      rows: 2 + Math.max(...SIDES.map((side, at) => fileOf(side, files[at]).lines)),
      isWhole: true, // until it is near, as a diff takes long
      text: () => "", // names must not wait where they cannot be hidden
      build: () => diffTable(files),
    };
  }

  let whole = null; // the list of tables, one for each pair of files
  const tables = new Map(); // by element: its files, its rows and the list of its bodies

  function fillDiff() {
    if (!whole) {
      const items = filePairs().map(tableItem);
      const fill = () => (whole = lazy.fill(byId("diff"), byId("diff"), items));
      lazy.withRoom(ROWS_AT_FIRST, fill);
    }
  }

  // ---- The current match in the diff: its lines on the left, or beside another file ----

  function sideIn(files, number) {
    return SIDES.findIndex((side, at) => matchAt(number, side)?.file === files[at]);
  }

  function isOfMatch(files, { lines }, number) {
    const at = sideIn(files, number);
    const [first, last] = at < 0 ? [0, 0] : matchAt(number, SIDES[at]).lines;
    return first > 0 && lines[at] >= first && lines[at] <= last;
  }

  function markCurrent() {
    for (const { files, rows, list } of tables.values()) {
      for (const [index, { start, stop }] of list.items.entries()) {
        const { node, isBuilt } = lazy.nearest(list, index);
        for (const [nth, row] of isBuilt && stop ? [...node.rows].entries() : []) {
          row.classList.toggle("is-current", isOfMatch(files, rows[start + nth], current.match));
        }
      }
    }
  }

  // Gives the first row of a match, built and unfolded if need be.
  function rowOfMatch(number) {
    const table = filePairs().findIndex((files) => sideIn(files, number) >= 0);
    const { files, rows, list } = tables.get(lazy.reach(whole, table));
    const index = rows.findIndex((row) => isOfMatch(files, row, number));
    const body = itemAt(list, index);
    const { start, stretch } = list.items[body];
    if (stretch) {
      unfold(stretch);
    }
    return lazy.reach(list, body).rows[index - start];
  }

  // ---- Paper: all lines; of very long sources those that have matches ----

  function isMarked(side, file, line) {
    const rows = line ? mosslite.rowsOfLine(fileOf(side, file), line) : [];
    return rows.some((row) => regionsOf(side, file, row).length);
  }

  // Of a long line the parts that have matches are printed.
  function printText(sheet, cell, place) {
    const { side, file, line } = place;
    for (const row of mosslite.rowsOfLine(fileOf(side, file), line)) {
      const regions = regionsOf(side, file, row);
      if (sheet.columns > 0 && (!row.start || regions.length)) {
        fillPart(cell, place, row, regions);
        sheet.columns -= row.length;
      } else if (cell.lastChild?.className !== "left-out") {
        cell.append(element("span", "left-out", " \u2026 "));
      }
    }
  }

  function printedTable(sheet, files) {
    const body = element("tbody", "");
    let skipped = 0;
    const tellSkipped = () => {
      if (skipped) {
        const cell = wideCell("td", { class: "left-out" }, leftOut(skipped));
        body.append(element("tr", "", cell));
      }
      skipped = 0;
    };
    for (const row of rowsOf(files)) {
      const isOfMark = (side, at) => isMarked(side, files[at], row.lines[at]);
      const isWanted = sheet.isWhole || SIDES.some(isOfMark);
      if (isWanted && sheet.rows > 0 && sheet.columns > 0) {
        tellSkipped();
        body.append(rowNode(files, row, ["", ""], (...cell) => printText(sheet, ...cell)));
        sheet.rows -= 1;
      } else {
        skipped += 1;
      }
    }
    tellSkipped();
    return addAll(tableOf(files), [body]);
  }

  // What may still be printed, and whether all lines are.
  function newSheet() {
    const largest = (measure) =>
      Math.max(
        ...SIDES.map((side) => sourceOf(side).files.reduce((sum, file) => sum + measure(file), 0)),
      );
    const columns = largest(({ rows }) => rows.reduce((sum, { length }) => sum + length, 0));
    const isWhole = largest(({ lines }) => lines) <= MOST_PRINTED && columns <= MOST_COLUMNS;
    return { isWhole, rows: 2 * MOST_PRINTED, columns: 2 * MOST_COLUMNS };
  }

  function fillPaper() {
    const sheet = newSheet();
    const hasMarks = (files) => SIDES.some((side, at) => marksIn(side, files[at]).length);
    byId("paper").replaceChildren();
    for (const files of filePairs()) {
      if (sheet.isWhole || hasMarks(files)) {
        byId("paper").append(printedTable(sheet, files));
      }
    }
  }

  function setUpPaper() {
    addEventListener("beforeprint", fillPaper);
    addEventListener("afterprint", () => byId("paper").replaceChildren());
  }

  mosslite.tables = { fillDiff, markCurrent, rowOfMatch, setUpPaper };
}
