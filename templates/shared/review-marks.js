"use strict";

// What a reader makes of each pair: marks, kept in the browser, saved to a file and loaded again.
// REVIEW (review-data.js) has the pairs of this report, [left, right, code, whether it is at or above
// the threshold], and the marks that came with it. They belong to the assignment, which has the
// title of the report or, without one, its folder: so they are there after the next run. A file is
// {"format": 1, "marks": [...]}, a mark {left, right, code, state, reason, note, at}.

const reviewMarks = {};

{
  const FORMAT = 1;
  const FILE_NAME = "mosslite-review.json";
  const FIELDS = ["left", "right", "code", "state", "reason", "note", "at"];
  const STATES = {
    todo: gettext("To do"),
    dismissed: gettext("Dismissed"),
    confirmed: gettext("Confirmed"),
  };
  const ASSIGNMENT = REVIEW.title || new URL(".", document.currentScript.src).href;
  const KEPT_AS = `mosslite.review.of ${ASSIGNMENT}`;
  const REPORT_AS = `mosslite.review.${REVIEW.report}`; // is there if marks were made in this one
  const CONTRADICTED_AS = `mosslite.review.contradicted ${ASSIGNMENT}`;
  const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
  const CHANGED = gettext("changed since it was reviewed");
  const CANNOT_KEEP = gettext("This browser cannot store the review: save it to a file.");
  const isServed = typeof servedStorage !== "undefined";
  const KEPT = isServed ? servedStorage.KEPT : gettext("Saved in this browser.");

  // ---- The pairs of this report ----

  const pairs = REVIEW.pairs.map(([left, right, code, isHigh], at) => {
    const names = { left: REVIEW.names[left], right: REVIEW.names[right] };
    return { rank: at + 1, isHigh, names, code, key: keyOf(names) };
  });
  const byKey = new Map(pairs.map((pair) => [pair.key, pair]));
  const byCode = Map.groupBy(pairs, ({ code }) => code);
  const present = new Set(REVIEW.names);
  const highPairs = pairs.filter(({ isHigh }) => isHigh);

  function keyOf({ left, right }) {
    return [left, right].sort().join("\n");
  }

  // ---- Marks by pair; of two marks on one pair the later holds ----

  // As strict as the program that reads the file for the next report.
  function isMark(value) {
    return (
      FIELDS.every((field) => typeof value?.[field] === "string") &&
      Object.hasOwn(STATES, value.state) &&
      MOMENT.test(value.at)
    );
  }

  // Parts of a second may be there or not, so that the Z behind them must not count.
  function moment(mark) {
    return mark.at.slice(0, -1);
  }

  function merged(...lists) {
    const marks = new Map();
    for (const mark of lists.flat()) {
      const key = keyOf(mark);
      if (!marks.has(key) || moment(marks.get(key)) <= moment(mark)) {
        marks.set(key, mark);
      }
    }
    return marks;
  }

  // ---- Keeping them: a browser that refuses its storage, or has no room left in it, may still ----
  // ---- carry a window's name; what is in both was kept before there was no more room        ----

  function storedText(name) {
    try {
      return (isServed ? servedStorage : localStorage).getItem(name) ?? "";
    } catch {
      return "";
    }
  }

  function carriedText() {
    return window.name.startsWith(KEPT_AS) ? window.name.slice(KEPT_AS.length) : "";
  }

  // Where `mosslite serve` shows the report, it keeps the marks, and nothing stays in the browser.
  function keep(marks) {
    const text = JSON.stringify([...marks.values()]);
    try {
      if (isServed) {
        servedStorage.setItem(KEPT_AS, text);
      } else {
        putOthersAside();
        localStorage.setItem(KEPT_AS, text);
      }
      window.name = carriedText() ? "" : window.name;
      return true;
    } catch {
      window.name = KEPT_AS + text;
      return false;
    }
  }

  // What the store has of another assignment is not overwritten.
  function putOthersAside() {
    const others = storedText(KEPT_AS);
    if (others && !ownMarks().length) {
      localStorage.setItem(`${KEPT_AS}, until ${new Date().toISOString()}`, others);
    }
    localStorage.setItem(REPORT_AS, "[]");
  }

  function marksFrom(text) {
    try {
      return JSON.parse(text).filter(isMark);
    } catch {
      return [];
    }
  }

  // Without a title, a folder can have had a report on another assignment.
  function ownMarks() {
    const marks = marksFrom(storedText(KEPT_AS));
    const isOwn = isServed || REVIEW.title || storedText(REPORT_AS);
    return isOwn || marks.some(({ code }) => byCode.has(code)) ? marks : [];
  }

  function keptMarks() {
    return merged(REVIEW.marks, ownMarks(), marksFrom(carriedText()));
  }

  // Tells whether this browser keeps the marks from now on.
  function add(marks) {
    return keep(merged([...keptMarks().values()], marks));
  }

  // ---- Which pair of this report a mark is on: that of its names, else the only one of its code ----

  function isOnCode(mark) {
    return byKey.get(keyOf(mark))?.code === mark.code;
  }

  // Whoever is still called as before must be in the pair; numbers in place of names change at will.
  function pairOfCode(mark, marks) {
    const named = [mark.left, mark.right].filter((name) => present.has(name));
    const free = (byCode.get(mark.code) ?? []).filter(({ key, names: { left, right } }) => {
      const own = marks.get(key);
      const isNamed = named.every((name) => name === left || name === right);
      return !(own && isOnCode(own)) && (isNamed || REVIEW.isAnonymous);
    });
    return free.length === 1 ? free[0] : null;
  }

  function allMarks() {
    const found = keptMarks();
    for (const [key, mark] of found) {
      if (isOnCode(mark) || (byKey.has(key) && !REVIEW.isAnonymous)) {
        continue;
      }
      const pair = pairOfCode(mark, found);
      if (pair || REVIEW.isAnonymous) {
        found.delete(key);
      }
      if (pair) {
        found.set(pair.key, { ...mark, ...pair.names });
      }
    }
    return found;
  }

  // ---- Decisions of others that a later mark contradicts, until somebody decides again ----

  function contradictions() {
    const others = [...REVIEW.contradicted, ...marksFrom(storedText(CONTRADICTED_AS))];
    return new Map(others.map((mark) => [keyOf(mark), mark]));
  }

  function isContrary(mark, other) {
    const isDecided = mark.state !== "todo" && other.state !== "todo";
    return isDecided && mark.state !== other.state && mark.code === other.code;
  }

  // Keeps what a file says against the marks that there are, whichever of the two is later.
  function keepContradictions(before, loaded) {
    const after = merged([...before.values()], loaded);
    const found = loaded.flatMap((mark) => {
      const known = before.get(keyOf(mark));
      const holds = after.get(keyOf(mark));
      return known && isContrary(known, mark)
        ? [{ ...(holds === mark ? known : mark), against: holds.at }]
        : [];
    });
    try {
      const all = merged([...contradictions().values()], found);
      localStorage.setItem(CONTRADICTED_AS, JSON.stringify([...all.values()]));
    } catch {
      // Then they are said once, and no more.
    }
    return found.length;
  }

  // ---- What is known of a pair: {rank, mark, isChanged, other, isDone}, of which other is the ----
  // ---- mark that contradicts its own; pairs at the threshold are to do until that is done     ----

  // Gives a function that tells it by rank.
  function read() {
    const marks = allMarks();
    const others = contradictions();
    return (rank) => {
      const { key, names, code } = pairs[rank - 1];
      const empty = { ...names, code, state: "todo", reason: "", note: "", at: "" };
      const mark = marks.get(key) ?? empty;
      const against = others.get(key);
      const isOpen = against && isContrary(mark, against) && (against.against ?? mark.at) === mark.at;
      const other = isOpen ? against : null;
      const isChanged = mark.state !== "todo" && mark.code !== code;
      return { rank, mark, isChanged, other, isDone: mark.state !== "todo" && !isChanged && !other };
    };
  }

  // Characters that cannot be seen, or that change what is seen, are spelled out; a file can
  // bring them along.
  function spelledOut(text) {
    return text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
      const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      return `[U+${code}]`;
    });
  }

  function decision(mark) {
    const isReasoned = mark.state === "dismissed" && mark.reason;
    return STATES[mark.state] + (isReasoned ? `: ${spelledOut(mark.reason)}` : "");
  }

  function inWords({ mark, isChanged, other }) {
    const said = `${decision(mark)}${isChanged ? `, ${CHANGED}` : ""}`;
    const against = other && gettext("another mark says: %(text)s", { text: decision(other) });
    return against ? `${said}; ${against}` : said;
  }

  function progress() {
    const stateOf = read();
    const done = highPairs.filter(({ rank }) => stateOf(rank).isDone).length;
    return { done, count: highPairs.length };
  }

  // Tells whether a pair is at the threshold and has no mark.
  function isToDo(rank) {
    return pairs[rank - 1].isHigh && !read()(rank).isDone;
  }

  // Gives the next pair at the threshold that is to do, after a rank and around; 0 for none.
  function nextToDo(after) {
    const stateOf = read();
    const ranks = highPairs.map(({ rank }) => rank);
    const left = ranks.filter((rank) => rank !== after && !stateOf(rank).isDone);
    return left.find((rank) => rank > after) ?? left[0] ?? 0;
  }

  // ---- Making marks, many at once, and back ----

  let before = []; // the marks that the last change of many took the place of

  // Later than the mark that there is, though it may come from a clock that is ahead.
  function momentAfter({ at }) {
    return new Date(Math.max(Date.now(), (Date.parse(at) || 0) + 1)).toISOString();
  }

  // Changes the marks of pairs, by rank; what is not among the changes stays. Gives why they are
  // not kept.
  function change(ranks, changes) {
    const stateOf = read();
    before = ranks.map((rank) => stateOf(rank).mark);
    const marks = ranks.map((rank, at) => {
      const { names, code } = pairs[rank - 1];
      return { ...before[at], ...names, code, ...changes, at: momentAfter(before[at]) };
    });
    return add(marks) ? "" : CANNOT_KEEP;
  }

  function markPairs(ranks, state) {
    const why = change(ranks, { state });
    const who =
      ranks.length === 1
        ? gettext("Pair %(number)s", { number: ranks[0] })
        : ngettext("%(count)s pair", "%(count)s pairs", ranks.length);
    return `${who}${gettext(": ")}${STATES[state]}. ${why}`.trim();
  }

  function undo() {
    const marks = allMarks();
    const again = before.map((mark) => {
      return { ...mark, at: momentAfter(marks.get(keyOf(mark)) ?? mark) };
    });
    return `${gettext("Undone")}. ${add(again) ? "" : CANNOT_KEEP}`.trim();
  }

  // ---- A file of them ----

  function save() {
    const marks = [...allMarks().values()];
    const text = `${JSON.stringify({ format: FORMAT, marks }, null, 2)}\n`;
    tools.saveFile(FILE_NAME, "application/json", text);
    return ngettext(
      "%(count)s mark saved to %(file)s",
      "%(count)s marks saved to %(file)s",
      marks.length,
      { file: FILE_NAME },
    );
  }

  async function load(file) {
    try {
      const { format, marks } = JSON.parse(await file.text());
      if (format !== FORMAT || !marks.every(isMark)) {
        throw new SyntaxError("no review");
      }
      const contrary = keepContradictions(allMarks(), marks);
      const isKept = add(marks);
      const said = [
        ngettext("%(count)s mark loaded", "%(count)s marks loaded", marks.length),
        contrary &&
          ngettext(
            "%(count)s contradicts a mark that was here",
            "%(count)s contradict marks that were here",
            contrary,
          ),
        !isKept && gettext("this browser cannot store them"),
      ];
      return said.filter(Boolean).join("; ");
    } catch {
      return gettext("%(file)s is not a saved review; nothing was loaded", { file: file.name });
    }
  }

  // Says how many of the marks that there are have no pair here, or one whose code has changed.
  function fit() {
    const marks = [...allMarks().values()].filter((mark) => mark.state !== "todo");
    const fitting = marks.filter(isOnCode).length;
    return fitting === marks.length
      ? ""
      : ngettext(
          "%(fitting)s of %(count)s mark fits the pairs listed here",
          "%(fitting)s of %(count)s marks fit the pairs listed here",
          marks.length,
          { fitting: language.number(fitting) },
        );
  }

  Object.assign(reviewMarks, {
    KEPT,
    STATES,
    change,
    fit,
    inWords,
    isToDo,
    load,
    markPairs,
    nextToDo,
    progress,
    read,
    save,
    spelledOut,
    undo,
  });
}
