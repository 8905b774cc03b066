"use strict";

// Sources as elements: lines are cut into pieces, and marks (matches, gaps, differences) are laid
// over them. All text goes in by textContent, so nothing in a source can become an element.

const mosslite = {};

{
  const HIDDEN = 1; // flags of a piece, as in sources.py
  const BOILERPLATE = 2;
  const LINES_OF_A_CHUNK = 40; // what a browser may leave undrawn as one
  const LINE_HEIGHT = 20.8; // pixels, a guess for what is not drawn
  const SHORTEST_FOLD = 4; // lines
  const TINTS = 8;

  const sources = new Map();

  function element(tag, className, ...children) {
    const made = document.createElement(tag);
    if (className) {
      made.className = className;
    }
    made.append(...children);
    return made;
  }

  function tint(number) {
    return `tint-${((number - 1) % TINTS) + 1}`;
  }

  // ---- Pieces ----

  function codePoint(repeated) {
    const characters = [...repeated];
    const label = `U+${characters[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    return characters.length === 1 ? label : `${label} x ${characters.length}`;
  }

  function hiddenNode(text, source) {
    const node = element("span", "hidden-character", codePoint(text));
    node.title = source.hidden[String.fromCodePoint(text.codePointAt(0))] ?? "";
    return node;
  }

  function boilerplateTitle(file) {
    return file.origins.length ? `boilerplate from ${file.origins.join(", ")}` : "boilerplate";
  }

  function pieceNode([text, colour = 0, flags = 0], source, file) {
    const className = source.classes[colour];
    const isPlain = !className && !flags;
    const inner = flags & HIDDEN ? hiddenNode(text, source) : text;
    if (isPlain) {
      return document.createTextNode(text);
    }
    if (flags & BOILERPLATE) {
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

  // Gives what of a line's pieces is in [start, stop); columns are those of JavaScript strings.
  function cutOut(line, start, stop) {
    const cut = [];
    let at = 0;
    for (const packed of line) {
      const [text, ...look] = asPiece(packed);
      const part = text.slice(Math.max(start - at, 0), Math.max(stop - at, 0));
      if (part) {
        cut.push([part, ...look]);
      }
      at += text.length;
    }
    return cut;
  }

  // ---- Lines ----

  // The number that a reader knows a line by. Each part of a file counts its own lines, and its
  // heading, the line above them, has none.
  function lineNumber({ parts = [] }, line) {
    const first = parts.findLast((each) => each <= line + 1) ?? 1;
    return line < first ? "" : String(line - first + 1);
  }

  // A region of a line is {start, stop, wrap}: wrap puts the nodes of its text into elements.
  function fillLine(parent, line, regions, source, file) {
    let at = 0;
    const add = (start, stop, wrap) => {
      const nodes = cutOut(line, start, stop).map((piece) => pieceNode(piece, source, file));
      if (nodes.length) {
        parent.append(...(wrap ? wrap(nodes) : nodes));
      }
    };
    for (const { start, stop, wrap } of regions) {
      add(at, start, null);
      add(start, stop, wrap);
      at = stop;
    }
    add(at, Infinity, null);
  }

  function indentOf(line) {
    return textOf(line).search(/\S|$/);
  }

  // Adds the regions of a span [first line, column, last line, column] to those of each line.
  function addRegions(regions, lines, span, wrapAt) {
    const [firstLine, firstColumn, lastLine, lastColumn] = span;
    for (let line = firstLine; line <= lastLine; line += 1) {
      const start = line === firstLine ? firstColumn : indentOf(lines[line - 1]);
      const stop = line === lastLine ? lastColumn : Infinity;
      const wrap = wrapAt(line === firstLine);
      regions.set(line, [...(regions.get(line) ?? []), { start, stop, wrap }]);
    }
  }

  function sorted(regions) {
    for (const each of regions.values()) {
      each.sort((one, other) => one.start - other.start);
    }
    return regions;
  }

  // ---- A whole file, in stretches that have marks or have none ----

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

  function foldButton(count) {
    const button = element("button", "fold", `\u2026 ${count} lines \u2026`);
    button.type = "button";
    return button;
  }

  function chunkNode(start, stop, lineNode) {
    const chunk = element("div", "chunk");
    chunk.style.containIntrinsicBlockSize = `auto ${(stop - start) * LINE_HEIGHT}px`;
    for (let line = start; line < stop; line += 1) {
      chunk.append(lineNode(line));
    }
    return chunk;
  }

  function stretchNode({ isMarked, start, stop }, lineNode) {
    const node = element("div", "stretch");
    if (!isMarked && stop - start >= SHORTEST_FOLD) {
      node.classList.add("is-rest");
      node.append(foldButton(stop - start));
    }
    for (let line = start; line < stop; line += LINES_OF_A_CHUNK) {
      node.append(chunkNode(line, Math.min(line + LINES_OF_A_CHUNK, stop), lineNode));
    }
    return node;
  }

  function fillFile(parent, count, isMarked, lineNode) {
    parent.append(
      ...stretches(count, isMarked).map((stretch) => stretchNode(stretch, lineNode)),
    );
  }

  Object.assign(mosslite, {
    SHORTEST_FOLD,
    addSource: (source) => sources.set(source.submission, source),
    sourceOf: (submission) => sources.get(submission),
    addRegions,
    element,
    fillFile,
    fillLine,
    foldButton,
    lineNumber,
    sorted,
    stretches,
    textOf,
    tint,
  });
}
