"use strict";

// What several scripts need: elements, what a browser keeps, and files to save.

const tools = {};

{
  const byId = (id) => document.getElementById(id);

  // One by one: tens of thousands of nodes as the arguments of one call exceed a browser's stack.
  function addAll(parent, nodes) {
    for (const node of nodes) {
      parent.append(node);
    }
    return parent;
  }

  // The look is a class, or all attributes.
  function element(tag, look = "", ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(typeof look === "string" ? { class: look } : look)) {
      if (value || name !== "class") {
        made.setAttribute(name, value);
      }
    }
    return addAll(made, children);
  }

  function button(text, onClick) {
    const made = element("button", { type: "button", class: "button" }, text);
    made.addEventListener("click", onClick);
    return made;
  }

  // Gives a value that was kept; undefined where there is none, or a browser keeps nothing.
  function recalled(name, storage = "localStorage") {
    try {
      return JSON.parse(window[storage].getItem(`mosslite.${name}`)) ?? undefined;
    } catch {
      return undefined;
    }
  }

  function remember(name, value, storage = "localStorage") {
    try {
      window[storage].setItem(`mosslite.${name}`, JSON.stringify(value));
    } catch {
      // Then the next page begins as this one did.
    }
  }

  function saveFile(name, type, text) {
    const link = element("a", { download: name });
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  Object.assign(tools, { addAll, button, byId, element, recalled, remember, saveFile });
}
