"use strict";

// What a pair page is about: its two sides, and their matches and gaps as regions of the rows of a
// file, which every view lays over the text.

{
  const { addAll, byId, element } = tools;
  const { tint } = mosslite;
  const SIDES = ["left", "right"];
  const OTHER = { left: "right", right: "left" };
  const KINDS = { changed: gettext("changed"), inserted: gettext("inserted") }; // of gaps

  const data = JSON.parse(byId("pair-data").textContent);
  byId("pair-data").remove(); // it has names, which may have to be hidden
  const numbers = data.matches.map((_, at) => at + 1);
  const current = { match: 0 }; // number of the match that was chosen last

  function sourceOf(side) {
    return mosslite.sourceOf(data[side].submission);
  }

  // Gives a file, and one without rows where a side has none.
  function fileOf(side, file) {
    return file === null ? { rows: [], lines: 0 } : sourceOf(side).files[file];
  }

  function matchAt(number, side) {
    return data.matches[number - 1]?.[side];
  }

  // ---- By file: the numbers of its matches, its gaps, {kind, spans}, and all of its marks ----

  const bySide = (make) => Object.fromEntries(SIDES.map((side) => [side, make(side)]));
  const numbersOf = bySide((side) => Map.groupBy(numbers, (each) => matchAt(each, side).file));
  const gapsOf = bySide((side) => {
    const gaps = data.gaps.filter((gap) => gap[side]);
    return Map.groupBy(gaps.map(({ kind, [side]: at }) => ({ kind, ...at })), ({ file }) => file);
  });
  const marksOf = { left: new Map(), right: new Map() }; // once they are asked for

  function numbersIn(side, file) {
    return numbersOf[side].get(file) ?? [];
  }

  function gapsIn(side, file) {
    return gapsOf[side].get(file) ?? [];
  }

  // Gives the matches and gaps of a file in their order, and what chance explains; no two overlap.
  function marksIn(side, file) {
    const known = marksOf[side];
    if (!known.has(file)) {
      const marks = [
        ...numbersIn(side, file).flatMap((number) => marksOfMatch(side, number)),
        ...gapsIn(side, file).flatMap(marksOfGap),
        ...marksOfChance(side, file),
      ];
      known.set(file, marks.sort((one, other) => compare(one.span, other.span)));
    }
    return known.get(file);
  }

  // ---- Marks: {span, wrapAt}, of which wrapAt says how a region at the start or later looks ----

  function badge(number, side) {
    const link = element(
      "a",
      {
        class: `badge ${tint(number)}`,
        href: `#${OTHER[side]}-${number}`,
        "data-match": number,
        "aria-label": gettext("match %(number)s", { number }),
      },
      String(number),
    );
    link.classList.toggle("is-current", number === current.match);
    return link;
  }

  function marksOfMatch(side, number) {
    return matchAt(number, side).spans.map((span, place) => ({
      span,
      wrapAt: (isFirst, makeBadge) => (nodes) => {
        const node = addAll(element("mark", { class: tint(number), "data-match": number }), nodes);
        node.classList.toggle("is-current", number === current.match);
        return isFirst && place === 0 ? [makeBadge(number, side), node] : [node];
      },
    }));
  }

  function marksOfGap({ kind, spans }) {
    return spans.map((span, place) => ({
      span,
      wrapAt: (isFirst) => (nodes) => {
        const node = addAll(element("span", `gap gap-${kind}`), nodes);
        const label = element("span", "gap-label", KINDS[kind]);
        return isFirst && place === 0 ? [label, node] : [node];
      },
    }));
  }

  // Every other number is how much of the text is before a passage, or how long it is.
  function marksOfChance(side, file) {
    const wrapAt = () => (nodes) => [addAll(element("span", "by-chance"), nodes)];
    const { rows } = fileOf(side, file);
    const places = [];
    let [nth, begin, at] = [0, 0, 0];
    for (const more of data.by_chance[side][file] ?? []) {
      at += more;
      for (let end; at > (end = begin + rows[nth].length); nth += 1) {
        begin = end + (rows[nth].isLast ? 1 : 0);
      }
      places.push([rows[nth].line, rows[nth].start + at - begin]);
    }
    const firsts = places.filter((_, each) => each % 2 === 0);
    return firsts.map((first, each) => ({ span: [...first, ...places[2 * each + 1]], wrapAt }));
  }

  // ---- Regions of a row ----

  function compare([line, column], [otherLine, otherColumn]) {
    return line - otherLine || column - otherColumn;
  }

  function regionsOf(side, file, row, makeBadge = badge) {
    const marks = marksIn(side, file);
    const { line, start } = row;
    const stop = row.isLast ? Infinity : start + row.length;
    const isBehind = (at) => compare(marks[at].span.slice(2), [line, start]) > 0;
    const regions = [];
    for (let at = mosslite.firstOf(marks.length, isBehind); at < marks.length; at += 1) {
      const { span, wrapAt } = marks[at];
      const [firstLine, firstColumn, lastLine, lastColumn] = span;
      if (compare(span, [line, stop]) >= 0) {
        break;
      }
      const begin = line === firstLine ? firstColumn : start || indentOf(row);
      regions.push({
        start: Math.max(begin, start),
        stop: line === lastLine ? lastColumn : Infinity,
        wrap: wrapAt(line === firstLine && firstColumn >= start, makeBadge),
      });
    }
    return regions;
  }

  function indentOf(row) {
    return mosslite.textOf(row).search(/\S|$/);
  }

  mosslite.page = {
    OTHER,
    SIDES,
    badge,
    byId,
    current,
    data,
    fileOf,
    gapsIn,
    marksIn,
    matchAt,
    numbersIn,
    regionsOf,
    sourceOf,
  };
}
