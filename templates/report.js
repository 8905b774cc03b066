"use strict";

// ---- Ranking: sort by a column, filter by name ----

function cellValue(row, column) {
  const cell = row.cells[column];
  const value = cell.dataset.value;
  return value === undefined ? cell.textContent.trim() : Number(value);
}

function compareValues(one, other) {
  return typeof one === "number" ? one - other : one.localeCompare(other);
}

function nextDirection(heading) {
  switch (heading.getAttribute("aria-sort")) {
    case "ascending":
      return "descending";
    case "descending":
      return "ascending";
    default:
      return heading.dataset.first;
  }
}

function sortBy(table, heading) {
  const direction = nextDirection(heading);
  const sign = direction === "ascending" ? 1 : -1;
  const column = heading.cellIndex;
  const rows = [...table.tBodies[0].rows];
  rows.sort((one, other) => sign * compareValues(cellValue(one, column), cellValue(other, column)));
  for (const each of table.tHead.rows[0].cells) {
    each.setAttribute("aria-sort", each === heading ? direction : "none");
  }
  table.tBodies[0].append(...rows);
}

function setUpSorting(table) {
  for (const button of table.querySelectorAll("button.sort")) {
    button.disabled = false;
    button.addEventListener("click", () => sortBy(table, button.closest("th")));
  }
}

function holdsName(row, wanted) {
  return [...row.querySelectorAll(".side .user-text")].some((name) =>
    name.textContent.toLocaleLowerCase().includes(wanted),
  );
}

function filterRows(rows, wanted, status) {
  for (const row of rows) {
    row.hidden = !holdsName(row, wanted);
  }
  const shown = rows.filter((row) => !row.hidden).length;
  status.textContent = wanted ? `${shown} of ${rows.length} pairs` : "";
}

function setUpFilter(table) {
  const input = document.getElementById("filter");
  const status = document.getElementById("filter-status");
  const apply = () =>
    filterRows([...table.tBodies[0].rows], input.value.trim().toLocaleLowerCase(), status);
  input.addEventListener("input", apply);
  input.closest("label").hidden = false;
  apply(); // a browser that comes back to the page may have kept the text
}

// ---- Pair: step through the matches, bring the other side into view ----

const OTHER = { left: "right", right: "left" };
const BELOW_FILE_NAME = 60; // pixels: the file's name sticks to the top of its pane

function badgeOf(side, number) {
  return document.getElementById(`${side}-${number}`);
}

function matchCount() {
  return document.querySelectorAll(".pane[data-side=left] .badge").length;
}

function heightInPane(element) {
  const pane = element.closest(".pane");
  return element.getBoundingClientRect().top - pane.getBoundingClientRect().top;
}

// On a wide screen each source scrolls in a pane of its own; on a narrow one the page does.
function panesScroll() {
  return getComputedStyle(document.querySelector(".pane")).overflowY === "auto";
}

function bringIntoView(badge, height) {
  if (panesScroll()) {
    badge.closest(".pane").scrollBy({ top: heightInPane(badge) - height });
  } else {
    badge.scrollIntoView({ block: "center" });
  }
}

function currentMatch() {
  const badge = document.querySelector(".pane .badge.is-current");
  return badge ? Number(badge.dataset.match) : 0;
}

function mark(number) {
  for (const each of document.querySelectorAll("[data-match]")) {
    each.classList.toggle("is-current", Number(each.dataset.match) === number);
  }
  document.getElementById("step-status").textContent = `Match ${number} of ${matchCount()}`;
  showInList(document.querySelector(`.matches [data-match="${number}"]`));
}

function showInList(badge) {
  const list = badge.closest(".matches-scroll");
  const row = badge.closest("tr");
  list.scrollTo({ top: row.offsetTop - list.clientHeight / 2 });
}

function showBoth(number) {
  const height = badgeOf("left", number).closest(".pane").clientHeight / 4;
  mark(number);
  bringIntoView(badgeOf("right", number), height);
  bringIntoView(badgeOf("left", number), height);
}

// The counterpart goes to the height at which the reader already looks.
function showCounterpart(element, number) {
  const side = element.closest(".pane").dataset.side;
  const height = Math.max(heightInPane(badgeOf(side, number)), BELOW_FILE_NAME);
  mark(number);
  bringIntoView(badgeOf(OTHER[side], number), height);
}

function activate(element) {
  const number = Number(element.dataset.match);
  if (element.closest(".pane")) {
    showCounterpart(element, number);
  } else {
    showBoth(number);
  }
}

function step(by) {
  const count = matchCount();
  if (count) {
    const from = currentMatch() || (by > 0 ? count : 1);
    showBoth(((from - 1 + by + count) % count) + 1);
  }
}

function onClick(event) {
  const element = event.target.closest("[data-match]");
  const isSelecting = !getSelection().isCollapsed && !event.target.closest(".badge");
  if (element && !isSelecting) {
    event.preventDefault();
    activate(element);
  }
}

// Enter on a badge is a click already; Space is not, as badges are links.
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const badge = event.target.closest(".badge");
  if (event.key === " " && badge) {
    event.preventDefault();
    activate(badge);
  } else if (event.key === "n" || event.key === "p") {
    step(event.key === "n" ? 1 : -1);
  }
}

function setUpMatches(stepper) {
  stepper.hidden = false;
  document.getElementById("step-back").addEventListener("click", () => step(-1));
  document.getElementById("step-on").addEventListener("click", () => step(1));
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  if (panesScroll() && matchCount()) {
    showBoth(1);
  }
}

// ---- Start ----

const ranking = document.getElementById("ranking");
if (ranking) {
  setUpSorting(ranking);
  setUpFilter(ranking);
}
const stepper = document.querySelector(".stepper");
if (stepper) {
  setUpMatches(stepper);
}
