"use strict";

// The files of both sides in their panes, and the chunks of rows that these are laid out in.

{
  const { addAll, element } = tools;
  const { lazy, tint } = mosslite;
  const { SIDES, badge, byId, current, data, fileOf, gapsIn } = mosslite.page;
  const { marksIn, matchAt, numbersIn, regionsOf, sourceOf } = mosslite.page;
  const ROWS_OF_A_CUT = 40;
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

  // Gives the stretches, [start, stop), of rows that have marks or have none.
  function stretchesOf(count, isMarked) {
    const rows = Array.from({ length: count }, (_, at) => at);
    const starts = rows.filter((at) => at === 0 || isMarked(at) !== isMarked(at - 1));
    return starts.map((start, nth) => {
      return { isMarked: isMarked(start), start, stop: starts[nth + 1] ?? count };
    });
  }

  // Cuts a stretch, [start, stop), into parts that are laid out as one.
  function cutsOf(columns, { start, stop }) {
    const cuts = [];
    let sum = 0;
    for (let at = start; at < stop; at += 1) {
      const last = cuts.at(-1);
      sum += columns[at];
      if (last && at - last.start < ROWS_OF_A_CUT && sum <= mosslite.LONGEST) {
        last.stop = at + 1;
        last.rows += lazy.heightOf(columns[at]);
      } else {
        cuts.push({ start: at, stop: at + 1, rows: lazy.heightOf(columns[at]) });
        sum = columns[at];
      }
    }
    return cuts;
  }

  // Gives the items of rows: columns has how long each is. Text and build make one of those in
  // [start, stop), fold makes what a stretch without marks is folded to.
  function itemsOf(columns, isMarked, name, { text, build, fold }) {
    return stretchesOf(columns.length, isMarked).flatMap((part) => {
      const isFolded = !part.isMarked && part.stop - part.start >= SHORTEST_FOLD;
      const stretch = isFolded ? `${name}-${part.start}` : "";
      const items = cutsOf(columns, part).map((rows) => ({
        ...rows,
        stretch,
        text: () => text(rows),
        build: () => showAsRest(build(rows), stretch),
      }));
      const makeFold = () => fold(part, stretch);
      const first = { start: part.start, rows: 0, text: () => "", build: makeFold };
      return isFolded ? [first, ...items] : items;
    });
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

  function chunksOf(side, file) {
    const { rows } = fileOf(side, file);
    const owners = ownersOf(side, file, tintedLines);
    const look = { side, file, owners, gaps: gapLines(side, file) };
    const isMarked = markedLines(side, file);
    const columns = rows.map(({ length }) => length);
    return itemsOf(columns, (at) => isMarked[rows[at].line], `${side}-${file}`, {
      text: ({ start, stop }) => mosslite.shownText(rows.slice(start, stop)),
      build: ({ start, stop, rows: height }) => {
        const nodes = rows.slice(start, stop).map((row) => rowNode(look, row));
        const chunk = addAll(element("div", "chunk"), nodes);
        lazy.setHeight(chunk, height);
        return chunk;
      },
      fold: ({ start, stop }, stretch) => {
        return foldButton(rows[stop - 1].line - rows[start].line + 1, stretch);
      },
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

  // Gives which item of a list has a row.
  function itemAt({ items }, at) {
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
    const index = itemAt(list, at);
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
    const index = itemAt(list, at);
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
    holeFor,
    itemAt,
    itemsOf,
    leftOut,
    nearest,
    paneOf,
    reach,
    unfold,
  };
}
