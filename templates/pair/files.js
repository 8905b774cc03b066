"use strict";

// The files of both sides in their panes, and the chunks of rows that these are laid out in.

{
  const { addAll, element } = tools;
  const { lazy, tint } = mosslite;
  const { SIDES, badge, byId, current, data, fileOf, gapsIn } = mosslite.page;
  const { marksIn, matchAt, numbersIn, regionsOf, sourceOf } = mosslite.page;
  const ROWS_OF_A_CHUNK = 40;
  const SHORTEST_FOLD = 4; // rows
  const ROWS_AT_FIRST = 1000; // of each side, that are built though they are out of sight

  const opened = new Set(); // stretches without marks that were unfolded
  const heads = { left: null, right: null }; // lists of the files
  const chunks = { left: new Map(), right: new Map() }; // by file, its list of chunks

  function paneOf(side) {
    return byId(`${side}-pane`);
  }

  // ---- Stretches without marks can be folded away ----

  function showIfOpen(node, stretch) {
    node.classList.toggle("is-open", opened.has(stretch));
    return node;
  }

  function leftOut(count) {
    return `\u2026 ${ngettext("%(count)s line", "%(count)s lines", count)} \u2026`;
  }

  function foldButton(count, stretch) {
    const look = { type: "button", class: "fold", "data-fold": stretch };
    return showIfOpen(element("button", look, leftOut(count)), stretch);
  }

  function showAsRest(node, stretch) {
    if (stretch) {
      node.dataset.stretch = stretch;
      node.classList.add("is-rest");
      showIfOpen(node, stretch);
    }
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
    return showAsRest(made, items.at(-1).stretch === stretch ? stretch : "");
  }

  // Gives the name of a stretch that can be folded, and nothing for others.
  function foldOf({ isMarked, start, stop }, ...place) {
    return !isMarked && stop - start >= SHORTEST_FOLD ? [...place, start].join("-") : "";
  }

  // ---- Rows ----

  // Lines of a match with equal comments beside it; or only those from its first to its last tint.
  function wholeLines({ lines }) {
    return lines;
  }

  function tintedLines({ spans }) {
    return spans.length ? [spans[0][0], spans.at(-1)[2]] : [1, 0];
  }

  // Gives for each line the first match it belongs to.
  function ownersOf(side, file, linesOfMatch) {
    const owners = new Uint32Array(fileOf(side, file).lines + 1);
    for (const number of numbersIn(side, file)) {
      const [first, last] = linesOfMatch(matchAt(number, side));
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

  function markedLines(side, file) {
    const isMarked = ownersOf(side, file, wholeLines).map((owner) => (owner ? 1 : 0));
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

  function rowNode({ side, file, owners, gaps }, row) {
    const { line } = row;
    const source = sourceOf(side);
    const node = element("span", "line");
    if (!row.start) {
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
    const regions = regionsOf(side, file, row, openingBadge);
    mosslite.fillRow(node, row, regions, source, source.files[file]);
    if (row.isLast) {
      node.append("\n"); // inside the line, so that copied code has its lines
    }
    return node;
  }

  // ---- Chunks: rows [start, stop) that are laid out as one ----

  function cutsOf(rows, { start, stop }) {
    const cuts = [];
    let columns = 0;
    for (let at = start; at < stop; at += 1) {
      const { length } = rows[at];
      const last = cuts.at(-1);
      columns += length;
      if (last && at - last.start < ROWS_OF_A_CHUNK && columns <= mosslite.LONGEST) {
        last.stop = at + 1;
        last.rows += lazy.heightOf(length);
      } else {
        cuts.push({ start: at, stop: at + 1, rows: lazy.heightOf(length) });
        columns = length;
      }
    }
    return cuts;
  }

  function chunkOf(look, cut, stretch) {
    const rows = fileOf(look.side, look.file).rows.slice(cut.start, cut.stop);
    const build = () => {
      const nodes = rows.map((row) => rowNode(look, row));
      const chunk = addAll(element("div", "chunk"), nodes);
      lazy.setHeight(chunk, cut.rows);
      return showAsRest(chunk, stretch);
    };
    return { ...cut, stretch, text: () => mosslite.shownText(rows), build };
  }

  function foldItem(rows, { start, stop }, stretch) {
    const count = rows[stop - 1].line - rows[start].line + 1;
    return { start, rows: 0, text: () => "", build: () => foldButton(count, stretch) };
  }

  function chunksOf(side, file) {
    const { rows } = fileOf(side, file);
    const owners = ownersOf(side, file, tintedLines);
    const look = { side, file, owners, gaps: gapLines(side, file) };
    const isMarked = markedLines(side, file);
    return mosslite.stretches(rows.length, (at) => isMarked[rows[at].line]).flatMap((each) => {
      const stretch = foldOf(each, side, file);
      const cuts = cutsOf(rows, each).map((cut) => chunkOf(look, cut, stretch));
      return stretch ? [foldItem(rows, each, stretch), ...cuts] : cuts;
    });
  }

  // ---- Files ----

  function factsOf(side, file) {
    const { facts, nothing, disguises } = fileOf(side, file);
    const share = data[side].shares[file] ?? (nothing ? "" : "0 %");
    const shown = [
      share && element("span", "file-share", gettext("%(share)s matched", { share })),
      facts,
      disguises && element("span", "file-disguises", disguises),
    ];
    const parts = shown.filter(Boolean).flatMap((part) => [", ", part]);
    return addAll(element("span", "file-facts"), parts.slice(1));
  }

  function isOpenAtFirst(side, file) {
    return numbersIn(side, file).length > 0 || sourceOf(side).files.length === 1;
  }

  function fileNode(side, file, waiting) {
    const { name, given, remark } = fileOf(side, file);
    const owner = given ? { "data-submission": data[side].submission } : {};
    const shown = element("span", { class: "file-name", ...owner }, element("bdi", "", name));
    const heading = element("h3", "file-heading", shown);
    const summary = element("summary", "", heading, " ", factsOf(side, file));
    const look = { class: "code", id: `${side}-file-${file}`, dir: "ltr", translate: "no" };
    const code = element("div", look);
    const details = element("details", { class: "file", "data-document": file }, summary);
    details.open = isOpenAtFirst(side, file);
    addAll(details, remark ? [element("p", "file-remark", remark), code] : [code]);
    const pane = paneOf(side);
    const fill = () => lazy.fill(pane, code, chunksOf(side, file), holeFor);
    lazy.wait(pane, code, { ...waiting, build: () => chunks[side].set(file, fill()) });
    return details;
  }

  function fileItem(side, file) {
    const { lines, rows } = fileOf(side, file);
    const text = () => mosslite.shownText(rows);
    const isOpen = isOpenAtFirst(side, file);
    return {
      rows: 2 + (isOpen ? lines : 0),
      text: () => (isOpen ? text() : ""), // names must not wait where they cannot be hidden
      build: () => fileNode(side, file, { rows: lines, text }),
    };
  }

  function fillPanes() {
    for (const side of SIDES) {
      const items = sourceOf(side).files.map((_, file) => fileItem(side, file));
      lazy.withRoom(ROWS_AT_FIRST, () => {
        heads[side] = lazy.fill(paneOf(side), byId(`${side}-files`), items);
      });
    }
  }

  // ---- Where a place, [line, column], of a file is ----

  function chunkAt({ items }, at) {
    return mosslite.firstOf(items.length, (index) => items[index].start > at) - 1;
  }

  // Gives the nearest element that is built, and which share of its height the place is below its
  // top and is high; nothing where the file is closed.
  function nearest(side, file, place) {
    const head = lazy.nearest(heads[side], file);
    const list = chunks[side].get(file);
    if (!head.isBuilt) {
      return head;
    }
    if (!head.node.open) {
      return null;
    }
    if (!list) {
      const height = 1 / fileOf(side, file).lines;
      const code = head.node.querySelector(".code");
      return { node: code, isBuilt: false, share: (place[0] - 1) * height, height };
    }
    const at = mosslite.rowAt(fileOf(side, file), place);
    const index = chunkAt(list, at);
    const { start, stop } = list.items[index];
    const found = lazy.nearest(list, index);
    const height = found.height / (stop - start);
    const inside = found.isBuilt ? found.node.children[at - start] : null;
    return { ...found, share: found.share + (at - start) * height, height, inside };
  }

  // Gives the element of a place's row; it is built if need be.
  function reach(side, file, place) {
    const details = lazy.reach(heads[side], file);
    details.open = true;
    lazy.buildNow(details.querySelector(".code"));
    const list = chunks[side].get(file);
    const at = mosslite.rowAt(fileOf(side, file), place);
    const index = chunkAt(list, at);
    const { start, stretch } = list.items[index];
    if (stretch) {
      unfold(stretch);
    }
    for (const near of [index - 1, index + 1]) {
      if (list.items[near]) {
        lazy.reach(list, near); // so that little moves once the place is in sight
      }
    }
    return lazy.reach(list, index).children[at - start];
  }

  mosslite.files = {
    ROWS_AT_FIRST,
    fillPanes,
    foldAll,
    foldButton,
    foldOf,
    holeFor,
    leftOut,
    nearest,
    paneOf,
    reach,
    showAsRest,
    unfold,
  };
}
