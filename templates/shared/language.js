"use strict";

// What scripts say, in the language that the page was written in. Values go in as text alone.

const language = {};

{
  const spoken = document.documentElement.lang;

  function number(value) {
    return value.toLocaleString(spoken).replaceAll("\u202f", "\u00a0");
  }

  function decimal(text) {
    return spoken === "en" ? text : text.replace(".", ",");
  }

  function filled(message, values) {
    return message.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
  }

  function gettext(message, values = {}) {
    return filled(messages[message]?.[0] ?? message, values);
  }

  function ngettext(one, many, count, values = {}) {
    const isOne = spoken === "fr" ? count < 2 : count === 1;
    const form = (messages[one] ?? [one, many])[isOne ? 0 : 1];
    return filled(form, { count: number(count), ...values });
  }

  Object.assign(language, { decimal, gettext, ngettext, number });
}

const { gettext, ngettext } = language;
