"use strict";

// Where marks are shown and made: in the rows of pairs, and in the form on a pair's page.

{
  const { button, byId, element } = tools;
  const { KEPT, STATES, add, allMarks, contradictions, fit, inWords, isChanged } = reviewMarks;
  const { keyOf, load, markOf, markPairs, momentOfEdit, otherOf, pairAt, progress } = reviewMarks;
  const { save, spelledOut } = reviewMarks;
  const REASONS = [
    gettext("given material"),
    gettext("common idiom"),
    gettext("shared source that was allowed"),
    gettext("working together was allowed"),
    gettext("too little code to tell"),
  ];

  // ---- Parts of a page ----

  function fileTools(status) {
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
        said.push(await load(file));
      }
      status.textContent = said.join(". ");
      input.value = "";
      refresh();
    });
    const saving = button(gettext("Save review to a file"), () => {
      status.textContent = save();
    });
    const loading = button(gettext("Load review from a file"), () => input.click());
    return element("p", "review-tools", saving, loading, input, status);
  }

  function newStatus() {
    return element("span", { class: "hint review-status", role: "status" });
  }

  // ---- How far the reader is, on every page ----

  const progressBar = element("progress", { max: "1", "aria-hidden": "true" });
  const progressText = element("span", "progress-text");
  const barStatus = element("span", { class: "hint", id: "bar-status", role: "status" });

  function setUpProgress() {
    const whole = element("p", { class: "progress", id: "progress" }, progressBar, progressText);
    document.querySelector(".bar-tools")?.prepend(barStatus, whole);
  }

  function refreshProgress() {
    const { done, count } = progress();
    progressBar.max = Math.max(count, 1);
    progressBar.value = done;
    progressText.textContent = gettext("%(done)s of %(count)s looked at", {
      done: language.number(done),
      count: language.number(count),
    });
    progressText.parentElement?.toggleAttribute("hidden", !count);
  }

  // ---- Marks in the rows of pairs ----

  function refreshRow(row, marks, others) {
    const pair = pairAt(row.dataset.pair);
    const mark = marks.get(keyOf(pair.left, pair.right));
    const other = mark && otherOf(mark, others);
    const cell = row.querySelector(".mark");
    const words = mark ? inWords(mark, pair, other) : STATES.todo;
    cell.replaceChildren(element("span", "mark-state", words));
    const note = spelledOut(mark?.note ?? "").trim();
    if (note) {
      cell.append(element("span", "mark-note", note));
    }
    row.dataset.state = mark?.state ?? "todo";
    row.classList.toggle("is-changed", Boolean(mark) && isChanged(mark, pair));
    row.classList.toggle("is-contradicted", Boolean(other));
  }

  function refreshRows() {
    const [marks, others] = [allMarks(), contradictions()];
    for (const cell of document.querySelectorAll("[data-pair] .mark")) {
      refreshRow(cell.closest("[data-pair]"), marks, others);
    }
    document.dispatchEvent(new Event("marked")); // the table's filter asks for them
  }

  // ---- Rows at the keyboard: the one that has the focus is the chosen one ----

  const status = newStatus();

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
      status.textContent = markPairs([row.dataset.pair], state);
      refresh();
      if (!row.checkVisibility()) {
        const rows = rowsInSight();
        choose(rows[Math.min(at, rows.length - 1)]);
      }
    }
  }

  // ---- The page of a group: all of its pairs at once, and back ----

  function groupTools(place) {
    const ranks = [...document.querySelectorAll("#pair-table tr[data-pair]")].map(
      (row) => row.dataset.pair,
    );
    const undo = button(gettext("Undo"), () => {
      status.textContent = reviewMarks.undo();
      undo.hidden = true;
      refresh();
    });
    undo.hidden = true;
    const markAll = (state) => {
      status.textContent = markPairs(ranks, state);
      undo.hidden = false;
      refresh();
    };
    const what = ngettext(
      "Mark the pair of this group:",
      "Mark all %(count)s pairs of this group:",
      ranks.length,
    );
    const buttons = Object.keys(STATES).map((state) => button(STATES[state], () => markAll(state)));
    place.append(element("p", "review-tools", what, ...buttons, undo));
    shortcuts.add(gettext("The whole group"), [
      ["C", gettext("Mark all pairs as confirmed"), () => markAll("confirmed")],
      ["D", gettext("Mark all pairs as dismissed"), () => markAll("dismissed")],
      ["U", gettext("Mark all pairs as to do"), () => markAll("todo")],
    ]);
  }

  // ---- The next pair at the threshold that is to do ----

  let isPassing = false;

  // From a list, the chosen pair itself comes first; on its page it is left without a mark only
  // when that is asked for twice.
  function toNextToDo() {
    const here = section?.dataset.pair;
    const isToDo = here && reviewMarks.isToDo(Number(here));
    if (isToDo && !isPassing) {
      isPassing = true;
      barStatus.textContent = gettext("This pair has no mark yet. Press t again to leave it so.");
      return;
    }
    const rank = reviewMarks.nextToDo(Number(here ?? (chosenRow()?.dataset.pair ?? 1) - 1));
    if (!rank) {
      barStatus.textContent = isToDo
        ? gettext("No other pair is to do.")
        : gettext("Every pair has been looked at.");
      return;
    }
    const folder = document.querySelector(".sub-page") ? "../pairs/" : "pairs/";
    const link = element("a", { href: `${here ? "" : folder}${rank}.html` });
    document.body.append(link);
    link.click();
  }

  // ---- A pair's page: the form ----

  function choice(state) {
    const input = element("input", { type: "radio", name: "state", value: state });
    return element("label", "choice", input, STATES[state]);
  }

  function reasonField() {
    const options = REASONS.map((value) => element("option", { value }));
    const input = element("input", { name: "reason", list: "review-reasons", autocomplete: "off" });
    const list = element("datalist", { id: "review-reasons" }, ...options);
    return element("label", "review-reason", gettext("Reason"), input, list);
  }

  function noteField() {
    const area = element("textarea", { name: "note", rows: "1" });
    return element("label", "review-note", gettext("Note"), area);
  }

  // ---- A pair's page: both decisions in its bar; the one that holds is taken back by a click ----

  const decisions = [
    ["confirmed", gettext("Confirm")],
    ["dismissed", gettext("Dismiss")],
  ].map(([state, name]) => [state, button(name, () => decide(state))]);

  function decide(state) {
    chooseState(section.dataset.state === state ? "todo" : state);
  }

  function setUpDecisions() {
    const buttons = decisions.map(([, made]) => made);
    const label = { class: "decisions", role: "group", "aria-label": gettext("Review") };
    document.querySelector(".bar-tools").prepend(element("div", label, ...buttons));
  }

  // ---- The form ----

  // The state stands beside the heading, so that it is in sight when the rest is folded away.
  function makeForm(pair) {
    const choices = element("fieldset", "review-choices");
    choices.append(element("legend", "for-screen-readers", gettext("After reading both sources")));
    choices.append(...Object.keys(STATES).map(choice));
    const status = element("p", { class: "hint review-status", role: "status" });
    const form = element("form", "review-form", choices);
    form.append(element("div", "review-words", reasonField(), noteField(), status));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => {
      status.textContent = edit(form, pair);
    });
    return form;
  }

  function edit(form, pair) {
    const { state, reason, note } = form.elements;
    const words = { state: state.value, reason: reason.value, note: note.value };
    const mark = { ...pair, ...words, at: momentOfEdit(pair) };
    const isKept = add([mark]);
    refreshProgress();
    showState(form.closest("#review"), mark, pair);
    if (state.value === "dismissed" && !reason.value.trim()) {
      return gettext("Enter a reason for the dismissal.");
    }
    return isKept ? KEPT : gettext("This browser cannot store the review: save it to a file.");
  }

  function chooseState(state) {
    const form = section.querySelector("form");
    form.elements.state.value = state;
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function fill(form, mark) {
    form.elements.state.value = mark.state;
    form.elements.reason.value = mark.reason;
    form.elements.note.value = mark.note;
  }

  function showState(section, mark, pair) {
    section.dataset.state = mark.state;
    for (const [state, made] of decisions) {
      made.setAttribute("aria-pressed", String(mark.state === state));
    }
    section.classList.toggle("is-noted", Boolean(mark.note.trim()));
    section.querySelector(".review-reason").hidden = mark.state !== "dismissed";
    section.querySelector(".review-changed").hidden = !isChanged(mark, pair);
    section.querySelector("#review-state").textContent = inWords(mark, pair);
    section.querySelector(".review-printed").textContent = [
      inWords(mark, pair),
      spelledOut(mark.note),
    ]
      .filter(Boolean)
      .join(". ");
  }

  function refreshForm(section) {
    const pair = pairAt(section.dataset.pair);
    const mark = markOf(pair);
    const form = section.querySelector("form");
    if (!form.contains(document.activeElement)) {
      fill(form, mark);
    }
    showState(section, mark, pair);
  }

  function changedNote(form, pair) {
    const text = `${gettext("The code of this pair has changed since it was reviewed.")} `;
    const confirm = button(gettext("Still valid"), () => {
      form.querySelector(".review-status").textContent = edit(form, pair);
      form.elements.note.focus();
    });
    return element("p", "review-changed", text, confirm);
  }

  function setUpForm(section) {
    const pair = pairAt(section.dataset.pair);
    const form = makeForm(pair);
    const body = element("div", "review-body panel-body");
    body.append(changedNote(form, pair), form, fileTools(newStatus()));
    body.append(element("p", "review-printed"));
    const state = element("span", { class: "count", id: "review-state" });
    section.append(element("h2", { id: "review-heading" }, `${gettext("Review")} `, state), body);
    section.setAttribute("aria-labelledby", "review-heading");
  }

  // ---- Start ----

  const section = document.querySelector("section#review[data-pair]");
  const ofList = byId("review-tools");
  const ofGroup = byId("group-review");
  const markKeys = (run) => [
    ["c", gettext("Mark as confirmed"), () => run("confirmed")],
    ["d", gettext("Mark as dismissed"), () => run("dismissed")],
    ["u", gettext("Mark as to do"), () => run("todo")],
    ["t", gettext("Open the next pair to do"), toNextToDo],
  ];

  function refresh() {
    refreshRows();
    refreshProgress();
    if (section) {
      refreshForm(section);
    }
  }

  function setUpRows() {
    shortcuts.add(gettext("Pairs in the list"), [
      ["j", gettext("Next pair"), () => moveBy(1)],
      ["k", gettext("Previous pair"), () => moveBy(-1)],
      ...markKeys(markRow),
    ]);
    const home = document.querySelector(".contents a[href='../index.html']");
    if (home) {
      shortcuts.add(gettext("Pages"), [["o", gettext("Overview"), () => home.click()]]);
    }
    (ofList ?? document.querySelector(".page-header")).append(ofList ? fileTools(status) : status);
    if (ofList) {
      status.textContent = fit();
    }
  }

  setUpProgress();
  if (section) {
    setUpForm(section);
    setUpDecisions();
    shortcuts.add(gettext("Review"), markKeys(chooseState));
  } else {
    setUpRows();
  }
  if (ofGroup) {
    groupTools(ofGroup);
    ofGroup.append(status);
  }
  refresh();
  window.addEventListener("storage", refresh); // another tab made a mark
  window.addEventListener("pageshow", refresh); // so did another page, before the way back here
}
