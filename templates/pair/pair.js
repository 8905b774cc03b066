"use strict";

// A pair page: both sources with their matches, side by side, or as a diff, or on paper. Other
// scripts do the work; this one has the tools, the events and the start.

{
  const { SIDES, byId, data, sourceOf } = mosslite.page;
  const { fillPanes, foldAll, unfold } = mosslite.files;
  const { lead, redraw, setUpScrolling } = mosslite.scrolling;
  const { isDiffShown, showMatches, showView } = mosslite.views;
  const { bringIntoView, eyeOf } = mosslite.panes;
  const { bringBoth, goToLine, showBoth, showCounterpart, showCurrent, step } = mosslite.stepping;
  const KEPT_TOGETHER = "scroll-together";

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

  // ---- The pairs before and after this one, in the list that it was opened from ----

  function linkTo(rel, rank) {
    const old = document.querySelector(`.pair-bar [data-rel="${rel}"]`);
    const made = rank
      ? tools.element("a", { "data-rel": rel, rel, href: `${rank}.html` })
      : tools.element("span", { "data-rel": rel, class: "no-link" });
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

  function leave(rel) {
    document.querySelector(`.pair-bar a[rel="${rel}"]`)?.click();
  }

  function askForReason() {
    const { state, reason } = byId("review").querySelector("form").elements;
    if (state.value === "dismissed" && !reason.value.trim()) {
      mosslite.panels.openReview();
    }
  }

  // Another view, another choice: as if its field were clicked.
  function click(name) {
    byId(name).click();
  }

  // Brackets are where other keyboards have none; they remain for those who know them.
  function addKeys() {
    shortcuts.add(gettext("Matches"), [
      { keys: ["n"], label: gettext("Next match"), run: () => step(1) },
      { keys: ["p"], label: gettext("Previous match"), run: () => step(-1) },
      { keys: ["v"], label: gettext("Matches or Diff"), run: () => click(isDiffShown() ? "view-matches" : "view-diff") },
      { keys: ["m"], label: gettext("Only matches, only differences"), run: () => click("only-matches") },
    ]);
    shortcuts.add(gettext("Pairs"), [
      { keys: ["j", "]"], label: gettext("Next pair"), run: () => leave("next") },
      { keys: ["k", "["], label: gettext("Previous pair"), run: () => leave("prev") },
      { keys: ["o"], label: gettext("Overview"), run: () => document.querySelector(".pair-bar a").click() },
    ]);
    shortcuts.add(gettext("Page"), [
      { keys: ["e"], label: gettext("Write a note"), run: mosslite.panels.writeNote },
      { keys: ["l"], label: gettext("Show or fold the panels"), run: () => click("show-panels") },
    ]);
  }

  // Enter on a badge is a click already; Space is not, as badges are links.
  function onKey(event) {
    const link = event.key === " " && event.target.closest?.(".badge, .line-link");
    if (link && !shortcuts.isModified(event)) {
      event.preventDefault();
      link.click();
    }
  }

  // ---- Tools ----

  function showOnlyMatches() {
    const isOn = byId("only-matches").checked;
    byId("sources").classList.toggle("only-marked", isOn);
    address.setFlag("only", isOn);
    foldAll();
    redraw();
  }

  // The lines that the reader looks at stay where they are, unless they are folded away.
  function switchOnlyMatches() {
    const panes = isDiffShown() ? [byId("diff")] : SIDES.map(mosslite.files.paneOf);
    const eyes = panes.map(eyeOf).filter(Boolean);
    showOnlyMatches();
    const kept = eyes.filter(({ node }) => node.checkVisibility());
    if (kept.length) {
      lead("");
      kept.forEach(({ node, height }) => bringIntoView(node, height));
    } else if (!isDiffShown()) {
      showCurrent();
    }
  }

  function setUpTools() {
    byId("together").checked = tools.recalled(KEPT_TOGETHER) ?? true;
    byId("together").addEventListener("change", ({ target }) => {
      tools.remember(KEPT_TOGETHER, target.checked);
    });
    byId("only-matches").addEventListener("change", switchOnlyMatches);
    byId("view-matches").addEventListener("change", () => {
      showView();
      showCurrent();
    });
    byId("view-diff").addEventListener("change", showView);
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
    return data.matches[Number(linked) - 1] ? Number(linked) : 0;
  }

  function showLinked() {
    if (location.hash && linkedMatch()) {
      showMatches();
      showBoth(linkedMatch());
    }
  }

  // ---- Start ----

  function tellMissing(sides) {
    const files = sides.map((side) => `sources/${data[side].submission}.js`).join(` ${gettext("and")} `);
    byId("missing").textContent = gettext(
      "The sources cannot be shown: %(files)s cannot be read.",
      { files },
    );
    byId("missing").hidden = false;
  }

  function setUp() {
    fillPanes();
    setUpTools();
    SIDES.forEach(setUpScrolling);
    byId("only-matches").checked = address.has("only");
    byId(address.get("view") === "diff" ? "view-diff" : "view-matches").checked = true;
    showOnlyMatches();
    document.addEventListener("click", onClick);
    mosslite.setUpPaper();
    if (data.matches.length) {
      bringBoth(linkedMatch() || data.first); // but the page itself begins at its head
    }
    showView();
    window.addEventListener("hashchange", showLinked);
  }

  function start() {
    const missing = SIDES.filter((side) => !sourceOf(side));
    mosslite.panels.setUp();
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
