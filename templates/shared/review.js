"use strict";

// Where marks are shown and made: in the rows of pairs, and in the form on a pair's page.

{
  const { addAll, button, byId, element } = tools;
  const { KEPT, STATES, inWords, read, spelledOut } = reviewMarks;
  const REASONS = [
    gettext("given material"),
    gettext("common idiom"),
    gettext("shared source that was allowed"),
    gettext("working together was allowed"),
    gettext("too little code to tell"),
  ];
  const MARKS = [
    ["c", "confirmed", gettext("Mark as confirmed"), gettext("Mark all pairs as confirmed")],
    ["d", "dismissed", gettext("Mark as dismissed"), gettext("Mark all pairs as dismissed")],
    ["u", "todo", gettext("Mark as to do"), gettext("Mark all pairs as to do")],
  ];

  const section = document.querySelector("section#review[data-pair]"); // of a pair's own page
  const ownRank = Number(section?.dataset.pair);
  const status = newStatus("span"); // of the rows
  const barStatus = element("span", { class: "hint", id: "bar-status", role: "status" });
  const progressBar = element("progress", { max: "1", "aria-hidden": "true" });
  const progressText = element("span", "progress-text");

  function newStatus(tag) {
    return element(tag, { class: "hint review-status", role: "status" });
  }

  // Anything that was done says so, and every part of the page follows.
  function tell(where, text) {
    where.textContent = text;
    refresh();
  }

  function refresh() {
    document.dispatchEvent(new Event("marked")); // the list of pairs can be filtered by them
    refreshRows();
    refreshProgress();
    if (section) {
      refreshForm(read()(ownRank));
    }
  }

  // ---- A file of marks ----

  function fileTools(where) {
    const input = element("input", {
      type: "file",
      accept: ".json,application/json",
      multiple: "",
      hidden: "",
      "aria-label": gettext("Review file"),
    });
    input.addEventListener("change", async () => {
      const said = [];
      for (const file of input.files) {
        said.push(await reviewMarks.load(file));
      }
      input.value = "";
      tell(where, said.join(". "));
    });
    const saving = button(gettext("Save review to a file"), () => {
      where.textContent = reviewMarks.save();
    });
    const loading = button(gettext("Load review from a file"), () => input.click());
    return element("p", "review-tools", saving, loading, input, where);
  }

  // ---- How far the reader is, on every page ----

  function setUpProgress() {
    const whole = element("p", { class: "progress", id: "progress" }, progressBar, progressText);
    document.querySelector(".bar-tools")?.prepend(barStatus, whole);
  }

  function refreshProgress() {
    const { done, count } = reviewMarks.progress();
    progressBar.max = Math.max(count, 1);
    progressBar.value = done;
    progressText.textContent = gettext("%(done)s of %(count)s looked at", {
      done: language.number(done),
      count: language.number(count),
    });
    progressText.parentElement?.toggleAttribute("hidden", !count);
  }

  // ---- The next pair at the threshold that is to do ----

  let isPassing = false;

  // From a list, the chosen pair itself comes first; on its page it is left without a mark only
  // when that is asked for twice.
  function toNextToDo() {
    const isToDo = section && reviewMarks.isToDo(ownRank);
    if (isToDo && !isPassing) {
      isPassing = true;
      barStatus.textContent = gettext(
        "This pair has no mark yet. Press t again to leave it so.",
      );
      return;
    }
    const rank = reviewMarks.nextToDo(section ? ownRank : (chosenRow()?.dataset.pair ?? 1) - 1);
    if (!rank) {
      barStatus.textContent = isToDo
        ? gettext("No other pair is to do.")
        : gettext("Every pair has been looked at.");
      return;
    }
    const folder = document.querySelector(".sub-page") ? "../pairs/" : "pairs/";
    const link = element("a", { href: `${section ? "" : folder}${rank}.html` });
    document.body.append(link);
    link.click();
  }

  function addKeys(title, run, others = []) {
    const marks = MARKS.map(([key, state, label]) => [key, label, () => run(state)]);
    const next = ["t", gettext("Open the next pair to do"), toNextToDo];
    shortcuts.add(title, [...others, ...marks, next]);
  }

  // ---- Marks in the rows of pairs; the row that has the focus is the chosen one ----

  function refreshRows() {
    const stateOf = read();
    for (const cell of document.querySelectorAll("[data-pair] .mark")) {
      const row = cell.closest("[data-pair]");
      const state = stateOf(Number(row.dataset.pair));
      const note = spelledOut(state.mark.note).trim();
      cell.replaceChildren(element("span", "mark-state", inWords(state)));
      addAll(cell, note ? [element("span", "mark-note", note)] : []);
      row.dataset.state = state.mark.state;
      row.classList.toggle("is-changed", state.isChanged);
      row.classList.toggle("is-contradicted", Boolean(state.other));
    }
  }

  function rowsInSight() {
    const rows = document.querySelectorAll("tr[data-pair]");
    return [...rows].filter((row) => row.checkVisibility());
  }

  function chosenRow() {
    return document.activeElement.closest?.("[data-pair]:not(body, section)");
  }

  function choose(row) {
    row?.querySelector("a").focus();
    row?.scrollIntoView({ block: "nearest" });
  }

  function moveBy(step) {
    const rows = rowsInSight();
    const at = rows.indexOf(chosenRow());
    choose(rows[at < 0 ? 0 : at + step]);
  }

  // The next row is chosen where a filter no longer shows the one that was marked.
  function markRow(state) {
    const row = chosenRow();
    if (row) {
      const at = rowsInSight().indexOf(row);
      tell(status, reviewMarks.markPairs([row.dataset.pair], state));
      if (!row.checkVisibility()) {
        const rows = rowsInSight();
        choose(rows[Math.min(at, rows.length - 1)]);
      }
    }
  }

  function setUpRows() {
    const ofList = byId("review-tools");
    addKeys(gettext("Pairs in the list"), markRow, [
      ["j", gettext("Next pair"), () => moveBy(1)],
      ["k", gettext("Previous pair"), () => moveBy(-1)],
    ]);
    const home = document.querySelector(".contents a[href='../index.html']");
    if (home) {
      shortcuts.add(gettext("Pages"), [["o", gettext("Overview"), () => home.click()]]);
    }
    if (ofList) {
      ofList.append(fileTools(status));
      status.textContent = reviewMarks.fit();
    } else {
      (byId("group-review") ?? document.querySelector(".page-header")).append(status);
    }
  }

  // ---- The page of a group: all of its pairs at once, and back ----

  function setUpGroup(place) {
    const ranks = place.dataset.ranks.split(" ");
    const undo = button(gettext("Undo"), () => {
      undo.hidden = true;
      tell(status, reviewMarks.undo());
    });
    undo.hidden = true;
    const markAll = (state) => {
      undo.hidden = false;
      tell(status, reviewMarks.markPairs(ranks, state));
    };
    const what = ngettext(
      "Mark the pair of this group:",
      "Mark all %(count)s pairs of this group:",
      ranks.length,
    );
    const buttons = Object.keys(STATES).map((state) => button(STATES[state], () => markAll(state)));
    place.prepend(element("p", "review-tools", what, ...buttons, undo));
    const keys = MARKS.map(([key, state, , label]) => [
      key.toUpperCase(),
      label,
      () => markAll(state),
    ]);
    shortcuts.add(gettext("The whole group"), keys);
  }

  // ---- A pair's page: both decisions in its bar; the one that holds is taken back by a click ----

  const decisions = { confirmed: gettext("Confirm"), dismissed: gettext("Dismiss") };
  const form = element("form", "review-form");
  const said = newStatus("p"); // of the form

  function setUpDecisions() {
    const label = { class: "decisions", role: "group", "aria-label": gettext("Review") };
    const group = element("div", label);
    for (const [state, name] of Object.entries(decisions)) {
      const decide = () => chooseState(section.dataset.state === state ? "todo" : state);
      decisions[state] = button(name, decide);
      group.append(decisions[state]);
    }
    document.querySelector(".bar-tools").prepend(group);
  }

  // ---- The form; its state stands in the heading too, which stays when the rest is folded ----

  function choice(state) {
    const input = element("input", { type: "radio", name: "state", value: state });
    return element("label", "choice", input, STATES[state]);
  }

  function setUpForm() {
    const choices = element("fieldset", "review-choices");
    choices.append(element("legend", "for-screen-readers", gettext("After reading both sources")));
    choices.append(...Object.keys(STATES).map(choice));
    const options = REASONS.map((value) => element("option", { value }));
    const reason = { name: "reason", list: "review-reasons", autocomplete: "off" };
    const list = addAll(element("datalist", { id: "review-reasons" }), options);
    const area = element("textarea", { name: "note", rows: "1" });
    const words = element(
      "div",
      "review-words",
      element("label", "review-reason", gettext("Reason"), element("input", reason), list),
      element("label", "review-note", gettext("Note"), area),
      said,
    );
    form.append(choices, words);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", edit);
    const confirm = button(gettext("Still valid"), () => {
      edit();
      area.focus();
    });
    const changed = `${gettext("The code of this pair has changed since it was reviewed.")} `;
    const body = element(
      "div",
      "review-body panel-body",
      element("p", "review-changed", changed, confirm),
      form,
      fileTools(newStatus("span")),
      element("p", "review-printed"),
    );
    const state = element("span", { class: "count", id: "review-state" });
    const heading = element("h2", { id: "review-heading" }, `${gettext("Review")} `, state);
    section.append(heading, body);
    section.setAttribute("aria-labelledby", "review-heading");
  }

  function edit() {
    const words = Object.fromEntries(new FormData(form));
    const why = reviewMarks.change([ownRank], words);
    const isUnreasoned = words.state === "dismissed" && !words.reason.trim();
    tell(said, isUnreasoned ? gettext("Enter a reason for the dismissal.") : why || KEPT);
  }

  function chooseState(state) {
    form.elements.state.value = state;
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // What is being typed stays as it is.
  function refreshForm(state) {
    const { mark, isChanged } = state;
    for (const name of ["state", "reason", "note"]) {
      if (form.elements[name] !== document.activeElement) {
        form.elements[name].value = mark[name];
      }
    }
    section.dataset.state = mark.state;
    for (const [each, made] of Object.entries(decisions)) {
      made.setAttribute("aria-pressed", String(mark.state === each));
    }
    section.classList.toggle("is-noted", Boolean(mark.note.trim()));
    section.querySelector(".review-reason").hidden = mark.state !== "dismissed";
    section.querySelector(".review-changed").hidden = !isChanged;
    byId("review-state").textContent = inWords(state);
    const printed = [inWords(state), spelledOut(mark.note)].filter(Boolean);
    section.querySelector(".review-printed").textContent = printed.join(". ");
  }

  // ---- Start ----

  setUpProgress();
  if (section) {
    setUpForm();
    setUpDecisions();
    addKeys(gettext("Review"), chooseState);
  } else {
    setUpRows();
  }
  if (byId("group-review")) {
    setUpGroup(byId("group-review"));
  }
  refresh();
  document.addEventListener("listed", refreshRows);
  window.addEventListener("storage", refresh); // another tab made a mark
  window.addEventListener("pageshow", refresh); // so did another page, before the way back here
}
