"use strict";

// The state of a page in its address, so that a view can be sent, and be come back to. A page that
// is opened from a filtered overview carries the overview's state along, and leads back to it.

const address = {};

{
  const OVERVIEW = "index.html";
  const BACK = "back"; // the overview's state, on other pages
  const SHARED = ["names-hidden"]; // on all pages alike

  const current = new URLSearchParams(location.search);
  // By what the page says itself, as the folder of the report can have any name.
  const isOverview = !document.currentScript.getAttribute("src").startsWith("../");

  function get(name) {
    return current.get(name) ?? "";
  }

  function has(name) {
    return current.has(name);
  }

  const QUIET = 200; // milliseconds: browsers refuse hundreds of changes in a few seconds
  let waiting = 0;

  // A browser may refuse; then only links carry the state.
  function write() {
    clearTimeout(waiting);
    waiting = 0;
    const query = String(current).replace(/=(?=&|$)/g, "");
    try {
      history.replaceState(null, "", location.pathname + (query && `?${query}`) + location.hash);
    } catch {
      // The page works all the same.
    }
  }

  function show() {
    waiting ||= setTimeout(write, QUIET);
  }

  function writeNow() {
    if (waiting) {
      write();
    }
  }

  function set(name, value) {
    if (get(name) === value) {
      return;
    }
    if (value === "") {
      current.delete(name);
    } else {
      current.set(name, value);
    }
    show();
  }

  function setFlag(name, isOn) {
    current.delete(name);
    if (isOn) {
      current.set(name, "");
    }
    show();
  }

  function ownState() {
    const state = new URLSearchParams(current);
    [...SHARED, BACK].forEach((name) => state.delete(name));
    return String(state);
  }

  // The query of a link to another page of the report.
  function queryTo(page) {
    const query = new URLSearchParams();
    const back = isOverview ? ownState() : get(BACK);
    if (page.endsWith(OVERVIEW)) {
      new URLSearchParams(back).forEach((value, name) => query.set(name, value));
    } else if (back) {
      query.set(BACK, back);
    }
    for (const name of SHARED.filter(has)) {
      query.set(name, get(name));
    }
    return String(query).replace(/=(?=&|$)/g, "");
  }

  // Of a link in a picture only the attribute can be set.
  function carryAlong(event) {
    writeNow();
    const link = event.target.closest?.("a[href]");
    const [, page, place] = /^([^?#]*)[^#]*(.*)$/.exec(link?.getAttribute("href") ?? "");
    if (page.endsWith(".html")) {
      const query = queryTo(page);
      link.setAttribute("href", page + (query && `?${query}`) + place);
    }
  }

  document.addEventListener("click", carryAlong, true);
  document.addEventListener("auxclick", carryAlong, true);
  addEventListener("pagehide", writeNow);

  Object.assign(address, { get, has, ownState, set, setFlag, writeNow });
}
