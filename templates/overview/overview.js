"use strict";

// The overview's threshold, and everything that follows it: counts, marks, the picture, the groups.
{
  const { byId, element } = tools;
  const { hundredths, pairs } = lists;
  const BELOW_NAME = 30; // pixels that a picture needs below its lowest name

  // ---- Which pairs reach the threshold, and which submissions they connect ----

  // Pairs of some languages stand out from another score on: that moves as the threshold does.
  function isHigh({ score, limit }, threshold) {
    const own = Number(limit);
    return Number(score) >= (threshold === suggested ? own : own + (threshold - suggested));
  }

  // Gives groups, {members, pairs, score}, in the order of their highest pairs.
  function groupsOf(high) {
    const groups = new Map(); // by member
    const groupOf = (member, score) => groups.get(member) ?? { members: [member], pairs: 0, score };
    for (const { left, right, score } of high) {
      const two = [groupOf(left, score), groupOf(right, score)];
      const [small, large] = two.sort((one, other) => one.members.length - other.members.length);
      for (const member of small === large ? [] : small.members) {
        large.members.push(member);
      }
      large.pairs += 1 + (small === large ? 0 : small.pairs);
      large.score = Math.max(large.score, small.score);
      small.members.concat(left, right).forEach((member) => groups.set(member, large));
    }
    return [...new Set(groups.values())];
  }

  // ---- What follows the threshold ----

  const slider = byId("threshold");
  const suggested = Number(slider?.dataset.suggested);
  const suggestedWords = byId("look")?.textContent; // it counts what is not listed, too

  function countedPairs(count) {
    return ngettext("%(count)s pair", "%(count)s pairs", count);
  }

  function countedGroups(groups) {
    return ngettext("%(count)s group", "%(count)s groups", groups.length);
  }

  function toReview(high, groups, isMoved) {
    if (!isMoved) {
      return suggestedWords;
    }
    if (!high.length) {
      return gettext("no pair reaches the threshold");
    }
    const submissions = groups.reduce((sum, { members }) => sum + members.length, 0);
    const cases = gettext("%(pairs)s of %(submissions)s in %(groups)s", {
      pairs: countedPairs(high.length),
      submissions: ngettext("%(count)s submission", "%(count)s submissions", submissions),
      groups: countedGroups(groups),
    });
    return "isCut" in slider.dataset && high.length === pairs.length
      ? gettext("at least %(cases)s to review", { cases })
      : gettext("%(cases)s to review", { cases });
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
    const graph = document.querySelector(".graph");
    const large = groups.filter(({ members }) => members.length > 2);
    const present = new Set(large.flatMap(({ members }) => members));
    const isDrawn = new Set();
    for (const node of graph.querySelectorAll(".node")) {
      const isOfGroup = threshold <= suggested && drawn.has(node);
      const isShown = isOfGroup || present.has(Number(node.dataset.node));
      node.toggleAttribute("hidden", !isShown);
      isDrawn[isShown ? "add" : "delete"](node.dataset.node);
    }
    for (const line of graph.querySelectorAll(".edge, .edge-score")) {
      const hasEnds = isDrawn.has(line.dataset.left) && isDrawn.has(line.dataset.right);
      line.toggleAttribute("hidden", !hasEnds || !isHigh(line.dataset, threshold));
    }
    for (const frame of graph.querySelectorAll(".frame")) {
      frame.toggleAttribute("hidden", threshold !== suggested);
    }
    const height = threshold < suggested ? lowestOf(graph) : graph.dataset.height;
    graph.classList.toggle("is-moved", threshold !== suggested);
    graph.setAttribute("height", height);
    graph.setAttribute("viewBox", `0 0 ${graph.getAttribute("width")} ${height}`);
    byId("graph").hidden = !isDrawn.size;
  }

  function lowestOf(graph) {
    let lowest = Number(graph.dataset.height);
    for (const name of graph.querySelectorAll(".node:not([hidden]) .node-name")) {
      lowest = Math.max(lowest, Number(name.getAttribute("y")) + BELOW_NAME);
    }
    return lowest;
  }

  // ---- The list of groups: those of the suggested threshold have pages, and pairs not listed ----

  const suggestedGroups = LISTS.groups.map(([number, pairs, score, members]) => ({
    name: element("a", { href: `groups/${number}.html` }, nameOfGroup(number)),
    pairs,
    score,
    members,
  }));
  const groupList = byId("group-table") && lists.longList("group-table", groupRow);
  let shownGroups = [];

  function nameOfGroup(number) {
    return gettext("Group %(number)s", { number });
  }

  function tellGroups(groups, isMoved) {
    byId("groups-moved-note").hidden = !isMoved;
    byId("group-table").hidden = !groups.length;
    byId("no-groups").hidden = groups.length > 0;
    shownGroups = isMoved
      ? groups.map((group, at) => ({ ...group, name: nameOfGroup(at + 1) }))
      : suggestedGroups;
    groupList.show(shownGroups, LISTS.firstGroups);
  }

  function groupRow({ name, pairs, score, members }) {
    const first = members.toSorted((one, other) => one - other).slice(0, LISTS.mostMembers);
    const others = members.length - first.length;
    const more = gettext("and %(count)s more", { count: language.number(others) });
    return element(
      "tr",
      "",
      cellOf(gettext("Group"), "", [name]),
      cellOf(gettext("Submissions"), "numeric detail", [language.number(members.length)]),
      cellOf(gettext("Pairs"), "numeric detail", [language.number(pairs)]),
      cellOf(gettext("Highest score"), "numeric detail", [hundredths(score)]),
      cellOf(gettext("Members"), "members", [
        ...first.flatMap((number) => [memberOf(number), " "]),
        others ? more : "",
      ]),
    );
  }

  function cellOf(label, className, content) {
    return tools.addAll(element("td", { class: className, "data-label": label }), content);
  }

  function memberOf(number) {
    return element("span", "member", lists.submissionLink(number));
  }

  function follow() {
    const threshold = Number(slider.value);
    lists.tellHigh((pair) => isHigh(pair, threshold));
    const high = pairs.filter((pair) => pair.isHigh);
    const groups = groupsOf(high);
    const isMoved = threshold !== suggested;
    address.set("threshold", isMoved ? slider.value : "");
    byId("look").textContent = toReview(high, groups, isMoved);
    byId("threshold-value").textContent =
      language.decimal(threshold.toFixed(2)) +
      gettext(": ") +
      gettext("%(pairs)s in %(groups)s", {
        pairs: countedPairs(high.length),
        groups: countedGroups(groups),
      });
    byId("threshold-reset").disabled = !isMoved;
    slider.setAttribute("aria-valuetext", byId("threshold-value").textContent);
    moveMarker(threshold);
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
    byId("threshold-control").hidden = false;
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
    if (slider) {
      groupList.show(shownGroups, Infinity);
      addEventListener("afterprint", () => groupList.show(shownGroups, LISTS.firstGroups), {
        once: true,
      });
    }
  }

  // ---- Start ----

  addEventListener("beforeprint", openForPaper);
  addEventListener("beforeprint", showGroupsOnPaper);

  if (slider) {
    setUpThreshold();
  }
}
