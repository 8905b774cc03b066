"use strict";

// What a reader makes of each pair: marks, kept in the browser, saved to a file and loaded again.
// REVIEW (review-data.js) has the pairs of this report and the marks that came with it. A file is
// {"format": 1, "marks": [...]}, a mark {left, right, code, state, reason, note, at}.
{
  const FORMAT = 1;
  const FILE_NAME = "mosslite-review.json";
  const FIELDS = ["left", "right", "code", "state", "reason", "note", "at"];
  const STATES = { todo: "To do", dismissed: "Dismissed", confirmed: "Confirmed" };
  const REASONS = [
    "given material",
    "common idiom",
    "shared source that was allowed",
    "working together was allowed",
    "too little code to tell",
  ];
  const KEPT_AS = `mosslite.review.${document.documentElement.dataset.report}`;
  const CHANGED = "changed since it was reviewed";

  // ---- Marks by pair; of two marks on one pair the later holds ----

  function keyOf(one, other) {
    return [one, other].sort().join("\n");
  }

  function pairAt(rank) {
    const [left, right, code] = REVIEW.pairs[rank - 1];
    return { left: REVIEW.names[left], right: REVIEW.names[right], code };
  }

  function isMark(value) {
    return FIELDS.every((field) => typeof value?.[field] === "string") && value.state in STATES;
  }

  function merged(...lists) {
    const marks = new Map();
    for (const mark of lists.flat()) {
      const key = keyOf(mark.left, mark.right);
      if (!marks.has(key) || marks.get(key).at <= mark.at) {
        marks.set(key, mark);
      }
    }
    return marks;
  }

  function isChanged(mark, pair) {
    return mark.state !== "todo" && mark.code !== pair.code;
  }

  // Characters that cannot be seen, or that change what is seen, are spelled out; a file can
  // bring them along.
  function spelledOut(text) {
    return text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
      const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      return `[U+${code}]`;
    });
  }

  function inWords(mark, pair) {
    const isReasoned = mark.state === "dismissed" && mark.reason;
    const reason = isReasoned ? `: ${spelledOut(mark.reason)}` : "";
    return `${STATES[mark.state]}${reason}${isChanged(mark, pair) ? `, ${CHANGED}` : ""}`;
  }

  // ---- Keeping them: a browser that refuses its storage may still carry a window's name ----

  function keptText() {
    try {
      return localStorage.getItem(KEPT_AS) ?? "";
    } catch {
      return window.name.startsWith(KEPT_AS) ? window.name.slice(KEPT_AS.length) : "";
    }
  }

  function keep(marks) {
    const text = JSON.stringify([...marks.values()]);
    try {
      localStorage.setItem(KEPT_AS, text);
      return true;
    } catch {
      window.name = KEPT_AS + text;
      return false;
    }
  }

  function kept() {
    try {
      return JSON.parse(keptText()).filter(isMark);
    } catch {
      return [];
    }
  }

  function allMarks() {
    return merged(REVIEW.marks, kept());
  }

  function markOf(pair) {
    const empty = { ...pair, state: "todo", reason: "", note: "", at: "" };
    return allMarks().get(keyOf(pair.left, pair.right)) ?? empty;
  }

  // ---- A file of them ----

  function save() {
    const marks = [...allMarks().values()];
    const text = `${JSON.stringify({ format: FORMAT, marks }, null, 2)}\n`;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = FILE_NAME;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    return `${counted(marks.length)} saved to ${FILE_NAME}`;
  }

  function marksIn(text) {
    const content = JSON.parse(text);
    if (content?.format !== FORMAT || !content.marks?.every?.(isMark)) {
      throw new SyntaxError("no review");
    }
    return content.marks;
  }

  async function load(file) {
    try {
      const marks = marksIn(await file.text());
      const isKept = keep(merged([...allMarks().values()], marks));
      return `${counted(marks.length)} loaded${isKept ? "" : "; this browser will not keep them"}`;
    } catch {
      return `${file.name} is not a review that was saved here: nothing is loaded`;
    }
  }

  function counted(count) {
    return count === 1 ? "1 mark" : `${count} marks`;
  }

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
    cell.title = spelledOut(mark?.note ?? "");
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
    const mark = { ...pair, ...words, at: new Date().toISOString() };
    const isKept = keep(merged([...allMarks().values()], [mark]));
    showState(form.closest("#review"), mark, pair);
    if (state.value === "dismissed" && !reason.value.trim()) {
      return "Say why it is dismissed.";
    }
    return isKept ? "Kept in this browser." : "This browser keeps nothing: save the review to a file.";
  }

  function fill(form, mark) {
    form.elements.state.value = mark.state;
    form.elements.reason.value = mark.reason;
    form.elements.note.value = mark.note;
  }

  function showState(section, mark, pair) {
    section.dataset.state = mark.state;
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
