"use strict";

// The table of pairs on the overview and on the pages of groups: sorting, filters, slices. What is
// known of a pair stands in its row.

const pairTable = {};

{
  const FIRST = 50; // rows to begin with: the sections below are not far
  const MORE = 200; // rows at each "more": a browser lays out some thousands slowly
  const SIDES = [1, 3]; // columns that have names
  const OPPOSITE = { ascending: "descending", descending: "ascending" };

  const { byId } = tools;
  const table = byId("pair-table");
  const filters = byId("pair-filters");
  const collator = new Intl.Collator(undefined, { numeric: true });
  const rows = table ? [...table.tBodies[0].rows] : []; // as they are sorted
  let slice = FIRST;

  // ---- Order: in the address the key of a column, with a minus for a descending one ----

  function cellValue(row, column) {
    const cell = row.cells[column];
    const value = cell.dataset.value;
    return value === undefined ? cell.textContent.trim() : Number(value);
  }

  function compareValues(one, other) {
    return typeof one === "number" ? one - other : collator.compare(one, other);
  }

  function sortBy(heading, direction) {
    const sign = direction === "ascending" ? 1 : -1;
    const values = new Map(rows.map((row) => [row, cellValue(row, heading.cellIndex)]));
    rows.sort((one, other) => sign * compareValues(values.get(one), values.get(other)));
    for (const each of table.tHead.rows[0].cells) {
      each.setAttribute("aria-sort", each === heading ? direction : "none");
    }
    const body = table.tBodies[0];
    body.remove(); // or every single move would cost a look at all rows
    table.append(tools.addAll(body, rows));
    const isFirst = heading.cellIndex === 0 && sign === 1; // as the page has them
    address.set("sort", isFirst ? "" : (sign === 1 ? "" : "-") + heading.dataset.key);
    showRows();
  }

  function setUpSorting() {
    const [, minus, key] = /^(-?)(.*)$/s.exec(address.get("sort"));
    for (const button of table.querySelectorAll("button.sort")) {
      const heading = button.closest("th");
      button.disabled = false;
      button.addEventListener("click", () => {
        sortBy(heading, OPPOSITE[heading.getAttribute("aria-sort")] ?? heading.dataset.first);
      });
      if (heading.dataset.key === key) {
        sortBy(heading, minus ? "descending" : "ascending");
      }
    }
  }

  // ---- Filters and slices ----

  function fields() {
    return [...(filters?.elements ?? [])].filter((field) => field.name);
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

  function wantedRows() {
    const asked = Object.fromEntries(fields().map(({ name, value }) => [name, value.trim()]));
    const { score, mark, between } = asked;
    const name = asked.name?.toLocaleLowerCase();
    return rows.filter(
      (row) =>
        (!score || Number(row.dataset.score) >= Number(score)) &&
        (!between || row.dataset.role === between) &&
        (!mark || hasMark(row, mark)) &&
        (!name || holdsName(row, name)),
    );
  }

  function showRows() {
    const found = wantedRows();
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

  function showMore(count) {
    slice += count;
    showRows();
  }

  function applyFilters() {
    slice = FIRST;
    fields().forEach(({ name, value }) => address.set(name, value));
    byId("filter-reset").hidden = !fields().some(({ value }) => value);
    showRows();
  }

  // What the keys of a pair's page go through: the list as it is filtered and sorted.
  function keepList(event) {
    if (event.target.closest("a")) {
      const ranks = wantedRows().map((row) => row.dataset.pair);
      tools.remember("list", { state: address.ownState(), ranks }, "sessionStorage");
    }
  }

  function setUpFilters() {
    filters.hidden = false;
    fields().forEach((field) => (field.value = address.get(field.name)));
    filters.addEventListener("input", applyFilters);
    filters.addEventListener("submit", (event) => event.preventDefault());
    filters.addEventListener("reset", () => {
      setTimeout(applyFilters); // after the fields are empty
      byId("filter-name").focus();
    });
    table.addEventListener("click", keepList);
    byId("more-some").addEventListener("click", () => showMore(MORE));
    byId("more-all").addEventListener("click", () => showMore(rows.length));
    document.addEventListener("marked", showRows);
    applyFilters();
  }

  // ---- Start ----

  Object.assign(pairTable, { rows: [...rows] }); // as the page has them, however sorted here

  if (table) {
    setUpSorting();
    showRows();
  }
  if (filters) {
    setUpFilters();
  }
}
