"use strict";

// What several scripts need: elements, what a browser keeps, and files to save.

const tools = {};

{
  // One by one: tens of thousands of nodes as the arguments of one call exceed a browser's stack.
  function addAll(parent, nodes) {
    for (const node of nodes) {
      parent.append(node);
    }
    return parent;
  }

  function element(tag, className, ...children) {
    const made = document.createElement(tag);
    if (className) {
      made.className = className;
    }
    return addAll(made, children);
  }

  // Gives what was chosen, true or false; undefined where nothing was, or a browser keeps nothing.
  function recalled(name) {
    try {
      return { yes: true, no: false }[localStorage.getItem(`mosslite.${name}`)];
    } catch {
      return undefined;
    }
  }

  function remember(name, isOn) {
    try {
      localStorage.setItem(`mosslite.${name}`, isOn ? "yes" : "no");
    } catch {
      // Then the next page begins as this one did.
    }
  }

  function saveFile(name, type, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  Object.assign(tools, { addAll, element, recalled, remember, saveFile });
}
