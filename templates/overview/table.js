"use strict";

// The table of pairs on the overview and on the pages of groups: sorting, filters, slices. What is
// known of a pair stands in its row.

const pairTable = {};

{
  const FIRST = 50; // rows to begin with: the sections below are not far
  const MORE = 200; // rows at each "more": a browser lays out some thousands slowly
  const SIDES = [1, 3]; // columns that have names

  const { byId } = tools;
  const table = byId("pair-table");
  const rows = table ? [...table.tBodies[0].rows] : [];

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
    rememberOrder(heading, direction);
    showRows();
  }

  // Off the page, or every single move would cost a look at all rows.
  function reorder(body) {
    body.remove();
    rows.forEach((row) => body.append(row));
    table.append(body);
  }

  // ---- The order in the address: the column's key, and a minus for a descending one ----

  function labelOf(heading) {
    return heading.dataset.key;
  }

  function rememberOrder(heading, direction) {
    const isFirst = heading.cellIndex === 0 && direction === "ascending"; // as the page has them
    address.set("sort", isFirst ? "" : (direction === "descending" ? "-" : "") + labelOf(heading));
  }

  function recallOrder() {
    const [, minus, label] = /^(-?)(.*)$/s.exec(address.get("sort"));
    const heading = [...table.tHead.rows[0].cells].find((each) => labelOf(each) === label);
    if (heading) {
      const wanted = minus ? "descending" : "ascending";
      while (heading.getAttribute("aria-sort") !== wanted) {
        sortBy(heading);
      }
    }
  }

  function setUpSorting() {
    for (const button of table.querySelectorAll("button.sort")) {
      button.disabled = false;
      button.addEventListener("click", () => sortBy(button.closest("th")));
    }
  }

  // ---- Filters and slices ----

  const filters = byId("pair-filters");
  const FIELDS = { name: "filter-name", score: "filter-score", mark: "filter-mark", between: "filter-role" };
  let slice = FIRST;

  function wanted() {
    return {
      name: byId("filter-name").value.trim().toLocaleLowerCase(),
      score: byId("filter-score").valueAsNumber || 0,
      mark: byId("filter-mark").value,
      role: byId("filter-role")?.value ?? "",
    };
  }

  function holdsName(row, name) {
    return SIDES.some((side) => row.cells[side].textContent.toLocaleLowerCase().includes(name));
  }

  // A mark on code that has changed since is still shown as what it was.
  function hasMark({ dataset: { state }, classList }, mark) {
    const isChanged = classList.contains("is-changed");
    const done = state !== "todo" && !isChanged && !classList.contains("is-contradicted");
    return { todo: !done, done, changed: isChanged }[mark] ?? state === mark;
  }

  function isWanted(row, { name, score, mark, role }) {
    return (
      Number(row.dataset.score) >= score &&
      (!role || row.dataset.role === role) &&
      (!mark || hasMark(row, mark)) &&
      (!name || holdsName(row, name))
    );
  }

  function showRows() {
    const asked = filters ? wanted() : { name: "", score: 0, mark: "", role: "" };
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
    const first = gettext("the first %(count)s shown", { count: language.number(shown) });
    const all = ngettext("%(found)s of %(count)s pair", "%(found)s of %(count)s pairs", rows.length, {
      found: language.number(found),
    });
    byId("filter-status").textContent = found > shown ? `${all}, ${first}` : all;
    byId("more").hidden = found <= shown;
  }

  // ---- What the keys of a pair's page go through: the list as it is filtered and sorted ----

  function keepList(event) {
    if (event.target.closest("a")) {
      const asked = wanted();
      const ranks = rows.filter((row) => isWanted(row, asked)).map((row) => row.dataset.pair);
      tools.remember("list", { state: address.ownState(), ranks }, "sessionStorage");
    }
  }

  function showMore(count) {
    slice += count;
    showRows();
  }

  function filterFields() {
    return Object.entries(FIELDS)
      .map(([name, id]) => [name, byId(id)])
      .filter(([, field]) => field);
  }

  function applyFilters() {
    slice = FIRST;
    let isAny = false;
    for (const [name, field] of filterFields()) {
      address.set(name, field.value);
      isAny ||= Boolean(field.value);
    }
    byId("filter-reset").hidden = !isAny;
    showRows();
  }

  function clearFilters() {
    filterFields().forEach(([, field]) => (field.value = ""));
    applyFilters();
    byId("filter-name").focus();
  }

  function setUpFilters() {
    filters.hidden = false;
    for (const [name, field] of filterFields()) {
      field.value = address.get(name);
    }
    filters.addEventListener("input", applyFilters);
    table.addEventListener("click", keepList);
    byId("filter-reset").addEventListener("click", clearFilters);
    byId("more-some").addEventListener("click", () => showMore(MORE));
    byId("more-all").addEventListener("click", () => showMore(rows.length));
    applyFilters();
  }

  // ---- Start ----

  Object.assign(pairTable, { rows: [...rows] }); // as the page has them, however sorted here

  if (table) {
    setUpSorting();
    recallOrder();
  }
  if (filters) {
    setUpFilters();
    document.addEventListener("marked", showRows);
  } else if (table) {
    showRows();
  }
}
