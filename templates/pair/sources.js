"use strict";

// Sources as elements. The lines of a file are rows: one each, or several of a line that is too
// long to be laid out as one. Regions (of matches, gaps, differences) are laid over them. All text
// goes in by textContent, so nothing in a source can become an element.

const mosslite = {};

{
  const HIDDEN = 8; // bits of a look above its colour, as in listing.py
  const BOILERPLATE = 16;
  const LONGEST = 3000; // columns of a row, which are those of JavaScript strings
  const TINTS = 8;

  const { addAll, element } = tools;
  const sources = new Map();

  function tint(number) {
    return `tint-${((number - 1) % TINTS) + 1}`;
  }

  // ---- Rows: {line, start, length, pieces, isLast}, of which pieces are [text, look] ----

  function rowsFrom({ text, indents, looks }) {
    const blanks = (line, at) => " ".repeat(parseInt(indents[at], 36)) + line;
    const whole = text.split("\n").map(blanks).join("\n");
    const rows = [];
    let row = null;
    const begin = (line, start) => {
      row = { line, start, length: 0, pieces: [], isLast: true };
      rows.push(row);
    };
    const add = (part, look) => {
      for (let at = 0; at < part.length; at += row.pieces.at(-1)[0].length) {
        if (row.length >= LONGEST) {
          row.isLast = false;
          begin(row.line, row.start + row.length);
        }
        const piece = cut(part, at, at + LONGEST - row.length);
        row.pieces.push([piece, look]);
        row.length += piece.length;
      }
    };
    begin(1, 0);
    let at = 0;
    for (const [, letter, length] of looks.matchAll(/([A-Z])([0-9a-z]*)/g)) {
      const stop = at + (length ? parseInt(length, 36) : 1);
      const look = letter.charCodeAt(0) - "A".charCodeAt(0);
      const [first, ...others] = whole.slice(at, stop).split("\n");
      add(first, look);
      for (const other of others) {
        begin(row.line + 1, 0);
        add(other, look);
      }
      at = stop;
    }
    return row.length || row.start ? rows : rows.slice(0, -1); // none is behind the last line end
  }

  // No character of two units is cut in two.
  function cut(text, start, stop) {
    const isInTwo = (text.charCodeAt(stop) & 0xfc00) === 0xdc00;
    return text.slice(start, isInTwo ? stop + 1 : stop);
  }

  // What is not looked at stays as it came.
  function unpackLater(file) {
    let rows = null;
    Object.defineProperty(file, "rows", { get: () => (rows ??= rowsFrom(file)) });
    Object.defineProperty(file, "lines", { get: () => file.rows.at(-1)?.line ?? 0 });
  }

  function addSource(source) {
    source.files.forEach(unpackLater);
    sources.set(source.submission, source);
  }

  // ---- Places: the row that has a column of a line ----

  // Gives the first of so many numbers for which a test holds, as it does for all behind it.
  function firstOf(count, test) {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  function rowAt({ rows }, [line, column]) {
    const isBehind = (at) => (rows[at].line - line || rows[at].start - column) > 0;
    return firstOf(rows.length, isBehind) - 1;
  }

  function rowsOfLine(file, line) {
    return file.rows.slice(rowAt(file, [line, 0]), rowAt(file, [line, Infinity]) + 1);
  }

  // ---- Texts ----

  function codePoint(repeated) {
    const code = repeated.codePointAt(0);
    const count = repeated.length / String.fromCodePoint(code).length;
    const label = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    return count === 1 ? label : `${label} x ${count}`;
  }

  function textOf({ pieces }) {
    return pieces.map(([text]) => text).join("");
  }

  function textsOf({ rows }) {
    const texts = [];
    for (const row of rows) {
      texts[row.line - 1] = (texts[row.line - 1] ?? "") + textOf(row);
    }
    return texts;
  }

  // What a reader sees of rows: characters that cannot be seen are spelled out.
  function shownText(rows) {
    const seen = ([text, look]) => (look & HIDDEN ? codePoint(text) : text);
    return rows
      .map(({ pieces, isLast }) => pieces.map(seen).join("") + (isLast ? "\n" : ""))
      .join("");
  }

  // The number that a reader knows a line by. Each part of a file counts its own lines, and its
  // heading, the line above them, has none.
  function lineNumber({ parts = [] }, line) {
    const first = parts.findLast((each) => each <= line + 1) ?? 1;
    return line < first ? "" : String(line - first + 1);
  }

  // ---- Elements ----

  function hiddenNode(text, { hidden }) {
    const title = hidden[String.fromCodePoint(text.codePointAt(0))] ?? "";
    return element("span", { class: "hidden-character", title }, codePoint(text));
  }

  function pieceNode(text, look, source, { origins }) {
    const inner = look & HIDDEN ? hiddenNode(text, source) : document.createTextNode(text);
    if (look & BOILERPLATE) {
      const title = origins
        ? `${gettext("boilerplate from")} ${origins.join(", ")}`
        : gettext("boilerplate");
      return element("span", { class: "boilerplate", title }, inner);
    }
    const colour = source.classes[look % HIDDEN];
    return look && colour ? element("span", colour, inner) : inner;
  }

  // Adds a row. Its regions, {start, stop, wrap}, are ascending and apart: wrap puts the nodes of
  // its text into elements.
  function fillRow(parent, row, regions, source, file) {
    let [at, nth, inPiece] = [row.start, 0, 0];
    const nodesUpTo = (stop) => {
      const nodes = [];
      while (at < stop && nth < row.pieces.length) {
        const [text, look] = row.pieces[nth];
        const part = text.slice(inPiece, inPiece + stop - at);
        nodes.push(pieceNode(part, look, source, file));
        at += part.length;
        inPiece += part.length;
        if (inPiece === text.length) {
          [nth, inPiece] = [nth + 1, 0];
        }
      }
      return nodes;
    };
    for (const { start, stop, wrap } of regions) {
      addAll(parent, nodesUpTo(start));
      const inside = nodesUpTo(stop);
      addAll(parent, inside.length ? wrap(inside) : []);
    }
    return addAll(parent, nodesUpTo(Infinity));
  }

  Object.assign(mosslite, {
    LONGEST,
    addSource,
    fillRow,
    firstOf,
    lineNumber,
    rowAt,
    rowsOfLine,
    shownText,
    sourceOf: (submission) => sources.get(submission),
    textOf,
    textsOf,
    tint,
  });
}
