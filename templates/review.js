"use strict";

// Where marks are shown and made: in the rows of pairs, and in the form on a pair's page.
{
  const { CHANGED, KEPT, STATES, add, allMarks, inWords, isChanged, spelledOut } = reviewMarks;
  const { keyOf, load, markOf, momentOfEdit, pairAt, save } = reviewMarks;
  const REASONS = [
    "given material",
    "common idiom",
    "shared source that was allowed",
    "working together was allowed",
    "too little code to tell",
  ];

  // ---- Parts of a page ----

  function element(tag, properties = {}, ...children) {
    const { className = "", text = "", ...attributes } = properties;
    const made = document.createElement(tag);
    made.className = className;
    made.append(text, ...children);
    for (const [name, value] of Object.entries(attributes)) {
      made.setAttribute(name, value);
    }
    return made;
  }

  function button(text, onClick) {
    const made = element("button", { type: "button", className: "review-button", text });
    made.addEventListener("click", onClick);
    return made;
  }

  function fileTools() {
    const status = element("span", { className: "review-status", role: "status" });
    const input = element("input", { type: "file", accept: ".json,application/json", hidden: "" });
    input.setAttribute("aria-label", "Review file");
    input.addEventListener("change", async () => {
      status.textContent = await load(input.files[0]);
      input.value = "";
      refresh();
    });
    const saving = button("Save review to a file", () => {
      status.textContent = save();
    });
    const loading = button("Load review from a file", () => input.click());
    return element("p", { className: "review-tools" }, saving, loading, input, status);
  }

  // ---- The overview: marks in the rows of pairs ----

  function refreshRow(row, marks) {
    const pair = pairAt(row.dataset.pair);
    const mark = marks.get(keyOf(pair.left, pair.right));
    const cell = row.querySelector(".mark");
    cell.textContent = mark ? inWords(mark, pair) : STATES.todo;
    const note = spelledOut(mark?.note ?? "").trim();
    if (note) {
      cell.append(element("span", { className: "mark-note", text: note }));
    }
    row.dataset.state = mark?.state ?? "todo";
    row.classList.toggle("is-changed", Boolean(mark) && isChanged(mark, pair));
  }

  function refreshRows() {
    const marks = allMarks();
    for (const cell of document.querySelectorAll("[data-pair] .mark")) {
      refreshRow(cell.closest("[data-pair]"), marks);
    }
  }

  // ---- A pair's page: the form ----

  function choice(state) {
    const input = element("input", { type: "radio", name: "state", value: state });
    return element("label", { className: "review-choice" }, input, STATES[state]);
  }

  function reasonField() {
    const options = REASONS.map((value) => element("option", { value }));
    const input = element("input", { name: "reason", list: "review-reasons", autocomplete: "off" });
    const list = element("datalist", { id: "review-reasons" }, ...options);
    return element("label", { className: "review-reason", text: "Reason" }, input, list);
  }

  function noteField() {
    const area = element("textarea", { name: "note", rows: "1" });
    return element("label", { className: "review-note", text: "Note" }, area);
  }

  function makeForm(pair) {
    const choices = element("fieldset", { className: "review-choices" });
    const legend = { className: "for-screen-readers", text: "After reading both sources" };
    choices.append(element("legend", legend));
    choices.append(...Object.keys(STATES).map(choice));
    const status = element("p", { className: "review-status", role: "status" });
    const form = element("form", { className: "review-form" }, choices, reasonField(), noteField());
    form.append(status);
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
    showState(form.closest("#review"), mark, pair);
    if (state.value === "dismissed" && !reason.value.trim()) {
      return "Say why it is dismissed.";
    }
    return isKept ? KEPT : "This browser keeps nothing: save the review to a file.";
  }

  function fill(form, mark) {
    form.elements.state.value = mark.state;
    form.elements.reason.value = mark.reason;
    form.elements.note.value = mark.note;
  }

  function showState(section, mark, pair) {
    section.dataset.state = mark.state;
    section.classList.toggle("is-noted", Boolean(mark.note.trim()));
    section.querySelector(".review-reason").hidden = mark.state !== "dismissed";
    section.querySelector(".review-changed").hidden = !isChanged(mark, pair);
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
    const text = `The code of this pair has ${CHANGED}. `;
    const confirm = button("The mark still holds", () => {
      form.querySelector(".review-status").textContent = edit(form, pair);
      form.elements.note.focus();
    });
    return element("p", { className: "review-changed", text }, confirm);
  }

  function setUpForm(section) {
    const form = makeForm(pairAt(section.dataset.pair));
    const body = element("div", { className: "review-body" });
    body.append(changedNote(form, pairAt(section.dataset.pair)), form, fileTools());
    body.append(element("p", { className: "review-printed" }));
    section.append(element("h2", { id: "review-heading", text: "Review" }), body);
    section.setAttribute("aria-labelledby", "review-heading");
  }

  // ---- Start ----

  const section = document.querySelector("section#review[data-pair]");
  const tools = document.getElementById("review-tools");

  function refresh() {
    refreshRows();
    if (section) {
      refreshForm(section);
    }
  }

  if (section) {
    setUpForm(section);
  }
  tools?.append(fileTools());
  refresh();
  window.addEventListener("storage", refresh); // another tab made a mark
  window.addEventListener("pageshow", refresh); // so did another page, before the way back here
}
