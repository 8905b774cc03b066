"use strict";

// The panels above the sources. Where there is little room they are folded to their headings, each
// of which drops its panel down over the sources; the reader's own choice is remembered.

{
  const { byId } = mosslite.page;
  const KEPT_AS = "panels-shown";
  const LITTLE_ROOM = matchMedia("(max-height: 62.49rem), (max-width: 59.99rem)");

  const panels = [...document.querySelectorAll(".panel")];

  // ---- Folded to headings, or shown ----

  function isFolded() {
    return byId("panels").classList.contains("is-folded");
  }

  function fold(isFoldedNow) {
    byId("panels").classList.toggle("is-folded", isFoldedNow);
    document.body.classList.toggle("has-folded-panels", isFoldedNow);
    byId("show-panels").checked = !isFoldedNow;
    open(null);
  }

  function open(panel) {
    for (const each of panels) {
      const isOpen = each === panel;
      each.classList.toggle("is-open", isOpen);
      each.querySelector(".panel-toggle").setAttribute("aria-expanded", String(isOpen || !isFolded()));
    }
  }

  function toggle(panel) {
    if (isFolded()) {
      open(panel.classList.contains("is-open") ? null : panel);
    }
  }

  // ---- The review: opened where a reader is asked for words ----

  function openReview() {
    if (isFolded()) {
      open(byId("review"));
    }
  }

  function writeNote() {
    openReview();
    byId("review").querySelector("textarea").focus();
  }

  function leave(event) {
    if (event.key === "Escape" && isFolded()) {
      const panel = document.activeElement.closest(".panel");
      open(null);
      panel?.querySelector(".panel-toggle").focus();
    }
  }

  // What is chosen in a panel is shown in the sources, and so is what is behind the panel.
  function onClick({ target }) {
    const isLink = target.closest(".panel [data-match], .panel .line-link");
    if (isFolded() && (isLink || !target.closest(".panel"))) {
      open(null);
    }
  }

  // ---- Start ----

  function makeToggle(panel) {
    const heading = panel.querySelector("h2");
    const look = { type: "button", class: "panel-toggle" };
    const button = tools.element("button", look, ...heading.childNodes);
    button.addEventListener("click", () => toggle(panel));
    heading.append(button);
  }

  function followRoom() {
    fold(!(tools.recalled(KEPT_AS) ?? !LITTLE_ROOM.matches));
  }

  function setUp() {
    panels.forEach(makeToggle);
    followRoom();
    LITTLE_ROOM.addEventListener("change", followRoom);
    byId("show-panels").addEventListener("change", ({ target }) => {
      tools.remember(KEPT_AS, target.checked);
      fold(!target.checked);
    });
    document.addEventListener("click", onClick);
    document.addEventListener("keydown", leave);
  }

  mosslite.panels = { openReview, setUp, writeNote };
}
