"use strict";

// The pair as one file to send: what the page has, both sources side by side, and no script.

{
  const { addAll, byId, element } = tools;
  const TINTS = Array.from({ length: 8 }, (_, n) => `tint-${n + 1}`);
  const COLOURS = ["text", "muted", "line", "surface", ...TINTS];
  const KEPT = ["class", "colspan"]; // attributes
  const RULES = `
    body { max-width: 80rem; margin: 0 auto; padding: 1.5rem; color: var(--text);
      background: var(--surface); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
    h2 { margin: 2rem 0 0.5rem; font-size: 1.25rem; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
    dl > div { display: contents; }
    dd { margin: 0; font-weight: 600; }
    table { width: 100%; border-collapse: collapse; margin-bottom: 1.5rem; text-align: left; }
    th, td { padding: 0.1rem 0.5rem; vertical-align: top; }
    .plain td { border-top: 1px solid var(--line); }
    .aligned { table-layout: fixed; }
    .aligned td { font: 0.75rem/1.4 ui-monospace, monospace; white-space: pre-wrap; }
    .column-number { width: 3.5rem; }
    .line-number, dt, .kind, .left-out { color: var(--muted); }
    .comment { font-style: italic; }
    .badge { margin-right: 0.3rem; padding: 0 0.3rem; border: 1px solid var(--text);
      border-radius: 0.5rem; font-weight: 700; }
    [class*="tint-"] { background: var(--tint); }
  `;

  // The colours of the page, light or dark.
  function styleOf() {
    const colours = getComputedStyle(document.documentElement);
    const values = COLOURS.map((name) => `--${name}: ${colours.getPropertyValue(`--${name}`)};`);
    const own = TINTS.map((name) => `.${name} { --tint: var(--${name}); }`);
    return `:root { color-scheme: light dark; ${values.join(" ")} } ${own.join(" ")} ${RULES}`;
  }

  // Ids, and what leads to another page or only works with scripts, mean nothing in the file.
  function copyOf(node) {
    const copy = node.cloneNode(true);
    copy.querySelectorAll("button, input, svg, details, kbd").forEach((each) => each.remove());
    copy.querySelectorAll("a").forEach((link) => {
      link.replaceWith(addAll(element("span", link.className), [...link.childNodes]));
    });
    for (const each of [copy, ...copy.querySelectorAll("*")]) {
      const names = each.getAttributeNames().filter((name) => !KEPT.includes(name));
      names.forEach((name) => each.removeAttribute(name));
    }
    return copy;
  }

  function partsOf(selector, title) {
    const copies = [...document.querySelectorAll(selector)].map(copyOf);
    return copies.length && title ? [element("h2", "", title), ...copies] : copies;
  }

  function bodyOf() {
    const { title } = document.querySelector("title").dataset;
    return [
      element("p", "kind", `${gettext("Case file")}: ${title}`),
      ...partsOf("h1.pair-heading, .identical, .hand-ins, .pair-facts > dl"),
      ...partsOf(".formula-body p:first-child"),
      ...partsOf(".review-printed", gettext("Review")),
      ...partsOf("#match-list", gettext("Matches")),
      ...partsOf(".rare-panel table", gettext("Rare in this batch")),
      ...partsOf("#paper > table", gettext("Both sources")),
      ...partsOf(".colophon .parameters", gettext("About this report")),
    ];
  }

  // Styles are written as text: the policy of this page forbids them in any element made here.
  function textOf() {
    const written = (node) => new XMLSerializer().serializeToString(node);
    const policy = "default-src 'none'; style-src 'unsafe-inline'";
    return [
      `<!doctype html>\n<html lang="${document.documentElement.lang}">\n<head>\n<meta charset="utf-8">`,
      `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
      written(element("title", "", document.title)),
      `<style>${styleOf()}</style>\n</head>`,
      written(addAll(element("body", ""), bodyOf())),
      "</html>\n",
    ].join("\n");
  }

  // As on paper, all lines of both sources; names are hidden in them before they are copied.
  async function saveCase() {
    dispatchEvent(new Event("beforeprint"));
    await new Promise((done) => setTimeout(done));
    tools.saveFile(`case-${document.body.dataset.pair}.html`, "text/html", textOf());
    dispatchEvent(new Event("afterprint"));
  }

  byId("save-case").addEventListener("click", saveCase);
}
