"use strict";

// The list of matches above the sources: the page has its first rows, the others are made here.

{
  const { element, lazy, tint } = mosslite;
  const { SIDES, byId, data, sourceOf } = mosslite.page;

  let others = null; // the list of the rows that the page itself does not have
  let given = 0;

  const hasBlocks = new Set(data.matches.map(({ block }) => block)).size < data.matches.length;

  function linesOf({ lines: [first, last], where }) {
    return where || (first === last ? String(first) : `${first}-${last}`);
  }

  function placeCell(side, place) {
    const { files } = sourceOf(side);
    const cell = element("td", `${side}-place`);
    if (files.length > 1) {
      const name = element("bdi", "user-text", files[place.file].name);
      cell.append(element("span", `${side}-file`, name), " ");
    }
    cell.append(element("span", place.where ? "place-lines in-part" : "place-lines", linesOf(place)));
    return cell;
  }

  function badge(number) {
    const link = element("a", `badge ${tint(number)}`, String(number));
    link.href = "#sources";
    link.dataset.match = number;
    link.setAttribute("aria-label", gettext("match %(number)s", { number }));
    return link;
  }

  function expectedCell({ expected }) {
    const cell = element("td", "expected numeric");
    cell.append(expected < 0.01 ? "< " : "", language.decimal(Math.max(expected, 0.01).toFixed(2)));
    return cell;
  }

  function rowNode(number) {
    const match = data.matches[number - 1];
    const head = element("th", "", badge(number));
    head.scope = "row";
    const row = element("tr", "", head);
    row.dataset.row = number;
    if (hasBlocks) {
      row.append(element("td", "numeric block", String(match.block)));
    }
    row.append(...SIDES.map((side) => placeCell(side, match[side])));
    row.append(element("td", "tokens numeric", language.number(match.tokens)));
    row.append(expectedCell(match));
    return row;
  }

  function itemOf(number) {
    const { left, right, tokens } = data.matches[number - 1];
    return {
      rows: 1,
      text: () => `${number}: ${linesOf(left)}, ${linesOf(right)}, ${tokens}\n`,
      build: () => rowNode(number),
    };
  }

  function hole() {
    const cell = element("td", "", element("div", "hole"));
    cell.colSpan = hasBlocks ? 6 : 5;
    return element("tr", "", cell);
  }

  function setUp() {
    const table = byId("match-list");
    if (table) {
      given = table.tBodies[0].rows.length;
      const items = data.matches.slice(given).map((_, nth) => itemOf(given + nth + 1));
      others = lazy.fill(table.closest(".panel-body"), table.tBodies[0], items, hole);
    }
  }

  function rowOf(number) {
    return number > given
      ? lazy.reach(others, number - given - 1)
      : byId("match-list").tBodies[0].rows[number - 1];
  }

  // Makes so many rows in all, as what waits is not printed.
  function makeRows(count) {
    for (let number = given + 1; number <= Math.min(count, data.matches.length); number += 1) {
      rowOf(number);
    }
  }

  mosslite.list = { makeRows, rowOf, setUp };
}
