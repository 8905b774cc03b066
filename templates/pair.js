"use strict";

// A pair page: both sources with their matches, side by side, or as a diff, or on paper. Other
// scripts do the work; this one has the tools, the events and the start.

{
  const { SIDES, byId, data, sourceOf } = mosslite.page;
  const { fillPanes, foldAll, unfold } = mosslite.files;
  const { redraw, setUpScrolling } = mosslite.scrolling;
  const { isDiffShown, showMatches, showView } = mosslite.views;
  const { bringBoth, goToLine, showBoth, showCounterpart, showCurrent, step } = mosslite.stepping;
  const KEPT_TOGETHER = "mosslite.scroll-together";
  const KEPT_PANELS = "mosslite.lists-shown";
  const KEPT_KEYS = "mosslite.single-keys";

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
    } else if (byId("keys").checked) {
      KEYS[event.key]?.();
    }
  }

  // ---- Tools ----

  function showOnlyMatches() {
    const isOn = byId("only-matches").checked;
    byId("sources").classList.toggle("only-marked", isOn);
    foldAll();
    redraw();
    if (isOn && !isDiffShown()) {
      showCurrent();
    }
  }

  function showPanels() {
    byId("panels").hidden = !byId("show-panels").checked;
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

  // ---- Links to a match, such as those of the badges where they open in a tab of their own ----

  function linkedMatch() {
    const number = Number(/^#(?:left|right)-(\d+)$/.exec(location.hash)?.[1]);
    return data.matches[number - 1] ? number : 0;
  }

  function showLinked() {
    if (linkedMatch()) {
      showMatches();
      showBoth(linkedMatch());
    }
  }

  // ---- Start ----

  function tellMissing(sides) {
    const files = sides.map((side) => `sources/${data[side].submission}.js`).join(" and ");
    byId("missing").textContent = `The sources cannot be shown: ${files} cannot be read.`;
    byId("missing").hidden = false;
  }

  function setUp() {
    fillPanes();
    setUpTools();
    mosslite.list.setUp();
    SIDES.forEach(setUpScrolling);
    showOnlyMatches(); // a browser that comes back to the page may have kept what was chosen
    showView();
    document.addEventListener("click", onClick);
    mosslite.setUpPaper();
    if (data.matches.length) {
      bringBoth(linkedMatch() || 1); // but the page itself begins at its head
    }
    window.addEventListener("hashchange", showLinked);
  }

  function start() {
    const missing = SIDES.filter((side) => !sourceOf(side));
    setUpKept(byId("keys"), KEPT_KEYS, () => {});
    document.addEventListener("keydown", onKey);
    if (missing.length) {
      tellMissing(missing);
    } else {
      setUp();
    }
  }

  document.addEventListener("DOMContentLoaded", start);
}
