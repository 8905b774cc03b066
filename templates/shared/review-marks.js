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
  const FOLDER = new URL(".", document.currentScript.src).href;
  const KEPT_AS = `mosslite.review.of ${REVIEW.title || FOLDER}`;
  const REPORT_AS = `mosslite.review.${REVIEW.report}`; // is there if marks were made in this one
  const CONTRADICTED_AS = `mosslite.review.contradicted ${REVIEW.title || FOLDER}`;
  const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
  const CHANGED = gettext("changed since it was reviewed");
  const isServed = typeof servedStorage !== "undefined";
  const KEPT = isServed ? servedStorage.KEPT : gettext("Saved in this browser.");

  // ---- Marks by pair; of two marks on one pair the later holds ----

  function keyOf(one, other) {
    return [one, other].sort().join("\n");
  }

  function pairAt(rank) {
    const [left, right, code] = REVIEW.pairs[rank - 1];
    return { left: REVIEW.names[left], right: REVIEW.names[right], code };
  }

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
      const key = keyOf(mark.left, mark.right);
      if (!marks.has(key) || moment(marks.get(key)) <= moment(mark)) {
        marks.set(key, mark);
      }
    }
    return marks;
  }

  function isChanged(mark, pair) {
    return mark.state !== "todo" && mark.code !== pair.code;
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

  function inWords(mark, pair, other = otherOf(mark)) {
    const said = `${decision(mark)}${isChanged(mark, pair) ? `, ${CHANGED}` : ""}`;
    const against = other && gettext("another mark says: %(text)s", { text: decision(other) });
    return against ? `${said}; ${against}` : said;
  }

  // ---- Keeping them: a browser that refuses its storage, or has no room left in it, may still ----
  // ---- carry a window's name; what is in both was kept before there was no more room        ----

  // Where `mosslite serve` shows the report, it keeps the marks, and nothing stays in the browser.
  function storage() {
    return isServed ? servedStorage : localStorage;
  }

  function storedText(name) {
    try {
      return storage().getItem(name) ?? "";
    } catch {
      return "";
    }
  }

  function carriedText() {
    return window.name.startsWith(KEPT_AS) ? window.name.slice(KEPT_AS.length) : "";
  }

  function keep(marks) {
    const text = JSON.stringify([...marks.values()]);
    try {
      if (!isServed) {
        putOthersAside();
      }
      storage().setItem(KEPT_AS, text);
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
    localStorage.setItem(REPORT_AS, storedText(REPORT_AS) || "[]");
  }

  function kept(text) {
    try {
      return JSON.parse(text).filter(isMark);
    } catch {
      return [];
    }
  }

  // Without a title, a folder can have had a report on another assignment.
  function ownMarks() {
    const marks = kept(storedText(KEPT_AS));
    const isOwn = isServed || REVIEW.title || storedText(REPORT_AS);
    return isOwn || marks.some((mark) => ranksOf.has(mark.code)) ? marks : [];
  }

  function keptMarks() {
    return merged(
      REVIEW.marks,
      kept(storedText(REPORT_AS)), // where earlier versions kept them
      ownMarks(),
      kept(carriedText()),
    );
  }

  function allMarks() {
    return fitted(keptMarks());
  }

  function markIn(marks, pair) {
    const empty = { ...pair, state: "todo", reason: "", note: "", at: "" };
    return marks.get(keyOf(pair.left, pair.right)) ?? empty;
  }

  function markOf(pair) {
    return markIn(allMarks(), pair);
  }

  // Later than the mark that there is, though it may come from a clock that is ahead.
  function momentAfter({ at }) {
    return new Date(Math.max(Date.now(), (Date.parse(at) || 0) + 1)).toISOString();
  }

  function momentOfEdit(pair) {
    return momentAfter(markOf(pair));
  }

  // Tells whether this browser keeps the marks from now on.
  function add(marks) {
    return keep(merged([...keptMarks().values()], marks));
  }

  // ---- Which pair of this report a mark is on: that of its names, else the only one of its code ----

  const ranks = REVIEW.pairs.map((_, at) => at + 1);
  const rankOf = new Map(ranks.map((rank) => [keyOfRank(rank), rank]));
  const present = new Set(REVIEW.names);
  const ranksOf = new Map(); // by code
  ranks.forEach((rank) => {
    const { code } = pairAt(rank);
    ranksOf.set(code, [...(ranksOf.get(code) ?? []), rank]);
  });

  function keyOfRank(rank) {
    const { left, right } = pairAt(rank);
    return keyOf(left, right);
  }

  function isOnCode(mark) {
    const rank = rankOf.get(keyOf(mark.left, mark.right));
    return Boolean(rank) && pairAt(rank).code === mark.code;
  }

  // Whoever is still called as before must be in the pair; numbers in place of names change at will.
  function pairOfCode(mark, marks) {
    const names = REVIEW.isAnonymous ? [] : [mark.left, mark.right].filter((name) => present.has(name));
    const free = (ranksOf.get(mark.code) ?? []).filter((rank) => {
      const { left, right } = pairAt(rank);
      const own = marks.get(keyOf(left, right));
      return !(own && isOnCode(own)) && names.every((name) => name === left || name === right);
    });
    return free.length === 1 ? pairAt(free[0]) : null;
  }

  function fitted(marks) {
    const found = new Map(marks);
    for (const [key, mark] of found) {
      if (isOnCode(mark) || (rankOf.has(key) && !REVIEW.isAnonymous)) {
        continue;
      }
      const pair = pairOfCode(mark, found);
      if (pair || REVIEW.isAnonymous) {
        found.delete(key);
      }
      if (pair) {
        found.set(keyOf(pair.left, pair.right), { ...mark, ...pair });
      }
    }
    return found;
  }

  // ---- Decisions of others that a later mark contradicts, until somebody decides again ----

  function contradictions() {
    const others = [...REVIEW.contradicted, ...kept(storedText(CONTRADICTED_AS))];
    return new Map(others.map((mark) => [keyOf(mark.left, mark.right), mark]));
  }

  // Gives the mark that contradicts that of a pair; nothing once the pair was marked anew.
  function otherOf(mark, others = contradictions()) {
    const other = others.get(keyOf(mark.left, mark.right));
    const isOpen = other && isContrary(mark, other) && (other.against ?? mark.at) === mark.at;
    return isOpen ? other : null;
  }

  function isContrary(mark, other) {
    const isDecided = mark.state !== "todo" && other.state !== "todo";
    return isDecided && mark.state !== other.state && mark.code === other.code;
  }

  // Keeps what a file says against the marks that there are, whichever of the two is later.
  function keepContradictions(before, loaded) {
    const after = merged([...before.values()], loaded);
    const found = loaded.flatMap((mark) => {
      const known = before.get(keyOf(mark.left, mark.right));
      const holds = after.get(keyOf(mark.left, mark.right));
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

  // ---- Many pairs at once, and back ----

  let before = []; // the marks that the last change of many took the place of

  // Marks pairs by rank; reasons and notes stay. Says what was done.
  function markPairs(ranks, state) {
    const marks = allMarks();
    const pairs = ranks.map(pairAt);
    before = pairs.map((pair) => markIn(marks, pair));
    const changed = pairs.map((pair, at) => ({ ...before[at], ...pair, state }));
    const who = ranks.length === 1
        ? gettext("Pair %(number)s", { number: ranks[0] })
        : ngettext("%(count)s pair", "%(count)s pairs", ranks.length);
    return who + gettext(": ") + STATES[state] + replace(changed, marks);
  }

  function undo() {
    return `${gettext("Undone")}${replace(before, allMarks())}`;
  }

  function replace(changed, marks) {
    const isKept = add(changed.map((mark) => ({ ...mark, at: momentAfter(markIn(marks, mark)) })));
    return isKept ? "." : `. ${gettext("This browser cannot store the review: save it to a file.")}`;
  }

  // ---- How far the reader is: pairs at the threshold that have a mark on the code as it is ----

  function isDone(rank, marks) {
    const pair = pairAt(rank);
    const mark = marks.get(keyOf(pair.left, pair.right));
    return Boolean(mark) && mark.state !== "todo" && !isChanged(mark, pair) && !otherOf(mark);
  }

  function highRanks() {
    return REVIEW.pairs.flatMap(([, , , isHigh], at) => (isHigh ? [at + 1] : []));
  }

  function progress() {
    const marks = allMarks();
    const ranks = highRanks();
    return { done: ranks.filter((rank) => isDone(rank, marks)).length, count: ranks.length };
  }

  // Tells whether a pair is at the threshold and has no mark.
  function isToDo(rank) {
    return Boolean(REVIEW.pairs[rank - 1][3]) && !isDone(rank, allMarks());
  }

  // Gives the next pair at the threshold that is to do, after a rank and around; 0 for none.
  function nextToDo(after) {
    const marks = allMarks();
    const left = highRanks().filter((rank) => rank !== after && !isDone(rank, marks));
    return left.find((rank) => rank > after) ?? left[0] ?? 0;
  }

  // ---- A file of them ----

  function save() {
    const marks = [...allMarks().values()];
    const text = `${JSON.stringify({ format: FORMAT, marks }, null, 2)}\n`;
    tools.saveFile(FILE_NAME, "application/json", text);
    return ngettext("%(count)s mark saved to %(file)s", "%(count)s marks saved to %(file)s", marks.length, {
      file: FILE_NAME,
    });
  }

  function marksIn(text) {
    const content = JSON.parse(text);
    if (content?.format !== FORMAT || !content.marks?.every?.(isMark)) {
      throw new SyntaxError("no review");
    }
    return content.marks;
  }

  async function load(file) {
    try {
      const marks = marksIn(await file.text());
      const contrary = keepContradictions(allMarks(), marks);
      const isKept = add(marks);
      return [
        counted(marks.length),
        ...(contrary ? [ngettext("%(count)s contradicts a mark that was here", "%(count)s contradict marks that were here", contrary)] : []),
        ...(isKept ? [] : [gettext("this browser cannot store them")]),
      ].join("; ");
    } catch {
      return gettext("%(file)s is not a saved review; nothing was loaded", { file: file.name });
    }
  }

  function counted(count) {
    return ngettext("%(count)s mark loaded", "%(count)s marks loaded", count);
  }

  // Says how many of the marks that there are have no pair here, or one whose code has changed.
  function fit() {
    const marks = [...allMarks().values()].filter((mark) => mark.state !== "todo");
    const fitting = marks.filter(isOnCode).length;
    return fitting === marks.length
      ? ""
      : ngettext("%(fitting)s of %(count)s mark fits the pairs listed here", "%(fitting)s of %(count)s marks fit the pairs listed here", marks.length, { fitting: language.number(fitting) });
  }

  Object.assign(reviewMarks, {
    CHANGED,
    KEPT,
    STATES,
    add,
    allMarks,
    contradictions,
    fit,
    inWords,
    isChanged,
    isToDo,
    keyOf,
    load,
    markOf,
    markPairs,
    momentOfEdit,
    nextToDo,
    otherOf,
    pairAt,
    progress,
    save,
    spelledOut,
    undo,
  });
}
