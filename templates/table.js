"use strict";

// The table of pairs on the overview and on the pages of groups: sorting, filters, slices. What is
// known of a pair stands in its row.

const pairTable = {};

{
  const SLICE = 200; // rows to begin with, and at each "more": a browser lays out some thousands slowly
  const SIDES = [1, 3]; // columns that have names

  const table = document.getElementById("pair-table");
  const rows = table ? [...table.tBodies[0].rows] : [];
  const byId = (id) => document.getElementById(id);

  function counted(count, what) {
    return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
  }

  // ---- Order ----

  function cellValue(row, column) {
    const cell = row.cells[column];
    const value = cell.dataset.value;
    return value === undefined ? cell.textContent.trim() : Number(value);
  }

  const collator = new Intl.Collator(undefined, { numeric: true });

  function compareValues(one, other) {
    return typeof one === "number" ? one - other : collator.compare(one, other);
  }

  function nextDirection(heading) {
    const opposite = { ascending: "descending", descending: "ascending" };
    return opposite[heading.getAttribute("aria-sort")] ?? heading.dataset.first;
  }

  function sortBy(heading) {
    const direction = nextDirection(heading);
    const sign = direction === "ascending" ? 1 : -1;
    const values = new Map(rows.map((row) => [row, cellValue(row, heading.cellIndex)]));
    rows.sort((one, other) => sign * compareValues(values.get(one), values.get(other)));
    for (const each of table.tHead.rows[0].cells) {
      each.setAttribute("aria-sort", each === heading ? direction : "none");
    }
    reorder(table.tBodies[0]);
    showRows();
  }

  // Off the page, or every single move would cost a look at all rows.
  function reorder(body) {
    body.remove();
    rows.forEach((row) => body.append(row));
    table.append(body);
  }

  function setUpSorting() {
    for (const button of table.querySelectorAll("button.sort")) {
      button.disabled = false;
      button.addEventListener("click", () => sortBy(button.closest("th")));
    }
  }

  // ---- Filters and slices ----

  const filters = byId("pair-filters");
  let slice = SLICE;

  function wanted() {
    return {
      name: byId("filter-name").value.trim().toLocaleLowerCase(),
      score: byId("filter-score").valueAsNumber || 0,
      role: byId("filter-role")?.value ?? "",
    };
  }

  function holdsName(row, name) {
    return SIDES.some((side) => row.cells[side].textContent.toLocaleLowerCase().includes(name));
  }

  function isWanted(row, { name, score, role }) {
    return (
      Number(row.dataset.score) >= score &&
      (!role || row.dataset.role === role) &&
      (!name || holdsName(row, name))
    );
  }

  function showRows() {
    const asked = filters ? wanted() : { name: "", score: 0, role: "" };
    const found = rows.filter((row) => isWanted(row, asked));
    const shown = new Set(filters ? found.slice(0, slice) : found);
    for (const row of rows) {
      row.hidden = !shown.has(row);
      row.classList.remove("is-late"); // which hid it until this script was there
    }
    if (filters) {
      tellCounts(found.length, shown.size);
    }
  }

  function tellCounts(found, shown) {
    const first = found > shown ? `, the first ${shown.toLocaleString("en")} shown` : "";
    byId("filter-status").textContent =
      `${found.toLocaleString("en")} of ${counted(rows.length, "pair")}${first}`;
    byId("more").hidden = found <= shown;
  }

  function showMore(count) {
    slice += count;
    showRows();
  }

  function setUpFilters() {
    const reset = () => {
      slice = SLICE;
      showRows();
    };
    filters.hidden = false;
    filters.addEventListener("input", reset);
    byId("more-some").addEventListener("click", () => showMore(SLICE));
    byId("more-all").addEventListener("click", () => showMore(rows.length));
  }

  // ---- Start ----

  Object.assign(pairTable, { counted, rows: [...rows] }); // as the page has them, however sorted here

  if (table) {
    setUpSorting();
  }
  if (filters) {
    setUpFilters();
  }
  if (table) {
    showRows();
  }
}
