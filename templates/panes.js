"use strict";

// The panes of both sources: what they hold, and where it is.

{
  const { element, page, tint } = mosslite;
  const { SIDES, badge, byId, data, regionsOf, sourceOf } = page;

  // ---- What they hold ----

  function openingBadge(number, side) {
    const link = badge(number, side);
    link.id = `${side}-${number}`;
    return link;
  }

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

  function numberedLine(file, line) {
    const node = element("span", "line");
    node.dataset.line = line;
    node.dataset.number = mosslite.lineNumber(file, line);
    return node;
  }

  function fillPaneFile(side, file) {
    const source = sourceOf(side);
    const { lines, origins } = source.files[file];
    const regions = regionsOf(side, file, openingBadge);
    const owners = ownersOf(side, file);
    const isMarked = (line) => regions.has(line) || owners.has(line);
    mosslite.fillFile(byId(`${side}-file-${file}`), lines.length, isMarked, (line) => {
      const node = numberedLine(source.files[file], line);
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

  function forgetExtents() {
    extents.clear();
  }

  // ---- Going there ----

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

  // Where a page scrolls as a whole, the sources may be far from where its reader is.
  function showOnPage(place) {
    const { top, bottom } = place.getBoundingClientRect();
    if (top > innerHeight / 2 || bottom < innerHeight / 4) {
      place.scrollIntoView({ block: "start" });
    }
  }

  mosslite.panes = {
    bringIntoView,
    extentsOf,
    fillPanes,
    findEnds,
    forgetExtents,
    paneOf,
    showOnPage,
    topIn,
  };
}
