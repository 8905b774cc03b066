"use strict";

// A pair page: both sources with their matches, side by side, or as a diff, or on paper.

{
  const { align, element, tint } = mosslite;
  const SIDES = ["left", "right"];
  const OTHER = { left: "right", right: "left" };
  const READING_HEIGHT = 0.3; // of a pane: where the reader looks, and what is brought beside it
  const BELOW_FILE_NAME = 44; // pixels: the file's name sticks to the top of its pane
  const MOST_WORDS = 400; // in a line whose changed words are marked
  const MOST_WORD_EDITS = 200;
  const ALIKE = 0.5; // share of words that two lines must have in common to be one that changed
  const KEPT_TOGETHER = "mosslite.scroll-together";
  const KEPT_PANELS = "mosslite.lists-shown";

  const byId = (name) => document.getElementById(name);
  let data = null;
  let leader = ""; // the side that the reader scrolls; the other one follows
  let current = 0; // number of the match that was chosen last

  // ---- What is remembered; a browser may refuse to ----

  function recalled(key) {
    try {
      return localStorage.getItem(key) !== "no";
    } catch {
      return true;
    }
  }

  function remember(key, isOn) {
    try {
      localStorage.setItem(key, isOn ? "yes" : "no");
    } catch {
      // Then the next page begins as this one did.
    }
  }

  // ---- Marks on the lines of a file ----

  function badge(number, side) {
    const link = element("a", `badge ${tint(number)}`, String(number));
    link.href = `#${OTHER[side]}-${number}`;
    link.dataset.match = number;
    link.setAttribute("aria-label", `match ${number}`);
    return link;
  }

  function openingBadge(number, side) {
    const link = badge(number, side);
    link.id = `${side}-${number}`;
    return link;
  }

  function matchWrap(number, opening) {
    return (nodes) => {
      const node = element("mark", tint(number), ...nodes);
      node.dataset.match = number;
      return [...opening, node];
    };
  }

  function gapWrap(kind, isFirst) {
    return (nodes) => {
      const label = element("span", "gap-label", kind);
      return [...(isFirst ? [label] : []), element("span", `gap gap-${kind}`, ...nodes)];
    };
  }

  function addMatches(regions, side, file, makeBadge) {
    for (const [index, match] of data.matches.entries()) {
      const { file: where, spans } = match[side];
      for (const [place, span] of where === file ? spans.entries() : []) {
        mosslite.addRegions(regions, linesOf(side, file), span, (isFirst) =>
          matchWrap(index + 1, isFirst && place === 0 ? [makeBadge(index + 1, side)] : []),
        );
      }
    }
  }

  function addGaps(regions, side, file) {
    for (const gap of data.gaps.filter((each) => each[side]?.file === file)) {
      for (const [place, span] of gap[side].spans.entries()) {
        mosslite.addRegions(regions, linesOf(side, file), span, (isFirst) =>
          gapWrap(gap.kind, isFirst && place === 0),
        );
      }
    }
  }

  function regionsOf(side, file, makeBadge) {
    const regions = new Map();
    addMatches(regions, side, file, makeBadge);
    addGaps(regions, side, file);
    return mosslite.sorted(regions);
  }

  function sourceOf(side) {
    return mosslite.sourceOf(data[side].submission);
  }

  // ---- Panes ----

  // Gives for each line the first match it belongs to; comments beside a match do, too.
  function ownersOf(side, file) {
    const owners = new Map();
    for (const [index, match] of data.matches.entries()) {
      const [first, last] = match[side].file === file ? match[side].lines : [1, 0];
      for (let line = first; line <= last; line += 1) {
        owners.set(line, owners.get(line) ?? index + 1);
      }
    }
    return owners;
  }

  function numberedLine(number) {
    const node = element("span", "line");
    node.dataset.line = number;
    return node;
  }

  function fillPaneFile(side, file) {
    const source = sourceOf(side);
    const { lines, origins } = source.files[file];
    const regions = regionsOf(side, file, openingBadge);
    const owners = ownersOf(side, file);
    const isMarked = (line) => regions.has(line) || owners.has(line);
    mosslite.fillFile(byId(`${side}-file-${file}`), lines.length, isMarked, (line) => {
      const node = numberedLine(line);
      if (owners.has(line)) {
        node.classList.add("is-matched", tint(owners.get(line)));
      }
      mosslite.fillLine(node, lines[line - 1], regions.get(line) ?? [], source, { origins });
      node.append("\n"); // inside the line, so that copied code has its lines
      return node;
    });
  }

  function fillPanes() {
    for (const side of SIDES) {
      for (const file of sourceOf(side).files.keys()) {
        fillPaneFile(side, file);
      }
    }
  }

  function paneOf(side) {
    return byId(`${side}-pane`);
  }

  function sideOf(node) {
    return node.closest(".pane").dataset.side;
  }

  // ---- Where things are: pixels from the top of a pane's content ----

  const ends = { left: new Map(), right: new Map() }; // by number, a match's first and last mark
  const extents = new Map(); // side: by number, {top, bottom} of what is not folded away

  function findEnds() {
    for (const side of SIDES) {
      for (const node of paneOf(side).querySelectorAll("mark")) {
        const number = Number(node.dataset.match);
        const first = ends[side].get(number)?.first ?? node;
        ends[side].set(number, { first, last: node });
      }
    }
  }

  function topIn(pane, node) {
    return node.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
  }

  function isDrawn(node) {
    return node.checkVisibility?.({ contentVisibilityAuto: true }) ?? true;
  }

  // Gives where a mark begins and stops, roughly where its lines are not drawn: to ask for the
  // true place of many of them would draw the whole file.
  function extentOf(pane, node) {
    if (isDrawn(node)) {
      const top = topIn(pane, node);
      return { top, bottom: top + node.getBoundingClientRect().height };
    }
    const chunk = node.closest(".chunk");
    const height = chunk.getBoundingClientRect().height / chunk.childElementCount;
    const line = node.closest(".line").dataset.line - chunk.firstChild.dataset.line;
    const top = topIn(pane, chunk) + line * height;
    return { top, bottom: top + height };
  }

  function measured(side) {
    const pane = paneOf(side);
    const found = new Map();
    for (const [number, { first, last }] of ends[side]) {
      const { top } = extentOf(pane, first);
      const { bottom } = extentOf(pane, last);
      if (bottom > top) {
        found.set(number, { top, bottom });
      }
    }
    return found;
  }

  function extentsOf(side) {
    if (!extents.has(side)) {
      extents.set(side, measured(side));
    }
    return extents.get(side);
  }

  // ---- The strip beside each pane: where the matches are, and what is in sight ----

  function svg(tag, className, attributes) {
    const node = document.createElementNS(byId("left-strip").namespaceURI, tag);
    node.setAttribute("class", className);
    for (const [name, value] of Object.entries(attributes)) {
      node.setAttribute(name, value);
    }
    return node;
  }

  function stripMark(number, top, height) {
    const group = svg("g", tint(number), {});
    group.append(svg("rect", "strip-match", { y: top, height, width: "100%" }));
    if (height >= 12) {
      const label = svg("text", "strip-number", { x: "50%", y: top + height / 2 });
      label.textContent = number;
      group.append(label);
    }
    return group;
  }

  function drawStrip(side) {
    const strip = byId(`${side}-strip`);
    const scale = strip.clientHeight / Math.max(paneOf(side).scrollHeight, 1);
    const marks = [...extentsOf(side)].map(([number, { top, bottom }]) =>
      stripMark(number, top * scale, Math.max((bottom - top) * scale, 3)),
    );
    strip.replaceChildren(...marks, svg("rect", "strip-window", { width: "100%" }));
    moveWindow(side);
  }

  function moveWindow(side) {
    const pane = paneOf(side);
    const strip = byId(`${side}-strip`);
    const scale = strip.clientHeight / Math.max(pane.scrollHeight, 1);
    const window = strip.querySelector(".strip-window");
    window?.setAttribute("y", pane.scrollTop * scale);
    window?.setAttribute("height", Math.min(pane.clientHeight * scale, strip.clientHeight));
  }

  function scrollByStrip(event) {
    const strip = event.currentTarget;
    const side = strip.dataset.side;
    const pane = paneOf(side);
    const share = (event.clientY - strip.getBoundingClientRect().top) / strip.clientHeight;
    leader = side;
    pane.scrollTop = share * pane.scrollHeight - pane.clientHeight / 2;
  }

  function setUpStrip(strip) {
    strip.addEventListener("pointerdown", (event) => {
      strip.setPointerCapture(event.pointerId);
      scrollByStrip(event);
    });
    strip.addEventListener("pointermove", (event) => {
      if (event.buttons) {
        scrollByStrip(event);
      }
    });
  }

  let isStale = false;

  function redraw() {
    extents.clear();
    if (!isStale) {
      isStale = true;
      requestAnimationFrame(() => setTimeout(drawStrips)); // after what is in sight was drawn
    }
  }

  function drawStrips() {
    isStale = false;
    extents.clear();
    SIDES.forEach(drawStrip);
  }

  // ---- Scrolling together: matches stay beside each other, and what is between them follows ----

  function fixedPoints(side) {
    const theirs = extentsOf(OTHER[side]);
    const both = [...extentsOf(side)].filter(([number]) => theirs.has(number));
    return both
      .flatMap(([number, { top, bottom }]) => [
        { from: top, to: theirs.get(number).top },
        { from: bottom, to: theirs.get(number).bottom },
      ])
      .sort((one, other) => one.from - other.from);
  }

  function counterpart(points, height) {
    const next = points.findIndex(({ from }) => from > height);
    if (next === -1 || next === 0) {
      const only = points.at(next === 0 ? 0 : -1) ?? { from: 0, to: 0 };
      return only.to + height - only.from;
    }
    const [before, after] = [points[next - 1], points[next]];
    const isInOrder = after.to >= before.to;
    const scale = isInOrder ? (after.to - before.to) / (after.from - before.from) : 1;
    return before.to + (height - before.from) * scale;
  }

  function follow(side) {
    const [pane, other] = [paneOf(side), paneOf(OTHER[side])];
    if (pane.scrollTop <= 0) {
      other.scrollTop = 0;
    } else if (pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 1) {
      other.scrollTop = other.scrollHeight;
    } else {
      const eye = pane.clientHeight * READING_HEIGHT;
      other.scrollTop = counterpart(fixedPoints(side), pane.scrollTop + eye) - eye;
    }
  }

  function onScroll(side) {
    moveWindow(side);
    if (byId("together").checked && leader === side) {
      follow(side);
    }
  }

  function setUpScrolling(side) {
    const pane = paneOf(side);
    for (const kind of ["wheel", "pointerdown", "touchstart", "keydown"]) {
      pane.addEventListener(kind, () => (leader = side), { passive: true });
    }
    pane.addEventListener("scroll", () => onScroll(side), { passive: true });
    pane.addEventListener("toggle", redraw, true); // a file was folded or opened
    const resized = new ResizeObserver(redraw);
    [pane, ...pane.children].forEach((node) => resized.observe(node));
    setUpStrip(byId(`${side}-strip`));
  }

  // ---- Stepping through the matches ----

  function badgeOf(side, number) {
    return byId(`${side}-${number}`);
  }

  function unfold(node) {
    node.closest(".file").open = true;
    node.closest(".stretch").classList.add("is-open");
  }

  // What was not drawn gets its true height only when it comes into sight, so this takes two goes.
  function bringIntoView(node, height) {
    const pane = node.closest(".pane");
    const go = () => (pane.scrollTop = topIn(pane, node) - height);
    unfold(node);
    go();
    requestAnimationFrame(() => setTimeout(go));
  }

  function sizeInWords(number) {
    const { tokens, left, right } = data.matches[number - 1];
    const lines = ({ lines: [first, last] }) => (first === last ? first : `${first}-${last}`);
    return `${tokens} tokens, lines ${lines(left)} and ${lines(right)}`;
  }

  function choose(number) {
    current = number;
    for (const each of document.querySelectorAll("[data-match]")) {
      each.classList.toggle("is-current", Number(each.dataset.match) === number);
    }
    byId("step-status").textContent =
      `Match ${number} of ${data.matches.length}: ${sizeInWords(number)}`;
    showInList(byId("match-list").querySelector(`[data-row="${number}"]`));
  }

  function showInList(row) {
    const list = row.closest(".panel-body");
    for (const each of row.parentElement.rows) {
      each.classList.toggle("is-current", each === row);
    }
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }

  function showBoth(number) {
    leader = "";
    choose(number);
    for (const side of SIDES) {
      const node = badgeOf(side, number);
      if (node) {
        bringIntoView(node, paneOf(side).clientHeight * READING_HEIGHT);
      }
    }
  }

  // The counterpart goes to the height at which the reader already looks.
  function showCounterpart(node, number) {
    const side = sideOf(node);
    const pane = paneOf(side);
    const height = topIn(pane, badgeOf(side, number) ?? node) - pane.scrollTop;
    const other = badgeOf(OTHER[side], number);
    leader = "";
    choose(number);
    if (other) {
      bringIntoView(other, Math.max(height, BELOW_FILE_NAME));
    }
  }

  function step(by) {
    const count = data.matches.length;
    if (count) {
      showMatches();
      const from = current || (by > 0 ? count : 1);
      showBoth(((from - 1 + by + count) % count) + 1);
    }
  }

  // ---- Going to a line: the other side goes to where it has the same ----

  function lineNode({ side, document: file, line }) {
    return byId(`${side}-file-${file}`)?.querySelector(`[data-line="${line}"]`);
  }

  function markTargets(nodes) {
    for (const each of document.querySelectorAll(".is-target")) {
      each.classList.remove("is-target");
    }
    nodes.forEach((node) => node.classList.add("is-target"));
  }

  function goToLine(link) {
    const other = link
      .closest("tr")
      .querySelector(`.line-link[data-side="${OTHER[link.dataset.side]}"]`);
    const nodes = [link, other].map((each) => each && lineNode(each.dataset)).filter(Boolean);
    leader = "";
    showMatches();
    markTargets(nodes);
    for (const node of nodes) {
      bringIntoView(node, node.closest(".pane").clientHeight * READING_HEIGHT);
    }
  }

  // ---- Rows of two files beside each other: the diff, and what is printed ----

  function linesOf(side, file) {
    return file === null ? [] : sourceOf(side).files[file].lines;
  }

  function filePairs() {
    return align.pairFiles(
      data.matches,
      sourceOf("left").files.length,
      sourceOf("right").files.length,
    );
  }

  function fileCell(side, file) {
    const cell = element("th");
    cell.colSpan = 2;
    cell.scope = "colgroup";
    if (file !== null) {
      const name = element("bdi", "user-text", data[side].files[file]);
      cell.append(element("span", "file-name", name));
    }
    return cell;
  }

  function sideCell(side) {
    const name = element("bdi", "user-text", data[side].name);
    const owner = element("span", "", name);
    owner.dataset.submission = data[side].submission;
    const cell = element("th", "side-name", owner);
    cell.colSpan = 2;
    cell.scope = "colgroup";
    return cell;
  }

  function headOf(pair) {
    return element(
      "thead",
      "",
      element("tr", "", ...SIDES.map(sideCell)),
      element("tr", "", ...SIDES.map((side, at) => fileCell(side, pair[at]))),
    );
  }

  function lineCells(side, file, line, regions, sign) {
    const number = element("td", "line-number", line ? String(line) : "");
    const text = element("td", "line-text");
    if (line) {
      const source = sourceOf(side);
      const { lines, origins } = source.files[file];
      mosslite.fillLine(text, lines[line - 1], regions, source, { origins });
    }
    if (sign) {
      number.prepend(element("span", "sign", sign));
    }
    text.setAttribute("translate", "no");
    return [number, text];
  }

  function tableOf(pair, bodies) {
    const columns = ["number", "text", "number", "text"].map((kind) =>
      element("col", `column-${kind}`),
    );
    return element(
      "table",
      "aligned",
      element("colgroup", "", ...columns),
      headOf(pair),
      ...bodies,
    );
  }

  // ---- Diff ----

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

  // ---- Paper: all lines, with what matches beside each other ----

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

  // ---- Views ----

  function showView() {
    const isDiff = byId("view-diff").checked;
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
    if (byId("view-diff").checked) {
      byId("view-matches").checked = true;
      showView();
    }
  }

  function showOnlyMatches() {
    const isOn = byId("only-matches").checked;
    byId("sources").classList.toggle("only-marked", isOn);
    for (const each of document.querySelectorAll(".stretch.is-open")) {
      each.classList.remove("is-open");
    }
    redraw();
    if (current && isOn && !byId("view-diff").checked) {
      showBoth(current);
    }
  }

  // ---- Events ----

  function onClick(event) {
    const isSelecting = !getSelection().isCollapsed && !event.target.closest("a, button");
    const [fold, link, match] = [".fold", ".line-link", "[data-match]"].map((selector) =>
      event.target.closest(selector),
    );
    if (fold) {
      fold.closest(".stretch").classList.add("is-open");
    } else if (link) {
      event.preventDefault();
      goToLine(link);
    } else if (match && !isSelecting) {
      event.preventDefault();
      activate(match);
    }
  }

  function activate(node) {
    const number = Number(node.dataset.match);
    if (node.closest(".pane")) {
      showCounterpart(node, number);
    } else {
      showMatches();
      showBoth(number);
    }
  }

  function leave(rel) {
    document.querySelector(`.pair-nav a[rel="${rel}"]`)?.click();
  }

  const KEYS = {
    n: () => step(1),
    p: () => step(-1),
    "[": () => leave("prev"),
    "]": () => leave("next"),
  };

  // Enter on a badge is a click already; Space is not, as badges are links.
  function onKey(event) {
    const isWriting = event.target.closest("textarea, select, input:not([type=checkbox], [type=radio])");
    if (event.ctrlKey || event.metaKey || isWriting) {
      return;
    }
    const link = event.key === " " && event.target.closest(".badge, .line-link");
    if (link) {
      event.preventDefault();
      link.click();
    } else {
      KEYS[event.key]?.();
    }
  }

  function setUpTools() {
    setUpKept(byId("together"), KEPT_TOGETHER, () => {});
    setUpKept(byId("show-panels"), KEPT_PANELS, showPanels);
    byId("only-matches").addEventListener("change", showOnlyMatches);
    byId("view-matches").addEventListener("change", showView);
    byId("view-diff").addEventListener("change", showView);
    byId("step-back").addEventListener("click", () => step(-1));
    byId("step-on").addEventListener("click", () => step(1));
    byId("tools").hidden = false;
  }

  // A checkbox whose state goes along to the next page.
  function setUpKept(box, key, apply) {
    box.checked = recalled(key);
    box.addEventListener("change", () => {
      remember(key, box.checked);
      apply();
    });
    apply();
  }

  function showPanels() {
    byId("panels").hidden = !byId("show-panels").checked;
  }

  function tellMissing(sides) {
    const files = sides.map((side) => `sources/${data[side].submission}.js`).join(" and ");
    byId("missing").textContent = `The sources cannot be shown: ${files} cannot be read.`;
    byId("missing").hidden = false;
  }

  function setUp() {
    fillPanes();
    findEnds();
    setUpTools();
    SIDES.forEach(setUpScrolling);
    showOnlyMatches(); // a browser that comes back to the page may have kept what was chosen
    showView();
    document.addEventListener("click", onClick);
    window.addEventListener("beforeprint", fillPaper);
    window.addEventListener("afterprint", () => byId("paper").replaceChildren());
    if (data.matches.length) {
      showBoth(1);
    }
  }

  function start() {
    data = JSON.parse(byId("pair-data").textContent);
    const missing = SIDES.filter((side) => !sourceOf(side));
    document.addEventListener("keydown", onKey);
    if (missing.length) {
      tellMissing(missing);
    } else {
      setUp();
    }
  }

  document.addEventListener("DOMContentLoaded", start);
}
