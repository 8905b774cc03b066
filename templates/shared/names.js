"use strict";

// A switch that hides names before a page is shown to others: a submission becomes "Submission 3"
// and a file "file 1". It is loaded before the page is drawn, so that no name flashes up. The text
// of the sources stays, whoever may be named in it.

const names = {};

{
  const PARAMETER = "names-hidden"; // as a browser may refuse to keep it
  const FILES = ".file-name, .left-file, .right-file, [data-file]";
  const TEXTS = ".paths, .reason";
  const root = document.documentElement;
  const originals = new Map(); // element: the nodes that stood in it
  const nodesByAlias = new Map(); // what stood where an alias was first put
  const fileNumbers = new Map();
  const observer = new MutationObserver(hideAll);
  let isOn = false;

  // ---- What is replaced ----

  function replaceText(element, text) {
    if (!originals.has(element)) {
      originals.set(element, originalNodes(element, text));
      element.replaceChildren(text);
    }
  }

  // Another script may have copied an element in which an alias stood already.
  function originalNodes(element, alias) {
    const nodes = [...element.childNodes];
    if (element.textContent === alias) {
      return (nodesByAlias.get(alias) ?? nodes).map((node) => node.cloneNode(true));
    }
    if (!nodesByAlias.has(alias)) {
      nodesByAlias.set(alias, nodes);
    }
    return nodes;
  }

  // A name stands in a bdi, but for pictures, where it is the text of one of their parts.
  function namesIn(element) {
    const parts = [...element.querySelectorAll("bdi, text, title")];
    return parts.length || element.childElementCount ? parts : [element];
  }

  // The alias of a submission while names are hidden.
  function aliasOf(number) {
    return isOn ? gettext("Submission %(number)s", { number }) : "";
  }

  function fileAlias(name) {
    const number = fileNumbers.get(name) ?? fileNumbers.size + 1;
    fileNumbers.set(name, number);
    return gettext("file %(number)s", { number });
  }

  function hideSubmissions() {
    for (const element of document.querySelectorAll("[data-submission]")) {
      const alias = aliasOf(element.dataset.submission);
      namesIn(element).forEach((name) => replaceText(name, alias));
    }
  }

  function hideFiles() {
    for (const name of document.querySelectorAll(`:is(${FILES}) bdi`)) {
      if (!originals.has(name)) {
        replaceText(name, fileAlias(name.textContent));
      }
    }
  }

  // A message says the rest without the names in it; another text is hidden as a whole.
  function hideTexts() {
    for (const place of document.querySelectorAll(TEXTS)) {
      const message = place.querySelector("[data-unnamed]");
      if (message?.dataset.unnamed) {
        replaceText(place, `${message.dataset.unnamed} (${gettext("names hidden")})`);
      } else if (!message && place.querySelector("bdi")) {
        replaceText(place, `(${gettext("hidden")})`);
      }
    }
  }

  // A title names whom the first heading names, in the language of the page, and the report.
  function tellTitle() {
    const heading = document.querySelector("h1");
    const names = [...(heading?.querySelectorAll("[data-submission]") ?? [])];
    const own = names.map((name) => name.textContent).join(` ${gettext("and")} `);
    const ofReport = document.querySelector("title").dataset.title;
    document.title = [own || heading?.textContent, ofReport].filter(Boolean).join(" - ");
  }

  function hideAll() {
    hideSubmissions();
    hideFiles();
    hideTexts();
    observer.takeRecords();
  }

  function showAll() {
    for (const [element, nodes] of originals) {
      element.replaceChildren();
      tools.addAll(element, nodes);
    }
    originals.clear();
  }

  // ---- The switch ----

  function apply() {
    observer.disconnect();
    if (isOn) {
      hideAll();
      observer.observe(document.body, { childList: true, subtree: true });
    } else {
      showAll();
    }
    tellTitle();
    root.classList.remove("is-hiding-names");
  }

  function makeSwitch() {
    const button = tools.button(gettext("Hide names"), () => {
      isOn = !isOn;
      button.setAttribute("aria-pressed", String(isOn));
      tools.remember(PARAMETER, isOn);
      address.setFlag(PARAMETER, isOn);
      apply();
    });
    button.classList.add("names-switch");
    button.title = gettext(
      "For showing the report to others. Names inside the code are not hidden.",
    );
    button.setAttribute("aria-pressed", String(isOn));
    return button;
  }

  function setUp() {
    (document.querySelector(".bar-tools") ?? document.body).append(makeSwitch());
    apply();
  }

  isOn = address.has(PARAMETER) || Boolean(tools.recalled(PARAMETER));
  if (isOn) {
    root.classList.add("is-hiding-names");
    document.title = "\u2026"; // until the names in it are replaced
  }
  document.addEventListener("DOMContentLoaded", setUp);
  Object.assign(names, { aliasOf });
}
