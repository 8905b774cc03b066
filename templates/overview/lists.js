"use strict";

// The long lists of a report: pairs, groups and submissions. A page has the first rows of each; all
// that are shown are made of LISTS (lists.js), so a page grows with what is looked at.

const lists = {};

{
  const MORE = 200; // rows at each "more": a browser lays out some thousands slowly
  const OPPOSITE = { ascending: "descending", descending: "ascending" };
  const ROLES = { prior: gettext("prior"), reference: gettext("reference") };

  const { addAll, byId, element } = tools;
  const root = document.querySelector(".sub-page") ? "../" : "";
  const collator = new Intl.Collator(undefined, { numeric: true });
  const submissionOf = (number) => LISTS.submissions[number - 1];

  // ---- Numbers, and names: parts that are texts, or a hidden character's code and its name ----

  // As the pages have them: 0 and 100 are for exact values only.
  function wholeHundredths(share) {
    const whole = Math.floor(Number((share * 100).toFixed(6)));
    return share === 0 || share === 1 ? whole : Math.min(Math.max(whole, 1), 99);
  }

  function percent(share) {
    return `${wholeHundredths(share)} %`;
  }

  function hundredths(score) {
    return language.decimal((wholeHundredths(score) / 100).toFixed(2));
  }

  function shown(parts) {
    const hidden = ([code, title]) => element("span", { class: "hidden-character", title }, code);
    const nodes = parts.map((part) => (typeof part === "string" ? part : hidden(part)));
    return addAll(element("bdi"), nodes);
  }

  function nameOf(number) {
    const texts = submissionOf(number).name.map((part) => [part].flat()[0]);
    return names.aliasOf(number) || texts.join("");
  }

  function holdsName(number, text) {
    return nameOf(number).toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());
  }

  function setLink(link, page, number) {
    link.setAttribute("href", `${root}${page}.html`);
    link.dataset.submission = number;
    link.replaceChildren(shown(submissionOf(number).name));
    return link;
  }

  function badges(...all) {
    const made = all.filter(([text]) => text?.length);
    return made.flatMap(([text, look]) => [
      " ",
      element("span", look, typeof text === "string" ? text : shown(text)),
    ]);
  }

  function roleOf(number) {
    const { role } = submissionOf(number);
    return badges([ROLES[role], `role role-${role}`]);
  }

  function fill(cell, nodes) {
    cell.replaceChildren();
    addAll(cell, nodes);
  }

  // ---- A long list: the rows of a table's body, of records that stay what they are ----

  // Whoever is to tell how many records there are and are shown is called with both.
  function longList(id, makeRow, tell = () => {}) {
    const body = byId(id).tBodies[0];
    const first = body.rows.length; // as many as the page has
    const [some, all] = byId(`${id}-more`).children;
    const rows = new Map(); // by record
    let found = [];
    let room = first;

    function rowOf(record) {
      if (!rows.has(record)) {
        rows.set(record, makeRow(record));
      }
      return rows.get(record);
    }

    // A row that stays is not moved, as it can have the focus.
    function put() {
      const wanted = found.slice(0, room).map(rowOf);
      const kept = new Set(wanted);
      [...body.rows].filter((row) => !kept.has(row)).forEach((row) => row.remove());
      let at = body.rows[0] ?? null;
      for (const row of wanted) {
        if (row === at) {
          at = row.nextElementSibling;
        } else {
          body.insertBefore(row, at);
        }
      }
      some.parentElement.hidden = found.length <= room;
      tell(found.length, wanted.length);
    }

    function show(records, most = room) {
      found = records;
      room = most;
      put();
    }

    some.addEventListener("click", () => show(found, room + MORE));
    all.addEventListener("click", () => show(found, Infinity));
    return { first, rows, show };
  }

  // ---- The list of pairs ----

  const table = byId("pair-table");
  const filters = byId("pair-filters");
  const ofGroup = byId("group-review")?.dataset.ranks.split(" ").map(Number);
  const pairs = LISTS.pairs.map((pair, at) => ({ ...pair, rank: at + 1, isHigh: false }));
  const listed = ofGroup ? ofGroup.map((rank) => pairs[rank - 1]) : pairs;
  const firstPair = table?.tBodies[0].rows[0].cloneNode(true);
  const pairList = table && longList("pair-table", pairRow, tellPairs);
  let sorted = listed;

  function fillSide(cell, pair, number) {
    fill(cell, [setLink(cell.querySelector("a"), `pairs/${pair.rank}`, number), ...roleOf(number)]);
  }

  function pairRow(pair) {
    const row = firstPair.cloneNode(true);
    const [rank, left, leftShare, right, rightShare, score, lines, longest, others] = row.cells;
    row.dataset.pair = pair.rank;
    row.classList.toggle("is-high", pair.isHigh);
    rank.textContent = language.number(pair.rank);
    fillSide(left, pair, pair.left);
    leftShare.textContent = percent(pair.shares[0]);
    fillSide(right, pair, pair.right);
    rightShare.textContent = percent(pair.shares[1]);
    const known = [pair.known && gettext("known"), "role"];
    const tiny = [pair.tiny && gettext("tiny"), "role"];
    fill(score, [...badges(known, tiny), " ", hundredths(pair.score)]);
    lines.textContent = language.number(pair.lines);
    longest.textContent = language.number(pair.longest);
    others.textContent = language.number(pair.others);
    return row;
  }

  // Follows the threshold.
  function tellHigh(isHigh) {
    for (const pair of listed) {
      pair.isHigh = isHigh(pair);
      pairList.rows.get(pair)?.classList.toggle("is-high", pair.isHigh);
    }
  }

  // ---- Order: in the address the key of a column, with a minus for a descending one ----

  function valuesBy(key) {
    const stateOf = reviewMarks.read();
    const values = {
      left: (pair) => nameOf(pair.left),
      "left %": (pair) => pair.shares[0],
      right: (pair) => nameOf(pair.right),
      "right %": (pair) => pair.shares[1],
      review: (pair) => reviewMarks.inWords(stateOf(pair.rank)),
    };
    return new Map(listed.map((pair) => [pair, (values[key] ?? (() => pair[key]))(pair)]));
  }

  function compareValues(one, other) {
    return typeof one === "number" ? one - other : collator.compare(one, other);
  }

  function sortBy(heading, direction) {
    const { key } = heading.dataset;
    const sign = direction === "ascending" ? 1 : -1;
    const values = valuesBy(key);
    sorted = sorted.toSorted(
      (one, other) => sign * compareValues(values.get(one), values.get(other)),
    );
    for (const each of table.tHead.rows[0].cells) {
      each.setAttribute("aria-sort", each === heading ? direction : "none");
    }
    const isFirst = key === "rank" && sign === 1; // as the page has them
    address.set("sort", isFirst ? "" : (sign === 1 ? "" : "-") + key);
    showPairs();
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

  // ---- Filters ----

  function fields() {
    return [...(filters?.elements ?? [])].filter((field) => field.name);
  }

  // A mark on code that has changed since is still shown as what it was.
  function hasMark({ mark: { state }, isChanged, isDone }, mark) {
    return { todo: !isDone, done: isDone, changed: isChanged }[mark] ?? state === mark;
  }

  function isBetween({ left, right }, role) {
    const roles = [left, right].map((number) => submissionOf(number).role ?? "current");
    return role === (["prior", "reference"].find((each) => roles.includes(each)) ?? "current");
  }

  function wantedPairs() {
    const asked = Object.fromEntries(fields().map(({ name, value }) => [name, value.trim()]));
    const { name, score, mark, between } = asked;
    const stateOf = reviewMarks.read();
    return sorted.filter(
      (pair) =>
        (!score || pair.score >= Number(score)) &&
        (!between || isBetween(pair, between)) &&
        (!mark || hasMark(stateOf(pair.rank), mark)) &&
        (!name || holdsName(pair.left, name) || holdsName(pair.right, name)),
    );
  }

  function showPairs(most) {
    pairList.show(wantedPairs(), most);
  }

  function tellPairs(found, shown) {
    if (filters) {
      tellCounts(found, shown);
    }
    document.dispatchEvent(new Event("listed")); // rows without their marks
  }

  function tellCounts(found, shown) {
    const count = listed.length;
    const values = { found: language.number(found) };
    const all = ngettext("%(found)s of %(count)s pair", "%(found)s of %(count)s pairs", count, values);
    const first = gettext("the first %(count)s shown", { count: language.number(shown) });
    byId("filter-status").textContent = found > shown ? `${all}, ${first}` : all;
  }

  function applyFilters() {
    fields().forEach(({ name, value }) => address.set(name, value));
    byId("filter-reset").hidden = !fields().some(({ value }) => value);
    showPairs(pairList.first);
  }

  // What the keys of a pair's page go through: the list as it is filtered and sorted.
  function keepList(event) {
    if (event.target.closest("a")) {
      const ranks = wantedPairs().map(({ rank }) => String(rank));
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
    applyFilters();
  }

  // ---- The list of submissions ----

  function submissionLink(number) {
    return setLink(element("a"), `submissions/${number}`, number);
  }

  function setUpSubmissions() {
    const numbers = LISTS.submissions.map((_, at) => at + 1);
    const form = byId("submission-filters");
    const firstRow = byId("submission-table").tBodies[0].rows[0].cloneNode(true);
    const hasTimes = firstRow.cells.length > 5; // as one of the batch has a time
    const list = longList("submission-table", (number) => {
      const { label, late, time, files, tokens, best, group } = submissionOf(number);
      const row = firstRow.cloneNode(true);
      const [name, ...others] = row.cells;
      const told = badges([label, "role paths"], [late && gettext("late"), "role role-late"]);
      const page = element("a", { href: `groups/${group}.html` }, group);
      const when = time ? [element("span", "hand-in-time paths", shown(time))] : [];
      fill(name, [submissionLink(number), ...roleOf(number), ...told]);
      const contents = [
        ...(hasTimes ? [when] : []),
        [language.number(files)],
        [language.number(tokens)],
        [best === undefined ? "-" : hundredths(best)],
        [group ? page : "-"],
      ];
      others.forEach((cell, at) => fill(cell, contents[at]));
      return row;
    });
    const search = () => {
      const wanted = form.elements.name.value;
      list.show(numbers.filter((number) => holdsName(number, wanted)), list.first);
    };
    form.hidden = numbers.length <= list.first;
    form.addEventListener("input", search);
    form.addEventListener("submit", (event) => event.preventDefault());
    search();
  }

  // ---- Start ----

  Object.assign(lists, { hundredths, longList, pairs: listed, submissionLink, tellHigh });

  if (table) {
    setUpSorting();
    showPairs();
    document.addEventListener("marked", () => showPairs());
  }
  if (filters) {
    setUpFilters();
  }
  if (byId("submission-table")) {
    setUpSubmissions();
  }
}
