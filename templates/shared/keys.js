"use strict";

// Single-key shortcuts: scripts of a page add theirs, and one dialog shows all. No key needs AltGr,
// as brackets do on German and French keyboards. A key that is pressed while a page loads, or on the
// way to it, is kept until its scripts are there.

const shortcuts = {};

{
  const { button, element, recalled, remember } = tools;
  const KEPT_AS = "single-keys";
  const EARLY_AS = "early-keys"; // of the page before
  const LONGEST_WAY = 5000; // milliseconds from one page to the next
  const FIELDS = "textarea, select, input:not([type=checkbox], [type=radio])";
  const root = document.documentElement;
  const actions = new Map([["?", open]]); // by key
  const sections = []; // elements of the dialog, in order
  let dialog = null;
  let early = passedOn(); // until the page has all of its scripts, and null from then on
  let isLeaving = false;

  // ---- Keys pressed too early: on this page, or still on the one before it ----

  function passedOn() {
    const { keys, at } = recalled(EARLY_AS, "sessionStorage") ?? { keys: [], at: 0 };
    remember(EARLY_AS, null, "sessionStorage");
    return Date.now() - at < LONGEST_WAY ? keys : [];
  }

  function keepForLater(key) {
    if (key.length !== 1 || key === " ") {
      return;
    }
    if (early) {
      early.push(key);
      return;
    }
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

  // ---- What there is ----

  // Adds a section of the dialog: rows of [keys, label, run], of which only the first key is shown.
  function add(title, rows) {
    const list = element("dl", "");
    for (const [keys, label, run] of rows) {
      const shown = element("dt", "", element("kbd", "", keys[0]));
      list.append(element("div", "", shown, element("dd", "", label)));
      for (const key of keys) {
        actions.set(key, run);
      }
    }
    sections.push(element("section", "", element("h3", "", title), list));
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
      keepForLater(key);
      return false;
    }
    const isOff = isSwitchedOff() && key !== "?";
    if (dialog?.open || isOff || !actions.has(key)) {
      return false;
    }
    actions.get(key)();
    return true;
  }

  // Speech input can press single keys by mistake.
  function isSwitchedOff() {
    return root.classList.contains("has-no-keys");
  }

  function switchTo(isOn) {
    root.classList.toggle("has-no-keys", !isOn);
  }

  // ---- The dialog ----

  function makeSwitch() {
    const box = element("input", { type: "checkbox" });
    box.checked = !isSwitchedOff();
    box.addEventListener("change", () => {
      remember(KEPT_AS, box.checked);
      switchTo(box.checked);
    });
    return element("label", "choice", box, gettext("Single-key shortcuts"));
  }

  function makeDialog() {
    add(gettext("Anywhere"), [["?", gettext("Show all keys"), open]]);
    const heading = element("h2", { id: "keys-heading" }, gettext("Keyboard shortcuts"));
    const close = button(gettext("Close"), () => dialog.close());
    const look = { class: "keys-dialog", "aria-labelledby": "keys-heading", closedby: "any" };
    return element(
      "dialog",
      look,
      element("header", "keys-head", heading, close),
      tools.addAll(element("div", "keys-lists"), sections),
      makeSwitch(),
    );
  }

  function open() {
    if (!dialog) {
      dialog = makeDialog();
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
