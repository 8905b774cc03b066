"use strict";

// Sources as elements: lines are cut into pieces, and marks (matches, gaps, differences) are laid
// over them. All text goes in by textContent, so nothing in a source can become an element.

const mosslite = {};

{
  const HIDDEN = 8; // bits of a look above its colour, as in listing.py
  const BOILERPLATE = 16;
  const LONGEST = 3000; // columns of a line that are laid out as one
  const TINTS = 8;

  const { addAll, element } = tools;
  const sources = new Map();

  function tint(number) {
    return `tint-${((number - 1) % TINTS) + 1}`;
  }

  // ---- Lines as lists of pieces: a text, or [text, look] where it has one ----

  function addPiece(line, text, look) {
    if (text) {
      line.push(look ? [text, look] : text);
    }
  }

  function linesFrom({ text, indents, looks }) {
    const whole = text.split("\n").map((line, at) => " ".repeat(parseInt(indents[at], 36)) + line).join("\n");
    const lines = [[]];
    let at = 0;
    for (const [, letter, length] of looks.matchAll(/([A-Z])([0-9a-z]*)/g)) {
      const stop = at + (length ? parseInt(length, 36) : 1);
      const [first, ...others] = whole.slice(at, stop).split("\n");
      const look = letter.charCodeAt(0) - "A".charCodeAt(0);
      addPiece(lines.at(-1), first, look);
      for (const other of others) {
        lines.push([]);
        addPiece(lines.at(-1), other, look);
      }
      at = stop;
    }
    return lines.at(-1).length ? lines : lines.slice(0, -1); // none comes behind the last line end
  }

  // What is not looked at stays as it came.
  function unpackLater(file) {
    let lines = null;
    Object.defineProperty(file, "lines", { get: () => (lines ??= linesFrom(file)) });
  }

  function addSource(source) {
    source.files.forEach(unpackLater);
    sources.set(source.submission, source);
  }

  // ---- Pieces ----

  function codePoint(repeated) {
    const code = repeated.codePointAt(0);
    const count = repeated.length / String.fromCodePoint(code).length;
    const label = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    return count === 1 ? label : `${label} x ${count}`;
  }

  function hiddenNode(text, source) {
    const node = element("span", "hidden-character", codePoint(text));
    node.title = source.hidden[String.fromCodePoint(text.codePointAt(0))] ?? "";
    return node;
  }

  function boilerplateTitle({ origins }) {
    return origins ? `${gettext("boilerplate from")} ${origins.join(", ")}` : gettext("boilerplate");
  }

  function pieceNode([text, look = 0], source, file) {
    const className = source.classes[look % HIDDEN];
    const inner = look & HIDDEN ? hiddenNode(text, source) : text;
    if (!look) {
      return document.createTextNode(text);
    }
    if (look & BOILERPLATE) {
      const node = element("span", "boilerplate", inner);
      node.title = boilerplateTitle(file);
      return node;
    }
    return className ? element("span", className, inner) : inner;
  }

  function asPiece(packed) {
    return typeof packed === "string" ? [packed] : packed;
  }

  function textOf(line) {
    return line.map((packed) => asPiece(packed)[0]).join("");
  }

  // What a reader sees of a line: characters that cannot be seen are spelled out.
  function shownText(line) {
    return line
      .map(asPiece)
      .map(([text, look]) => (look & HIDDEN ? codePoint(text) : text))
      .join("");
  }

  function lengthOf(line) {
    return line.reduce((length, packed) => length + asPiece(packed)[0].length, 0);
  }

  function isLowSurrogate(text, at) {
    return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  }

  // A part of a line: what is in the columns [start, stop), which are those of JavaScript strings.
  function wholeOf(line) {
    return { start: 0, stop: Infinity, pieces: line, isLast: true };
  }

  // Cuts a line, however long, into parts that a browser lays out in no time.
  function partsOf(line) {
    let last = { start: 0, stop: 0, pieces: [], isLast: true };
    const parts = [last];
    for (const packed of line) {
      const [text, ...look] = asPiece(packed);
      for (let at = 0; at < text.length; ) {
        const room = last.start + LONGEST - last.stop;
        if (room <= 0) {
          last.isLast = false;
          last = { start: last.stop, stop: last.stop, pieces: [], isLast: true };
          parts.push(last);
          continue;
        }
        const isInTwo = isLowSurrogate(text, at + room);
        const part = text.slice(at, at + room + (isInTwo ? 1 : 0));
        last.pieces.push([part, ...look]);
        last.stop += part.length;
        at += part.length;
      }
    }
    return parts;
  }

  // ---- Lines ----

  // The number that a reader knows a line by. Each part of a file counts its own lines, and its
  // heading, the line above them, has none.
  function lineNumber({ parts = [] }, line) {
    const first = parts.findLast((each) => each <= line + 1) ?? 1;
    return line < first ? "" : String(line - first + 1);
  }

  // Adds a part of a line. Its regions, {start, stop, wrap}, are ascending and apart: wrap puts
  // the nodes of its text into elements.
  function fillLine(parent, { start, pieces }, regions, source, file) {
    let [at, nth, inside] = [start, 0, []];
    const close = () => {
      addAll(parent, inside.length ? regions[nth].wrap(inside) : []);
      inside = [];
    };
    for (const packed of pieces) {
      const [text, ...look] = asPiece(packed);
      for (let from = 0; from < text.length; ) {
        while (nth < regions.length && regions[nth].stop <= at) {
          close();
          nth += 1;
        }
        const region = regions[nth] ?? { start: Infinity };
        const isInside = region.start <= at;
        const part = text.slice(from, from + (isInside ? region.stop : region.start) - at);
        const node = pieceNode([part, ...look], source, file);
        if (isInside) {
          inside.push(node);
        } else {
          parent.append(node);
        }
        from += part.length;
        at += part.length;
      }
    }
    close();
  }

  function indentOf(line) {
    let indent = 0;
    for (const packed of line) {
      const [text] = asPiece(packed);
      const blanks = text.search(/\S|$/);
      indent += blanks;
      if (blanks < text.length) {
        break;
      }
    }
    return indent;
  }

  // ---- Stretches of lines or rows that have marks or have none ----

  function stretches(count, isMarked) {
    const found = [];
    for (let line = 1; line <= count; line += 1) {
      const last = found.at(-1);
      if (last && last.isMarked === isMarked(line)) {
        last.stop = line + 1;
      } else {
        found.push({ isMarked: isMarked(line), start: line, stop: line + 1 });
      }
    }
    return found;
  }

  Object.assign(mosslite, {
    LONGEST,
    addSource,
    sourceOf: (submission) => sources.get(submission),
    fillLine,
    indentOf,
    lengthOf,
    lineNumber,
    partsOf,
    shownText,
    stretches,
    textOf,
    tint,
    wholeOf,
  });
}
