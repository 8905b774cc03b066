"use strict";

// Going through the evidence: to a match, to the next one, to a line.

{
  const { OTHER, SIDES, byId, current, data } = mosslite.page;
  const { paneOf, reach } = mosslite.files;
  const { badgeOf, bringIntoView, showOnPage, topIn } = mosslite.panes;
  const { rowOf } = mosslite.list;
  const { READING_HEIGHT, lead } = mosslite.scrolling;
  const { isDiffShown, showInDiff, showMatches } = mosslite.views;
  const BELOW_FILE_NAME = 44; // pixels: the file's name sticks to the top of its pane

  // ---- Matches ----

  function sideOf(node) {
    return node.closest(".pane").dataset.side;
  }

  function linesInWords({ lines: [first, last], where }) {
    return where
      ? language.told(where)
      : (first === last
      ? gettext("line %(line)s", { line: first })
      : gettext("lines %(lines)s", { lines: `${first}-${last}` }));
  }

  function sizeInWords(number) {
    const { tokens, left, right } = data.matches[number - 1];
    return gettext("%(size)s, %(left)s and %(right)s", {
      size: ngettext("%(count)s token", "%(count)s tokens", tokens),
      left: linesInWords(left),
      right: linesInWords(right),
    });
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
    const what = gettext("Match %(number)s of %(count)s", { number, count: data.matches.length });
    const status = gettext("%(what)s: %(text)s", { what, text: sizeInWords(number) });
    byId("step-status").textContent = status;
    address.set("match", number === 1 ? "" : String(number)); // the page begins with the first
    showInList(rowOf(number));
  }

  function showInList(row) {
    const list = row.closest(".panel-body");
    for (const each of row.parentElement.rows) {
      each.classList.toggle("is-current", each === row);
    }
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
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

  function lineNode({ side, document: file, line }) {
    return reach(side, Number(file), [Number(line), 0]);
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
