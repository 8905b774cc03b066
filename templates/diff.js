"use strict";

// The diff of both sources, and the choice between it and the matches.

{
  const { align, element } = mosslite;
  const { SIDES, byId, data, linesOf } = mosslite.page;
  const { redraw } = mosslite.scrolling;
  const { filePairs, lineCells, tableOf } = mosslite.aligned;
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
    const equal = align.equalLines(...texts);
    const anchors = align.anchorsOf(data.matches, left, right);
    const rows = align.rowsBetween(
      align.joined(equal, anchors),
      texts[0].length,
      texts[1].length,
    );
    return rows
      .map((row) => ({ row, texts: row.map((line, at) => texts[at][line - 1] ?? "") }))
      .map((entry) => ({ ...entry, ...lookOf(entry) }));
  }

  function wordsAt(text) {
    return [...text.matchAll(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu)];
  }

  // Gives places of words that both lines have, [left, right], none where they are very long.
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
        wrap: (nodes) => [element(tag, "", ...nodes)],
      }));
  }

  function compared(texts) {
    const words = texts.map(wordsAt);
    const equal = equalWords(words);
    if (equal.length * 2 < ALIKE * (words[0].length + words[1].length)) {
      return { kind: "replaced", regions: [[], []] };
    }
    const regions = ["del", "ins"].map((tag, side) =>
      wordRegions(words[side], new Set(equal.map((pair) => pair[side])), tag),
    );
    return { kind: "changed", regions };
  }

  function lookOf({ row: [left, right], texts }) {
    if (!left || !right) {
      return { kind: left ? "left" : "right", regions: [[], []] };
    }
    const isSame = align.words(texts[0]) === align.words(texts[1]);
    return isSame ? { kind: "same", regions: [[], []] } : compared(texts);
  }

  function diffRow(files, { row, kind, regions }) {
    const cells = SIDES.flatMap((side, at) =>
      lineCells(side, files[at], row[at], regions[at], KINDS[kind][at]),
    );
    return element("tr", `is-${kind}`, ...cells);
  }

  function foldRow(count) {
    const cell = element("td", "", mosslite.foldButton(count));
    cell.colSpan = 4;
    return element("tr", "fold-row", cell);
  }

  function diffBodies(files) {
    const entries = rowsOfDiff(files);
    const isMarked = (number) => entries[number - 1].kind !== "same";
    return mosslite.stretches(entries.length, isMarked).map((stretch) => {
      const rows = entries.slice(stretch.start - 1, stretch.stop - 1);
      return diffBody(rows.map((entry) => diffRow(files, entry)), stretch.isMarked);
    });
  }

  function diffBody(rows, isDifferent) {
    const body = element("tbody", "stretch", ...rows);
    if (!isDifferent && rows.length >= mosslite.SHORTEST_FOLD) {
      body.classList.add("is-rest");
      body.prepend(foldRow(rows.length));
    }
    return body;
  }

  function fillDiff() {
    const diff = byId("diff");
    if (!diff.childElementCount) {
      diff.append(...filePairs().map((files) => tableOf(files, diffBodies(files))));
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
    byId("diff").hidden = !isDiff;
    byId("columns").hidden = isDiff;
    byId("legend").classList.toggle("is-of-diff", isDiff);
    byId("together").disabled = isDiff;
    byId("only-label").textContent = isDiff ? "Only differences" : "Only matches";
    if (!isDiff) {
      redraw();
    }
  }

  function showMatches() {
    if (isDiffShown()) {
      byId("view-matches").checked = true;
      showView();
    }
  }

  mosslite.views = { isDiffShown, showMatches, showView };
}
