"use strict";

// Single-key shortcuts: scripts of a page add theirs, and one dialog shows all. No key needs AltGr,
// as brackets do on German and French keyboards.

const shortcuts = {};

{
  const KEPT_AS = "mosslite.single-keys";
  const FIELDS = "textarea, select, input:not([type=checkbox], [type=radio])";
  const actions = new Map(); // by key
  const sections = []; // {title, rows: [{keys, label}]}, in the order of the dialog
  let dialog = null;

  // ---- On or off: speech input can press single keys by mistake ----

  function isOn() {
    try {
      return localStorage.getItem(KEPT_AS) !== "no";
    } catch {
      return true;
    }
  }

  function remember(isOnNow) {
    try {
      localStorage.setItem(KEPT_AS, isOnNow ? "yes" : "no");
    } catch {
      // Then the next page begins as this one did.
    }
  }

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

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.target.closest?.(FIELDS) || dialog?.open) {
      return;
    }
    if (event.key === "?") {
      event.preventDefault();
      open();
    } else if (actions.has(event.key) && !isSwitchedOff()) {
      event.preventDefault();
      actions.get(event.key)();
    }
  }

  function isSwitchedOff() {
    return document.documentElement.classList.contains("has-no-keys");
  }

  // ---- The dialog ----

  function element(tag, className, ...children) {
    const made = document.createElement(tag);
    made.className = className;
    children.forEach((child) => made.append(child));
    return made;
  }

  function rowOf({ keys, label }) {
    const row = element("div", "", element("dt", "", element("kbd", "", keys[0])));
    row.append(element("dd", "", label));
    return row;
  }

  function switchOf() {
    const box = element("input", "");
    box.type = "checkbox";
    box.checked = !isSwitchedOff();
    box.addEventListener("change", () => {
      remember(box.checked);
      switchTo(box.checked);
    });
    return element("label", "keys-switch", box, gettext("Single-key shortcuts"));
  }

  function button(text, onClick) {
    const made = element("button", "button", text);
    made.type = "button";
    made.addEventListener("click", onClick);
    return made;
  }

  function fill() {
    const head = element("h2", "", gettext("Keyboard shortcuts"));
    head.id = "keys-heading";
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
      dialog = element("dialog", "keys-dialog");
      dialog.setAttribute("aria-labelledby", "keys-heading");
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

  switchTo(isOn());
  document.addEventListener("keydown", onKey);
  document.addEventListener("DOMContentLoaded", setUp);

  Object.assign(shortcuts, { add });
}
