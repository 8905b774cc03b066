"use strict";

// The files of both sides in their panes, and the chunks of lines that these are laid out in.

{
  const { addAll, element } = tools;
  const { lazy, tint } = mosslite;
  const { SIDES, badge, byId, current, data, gapsIn } = mosslite.page;
  const { linesOf, marksIn, numbersIn, regionsOf, sourceOf } = mosslite.page;
  const LINES_OF_A_CHUNK = 40;
  const SHORTEST_FOLD = 4; // lines
  const ROWS_AT_ONCE = 1000; // of each side, that are built though they are out of sight

  const opened = new Set(); // stretches without marks that were unfolded
  const heads = { left: null, right: null }; // lists of the files
  const chunks = { left: new Map(), right: new Map() }; // by file, its list of chunks

  function paneOf(side) {
    return byId(`${side}-pane`);
  }

  // ---- Stretches without marks can be folded away ----

  function foldButton(count, stretch) {
    const button = element("button", "fold", `\u2026 ${ngettext("%(count)s line", "%(count)s lines", count)} \u2026`);
    button.type = "button";
    button.dataset.fold = stretch;
    button.classList.toggle("is-open", opened.has(stretch));
    return button;
  }

  function showAsRest(node, stretch) {
    node.dataset.stretch = stretch;
    node.classList.add("is-rest");
    node.classList.toggle("is-open", opened.has(stretch));
    return node;
  }

  function unfold(stretch) {
    opened.add(stretch);
    const parts = `[data-stretch="${stretch}"], [data-fold="${stretch}"]`;
    document.querySelectorAll(parts).forEach((node) => node.classList.add("is-open"));
  }

  function foldAll() {
    opened.clear();
    const parts = ".is-open:is([data-stretch], [data-fold])";
    document.querySelectorAll(parts).forEach((node) => node.classList.remove("is-open"));
  }

  // What stands for items of one stretch is folded away as they would be.
  function holeFor(items, made = element("div", "")) {
    const { stretch } = items[0];
    const isOfOne = stretch && items.at(-1).stretch === stretch;
    return isOfOne ? showAsRest(made, stretch) : made;
  }

  // ---- Lines ----

  // Lines of a match with equal comments beside it; or only those from its first to its last tint.
  function wholeLines({ lines }) {
    return lines;
  }

  function tintedLines({ spans }) {
    return spans.length ? [spans[0][0], spans.at(-1)[2]] : [1, 0];
  }

  // Gives for each line the first match it belongs to.
  function ownersOf(side, file, linesOfMatch) {
    const owners = new Uint32Array(linesOf(side, file).length + 1);
    for (const number of numbersIn(side, file)) {
      const [first, last] = linesOfMatch(data.matches[number - 1][side]);
      for (let line = first; line <= last; line += 1) {
        owners[line] ||= number;
      }
    }
    return owners;
  }

  // Gives for each line the kind of the gap it is in, so that none of it is overlooked.
  function gapLines(side, file) {
    const kinds = new Map();
    for (const { kind, spans } of gapsIn(side, file)) {
      for (let line = spans[0][0]; line <= spans.at(-1)[2]; line += 1) {
        kinds.set(line, kind);
      }
    }
    return kinds;
  }

  function markedLines(side, file, owners) {
    const isMarked = Uint8Array.from(owners, (owner) => (owner ? 1 : 0));
    for (const { span } of marksIn(side, file)) {
      isMarked.fill(1, span[0], span[2] + 1);
    }
    return isMarked;
  }

  function openingBadge(number, side) {
    const link = badge(number, side);
    link.id = `${side}-${number}`;
    return link;
  }

  function lineNode({ side, file, owners, gaps }, line, part) {
    const source = sourceOf(side);
    const node = element("span", "line");
    if (!part.start) {
      node.dataset.line = line;
      node.dataset.number = mosslite.lineNumber(source.files[file], line);
    }
    if (owners[line]) {
      node.classList.add("is-matched", tint(owners[line]));
      node.classList.toggle("is-current", owners[line] === current.match);
      node.dataset.owner = owners[line];
    }
    if (gaps.has(line)) {
      node.classList.add("is-gap", `is-${gaps.get(line)}`);
    }
    const regions = regionsOf(side, file, line, openingBadge, part);
    mosslite.fillLine(node, part, regions, source, source.files[file]);
    if (part.isLast) {
      node.append("\n"); // inside the line, so that copied code has its lines
    }
    return node;
  }

  // ---- Chunks: lines, or a part of a long line, that are laid out as one ----

  function chunkNode(look, { start, stop, part, rows, stretch }) {
    const chunk = element("div", "chunk");
    chunk.style.containIntrinsicBlockSize = `auto ${rows * lazy.ROW_HEIGHT}px`;
    const lines = linesOf(look.side, look.file);
    for (let line = start; line < stop; line += 1) {
      chunk.append(lineNode(look, line, part ?? mosslite.wholeOf(lines[line - 1])));
    }
    return stretch ? showAsRest(chunk, stretch) : chunk;
  }

  function textOfChunk(lines, { start, stop, part }) {
    return part
      ? mosslite.shownText(part.pieces)
      : lines.slice(start - 1, stop - 1).map((line) => `${mosslite.shownText(line)}\n`).join("");
  }

  function chunkOf(look, cut, stretch) {
    const item = { ...cut, stretch, column: cut.part?.start ?? 0 };
    const lines = linesOf(look.side, look.file);
    return Object.assign(item, {
      text: () => textOfChunk(lines, item),
      build: () => chunkNode(look, item),
    });
  }

  function cutAt(line, columns, part) {
    return { start: line, stop: line + 1, columns, part, rows: lazy.rowsOf(columns) };
  }

  function isRoomIn({ start, stop, columns }, more) {
    return stop - start < LINES_OF_A_CHUNK && columns + more <= mosslite.LONGEST;
  }

  // Cuts a stretch into {start, stop, columns, rows, part}; lines from start to before stop.
  function cutsOf(lines, { start, stop }) {
    const cuts = [];
    for (let line = start; line < stop; line += 1) {
      const columns = mosslite.lengthOf(lines[line - 1]);
      const last = cuts.at(-1);
      if (columns > mosslite.LONGEST) {
        for (const part of mosslite.partsOf(lines[line - 1])) {
          cuts.push({ ...cutAt(line, part.stop - part.start, part), columns: Infinity });
        }
      } else if (last && isRoomIn(last, columns)) {
        last.stop += 1;
        last.columns += columns;
        last.rows += lazy.rowsOf(columns);
      } else {
        cuts.push(cutAt(line, columns, null));
      }
    }
    return cuts;
  }

  function foldOf({ start, stop }, stretch) {
    return {
      start,
      column: -1,
      rows: 0,
      text: () => "",
      build: () => foldButton(stop - start, stretch),
    };
  }

  function chunksOf(side, file) {
    const lines = linesOf(side, file);
    const owners = ownersOf(side, file, tintedLines);
    const look = { side, file, owners, gaps: gapLines(side, file) };
    const isMarked = markedLines(side, file, ownersOf(side, file, wholeLines));
    const found = mosslite.stretches(lines.length, (line) => isMarked[line]);
    return found.flatMap((each, nth) => {
      const isFolded = !each.isMarked && each.stop - each.start >= SHORTEST_FOLD;
      const stretch = isFolded ? `${side}-${file}-${nth}` : "";
      const cuts = cutsOf(lines, each).map((cut) => chunkOf(look, cut, stretch));
      return isFolded ? [foldOf(each, stretch), ...cuts] : cuts;
    });
  }

  // ---- Files ----

  function letFileWait(side, file, details) {
    const code = details.querySelector(".code");
    const lines = linesOf(side, file);
    lazy.wait(paneOf(side), code, {
      rows: lines.length,
      text: () => lines.map((line) => `${mosslite.shownText(line)}\n`).join(""),
      build: () => chunks[side].set(file, lazy.fill(paneOf(side), code, chunksOf(side, file), holeFor)),
    });
  }

  function factsOf(side, file) {
    const { facts, nothing, disguises } = sourceOf(side).files[file];
    const share = data[side].shares[file] ?? (nothing ? "" : "0 %");
    const node = element("span", "file-facts");
    if (share) {
      node.append(element("span", "file-share", gettext("%(share)s matched", { share })), ", ");
    }
    return addAll(node, disguises ? [facts, ", ", element("span", "file-disguises", disguises)] : [facts]);
  }

  function isOpenAtFirst(side, file) {
    return numbersIn(side, file).length > 0 || sourceOf(side).files.length === 1;
  }

  function headOf(side, file) {
    const { name, given, remark } = sourceOf(side).files[file];
    const shown = element("span", "file-name", element("bdi", "", name));
    if (given) {
      shown.dataset.submission = data[side].submission;
    }
    const summary = element("summary", "", element("h3", "file-heading", shown), " ");
    summary.append(factsOf(side, file));
    const code = element("div", "code");
    code.id = `${side}-file-${file}`;
    code.dir = "ltr";
    code.translate = false;
    const details = element("details", "file", summary);
    details.dataset.document = file;
    details.open = isOpenAtFirst(side, file);
    addAll(details, remark ? [element("p", "file-remark", remark), code] : [code]);
    letFileWait(side, file, details);
    return details;
  }

  function fileOf(side, file) {
    const { lines } = sourceOf(side).files[file];
    const isOpen = isOpenAtFirst(side, file);
    const text = () => lines.map((line) => `${mosslite.shownText(line)}\n`).join("");
    return {
      rows: 2 + (isOpen ? lines.length : 0),
      text: () => (isOpen ? text() : ""), // names must not wait where they cannot be hidden
      build: () => headOf(side, file),
    };
  }

  function fillPane(side) {
    const items = sourceOf(side).files.map((_, file) => fileOf(side, file));
    heads[side] = lazy.fill(paneOf(side), byId(`${side}-files`), items);
  }

  function fillPanes() {
    for (const side of SIDES) {
      lazy.withRoom(ROWS_AT_ONCE, () => fillPane(side));
    }
  }

  // ---- Where a place, [line, column], of a file is: in the nearest element that is built ----

  function chunkAt(items, [line, column]) {
    let [low, high] = [0, items.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((items[middle].start - line || items[middle].column - column) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  // Gives an element, and which share of its height the place is below its top and is high.
  function nearest(side, file, place) {
    const head = lazy.nearest(heads[side], file);
    if (!head.isBuilt) {
      return head;
    }
    if (!head.node.open) {
      return null;
    }
    const list = chunks[side].get(file);
    if (!list) {
      const height = 1 / linesOf(side, file).length;
      const code = head.node.querySelector(".code");
      return { node: code, isBuilt: false, share: (place[0] - 1) * height, height };
    }
    const index = chunkAt(list.items, place);
    const item = list.items[index];
    const found = lazy.nearest(list, index);
    const line = (place[0] - item.start) / (item.stop - item.start);
    const height = found.height / (item.stop - item.start);
    const inside = found.isBuilt ? found.node.children[place[0] - item.start] : null;
    return { ...found, share: found.share + line * found.height, height, inside };
  }

  // Gives the element of a place's line, or of the part of it; it is built if need be.
  function reach(side, file, place) {
    const details = lazy.reach(heads[side], file);
    details.open = true;
    lazy.buildNow(details.querySelector(".code"));
    const list = chunks[side].get(file);
    const index = chunkAt(list.items, place);
    const { start, stretch } = list.items[index];
    if (stretch) {
      unfold(stretch);
    }
    for (const near of [index - 1, index + 1]) {
      if (list.items[near]) {
        lazy.reach(list, near); // so that little moves once the place is in sight
      }
    }
    return lazy.reach(list, index).children[place[0] - start];
  }

  mosslite.files = {
    ROWS_AT_ONCE,
    SHORTEST_FOLD,
    fillPanes,
    foldAll,
    foldButton,
    holeFor,
    nearest,
    paneOf,
    reach,
    showAsRest,
    unfold,
  };
}
