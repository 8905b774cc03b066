"use strict";

// Going through the evidence: to a match, to the next one, to a line.

{
  const { element } = tools;
  const { OTHER, SIDES, byId, current, data, sourceOf } = mosslite.page;
  const { paneOf, reach } = mosslite.files;
  const { READING_HEIGHT, badgeOf, bringIntoView, showOnPage, topIn } = mosslite.panes;
  const { lead } = mosslite.scrolling;
  const { isDiffShown, showInDiff, showMatches } = mosslite.views;
  const BELOW_FILE_NAME = 44; // pixels: the file's name sticks to the top of its pane

  // ---- Matches ----

  function sideOf(node) {
    return node.closest(".pane").dataset.side;
  }

  function linesInWords({ lines: [first, last], where }) {
    if (where) {
      return where;
    }
    return first === last
      ? gettext("line %(line)s", { line: first })
      : gettext("lines %(lines)s", { lines: `${first}-${last}` });
  }

  // The file is named where there are several, as an element whose name can be hidden.
  function placeIn(side, { file, ...place }) {
    const { files } = sourceOf(side);
    const name = element("bdi", "", files[file].name);
    const named = files.length > 1 ? [element("span", `${side}-file`, name), ", "] : [];
    return element("span", "", ...named, linesInWords(place));
  }

  function statusOf(number) {
    const { tokens, left, right } = data.matches[number - 1];
    const what = gettext("Match %(number)s of %(count)s", { number, count: data.matches.length });
    const places = { L: placeIn("left", left), R: placeIn("right", right) };
    const text = gettext("%(size)s, %(left)s and %(right)s", {
      size: ngettext("%(count)s token", "%(count)s tokens", tokens),
      left: "\0L\0",
      right: "\0R\0",
    });
    const parts = gettext("%(what)s: %(text)s", { what, text }).split("\0");
    return parts.map((part) => places[part] ?? part);
  }

  // Lines of which nothing is compared, such as empty ones, belong to the match around them.
  function markLines(number, isCurrent) {
    for (const line of document.querySelectorAll(`.line[data-owner="${number}"]`)) {
      line.classList.toggle("is-current", isCurrent);
    }
  }

  function choose(number) {
    markLines(current.match, false);
    markLines(number, true);
    current.match = number;
    for (const each of document.querySelectorAll("[data-match]")) {
      each.classList.toggle("is-current", Number(each.dataset.match) === number);
    }
    const status = byId("step-status");
    status.replaceChildren();
    for (const part of statusOf(number)) {
      status.append(part);
    }
    address.set("match", number === data.first ? "" : String(number));
    showInList(number);
  }

  // The list has the first matches only.
  function showInList(number) {
    const { rows } = byId("match-list").tBodies[0];
    for (const [index, row] of [...rows].entries()) {
      row.classList.toggle("is-current", index + 1 === number);
    }
    const row = rows[number - 1];
    if (row) {
      const list = row.closest(".panel-body");
      list.scrollTop = row.offsetTop - list.clientHeight / 2;
    }
  }

  function bringBoth(number) {
    lead("");
    choose(number);
    for (const side of SIDES) {
      const node = badgeOf(side, number);
      if (node) {
        bringIntoView(node, paneOf(side).clientHeight * READING_HEIGHT);
      }
    }
  }

  function showBoth(number) {
    bringBoth(number);
    showOnPage(byId("columns"));
  }

  // In the view that is shown.
  function show(number) {
    if (isDiffShown()) {
      choose(number);
      showInDiff(number);
    } else {
      showBoth(number);
    }
  }

  function showCurrent() {
    if (current.match) {
      showBoth(current.match);
    }
  }

  // The counterpart goes to the height at which the reader already looks.
  function showCounterpart(node, number) {
    const side = sideOf(node);
    const pane = paneOf(side);
    const height = topIn(pane, badgeOf(side, number) ?? node) - pane.scrollTop;
    const other = badgeOf(OTHER[side], number);
    lead("");
    choose(number);
    if (other) {
      bringIntoView(other, Math.max(height, BELOW_FILE_NAME));
      showOnPage(paneOf(OTHER[side]));
    }
  }

  function step(by) {
    const count = data.matches.length;
    if (count) {
      const from = current.match || (by > 0 ? count : 1);
      show(((from - 1 + by + count) % count) + 1);
    }
  }

  // ---- Going to a line: the other side goes to where it has the same ----

  function lineNode(link) {
    const { side, document: file } = link.closest("td").dataset;
    return reach(side, Number(file), [Number(link.dataset.line), 0]);
  }

  function markTargets(nodes) {
    for (const each of document.querySelectorAll(".is-target")) {
      each.classList.remove("is-target");
    }
    nodes.forEach((node) => node.classList.add("is-target"));
  }

  function goToLine(link) {
    const { side } = link.closest("td").dataset;
    const other = link.closest("tr").querySelector(`[data-side="${OTHER[side]}"] .line-link`);
    const nodes = [link, other].filter(Boolean).map(lineNode);
    lead("");
    showMatches();
    markTargets(nodes);
    for (const node of nodes) {
      bringIntoView(node, node.closest(".pane").clientHeight * READING_HEIGHT);
    }
    showOnPage(byId("columns"));
  }

  mosslite.stepping = { bringBoth, goToLine, showBoth, showCounterpart, showCurrent, step };
}
