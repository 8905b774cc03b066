"use strict";

// The overview's threshold, and everything that follows it: counts, marks, the picture, the groups.
{
  const { byId, element } = tools;
  const { rows } = pairTable;
  const FIRST_GROUPS = 12;
  const BELOW_NAME = 30; // pixels that a picture needs below its lowest name

  // ---- Which pairs reach the threshold, and which submissions they connect ----

  const pairs = rows.map((row) => ({
    row,
    left: row.dataset.left,
    right: row.dataset.right,
    score: Number(row.dataset.score),
  })); // by descending score, as the page has them

  // Pairs of some languages stand out from another score on: that moves as the threshold does.
  function isHigh(element, threshold) {
    const { score, limit } = element.dataset;
    const own = limit === undefined ? suggested : Number(limit);
    return Number(score) >= (threshold === suggested ? own : own + (threshold - suggested));
  }

  function rootOf(roots, end) {
    let root = end;
    while (roots.has(root) && roots.get(root) !== root) {
      const above = roots.get(root);
      roots.set(root, roots.get(above) ?? above); // so that no way stays long
      root = above;
    }
    return root;
  }

  function groupsOf(high) {
    const roots = new Map();
    for (const { left, right } of high) {
      roots.set(rootOf(roots, left), rootOf(roots, right));
    }
    const groups = new Map();
    for (const pair of high) {
      const root = rootOf(roots, pair.left);
      const group = groups.get(root) ?? { members: new Set(), pairs: 0, score: pair.score };
      group.members.add(pair.left).add(pair.right);
      group.pairs += 1;
      groups.set(root, group);
    }
    return [...groups.values()];
  }

  // ---- What follows the threshold ----

  const slider = byId("threshold");
  const suggested = Number(slider?.dataset.suggested);
  const suggestedWords = byId("look")?.textContent; // it counts what is not listed, too

  function hundredths(score) {
    return score === 1 ? language.decimal("1.00") : language.decimal((Math.floor(Number((score * 100).toFixed(6))) / 100).toFixed(2));
  }

  function countedPairs(count) {
    return ngettext("%(count)s pair", "%(count)s pairs", count);
  }

  function countedGroups(count) {
    return ngettext("%(count)s group", "%(count)s groups", count);
  }

  function toReview(high, groups, isMoved) {
    if (!isMoved) {
      return suggestedWords;
    }
    if (!high.length) {
      return gettext("no pair reaches the threshold");
    }
    const submissions = groups.reduce((sum, { members }) => sum + members.size, 0);
    const cases = gettext("%(pairs)s of %(submissions)s in %(groups)s", {
      pairs: countedPairs(high.length),
      submissions: ngettext("%(count)s submission", "%(count)s submissions", submissions),
      groups: countedGroups(groups.length),
    });
    return "isCut" in slider.dataset && high.length === pairs.length
      ? gettext("at least %(cases)s to review", { cases })
      : gettext("%(cases)s to review", { cases });
  }

  let marked = new Set(pairs.filter(({ row }) => row.classList.contains("is-high")));

  // Only the rows that change are touched: a browser takes its time over each.
  function markRows(high) {
    const now = new Set(high);
    for (const pair of marked) {
      if (!now.has(pair)) {
        pair.row.classList.remove("is-high");
      }
    }
    for (const pair of now) {
      if (!marked.has(pair)) {
        pair.row.classList.add("is-high");
      }
    }
    marked = now;
  }

  function moveMarker(threshold) {
    byId("marker")?.setAttribute("x1", `${threshold * 100}%`);
    byId("marker")?.setAttribute("x2", `${threshold * 100}%`);
    for (const bar of document.querySelectorAll(".histogram-bar")) {
      bar.classList.toggle("is-high", Number(bar.dataset.low) >= threshold);
    }
  }

  // Sets of SVG elements have no property `hidden`, so the attribute it is.
  const drawn = new Set(document.querySelectorAll(".graph .node:not([hidden])"));

  // Groups of two are not drawn: the table says all of them. Of some groups not all pairs are
  // listed: their members stay until the threshold is raised.
  function redraw(threshold, groups) {
    const present = new Set();
    for (const { members } of groups.filter(({ members }) => members.size > 2)) {
      members.forEach((member) => present.add(member));
    }
    const graph = document.querySelector(".graph");
    const isDrawn = new Set();
    for (const node of graph.querySelectorAll(".node")) {
      const isOfGroup = threshold <= suggested && drawn.has(node);
      const isShown = isOfGroup || present.has(node.dataset.node);
      node.toggleAttribute("hidden", !isShown);
      isDrawn[isShown ? "add" : "delete"](node.dataset.node);
    }
    for (const line of graph.querySelectorAll(".edge, .edge-score")) {
      const hasEnds = isDrawn.has(line.dataset.left) && isDrawn.has(line.dataset.right);
      line.toggleAttribute("hidden", !hasEnds || !isHigh(line, threshold));
    }
    for (const frame of graph.querySelectorAll(".frame")) {
      frame.toggleAttribute("hidden", threshold !== suggested);
    }
    graph.classList.toggle("is-moved", threshold !== suggested);
    resize(graph, threshold < suggested ? lowestOf(graph) : Number(graph.dataset.height));
    byId("graph").hidden = !isDrawn.size;
  }

  function lowestOf(graph) {
    let lowest = Number(graph.dataset.height);
    for (const name of graph.querySelectorAll(".node:not([hidden]) .node-name")) {
      lowest = Math.max(lowest, Number(name.getAttribute("y")) + BELOW_NAME);
    }
    return lowest;
  }

  function resize(graph, height) {
    graph.setAttribute("height", height);
    graph.setAttribute("viewBox", `0 0 ${graph.getAttribute("width")} ${height}`);
  }

  function tellGroups(groups, isMoved) {
    byId("groups-suggested").hidden = isMoved;
    byId("groups-moved").hidden = !isMoved;
    byId("groups-moved-note").hidden = !isMoved;
    byId("group-table").hidden = !groups.length;
    byId("groups-moved").replaceChildren();
    for (const [index, group] of isMoved ? groups.entries() : []) {
      byId("groups-moved").append(groupRow(group, index));
    }
    byId("no-groups").hidden = groups.length > 0;
    cutGroups();
  }

  // ---- A long table of groups is cut, until somebody asks for all of it ----

  let isCutShort = true;

  function cutGroups() {
    const bodies = [byId("groups-suggested"), byId("groups-moved")];
    const rows = [...bodies.find(({ hidden }) => !hidden).rows];
    rows.forEach((row, at) => (row.hidden = isCutShort && at >= FIRST_GROUPS));
    byId("more-groups").hidden = !isCutShort || rows.length <= FIRST_GROUPS;
    byId("more-groups").firstElementChild.textContent = ngettext(
      "Show %(count)s group",
      "Show all %(count)s groups",
      rows.length,
    );
  }

  function showAllGroups() {
    isCutShort = false;
    cutGroups();
  }

  function groupRow(group, index) {
    const members = [...group.members].sort((one, other) => one - other);
    return element(
      "tr",
      "",
      cellOf(gettext("Group"), "", [gettext("Group %(number)s", { number: index + 1 })]),
      cellOf(gettext("Submissions"), "numeric detail", [members.length]),
      cellOf(gettext("Pairs"), "numeric detail", [group.pairs]),
      cellOf(gettext("Highest score"), "numeric detail", [hundredths(group.score)]),
      cellOf(gettext("Members"), "members", members.flatMap((number) => [memberOf(number), " "])),
    );
  }

  function cellOf(label, className, content) {
    return tools.addAll(element("td", { "data-label": label, class: className }), content);
  }

  const namesByNumber = new Map();

  function memberOf(number) {
    return element("span", "member", namesByNumber.get(number).cloneNode(true));
  }

  function rememberNames() {
    for (const link of document.querySelectorAll(".submission-table a[data-submission]")) {
      namesByNumber.set(link.dataset.submission, link);
    }
  }

  function follow() {
    const threshold = Number(slider.value);
    const high = pairs.filter(({ row }) => isHigh(row, threshold));
    const groups = groupsOf(high);
    const isMoved = threshold !== suggested;
    address.set("threshold", isMoved ? slider.value : "");
    byId("look").textContent = toReview(high, groups, isMoved);
    byId("threshold-value").textContent =
      language.decimal(threshold.toFixed(2)) +
      gettext(": ") +
      gettext("%(pairs)s in %(groups)s", {
        pairs: countedPairs(high.length),
        groups: countedGroups(groups.length),
      });
    byId("threshold-reset").disabled = !isMoved;
    slider.setAttribute("aria-valuetext", byId("threshold-value").textContent);
    moveMarker(threshold);
    markRows(high);
    redraw(threshold, groups);
    tellGroups(groups, isMoved);
  }

  // One frame of work at a time, however fast the slider moves.
  let isFollowing = false;

  function followSoon() {
    if (!isFollowing) {
      isFollowing = true;
      requestAnimationFrame(() => {
        isFollowing = false;
        follow();
      });
    }
  }

  function moveTo(value) {
    slider.value = String(value);
    followSoon();
  }

  const STEPS = { ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01 };

  // Its own steps are thousandths, so that the suggested value can be met.
  function onKey(event) {
    const step = STEPS[event.key];
    if (step && !shortcuts.isModified(event)) {
      event.preventDefault();
      moveTo(Math.round((Number(slider.value) + step) * 1000) / 1000);
    }
  }

  function setUpThreshold() {
    rememberNames();
    byId("threshold-control").hidden = false;
    byId("more-groups").addEventListener("click", showAllGroups);
    slider.value = address.get("threshold") || slider.value;
    slider.addEventListener("input", followSoon);
    slider.addEventListener("keydown", onKey);
    byId("threshold-reset").addEventListener("click", () => {
      moveTo(suggested);
      slider.focus();
    });
    follow();
  }

  // ---- Paper: what the numbers mean is told there without a click ----

  function openForPaper() {
    for (const details of document.querySelectorAll(".note details:not([open])")) {
      details.open = true;
      addEventListener("afterprint", () => (details.open = false), { once: true });
    }
  }

  function showGroupsOnPaper() {
    if (isCutShort && slider) {
      showAllGroups();
      const cutAgain = () => {
        isCutShort = true;
        cutGroups();
      };
      addEventListener("afterprint", cutAgain, { once: true });
    }
  }

  // ---- Start ----

  addEventListener("beforeprint", openForPaper);
  addEventListener("beforeprint", showGroupsOnPaper);

  if (slider) {
    setUpThreshold();
  }
}
