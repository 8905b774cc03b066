"use strict";

// Where in the panes of both sources the matches are, and how to get there.

{
  const { files } = mosslite;
  const { data } = mosslite.page;
  const { nearest, paneOf } = files;
  const MOST_GOES = 60; // that bring a place where it shall be
  const READING_HEIGHT = 0.3; // of a pane: where the reader looks, and what is brought beside it
  const QUIET = 4; // goes after which it has moved no more

  const extents = new Map(); // side: by number, {top, bottom} of what is not folded away

  // ---- Where things are: pixels from the top of a pane's content ----

  function topIn(pane, node) {
    return node.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
  }

  function isDrawn(node) {
    return node.checkVisibility?.({ contentVisibilityAuto: true }) ?? true;
  }

  // Gives where a place of a match begins and stops, roughly where its lines are not drawn: to ask
  // for the true place of many of them would draw the whole file.
  function extentOf(side, number, place) {
    const pane = paneOf(side);
    const { node, share, height, inside } = nearest(side, data.matches[number - 1][side].file, place) ?? {};
    if (!node) {
      return null;
    }
    if (inside && isDrawn(inside)) {
      const marks = inside.querySelectorAll(`mark[data-match="${number}"]`);
      const [first, last] = [marks[0] ?? inside, [...marks].at(-1) ?? inside];
      const bottom = topIn(pane, last) + last.getBoundingClientRect().height;
      return { top: topIn(pane, first), bottom };
    }
    const whole = node.getBoundingClientRect().height;
    const top = topIn(pane, node) + share * whole;
    return { top, bottom: top + height * whole };
  }

  function measured(side) {
    const found = new Map();
    for (const [index, match] of data.matches.entries()) {
      const { spans } = match[side];
      const begin = spans.length && extentOf(side, index + 1, spans[0].slice(0, 2));
      if (begin) {
        const [line, column] = spans.at(-1).slice(2);
        const end = extentOf(side, index + 1, [line, column - 1]);
        if (end.bottom > begin.top) {
          found.set(index + 1, { top: begin.top, bottom: end.bottom });
        }
      }
    }
    return found;
  }

  function extentsOf(side) {
    if (!extents.has(side)) {
      extents.set(side, measured(side));
    }
    return extents.get(side);
  }

  function forgetExtents() {
    extents.clear();
  }

  // ---- Going there ----

  // Gives the badge of a match, built if need be; nothing where others have all of its characters.
  function badgeOf(side, number) {
    const { file, spans } = data.matches[number - 1][side];
    if (!spans.length) {
      return null;
    }
    files.reach(side, file, spans[0].slice(0, 2));
    return document.getElementById(`${side}-${number}`);
  }

  const brought = new Map(); // by pane, the node that is on its way

  // What was not drawn gets its true height only when it comes into sight, and so does what is
  // above it: a node is brought again until it stays, or until the reader scrolls.
  function bringIntoView(node, height) {
    const pane = node.closest(".pane, .diff");
    let [goes, quiet, last] = [0, 0, NaN];
    const go = () => {
      const top = topIn(pane, node);
      quiet = Math.abs(top - last) < 1 ? quiet + 1 : 0;
      last = top;
      goes += 1;
      pane.scrollTop = top - height;
      if (quiet < QUIET && goes < MOST_GOES) {
        requestAnimationFrame(() => setTimeout(() => brought.get(pane) === node && go()));
      }
    };
    brought.set(pane, node);
    go();
  }

  // Gives the line or row that a reader of a pane looks at, and how far below its top that is.
  function eyeOf(pane) {
    const { left, top, width, bottom } = pane.getBoundingClientRect();
    const [first, last] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
    const point = [left + width / 2, first + (last - first) * READING_HEIGHT];
    const nodes = document.elementsFromPoint(...point).map((each) => each.closest(".line, tbody tr"));
    const node = nodes.find((each) => each && pane.contains(each));
    return node && { node, height: topIn(pane, node) - pane.scrollTop };
  }

  function letGo(pane) {
    brought.delete(pane);
  }

  // Where a page scrolls as a whole, the sources may be far from where its reader is.
  function showOnPage(place) {
    const { top, bottom } = place.getBoundingClientRect();
    if (top > innerHeight / 2 || bottom < innerHeight / 4) {
      place.scrollIntoView({ block: "start" });
    }
  }

  mosslite.panes = {
    READING_HEIGHT,
    badgeOf,
    bringIntoView,
    extentsOf,
    eyeOf,
    forgetExtents,
    letGo,
    showOnPage,
    topIn,
  };
}
