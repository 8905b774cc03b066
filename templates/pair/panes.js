"use strict";

// Scrolling the panes of both sources: where the matches are, how to get there, a strip beside each
// pane that shows them, and both panes going together.

{
  const { byId } = tools;
  const { files, tint } = mosslite;
  const { OTHER, SIDES, data, matchAt } = mosslite.page;
  const { nearest, paneOf } = files;
  const MOST_GOES = 60; // that bring a place where it shall be
  const READING_HEIGHT = 0.3; // of a pane: where the reader looks, and what is brought beside it
  const QUIET = 4; // goes after which it has moved no more
  const LOWEST_MARK = 3; // pixels
  const LOWEST_NUMBER = 12; // pixels of a mark that has its number
  const QUICK = 10; // milliseconds: strips that take longer are drawn less often
  const PAUSES = 10; // times as long as they take

  let leader = ""; // the side that the reader scrolls; the other one follows
  const brought = new Map(); // by pane, the node that is on its way
  const measures = new Map(); // by side or kind, what was measured since something moved

  // ---- Where things are: pixels from the top of a pane's content ----

  function topIn(pane, node) {
    return node.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
  }

  function bottomIn(pane, node) {
    return topIn(pane, node) + node.getBoundingClientRect().height;
  }

  // Gives where a place of a match begins and stops, roughly where its lines are not drawn: to ask
  // for the true place of many of them would draw the whole file.
  function extentOf(side, number, place) {
    const pane = paneOf(side);
    const found = nearest(side, matchAt(number, side).file, place);
    if (!found) {
      return null;
    }
    const { node, share, height, inside } = found;
    if (inside?.checkVisibility({ contentVisibilityAuto: true })) {
      const marks = inside.querySelectorAll(`mark[data-match="${number}"]`);
      const [first, last] = [marks[0] ?? inside, [...marks].at(-1) ?? inside];
      return { top: topIn(pane, first), bottom: bottomIn(pane, last) };
    }
    const whole = node.getBoundingClientRect().height;
    const top = topIn(pane, node) + share * whole;
    return { top, bottom: top + height * whole };
  }

  // By number, {top, bottom} of what is not folded away.
  function measureExtents(side) {
    const extents = new Map();
    for (const [index, match] of data.matches.entries()) {
      const { spans } = match[side];
      const begin = spans.length && extentOf(side, index + 1, spans[0].slice(0, 2));
      if (begin) {
        const [line, column] = spans.at(-1).slice(2);
        const { bottom } = extentOf(side, index + 1, [line, column - 1]);
        if (bottom > begin.top) {
          extents.set(index + 1, { top: begin.top, bottom });
        }
      }
    }
    return extents;
  }

  // Heights on a side and those beside them on the other: matches stay beside each other.
  function measurePoints(side) {
    const theirs = measured(measureExtents, OTHER[side]);
    return [...measured(measureExtents, side)]
      .filter(([number]) => theirs.has(number))
      .flatMap(([number, { top, bottom }]) => [
        { from: top, to: theirs.get(number).top },
        { from: bottom, to: theirs.get(number).bottom },
      ])
      .sort((one, other) => one.from - other.from);
  }

  function measured(measure, side) {
    const key = `${measure.name} ${side}`;
    if (!measures.has(key)) {
      measures.set(key, measure(side));
    }
    return measures.get(key);
  }

  // ---- Going there ----

  // Gives the badge of a match, built if need be; nothing where others have all of its characters.
  function badgeOf(side, number) {
    const { file, spans } = matchAt(number, side);
    if (!spans.length) {
      return null;
    }
    files.reach(side, file, spans[0].slice(0, 2));
    return byId(`${side}-${number}`);
  }

  // What was not drawn gets its true height only when it comes into sight, and so does what is
  // above it: a node is brought again until it stays, or until the reader scrolls.
  function bringIntoView(node, above) {
    const pane = node.closest(".pane, .diff");
    const height = above ?? pane.clientHeight * READING_HEIGHT;
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
    leader = ""; // what is brought there leads nobody
    brought.set(pane, node);
    go();
  }

  // Gives the line or row that a reader of a pane looks at, and how far below its top that is.
  function eyeOf(pane) {
    const { left, top, width, bottom } = pane.getBoundingClientRect();
    const [first, last] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
    const point = [left + width / 2, first + (last - first) * READING_HEIGHT];
    const nodes = document
      .elementsFromPoint(...point)
      .map((each) => each.closest(".line, tbody tr"));
    const node = nodes.find((each) => each && pane.contains(each));
    return node && { node, height: topIn(pane, node) - pane.scrollTop };
  }

  // Where a page scrolls as a whole, the sources may be far from where its reader is.
  function showOnPage(place) {
    const { top, bottom } = place.getBoundingClientRect();
    if (top > innerHeight / 2 || bottom < innerHeight / 4) {
      place.scrollIntoView({ block: "start" });
    }
  }

  // ---- The strip beside each pane: where the matches are, and what is in sight ----

  function svg(tag, attributes) {
    const node = document.createElementNS(byId("left-strip").namespaceURI, tag);
    Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
    return node;
  }

  function stripMark(number, top, height) {
    const group = svg("g", { class: tint(number) });
    group.append(svg("rect", { class: "strip-match", y: top, height, width: "100%" }));
    if (height >= LOWEST_NUMBER) {
      const label = svg("text", { class: "strip-number", x: "50%", y: top + height / 2 });
      label.textContent = number;
      group.append(label);
    }
    return group;
  }

  function scaleOf(side) {
    return byId(`${side}-strip`).clientHeight / Math.max(paneOf(side).scrollHeight, 1);
  }

  // Of thousands of matches most would lie on one that is drawn already.
  function drawStrip(side) {
    const scale = scaleOf(side);
    const taken = new Set();
    const strip = byId(`${side}-strip`);
    strip.replaceChildren();
    for (const [number, { top, bottom }] of measured(measureExtents, side)) {
      const [start, height] = [top * scale, Math.max((bottom - top) * scale, LOWEST_MARK)];
      if (height > LOWEST_MARK || !taken.has(Math.round(start))) {
        taken.add(Math.round(start));
        strip.append(stripMark(number, start, height));
      }
    }
    strip.append(svg("rect", { class: "strip-window", width: "100%" }));
    moveWindow(side);
  }

  function moveWindow(side) {
    const { scrollTop, clientHeight } = paneOf(side);
    const strip = byId(`${side}-strip`);
    const scale = scaleOf(side);
    const window = strip.querySelector(".strip-window");
    window?.setAttribute("y", scrollTop * scale);
    window?.setAttribute("height", Math.min(clientHeight * scale, strip.clientHeight));
  }

  function setUpStrip(side) {
    const strip = byId(`${side}-strip`);
    const pane = paneOf(side);
    const scroll = ({ clientY }) => {
      const share = (clientY - strip.getBoundingClientRect().top) / strip.clientHeight;
      scrolls(side);
      pane.scrollTop = share * pane.scrollHeight - pane.clientHeight / 2;
    };
    strip.addEventListener("pointerdown", (event) => {
      strip.setPointerCapture(event.pointerId);
      scroll(event);
    });
    strip.addEventListener("pointermove", (event) => event.buttons && scroll(event));
  }

  let isStale = false;
  let cost = 0; // milliseconds that it took to draw the strips

  function redraw() {
    if (cost < QUICK) {
      measures.clear();
    }
    if (!isStale) {
      isStale = true;
      // After what is in sight was drawn.
      requestAnimationFrame(() => setTimeout(drawStrips, cost < QUICK ? 0 : cost * PAUSES));
    }
  }

  function drawStrips() {
    const start = performance.now();
    isStale = false;
    measures.clear();
    SIDES.forEach(drawStrip);
    cost = performance.now() - start;
  }

  // ---- Scrolling together: what is between two matches follows in its measure ----

  function counterpart(points, height) {
    const next = points.findIndex(({ from }) => from > height);
    if (next === -1 || next === 0) {
      const only = points.at(next === 0 ? 0 : -1) ?? { from: 0, to: 0 };
      return only.to + height - only.from;
    }
    const [before, after] = [points[next - 1], points[next]];
    const isInOrder = after.to >= before.to;
    const scale = isInOrder ? (after.to - before.to) / (after.from - before.from) : 1;
    return before.to + (height - before.from) * scale;
  }

  function follow(side) {
    const [pane, other] = [paneOf(side), paneOf(OTHER[side])];
    if (pane.scrollTop <= 0) {
      other.scrollTop = 0;
    } else if (pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 1) {
      other.scrollTop = other.scrollHeight;
    } else {
      const eye = pane.clientHeight * READING_HEIGHT;
      other.scrollTop = counterpart(measured(measurePoints, side), pane.scrollTop + eye) - eye;
    }
  }

  function onScroll(side) {
    moveWindow(side);
    if (byId("together").checked && leader === side) {
      follow(side);
    }
  }

  // The reader scrolls a side.
  function scrolls(side) {
    brought.clear();
    leader = side;
  }

  function setUpScrolling(side) {
    const pane = paneOf(side);
    for (const kind of ["wheel", "pointerdown", "touchstart", "keydown"]) {
      pane.addEventListener(kind, () => scrolls(side), { passive: true });
    }
    pane.addEventListener("scroll", () => onScroll(side), { passive: true });
    pane.addEventListener("toggle", redraw, true); // a file was folded or opened
    const resized = new ResizeObserver(redraw);
    [pane, byId(`${side}-files`)].forEach((node) => resized.observe(node));
    setUpStrip(side);
  }

  mosslite.panes = { badgeOf, bringIntoView, eyeOf, redraw, setUpScrolling, showOnPage, topIn };
}
