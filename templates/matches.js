"use strict";

// What a pair page is about: its two sides, and their matches and gaps as regions of the lines of a
// file, which every view lays over the text.

{
  const { element, tint } = mosslite;
  const SIDES = ["left", "right"];
  const OTHER = { left: "right", right: "left" };

  const byId = (name) => document.getElementById(name);
  const data = JSON.parse(byId("pair-data").textContent);

  function sourceOf(side) {
    return mosslite.sourceOf(data[side].submission);
  }

  function linesOf(side, file) {
    return file === null ? [] : sourceOf(side).files[file].lines;
  }

  // ---- Marks on the lines of a file ----

  function badge(number, side) {
    const link = element("a", `badge ${tint(number)}`, String(number));
    link.href = `#${OTHER[side]}-${number}`;
    link.dataset.match = number;
    link.setAttribute("aria-label", `match ${number}`);
    return link;
  }

  function matchWrap(number, opening) {
    return (nodes) => {
      const node = element("mark", tint(number), ...nodes);
      node.dataset.match = number;
      return [...opening, node];
    };
  }

  function gapWrap(kind, isFirst) {
    return (nodes) => {
      const label = element("span", "gap-label", kind);
      return [...(isFirst ? [label] : []), element("span", `gap gap-${kind}`, ...nodes)];
    };
  }

  function addMatches(regions, side, file, makeBadge) {
    for (const [index, match] of data.matches.entries()) {
      const { file: where, spans } = match[side];
      for (const [place, span] of where === file ? spans.entries() : []) {
        mosslite.addRegions(regions, linesOf(side, file), span, (isFirst) =>
          matchWrap(index + 1, isFirst && place === 0 ? [makeBadge(index + 1, side)] : []),
        );
      }
    }
  }

  function addGaps(regions, side, file) {
    for (const gap of data.gaps.filter((each) => each[side]?.file === file)) {
      for (const [place, span] of gap[side].spans.entries()) {
        mosslite.addRegions(regions, linesOf(side, file), span, (isFirst) =>
          gapWrap(gap.kind, isFirst && place === 0),
        );
      }
    }
  }

  function regionsOf(side, file, makeBadge) {
    const regions = new Map();
    addMatches(regions, side, file, makeBadge);
    addGaps(regions, side, file);
    return mosslite.sorted(regions);
  }

  mosslite.page = { OTHER, SIDES, badge, byId, data, linesOf, regionsOf, sourceOf };
}
