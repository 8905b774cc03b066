"use strict";

// The diff of both sources, and the choice between it and the matches.

{
  const { addAll, element } = tools;
  const { align, lazy } = mosslite;
  const { SIDES, byId, current, data, linesOf } = mosslite.page;
  const { ROWS_AT_ONCE, SHORTEST_FOLD, foldButton, holeFor, showAsRest, unfold } = mosslite.files;
  const { READING_HEIGHT, bringIntoView } = mosslite.panes;
  const { redraw } = mosslite.scrolling;
  const { anchorsOf, cellsOf, filePairs, fillCell, tableOf } = mosslite.aligned;
  const ROWS_OF_A_BODY = 40;
  const MOST_WORDS = 400; // in a line whose changed words are marked
  const MOST_WORD_EDITS = 200;
  const ALIKE = 0.5; // share of words that two lines must have in common to be one that changed

  // The signs of both sides, by what a row is; lines that have little in common are "replaced".
  const KINDS = {
    same: ["", ""],
    changed: ["~", "~"],
    replaced: ["\u2212", "+"],
    left: ["\u2212", ""],
    right: ["", "+"],
  };

  function rowsOfDiff([left, right]) {
    const texts = [
      linesOf("left", left).map(mosslite.textOf),
      linesOf("right", right).map(mosslite.textOf),
    ];
    const pairs = align.joined(align.equalLines(...texts), anchorsOf([left, right]));
    const rows = align.rowsBetween(pairs, texts[0].length, texts[1].length);
    return rows.map((row) => ({ row, texts: row.map((line, at) => texts[at][line - 1] ?? "") }));
  }

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

  function isSame({ row: [left, right], texts }) {
    return left > 0 && right > 0 && align.words(texts[0]) === align.words(texts[1]);
  }

  function lookOf(entry) {
    const [left, right] = entry.row;
    if (left && right) {
      return isSame(entry) ? { kind: "same", regions: [[], []] } : compared(entry.texts);
    }
    return { kind: left ? "left" : "right", regions: [[], []] };
  }

  // ---- Rows, some of which are built as one ----

  function rowNode(files, entry) {
    const { kind, regions } = lookOf(entry);
    const node = element("tr", `is-${kind}`);
    node.classList.toggle("is-current", isOfMatch(files, entry.row, current.match));
    for (const [at, side] of SIDES.entries()) {
      const place = { side, file: files[at], line: entry.row[at], sign: KINDS[kind][at] };
      const fillText = (cell) => fillCell(byId("diff"), cell, place, regions[at]);
      node.append(...cellsOf(place, fillText));
    }
    return node;
  }

  function bodyNode(files, entries, stretch) {
    const body = element("tbody", "");
    for (const entry of entries) {
      body.append(rowNode(files, entry));
    }
    return stretch ? showAsRest(body, stretch) : body;
  }

  function foldBody(count, stretch) {
    const cell = element("td", "", foldButton(count, stretch));
    cell.colSpan = 4;
    return element("tbody", "", element("tr", "fold-row", cell));
  }

  function rowsHigh({ texts }) {
    return lazy.rowsOf(Math.max(texts[0].length, texts[1].length));
  }

  function bodyOf(files, entries, at, stretch) {
    return {
      stretch,
      at,
      rows: entries.reduce((rows, entry) => rows + rowsHigh(entry), 0),
      text: () => entries.map(({ texts }) => `${texts.join("\n")}\n`).join(""),
      build: () => bodyNode(files, entries, stretch),
    };
  }

  function bodiesOf(files, entries, { isMarked, start, stop }) {
    const count = stop - start;
    const isFolded = !isMarked && count >= SHORTEST_FOLD;
    const stretch = isFolded ? `diff-${files.join("-")}-${start}` : "";
    const fold = { rows: 0, at: -1, text: () => "", build: () => foldBody(count, stretch) };
    const bodies = isFolded ? [fold] : [];
    for (let at = start - 1; at < stop - 1; at += ROWS_OF_A_BODY) {
      const some = entries.slice(at, Math.min(at + ROWS_OF_A_BODY, stop - 1));
      bodies.push(bodyOf(files, some, at, stretch));
    }
    return bodies;
  }

  function hole(items) {
    const cell = element("td", "", element("div", "hole"));
    cell.colSpan = 4;
    return holeFor(items, element("tbody", "", element("tr", "", cell)));
  }

  function tableNode(files) {
    const entries = rowsOfDiff(files);
    const isMarked = entries.map((entry) => !isSame(entry));
    const found = mosslite.stretches(entries.length, (number) => isMarked[number - 1]);
    const table = tableOf(files);
    const bodies = found.flatMap((stretch) => bodiesOf(files, entries, stretch));
    tables.set(table, { files, entries, list: lazy.fill(byId("diff"), table, bodies, hole) });
    return table;
  }

  function tableItem(files) {
    return {
      rows: 2 + Math.max(...SIDES.map((side, at) => linesOf(side, files[at]).length)),
      isWhole: true, // until it is near, as a diff takes long
      text: () => "", // names must not wait where they cannot be hidden
      build: () => tableNode(files),
    };
  }

  let whole = null; // the list of tables, one for each pair of files
  const tables = new Map(); // by element: its files, its entries and the list of its bodies

  function fillDiff() {
    const diff = byId("diff");
    if (!whole) {
      const items = filePairs().map(tableItem);
      lazy.withRoom(ROWS_AT_ONCE, () => (whole = lazy.fill(diff, diff, items)));
    }
  }

  // ---- The current match: its lines on the left, or on the right beside another file ----

  function sideIn(files, number) {
    return SIDES.findIndex((side, at) => data.matches[number - 1]?.[side].file === files[at]);
  }

  function isOfMatch(files, row, number) {
    const at = sideIn(files, number);
    const [first, last] = at < 0 ? [0, 0] : data.matches[number - 1][SIDES[at]].lines;
    return first > 0 && row[at] >= first && row[at] <= last;
  }

  function markCurrent() {
    for (const { files, entries, list } of tables.values()) {
      for (const [index, { at }] of list.items.entries()) {
        const { node, isBuilt } = lazy.nearest(list, index);
        if (isBuilt && at >= 0) {
          [...node.rows].forEach((row, nth) =>
            row.classList.toggle("is-current", isOfMatch(files, entries[at + nth].row, current.match)),
          );
        }
      }
    }
  }

  function rowOfMatch(number) {
    const table = filePairs().findIndex((files) => sideIn(files, number) >= 0);
    const { files, entries, list } = tables.get(lazy.reach(whole, table));
    const index = entries.findIndex(({ row }) => isOfMatch(files, row, number));
    const body = list.items.findLastIndex(({ at }) => at >= 0 && at <= index);
    if (list.items[body].stretch) {
      unfold(list.items[body].stretch);
    }
    return lazy.reach(list, body).rows[index - list.items[body].at];
  }

  function showInDiff(number) {
    if (number) {
      bringIntoView(rowOfMatch(number), byId("diff").clientHeight * READING_HEIGHT);
      markCurrent();
    }
  }

  // ---- Which of the two is shown ----

  function isDiffShown() {
    return byId("view-diff").checked;
  }

  function showView() {
    const isDiff = isDiffShown();
    if (isDiff) {
      fillDiff();
    }
    address.set("view", isDiff ? "diff" : "");
    byId("diff").hidden = !isDiff;
    byId("columns").hidden = isDiff;
    byId("legend").classList.toggle("is-of-diff", isDiff);
    byId("together").disabled = isDiff;
    byId("only-label").textContent = isDiff
      ? gettext("Only differences")
      : gettext("Only matches");
    if (isDiff) {
      showInDiff(current.match);
    } else {
      redraw();
    }
  }

  function showMatches() {
    if (isDiffShown()) {
      byId("view-matches").checked = true;
      showView();
    }
  }

  mosslite.views = { isDiffShown, showInDiff, showMatches, showView };
}
