"use strict";

// What is far from sight waits: one element stands for many, about as high as they will be and with
// their text, so that it can be searched and read aloud. It is built when it comes near, or when
// somebody is led to a place in it. So a page grows with what is looked at, not with what there is.

{
  const { addAll, element } = tools;
  const ROW_HEIGHT = 20.8; // pixels, a guess for what is not drawn
  const COLUMNS = 80; // of a row, likewise
  const MOST_PARTS = 40; // that take the place of one element
  const ROWS_OF_TEXT = 400; // that a browser lays out in no time, should they come into sight
  const NEAR = "400% 0px"; // farther than what browsers lay out, or they would lay out the texts
  const TURN = 8; // milliseconds in which texts are put in before the page reacts again

  const observers = new Map(); // by the element that scrolls
  const builders = new Map(); // by the element that waits
  const far = []; // what waits, is not near, and has no text yet
  let room = 0; // rows that are built at once, whether they are near or not

  // ---- One element ----

  function rowsOf(columns) {
    return Math.max(Math.ceil(columns / COLUMNS), 1);
  }

  function observerOf(root) {
    if (!observers.has(root)) {
      const look = (entries) => entries.forEach(onLook);
      observers.set(root, new IntersectionObserver(look, { root, rootMargin: NEAR }));
    }
    return observers.get(root);
  }

  function onLook({ isIntersecting, target }) {
    if (isIntersecting) {
      buildNow(target);
    } else if (far.push(target) === 1) {
      setTimeout(addTexts, TURN);
    }
  }

  function isWaiting(node) {
    return builders.has(node);
  }

  function buildNow(node) {
    if (isWaiting(node)) {
      const { root, build, hole } = builders.get(node);
      builders.delete(node);
      observerOf(root).unobserve(node);
      hole.classList.remove("is-waiting");
      hole.style.containIntrinsicBlockSize = "";
      hole.replaceChildren();
      build(node);
    }
  }

  // Lets an element wait that scrolls within root. It is some rows high, and its hole, which can be
  // an element inside, has their text; where that is long, it becomes several that have parts of it.
  function wait(root, node, { rows, text, build, hole = node, isWhole = false }) {
    builders.set(node, { root, build, hole, text, isLong: rows > ROWS_OF_TEXT && !isWhole });
    if (rows <= room) {
      buildNow(node);
      return;
    }
    hole.classList.add("is-waiting");
    hole.style.containIntrinsicBlockSize = `auto ${rows * ROW_HEIGHT}px`;
    observerOf(root).observe(node);
  }

  function addText(node) {
    const { hole, text, isLong } = builders.get(node);
    if (isLong) {
      buildNow(node);
    } else {
      hole.textContent = text();
    }
  }

  function addTexts() {
    const end = performance.now() + TURN;
    while (far.length && performance.now() < end) {
      const node = far.pop();
      if (isWaiting(node)) {
        addText(node);
      }
    }
    if (far.length) {
      setTimeout(addTexts, TURN);
    }
  }

  // Builds so many rows of what is let wait meanwhile, wherever they are.
  function withRoom(rows, fill) {
    room = rows;
    fill();
    room = 0;
  }

  // ---- Many items one below the other: {rows, text(), build()}, of which build gives an element ----

  // A part is some items that wait as one, or other parts, or one item that is built.
  function partOf(list, first, stop) {
    const node = list.holeFor(list.items.slice(first, stop));
    return { list, first, stop, node, parts: null, size: 0 };
  }

  function rowsIn(items) {
    return items.reduce((rows, item) => rows + item.rows, 0);
  }

  function letWait(part) {
    const { list, first, stop, node } = part;
    const items = list.items.slice(first, stop);
    wait(list.root, node, {
      rows: rowsIn(items),
      isWhole: items.every((item) => item.isWhole),
      text: () => items.map((item) => item.text()).join(""),
      build: () => (items.length === 1 ? buildItem(part, items[0]) : divide(part)),
      hole: node.querySelector(".hole") ?? node,
    });
  }

  function buildItem(part, item) {
    room = Math.max(room - item.rows, 0);
    const made = item.build();
    part.node.replaceWith(made);
    part.node = made;
  }

  function divide(part) {
    const { list, first, stop } = part;
    const texts = Math.ceil(rowsIn(list.items.slice(first, stop)) / ROWS_OF_TEXT);
    part.size = Math.ceil((stop - first) / Math.min(Math.max(texts, 2), MOST_PARTS));
    part.parts = [];
    for (let at = first; at < stop; at += part.size) {
      part.parts.push(partOf(list, at, Math.min(at + part.size, stop)));
    }
    const nodes = part.parts.map((each) => each.node);
    part.node.replaceWith(addAll(document.createDocumentFragment(), nodes));
    part.node = null;
    part.parts.forEach(letWait);
  }

  // Fills an element that scrolls within root with items; the list is what places are asked of.
  function fill(root, parent, items, holeFor = () => element("div", "")) {
    const list = { root, items, holeFor, all: null };
    if (items.length) {
      list.all = partOf(list, 0, items.length);
      parent.append(list.all.node);
      letWait(list.all);
    }
    return list;
  }

  function partAt(part, index) {
    while (part.parts) {
      part = part.parts[Math.floor((index - part.first) / part.size)];
    }
    return part;
  }

  // Gives the element of an item, and builds it where it waits.
  function reach(list, index) {
    for (;;) {
      const { node } = partAt(list.all, index);
      if (!isWaiting(node)) {
        return node;
      }
      buildNow(node);
    }
  }

  // Gives the element of an item or, where it waits, the one that stands for it and others. The
  // item is that share of its height below its top, and so high.
  function nearest(list, index) {
    const { node, first, stop } = partAt(list.all, index);
    const height = 1 / (stop - first);
    return { node, isBuilt: !isWaiting(node), share: (index - first) * height, height };
  }

  mosslite.lazy = { ROW_HEIGHT, buildNow, fill, nearest, reach, rowsOf, wait, withRoom };
}
