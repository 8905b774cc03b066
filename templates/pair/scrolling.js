"use strict";

// Scrolling the panes: a strip beside each shows where its matches are, and both go together.

{
  const { tint } = mosslite;
  const { OTHER, SIDES, byId } = mosslite.page;
  const { paneOf } = mosslite.files;
  const { READING_HEIGHT, extentsOf, forgetExtents, letGo } = mosslite.panes;
  const LOWEST_MARK = 3; // pixels
  const QUICK = 10; // milliseconds: strips that take longer are drawn less often
  const PAUSES = 10; // times as long as they take

  let leader = ""; // the side that the reader scrolls; the other one follows

  // With no side no pane follows, for both are moved.
  function lead(side) {
    leader = side;
  }

  // ---- The strip beside each pane: where the matches are, and what is in sight ----

  function svg(tag, className, attributes) {
    const node = document.createElementNS(byId("left-strip").namespaceURI, tag);
    node.setAttribute("class", className);
    for (const [name, value] of Object.entries(attributes)) {
      node.setAttribute(name, value);
    }
    return node;
  }

  function stripMark(number, top, height) {
    const group = svg("g", tint(number), {});
    group.append(svg("rect", "strip-match", { y: top, height, width: "100%" }));
    if (height >= 12) {
      const label = svg("text", "strip-number", { x: "50%", y: top + height / 2 });
      label.textContent = number;
      group.append(label);
    }
    return group;
  }

  function drawStrip(side) {
    const strip = byId(`${side}-strip`);
    const scale = strip.clientHeight / Math.max(paneOf(side).scrollHeight, 1);
    strip.replaceChildren();
    for (const [number, top, height] of shownOnStrip(side, scale)) {
      strip.append(stripMark(number, top, height));
    }
    strip.append(svg("rect", "strip-window", { width: "100%" }));
    moveWindow(side);
  }

  // Of thousands of matches most would lie on one that is drawn already.
  function shownOnStrip(side, scale) {
    const taken = new Set();
    const shown = [];
    for (const [number, { top, bottom }] of extentsOf(side)) {
      const [start, height] = [top * scale, Math.max((bottom - top) * scale, LOWEST_MARK)];
      if (height > LOWEST_MARK || !taken.has(Math.round(start))) {
        shown.push([number, start, height]);
        taken.add(Math.round(start));
      }
    }
    return shown;
  }

  function moveWindow(side) {
    const pane = paneOf(side);
    const strip = byId(`${side}-strip`);
    const scale = strip.clientHeight / Math.max(pane.scrollHeight, 1);
    const window = strip.querySelector(".strip-window");
    window?.setAttribute("y", pane.scrollTop * scale);
    window?.setAttribute("height", Math.min(pane.clientHeight * scale, strip.clientHeight));
  }

  function scrollByStrip(event) {
    const strip = event.currentTarget;
    const side = strip.dataset.side;
    const pane = paneOf(side);
    const share = (event.clientY - strip.getBoundingClientRect().top) / strip.clientHeight;
    scrolls(side);
    pane.scrollTop = share * pane.scrollHeight - pane.clientHeight / 2;
  }

  function setUpStrip(strip) {
    strip.addEventListener("pointerdown", (event) => {
      strip.setPointerCapture(event.pointerId);
      scrollByStrip(event);
    });
    strip.addEventListener("pointermove", (event) => {
      if (event.buttons) {
        scrollByStrip(event);
      }
    });
  }

  const points = new Map(); // by side, as fixedPoints gives them
  let isStale = false;
  let cost = 0; // milliseconds that it took to draw the strips

  function forget() {
    forgetExtents();
    points.clear();
  }

  function redraw() {
    if (cost < QUICK) {
      forget();
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
    forget();
    SIDES.forEach(drawStrip);
    cost = performance.now() - start;
  }

  // ---- Scrolling together: matches stay beside each other, and what is between them follows ----

  function pointsOf(side) {
    if (!points.has(side)) {
      points.set(side, fixedPoints(side));
    }
    return points.get(side);
  }

  function fixedPoints(side) {
    const theirs = extentsOf(OTHER[side]);
    const both = [...extentsOf(side)].filter(([number]) => theirs.has(number));
    return both
      .flatMap(([number, { top, bottom }]) => [
        { from: top, to: theirs.get(number).top },
        { from: bottom, to: theirs.get(number).bottom },
      ])
      .sort((one, other) => one.from - other.from);
  }

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
      other.scrollTop = counterpart(pointsOf(side), pane.scrollTop + eye) - eye;
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
    SIDES.forEach((each) => letGo(paneOf(each)));
    lead(side);
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
    setUpStrip(byId(`${side}-strip`));
  }

  mosslite.scrolling = { lead, redraw, setUpScrolling };
}
