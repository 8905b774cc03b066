"use strict";

// What is far from sight waits: one element stands for many, about as high as they will be and with
// their text, so that it can be searched and read aloud. It is built when it comes near, or when
// somebody is led to a place in it. So a page grows with what is looked at, not with what there is.

{
  const { addAll, element } = tools;
  const ROW_HEIGHT = 20.8; // pixels, a guess for what is not drawn
  const COLUMNS = 80; // of a row on the screen, likewise
  const FEWEST_ROWS = 60; // that wait as one
  const MOST_ROWS = 400; // likewise: a browser lays out so much text in no time
  const GROUPS = 400; // that what waits is parted in, where these allow it
  const NEAR = "400% 0px"; // farther than what browsers lay out, or they would lay out the texts
  const TURN = 8; // milliseconds in which texts are put in before the page reacts again

  const observers = new Map(); // by the element that scrolls
  const waiting = new Map(); // by element, what it waits for
  const far = []; // what waits, is not near, and has no text yet
  let room = 0; // rows that are built at once, whether they are near or not

  // ---- One element ----

  function heightOf(columns) {
    return Math.max(Math.ceil(columns / COLUMNS), 1);
  }

  function setHeight(node, rows) {
    node.style.containIntrinsicBlockSize = rows ? `auto ${rows * ROW_HEIGHT}px` : "";
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

  function buildNow(node) {
    const { root, build, hole } = waiting.get(node) ?? {};
    if (build) {
      waiting.delete(node);
      observerOf(root).unobserve(node);
      hole.classList.remove("is-waiting");
      setHeight(hole, 0);
      hole.replaceChildren();
      build();
    }
  }

  // Lets an element wait that scrolls within root. It is some rows high, and its hole, which can be
  // an element inside, has their text; where that is long, it is built to become several.
  function wait(root, node, { rows, text, build, isWhole = false }) {
    const hole = node.querySelector(".hole") ?? node;
    waiting.set(node, { root, hole, text, build, isLong: rows > MOST_ROWS && !isWhole });
    hole.classList.add("is-waiting");
    setHeight(hole, rows);
    observerOf(root).observe(node);
    if (rows <= room) {
      buildNow(node);
    }
  }

  function addTexts() {
    const end = performance.now() + TURN;
    while (far.length && performance.now() < end) {
      const node = far.pop();
      const { isLong, hole, text } = waiting.get(node) ?? {};
      if (isLong) {
        buildNow(node);
      } else if (hole) {
        hole.textContent = text();
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

  function rowsIn(items) {
    return items.reduce((rows, item) => rows + item.rows, 0);
  }

  function groupsOf(items) {
    const most = Math.min(Math.max(rowsIn(items) / GROUPS, FEWEST_ROWS), MOST_ROWS);
    const groups = [];
    for (const [at, item] of items.entries()) {
      const last = groups.at(-1);
      if (last && last.rows + item.rows <= most) {
        last.items.push(item);
        last.rows += item.rows;
      } else {
        groups.push({ first: at, items: [item], rows: item.rows, nodes: null });
      }
    }
    return groups;
  }

  function buildGroup(group) {
    group.nodes = group.items.map((item) => item.build());
    group.hole.replaceWith(addAll(document.createDocumentFragment(), group.nodes));
  }

  // Fills an element that scrolls within root with items; the list is what places are asked of.
  function fill(root, parent, items, holeFor = () => element("div", "")) {
    const list = { items, groupAt: [] };
    const rows = rowsIn(items);
    room = rows <= room ? room : 0;
    for (const group of groupsOf(items)) {
      group.items.forEach(() => list.groupAt.push(group));
      group.hole = holeFor(group.items);
      parent.append(group.hole);
      wait(root, group.hole, {
        rows: group.rows,
        isWhole: group.items.every((item) => item.isWhole),
        text: () => group.items.map((item) => item.text()).join(""),
        build: () => buildGroup(group),
      });
    }
    room = Math.max(room - rows, 0);
    return list;
  }

  // Gives the element of an item, and builds it where it waits.
  function reach({ groupAt }, index) {
    const group = groupAt[index];
    buildNow(group.hole);
    return group.nodes[index - group.first];
  }

  // Gives the element of an item or, where it waits, the one that stands for it and others. The
  // item is that share of its height below its top, and so high.
  function nearest({ groupAt }, index) {
    const { first, hole, items, nodes } = groupAt[index];
    if (nodes) {
      return { node: nodes[index - first], isBuilt: true, share: 0, height: 1 };
    }
    const height = 1 / items.length;
    return { node: hole, isBuilt: false, share: (index - first) * height, height };
  }

  mosslite.lazy = { buildNow, fill, heightOf, nearest, reach, setHeight, wait, withRoom };
}
