"use strict";

// Single-key shortcuts: scripts of a page add theirs, and one dialog shows all. No key needs AltGr,
// as brackets do on German and French keyboards. A key that is pressed while a page loads is kept
// until its scripts are there.

const shortcuts = {};

{
  const { button, element, recalled, remember } = tools;
  const KEPT_AS = "single-keys";
  const FIELDS = "textarea, select, input:not([type=checkbox], [type=radio])";
  const actions = new Map(); // by key
  const sections = []; // {title, rows: [{keys, label}]}, in the order of the dialog
  let dialog = null;

  // ---- Keys pressed too early: on this page, or still on the one before it ----

  const EARLY_AS = "early-keys";
  const LONGEST_WAY = 5000; // milliseconds from one page to the next
  let early = passedOn(); // until the page has all of its scripts, and null from then on
  let isLeaving = false;

  function passedOn() {
    const { keys, at } = recalled(EARLY_AS, "sessionStorage") ?? { keys: [], at: 0 };
    remember(EARLY_AS, null, "sessionStorage");
    return Date.now() - at < LONGEST_WAY ? keys : [];
  }

  function passOn(key) {
    const { keys } = recalled(EARLY_AS, "sessionStorage") ?? { keys: [] };
    remember(EARLY_AS, { keys: [...keys, key], at: Date.now() }, "sessionStorage");
  }

  function onClick(event) {
    const href = event.target.closest?.("a[href]")?.getAttribute("href") ?? "";
    if (/\.html(?:[?#]|$)/.test(href) && !event.defaultPrevented && !isModified(event)) {
      isLeaving = true;
      setTimeout(stay, LONGEST_WAY); // should the next page not come
    }
  }

  function stay() {
    isLeaving = false;
    passedOn();
  }

  function pressEarly() {
    const keys = early;
    early = null;
    keys.forEach(press);
  }

  // ---- On or off: speech input can press single keys by mistake ----

  function switchTo(isOnNow) {
    document.documentElement.classList.toggle("has-no-keys", !isOnNow);
  }

  // ---- What there is ----

  // Adds a section of the dialog: rows of {keys, label, run}, of which only the first key is shown.
  function add(title, rows) {
    sections.push({ title, rows });
    for (const { keys, run } of rows) {
      keys.forEach((key) => actions.set(key, run));
    }
  }

  // Alt+D is the address bar of most browsers, Meta+C copies.
  function isModified({ altKey, ctrlKey, metaKey, shiftKey, type }) {
    return altKey || ctrlKey || metaKey || (shiftKey && type === "click");
  }

  function onKey(event) {
    const isText = event.target.closest?.(FIELDS) || event.isComposing;
    if (!isModified(event) && !isText && press(event.key)) {
      event.preventDefault();
    }
  }

  // Tells whether a key is one of these.
  function press(key) {
    if (early || isLeaving) {
      if (key.length === 1 && key !== " ") {
        early ? early.push(key) : passOn(key);
      }
      return false;
    }
    if (dialog?.open || (key !== "?" && (isSwitchedOff() || !actions.has(key)))) {
      return false;
    }
    key === "?" ? open() : actions.get(key)();
    return true;
  }

  function isSwitchedOff() {
    return document.documentElement.classList.contains("has-no-keys");
  }

  // ---- The dialog ----

  function rowOf({ keys, label }) {
    const key = element("dt", "", element("kbd", "", keys[0]));
    return element("div", "", key, element("dd", "", label));
  }

  function switchOf() {
    const box = element("input", { type: "checkbox" });
    box.checked = !isSwitchedOff();
    box.addEventListener("change", () => {
      remember(KEPT_AS, box.checked);
      switchTo(box.checked);
    });
    return element("label", "choice", box, gettext("Single-key shortcuts"));
  }

  function fill() {
    const head = element("h2", { id: "keys-heading" }, gettext("Keyboard shortcuts"));
    dialog.append(element("header", "keys-head", head, button(gettext("Close"), () => dialog.close())));
    const lists = element("div", "keys-lists");
    const anywhere = [{ keys: ["?"], label: gettext("Show all keys") }];
    for (const { title, rows } of [...sections, { title: gettext("Anywhere"), rows: anywhere }]) {
      const list = element("dl", "");
      rows.forEach((row) => list.append(rowOf(row)));
      lists.append(element("section", "", element("h3", "", title), list));
    }
    dialog.append(lists, switchOf());
  }

  function open() {
    if (!dialog) {
      dialog = element("dialog", { class: "keys-dialog", "aria-labelledby": "keys-heading" });
      dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
      fill();
      document.body.append(dialog);
    }
    dialog.showModal();
  }

  function setUp() {
    const opener = button(gettext("Keys"), open);
    opener.classList.add("keys-button");
    opener.append(element("kbd", "", "?"));
    document.querySelector(".bar-tools")?.append(opener);
  }

  switchTo(recalled(KEPT_AS) ?? true);
  document.addEventListener("keydown", onKey);
  document.addEventListener("DOMContentLoaded", setUp);
  // The window hears it last, when every script has set the page up, and before anybody can leave.
  addEventListener("DOMContentLoaded", pressEarly);
  addEventListener("click", onClick);
  addEventListener("pageshow", ({ persisted }) => persisted && stay());

  Object.assign(shortcuts, { add, isModified });
}
