"use strict";

// What a pair page is about: its two sides, and their matches and gaps as regions of the lines of a
// file, which every view lays over the text.

{
  const { addAll, byId, element } = tools;
  const { tint } = mosslite;
  const SIDES = ["left", "right"];
  const OTHER = { left: "right", right: "left" };

  const data = JSON.parse(byId("pair-data").textContent);
  byId("pair-data").remove(); // it has names, which may have to be hidden
  const current = { match: 0 }; // number of the match that was chosen last

  function sourceOf(side) {
    return mosslite.sourceOf(data[side].submission);
  }

  function linesOf(side, file) {
    return file === null ? [] : sourceOf(side).files[file].lines;
  }

  // ---- Marks: {span, wrapAt}, of which wrapAt says how a region at the start or later looks ----

  function badge(number, side) {
    const link = element("a", `badge ${tint(number)}`, String(number));
    link.href = `#${OTHER[side]}-${number}`;
    link.dataset.match = number;
    link.classList.toggle("is-current", number === current.match);
    link.setAttribute("aria-label", gettext("match %(number)s", { number }));
    return link;
  }

  function matchWrap(number, opening) {
    return (nodes) => {
      const node = addAll(element("mark", tint(number)), nodes);
      node.dataset.match = number;
      node.classList.toggle("is-current", number === current.match);
      return [...opening, node];
    };
  }

  function gapWrap(kind, isFirst) {
    return (nodes) => {
      const label = element("span", "gap-label", gettext(kind));
      return [
        ...(isFirst ? [label] : []),
        addAll(element("span", `gap gap-${kind}`), nodes),
      ];
    };
  }

  function marksOfMatch(side, number) {
    return data.matches[number - 1][side].spans.map((span, place) => ({
      span,
      wrapAt: (isFirst, makeBadge) =>
        matchWrap(number, isFirst && place === 0 ? [makeBadge(number, side)] : []),
    }));
  }

  // Every other number is how much of the text is before a passage, or how long it is.
  function marksOfChance(side, file) {
    const wrapAt = () => (nodes) => [addAll(element("span", "by-chance"), nodes)];
    const lines = linesOf(side, file);
    const places = [];
    let [line, begin, at] = [1, 0, 0];
    for (const more of data.by_chance[side][file] ?? []) {
      at += more;
      for (let end; at > (end = begin + mosslite.lengthOf(lines[line - 1])); line += 1) {
        begin = end + 1;
      }
      places.push([line, at - begin]);
    }
    const firsts = places.filter((_, nth) => nth % 2 === 0);
    return firsts.map((first, nth) => ({ span: [...first, ...places[2 * nth + 1]], wrapAt }));
  }

  function marksOfGap(side, gap) {
    return gap[side].spans.map((span, place) => ({
      span,
      wrapAt: (isFirst) => gapWrap(gap.kind, isFirst && place === 0),
    }));
  }

  // ---- By file, once for each side ----

  function byFile(side) {
    const found = new Map();
    const add = (file, kind, items) => {
      const entry = found.get(file) ?? { numbers: [], marks: [], gaps: [] };
      found.set(file, entry);
      items.forEach((item) => entry[kind].push(item));
    };
    for (const [index, match] of data.matches.entries()) {
      add(match[side].file, "numbers", [index + 1]);
      add(match[side].file, "marks", marksOfMatch(side, index + 1));
    }
    for (const gap of data.gaps.filter((each) => each[side])) {
      add(gap[side].file, "marks", marksOfGap(side, gap));
      add(gap[side].file, "gaps", [{ kind: gap.kind, spans: gap[side].spans }]);
    }
    return found;
  }

  const filed = { left: byFile("left"), right: byFile("right") };
  const marksOf = { left: new Map(), right: new Map() }; // by file, once they are asked for

  // Gives the numbers of the matches in a file.
  function numbersIn(side, file) {
    return filed[side].get(file)?.numbers ?? [];
  }

  // Gives the gaps of a file, {kind, spans}.
  function gapsIn(side, file) {
    return filed[side].get(file)?.gaps ?? [];
  }

  // Gives the matches and gaps of a file in their order, and what chance explains; no two overlap.
  function marksIn(side, file) {
    const known = marksOf[side];
    if (!known.has(file)) {
      const marks = [...(filed[side].get(file)?.marks ?? []), ...marksOfChance(side, file)];
      known.set(file, marks.sort((one, other) => compare(one.span, other.span)));
    }
    return known.get(file);
  }

  // ---- Regions of a line ----

  function compare([line, column], [otherLine, otherColumn]) {
    return line - otherLine || column - otherColumn;
  }

  // Finds the first mark that stops behind a place.
  function firstAfter(marks, place) {
    let [low, high] = [0, marks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(marks[middle].span.slice(2), place) > 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  // Gives the regions of what of a line is in the columns [start, stop).
  function regionsOf(side, file, line, makeBadge, { start, stop } = { start: 0, stop: Infinity }) {
    const marks = marksIn(side, file);
    const regions = [];
    for (let at = firstAfter(marks, [line, start]); at < marks.length; at += 1) {
      const { span, wrapAt } = marks[at];
      if (compare(span, [line, stop]) >= 0) {
        break;
      }
      const [firstLine, firstColumn, lastLine, lastColumn] = span;
      const isFirst = line === firstLine && firstColumn >= start;
      const begin = line === firstLine ? firstColumn : mosslite.indentOf(linesOf(side, file)[line - 1]);
      regions.push({
        start: Math.max(begin, start),
        stop: line === lastLine ? lastColumn : Infinity,
        wrap: wrapAt(isFirst, makeBadge),
      });
    }
    return regions;
  }

  mosslite.page = {
    OTHER,
    SIDES,
    badge,
    byId,
    current,
    data,
    gapsIn,
    linesOf,
    marksIn,
    numbersIn,
    regionsOf,
    sourceOf,
  };
}
