"use strict";

// The language of the page. Scripts say what they have to say by `gettext` and `ngettext`. Where
// the reader wants another language than that in which the page was written, its texts are found in
// the catalogue and replaced, before any other script looks at them. Values go in as text alone,
// and what students wrote is never looked up.

const language = {};

{
  const NAMES = { en: "English", de: "Deutsch", es: "Espa\u00f1ol", fr: "Fran\u00e7ais" };
  const KEPT_AS = "mosslite.locale";
  const PARAMETER = "locale";
  const root = document.documentElement;
  const written = root.dataset.locale;
  const spoken = [address.get(PARAMETER), kept(), written].find((each) => each in NAMES);

  // ---- What is remembered: a browser may refuse to, so addresses carry it as well ----

  function kept() {
    try {
      return localStorage.getItem(KEPT_AS) ?? "";
    } catch {
      return "";
    }
  }

  function remember(locale) {
    try {
      localStorage.setItem(KEPT_AS, locale);
    } catch {
      // Then only addresses do.
    }
  }

  // ---- Numbers and times, as `texts.py` writes them ----

  const SIGNS = { en: [",", "."], de: [".", ","], es: [".", ","], fr: ["\u00a0", ","] };
  const DAYS = {
    en: ["year", "month", "day"],
    de: ["day", "month", "year"],
    es: ["day", "month", "year"],
    fr: ["day", "month", "year"],
  };
  const DAY_SIGNS = { en: "-", de: ".", es: "/", fr: "/" };

  function number(value) {
    return value.toLocaleString(spoken).replaceAll("\u202f", "\u00a0");
  }

  function decimal(text) {
    return text.replace(".", SIGNS[spoken][1]);
  }

  // ---- Messages ----

  const places = new Map(catalogues.messages.map(([message], place) => [message, place]));

  // A warning or a reason has its context before it, as gettext writes it.
  const CONTEXT_END = "\u0004";

  function formsOf(place, locale) {
    if (locale !== "en") {
      return catalogues[locale][place];
    }
    const [one, ...many] = catalogues.messages[place];
    return [one.slice(one.indexOf(CONTEXT_END) + 1), ...many];
  }

  function formFor(forms, count) {
    const isOne = spoken === "fr" ? count < 2 : count === 1;
    return forms[isOne ? 0 : forms.length - 1];
  }

  function filled(message, values) {
    return message.replace(/%\((\w+)\)[srd]/g, (_, name) => values[name]);
  }

  function gettext(message, values = {}) {
    const place = places.get(message);
    return filled(place === undefined ? message : formsOf(place, spoken)[0], values);
  }

  function ngettext(one, many, count, values = {}) {
    const place = places.get(one);
    const forms = place === undefined ? [one, many] : formsOf(place, spoken);
    return filled(formFor(forms, count), { count: number(count), ...values });
  }

  // A warning or a reason: its key in the catalogue, and its values, which can be such messages
  // themselves, or several of them. `shown` writes the texts.
  function retoldParts([key, values], shown) {
    const form = formFor(formsOf(places.get(key), spoken), values.count ?? 1);
    return form.replace(/%\((\w+)\)([srd])/g, (_, name, kind) => {
      return kind === "d" ? number(values[name]) : retoldValue(values[name], shown);
    });
  }

  function retoldValue(value, shown) {
    if (Array.isArray(value)) {
      return retoldParts(value, shown);
    }
    return value.all?.map((each) => retoldValue(each, shown)).join(", ") ?? shown(String(value));
  }

  function saidIn(element, shown) {
    return retoldParts(JSON.parse(element.dataset.said), shown);
  }

  // What such a message says besides the names in it.
  function withoutNames(element) {
    return saidIn(element, (value) => (/^[\d.,]+$/.test(value) ? value : "\u2026"));
  }

  // ---- What the page says, found in the catalogue of its language ----

  // Values that are messages or counts themselves; all others are numbers. Names are never looked for.
  const COUNTED = "\\d[^.;:()]*";
  const OPEN = { why: ".+", gap: COUNTED, cases: COUNTED, pairs: COUNTED, submissions: COUNTED };
  Object.assign(OPEN, { groups: COUNTED, others: COUNTED, lines: "\\d+(?:-\\d+|(?:, \\d+)*)", first: "\\d.*", last: "\\d.*" });
  const CLOSED = ["left", "right", "files", "file", "day", "size", "place", "option", "batch", "text", "page"];
  const NUMBER = "\\d[\\d.,\\u00a0]*(?: %)?";

  const byText = new Map();
  const patterns = [];

  function addForm(form, entry) {
    if (!form.includes("%(")) {
      byText.set(form, byText.get(form) ?? entry);
      return;
    }
    const names = [...form.matchAll(/%\((\w+)\)s/g)].map(([, name]) => name);
    if (names.some((name) => CLOSED.includes(name)) || !/\p{L}/u.test(form.replace(/%\(\w+\)s/g, ""))) {
      return;
    }
    const parts = form.split(/%\(\w+\)s/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const source = parts.reduce((all, part, at) => `${all}(${OPEN[names[at - 1]] ?? NUMBER})${part}`);
    const pattern = new RegExp(`^${source}$`, "su");
    patterns.push({ pattern, names, known: parts.join("").length, ...entry });
  }

  function readCatalogue() {
    catalogues.messages.forEach(([message], place) => {
      if (message.includes(CONTEXT_END)) {
        return;
      }
      formsOf(place, written).forEach((form, nth) => addForm(form, { place, nth }));
    });
    patterns.sort((one, other) => other.known - one.known); // the most telling first
  }

  function shownNumber(text) {
    const [group, sign] = SIGNS[written];
    const isGrouped = text.length > 4 && text.split(group).slice(1).every((each) => each.length === 3);
    if (text.includes(group) && !text.includes(sign) && isGrouped) {
      return number(Number(text.replaceAll(group, "")));
    }
    return text.split(sign).length === 2 ? text.replace(sign, SIGNS[spoken][1]) : text;
  }

  const TIME = {
    en: /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?= \d\d:\d\d)/,
    de: /^(?<day>\d\d)\.(?<month>\d\d)\.(?<year>\d{4})(?= \d\d:\d\d)/,
    es: /^(?<day>\d\d)\/(?<month>\d\d)\/(?<year>\d{4})(?= \d\d:\d\d)/,
  };

  function shownTime(text) {
    const { groups } = (TIME[written] ?? TIME.es).exec(text) ?? {};
    const day = groups && DAYS[spoken].map((part) => groups[part]).join(DAY_SIGNS[spoken]);
    return day && day + text.slice(10);
  }

  // As in "2 days 3 hours".
  function shownGap(text) {
    const parts = text.split(/(?<=\p{L}) (?=\d)/u);
    const shown = parts.length > 1 ? parts.map(said) : [undefined];
    return shown.includes(undefined) ? undefined : shown.join(" ");
  }

  function shownValue(text) {
    if (/^\d+(?:-\d+|(?:, \d+)+)$/.test(text)) {
      return text;
    }
    return /^\d[\d.,\u00a0]*(?: %)?$/.test(text) ? shownNumber(text) : (said(text) ?? shownGap(text));
  }

  // Returns the text in the language of the reader; undefined where the catalogue has none.
  function said(text) {
    const exact = byText.get(text);
    if (exact) {
      const forms = formsOf(exact.place, spoken);
      return forms[Math.min(exact.nth, forms.length - 1)];
    }
    if (/^\d/.test(text)) {
      const shown = shownTime(text) ?? (/^[\d.,\u00a0]+$/.test(text) ? shownNumber(text) : undefined);
      if (shown !== undefined) {
        return shown;
      }
    }
    for (const { pattern, names, place, nth } of patterns) {
      const found = pattern.exec(text);
      const shown = found && refilled(place, nth, names, found.slice(1));
      if (shown) {
        return shown;
      }
    }
    return undefined;
  }

  // Returns nothing where a value is neither a number nor a message.
  function refilled(place, nth, names, values) {
    const shown = Object.fromEntries(names.map((name, at) => [name, shownValue(values[at])]));
    if (Object.values(shown).includes(undefined)) {
      return undefined;
    }
    const at = names.indexOf("count");
    const count = at < 0 ? 1 + nth : Number(values[at].replace(/\D/g, ""));
    return filled(formFor(formsOf(place, spoken), count), shown);
  }

  // Several messages in a row are parted at punctuation, the longest that is known first.
  const MOST_PARTS = 24;
  const told = new Map();

  function retold(text) {
    if (!told.has(text)) {
      told.set(text, said(text) ?? retoldInParts(text));
    }
    return told.get(text);
  }

  function retoldInParts(text) {
    const parts = text.split(/([.,;:]+(?:\s+|$)|[()]\s*)/).filter(Boolean);
    if (parts.length < 2 || parts.length > MOST_PARTS) {
      return undefined;
    }
    let shown = "";
    for (let start = 0, stop; start < parts.length; start = stop) {
      let known;
      if (/^[:;]/.test(parts[start])) {
        shown = shown.trimEnd() + (spoken === "fr" ? "\u00a0" : "");
      }
      for (stop = parts.length; stop > start; stop -= 1) {
        const [, part, blank] = /^(.*?)(\s*)$/s.exec(parts.slice(start, stop).join(""));
        known = stop - start < parts.length && /[\p{L}\d]/u.test(part) ? said(part) : undefined;
        if (known !== undefined) {
          known += blank;
          break;
        }
      }
      stop = Math.max(stop, start + 1);
      shown += known ?? parts[start];
    }
    return shown;
  }

  // ---- The page ----

  const ATTRIBUTES = ["title", "aria-label", "data-label", "data-below"];
  const FOREIGN =
    "script, style, code, pre, [translate=no], [data-submission], [data-said], .user-text, [lang]";

  function* nodesToTell() {
    const filter = (node) => {
      return node.matches?.(FOREIGN) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
    };
    const walker = document.createTreeWalker(
      document.body,
      NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
      filter,
    );
    while (walker.nextNode()) {
      yield walker.currentNode;
    }
  }

  function tell(node) {
    if (node.nodeType === Node.TEXT_NODE) {
      const [, before, text, after] = /^(\s*)(.*?)(\s*)$/s.exec(node.nodeValue);
      const shown = text && retold(text);
      if (shown !== undefined && shown !== text) {
        node.nodeValue = (/^[:;]/.test(text) ? "" : before) + shown + after;
      }
      return;
    }
    if (node.matches(".hand-in-time")) {
      const name = node.firstElementChild;
      name.textContent = shownTime(name.textContent) ?? name.textContent;
    }
    if (node.dataset?.message) {
      node.textContent = gettext(node.dataset.message);
    }
    for (const name of ATTRIBUTES) {
      const shown = node.hasAttribute(name) ? retold(node.getAttribute(name)) : undefined;
      if (shown !== undefined) {
        node.setAttribute(name, shown);
      }
    }
  }

  // What a script shows of data that was written with the page.
  function toldOf(text) {
    return (spoken === written ? undefined : retold(text)) ?? text;
  }

  function tellPage() {
    readCatalogue();
    [...nodesToTell()].forEach(tell);
    for (const element of document.querySelectorAll("[data-said]")) {
      element.textContent = saidIn(element, String);
    }
    // Blanks that a name is shown with are all that is said inside of it.
    for (const blank of document.querySelectorAll(".user-text .blank")) {
      blank.title = retold(blank.title) ?? blank.title;
    }
    root.lang = spoken;
  }

  // ---- The switch ----

  function switchTo(locale) {
    remember(locale);
    address.writeNow();
    const url = new URL(location.href);
    url.searchParams.set(PARAMETER, locale);
    location.replace(url);
  }

  function makeSwitch() {
    const select = document.createElement("select");
    select.className = "button language-switch";
    select.autocomplete = "off";
    select.setAttribute("aria-label", gettext("Language of the report"));
    for (const [locale, name] of Object.entries(NAMES)) {
      const option = new Option(name, locale, false, locale === spoken);
      option.lang = locale;
      select.add(option);
    }
    select.addEventListener("change", () => switchTo(select.value));
    return select;
  }

  if (spoken !== written) {
    tellPage();
  }
  document.querySelector(".bar-tools")?.append(makeSwitch());

  Object.assign(language, { decimal, gettext, ngettext, number, told: toldOf, withoutNames });
}

const { gettext, ngettext } = language;
