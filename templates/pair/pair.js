"use strict";

// A pair page: going through its evidence, its views and panels, its events and its start.

{
  const { byId, element } = tools;
  const { OTHER, SIDES, current, data, matchAt, sourceOf } = mosslite.page;
  const { fillPanes, foldAll, paneOf, reach, unfold } = mosslite.files;
  const { badgeOf, bringIntoView, eyeOf, redraw, setUpScrolling } = mosslite.panes;
  const { showOnPage, topIn } = mosslite.panes;
  const { fillDiff, markCurrent, rowOfMatch, setUpPaper } = mosslite.tables;
  const BELOW_FILE_NAME = 44; // pixels: the file's name sticks to the top of its pane
  const LITTLE_ROOM = matchMedia("(max-height: 62.49rem), (max-width: 59.99rem)");

  // ---- What is said of a match ----

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

  // ---- The match that is chosen ----

  function setCurrent(number) {
    const isOf = ({ dataset }) => Number(dataset.match ?? dataset.owner ?? dataset.row) === number;
    const shown = "[data-match], [data-row], .line.is-current";
    // Lines of which nothing is compared, such as empty ones, belong to the match around them.
    for (const each of document.querySelectorAll(`${shown}, .line[data-owner="${number}"]`)) {
      each.classList.toggle("is-current", isOf(each));
    }
  }

  function choose(number) {
    current.match = number;
    setCurrent(number);
    byId("step-status").replaceChildren();
    tools.addAll(byId("step-status"), statusOf(number));
    address.set("match", number === data.first ? "" : String(number));
    const row = document.querySelector(`#match-list [data-row="${number}"]`);
    if (row) {
      const list = row.closest(".panel-body");
      list.scrollTop = row.offsetTop - list.clientHeight / 2;
    }
  }

  function bringBoth(number) {
    choose(number);
    for (const side of SIDES) {
      const node = badgeOf(side, number);
      if (node) {
        bringIntoView(node);
      }
    }
  }

  // In the view that is shown.
  function show(number) {
    if (isDiffShown()) {
      choose(number);
      bringIntoView(rowOfMatch(number));
      markCurrent();
    } else {
      bringBoth(number);
      showOnPage(byId("columns"));
    }
  }

  function showCurrent() {
    if (current.match) {
      show(current.match);
    }
  }

  function showInMatches(number) {
    showMatches();
    show(number);
  }

  // The counterpart goes to the height at which the reader already looks.
  function showCounterpart(node, number) {
    const { side } = node.closest(".pane").dataset;
    const pane = paneOf(side);
    const height = topIn(pane, badgeOf(side, number) ?? node) - pane.scrollTop;
    const other = badgeOf(OTHER[side], number);
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

  function goToLine(link) {
    const { side } = link.closest("td").dataset;
    const beside = `[data-side="${OTHER[side]}"] .line-link`;
    const links = [link, link.closest("tr").querySelector(beside)].filter(Boolean);
    showMatches();
    document.querySelectorAll(".is-target").forEach((each) => each.classList.remove("is-target"));
    for (const each of links) {
      const { side: ofSide, document: file } = each.closest("td").dataset;
      const node = reach(ofSide, Number(file), [Number(each.dataset.line), 0]);
      node.classList.add("is-target");
      bringIntoView(node);
    }
    showOnPage(byId("columns"));
  }

  // ---- Views: matches or the diff, all lines or only those that are marked ----

  function isDiffShown() {
    return byId("view-diff").checked;
  }

  function showView() {
    const isDiff = isDiffShown();
    if (isDiff) {
      fillDiff();
    }
    address.set("view", isDiff ? "diff" : "");
    byId("diff").hidden = !isDiff;
    byId("columns").hidden = isDiff;
    byId("legend").classList.toggle("is-of-diff", isDiff);
    byId("together").disabled = isDiff;
    byId("only-label").textContent = isDiff
      ? gettext("Only differences")
      : gettext("Only matches");
    redraw();
  }

  function switchView() {
    showView();
    showCurrent();
  }

  function showMatches() {
    if (isDiffShown()) {
      byId("view-matches").checked = true;
      showView();
    }
  }

  function showOnlyMatches() {
    const isOn = byId("only-matches").checked;
    byId("sources").classList.toggle("only-marked", isOn);
    address.setFlag("only", isOn);
    foldAll();
    redraw();
  }

  // The lines that the reader looks at stay where they are, unless they are folded away.
  function switchOnlyMatches() {
    const panes = isDiffShown() ? [byId("diff")] : SIDES.map(paneOf);
    const eyes = panes.map(eyeOf).filter(Boolean);
    showOnlyMatches();
    const kept = eyes.filter(({ node }) => node.checkVisibility());
    kept.forEach(({ node, height }) => bringIntoView(node, height));
    if (!kept.length && !isDiffShown()) {
      showCurrent();
    }
  }

  // ---- Panels above the sources: where there is little room they are folded to their headings, ----
  // ---- each of which drops its panel down; the reader's own choice is remembered            ----

  const panels = [...document.querySelectorAll(".panel")];

  function areFolded() {
    return !byId("show-panels").checked;
  }

  function openPanel(panel) {
    for (const each of panels) {
      const isOpen = each === panel;
      const isShown = isOpen || !areFolded();
      each.classList.toggle("is-open", isOpen);
      each.querySelector(".panel-toggle").setAttribute("aria-expanded", String(isShown));
    }
  }

  function showPanels() {
    byId("panels").classList.toggle("is-folded", areFolded());
    document.body.classList.toggle("has-folded-panels", areFolded());
    openPanel(null);
  }

  function followRoom() {
    byId("show-panels").checked = tools.recalled("panels-shown") ?? !LITTLE_ROOM.matches;
    showPanels();
  }

  function openReview() {
    if (areFolded()) {
      openPanel(byId("review"));
    }
  }

  function writeNote() {
    openReview();
    byId("review").querySelector("textarea").focus();
  }

  // What is chosen in a panel is shown in the sources, and so is what is behind the panel.
  function leavePanel({ target }) {
    const isLink = target.closest(".panel [data-match], .panel .line-link");
    if (areFolded() && (isLink || !target.closest(".panel"))) {
      openPanel(null);
    }
  }

  function setUpPanels() {
    for (const panel of panels) {
      const heading = panel.querySelector("h2");
      const look = { type: "button", class: "panel-toggle" };
      const toggle = element("button", look, ...heading.childNodes);
      toggle.addEventListener("click", () => {
        openPanel(areFolded() && !panel.classList.contains("is-open") ? panel : null);
      });
      heading.append(toggle);
    }
    followRoom();
    LITTLE_ROOM.addEventListener("change", followRoom);
    byId("show-panels").addEventListener("change", ({ target }) => {
      tools.remember("panels-shown", target.checked);
      showPanels();
    });
    document.addEventListener("click", leavePanel);
  }

  // ---- The pairs before and after this one, in the list that it was opened from ----

  function linkTo(rel, rank) {
    const old = document.querySelector(`.pair-bar [data-rel="${rel}"]`);
    const made = rank
      ? element("a", { "data-rel": rel, rel, href: `${rank}.html` })
      : element("span", { "data-rel": rel, class: "no-link" });
    old.replaceWith(tools.addAll(made, [...old.childNodes]));
  }

  function followList() {
    const { state, ranks = [] } = tools.recalled("list", "sessionStorage") ?? {};
    const at = ranks.indexOf(document.body.dataset.pair);
    if (state && state === address.get("back") && at >= 0) {
      linkTo("prev", ranks[at - 1]);
      linkTo("next", ranks[at + 1]);
    }
  }

  // ---- Events ----

  function onClick(event) {
    const isSelecting = !getSelection().isCollapsed && !event.target.closest("a, button");
    const [fold, link, match] = [".fold", ".line-link", "[data-match]"].map((selector) =>
      event.target.closest(selector),
    );
    if (fold) {
      unfold(fold.dataset.fold);
    } else if (link) {
      event.preventDefault();
      goToLine(link);
    } else if (match && !isSelecting) {
      event.preventDefault();
      const number = Number(match.dataset.match);
      match.closest(".pane") ? showCounterpart(match, number) : showInMatches(number);
    }
  }

  // Enter on a badge is a click already; Space is not, as badges are links.
  function onKey(event) {
    const { activeElement } = document;
    const link = event.key === " " && event.target.closest?.(".badge, .line-link");
    if (link && !shortcuts.isModified(event)) {
      event.preventDefault();
      link.click();
    } else if (event.key === "Escape" && areFolded()) {
      openPanel(null);
      activeElement.closest(".panel")?.querySelector(".panel-toggle").focus();
    }
  }

  function askForReason() {
    const { state, reason } = byId("review").querySelector("form").elements;
    if (state.value === "dismissed" && !reason.value.trim()) {
      openReview();
    }
  }

  // Another view, another choice, another pair: as if its field or its link were clicked.
  function click(selector) {
    return () => document.querySelector(selector)?.click();
  }

  function otherView() {
    byId(isDiffShown() ? "view-matches" : "view-diff").click();
  }

  // Brackets are where other keyboards have none; they remain for those who know them.
  function addKeys() {
    shortcuts.add(gettext("Matches"), [
      ["n", gettext("Next match"), () => step(1)],
      ["p", gettext("Previous match"), () => step(-1)],
      ["v", gettext("Matches or Diff"), otherView],
      ["m", gettext("Only matches, only differences"), click("#only-matches")],
    ]);
    shortcuts.add(gettext("Pairs"), [
      ["j]", gettext("Next pair"), click('.pair-bar a[rel="next"]')],
      ["k[", gettext("Previous pair"), click('.pair-bar a[rel="prev"]')],
      ["o", gettext("Overview"), click(".pair-bar a")],
    ]);
    shortcuts.add(gettext("Page"), [
      ["e", gettext("Write a note"), writeNote],
      ["l", gettext("Show or fold the panels"), click("#show-panels")],
    ]);
  }

  function setUpTools() {
    byId("together").checked = tools.recalled("scroll-together") ?? true;
    byId("together").addEventListener("change", ({ target }) => {
      tools.remember("scroll-together", target.checked);
    });
    byId("only-matches").addEventListener("change", switchOnlyMatches);
    byId("view-matches").addEventListener("change", switchView);
    byId("view-diff").addEventListener("change", switchView);
    byId("show-chance").addEventListener("change", ({ target }) => {
      byId("sources").classList.toggle("shows-chance", target.checked);
    });
    byId("review").addEventListener("input", askForReason);
    byId("step-back").addEventListener("click", () => step(-1));
    byId("step-on").addEventListener("click", () => step(1));
    byId("tools").hidden = false;
  }

  // ---- Links to a match, such as those of the badges where they open in a tab of their own ----

  function linkedMatch() {
    const linked = /^#(?:left|right)-(\d+)$/.exec(location.hash)?.[1] ?? address.get("match");
    return matchAt(Number(linked), "left") ? Number(linked) : 0;
  }

  function showLinked() {
    if (location.hash && linkedMatch()) {
      showInMatches(linkedMatch());
    }
  }

  // ---- Start ----

  function tellMissing(sides) {
    const names = sides.map((side) => `sources/${data[side].submission}.js`);
    byId("missing").textContent = gettext(
      "The sources cannot be shown: %(files)s cannot be read.",
      { files: names.join(` ${gettext("and")} `) },
    );
    byId("missing").hidden = false;
  }

  function setUp() {
    fillPanes();
    setUpTools();
    SIDES.forEach(setUpScrolling);
    byId("only-matches").checked = address.has("only");
    byId("view-matches").checked = true;
    showOnlyMatches();
    document.addEventListener("click", onClick);
    setUpPaper();
    if (data.matches.length) {
      bringBoth(linkedMatch() || data.first); // but the page itself begins at its head
    }
    if (address.get("view") === "diff") {
      byId("view-diff").checked = true;
      switchView();
    }
    window.addEventListener("hashchange", showLinked);
  }

  function start() {
    const missing = SIDES.filter((side) => !sourceOf(side));
    setUpPanels();
    followList();
    document.addEventListener("keydown", onKey);
    if (missing.length) {
      tellMissing(missing);
    } else {
      setUp();
      addKeys();
    }
  }

  document.addEventListener("DOMContentLoaded", start);
}
