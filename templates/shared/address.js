"use strict";

// The state of a page in its address, so that a view can be sent, and be come back to. A page that
// is opened from a filtered overview carries the overview's state along, and leads back to it.

const address = {};

{
  const OVERVIEW = "index.html";
  const BACK = "back"; // the overview's state, on other pages
  const SHARED = ["names-hidden"]; // on all pages alike
  const QUIET = 200; // milliseconds: browsers refuse hundreds of changes in a few seconds

  const current = new URLSearchParams(location.search);
  // By what the page says itself, as the folder of the report can have any name.
  const isOverview = !document.currentScript.getAttribute("src").startsWith("../");
  let waiting = 0;

  function get(name) {
    return current.get(name) ?? "";
  }

  function has(name) {
    return current.has(name);
  }

  function withMark(query) {
    const text = String(query).replace(/=(?=&|$)/g, "");
    return text && `?${text}`;
  }

  // A browser may refuse; then only links carry the state.
  function writeNow() {
    if (waiting) {
      clearTimeout(waiting);
      waiting = 0;
      try {
        history.replaceState(null, "", location.pathname + withMark(current) + location.hash);
      } catch {
        // The page works all the same.
      }
    }
  }

  function put(name, value) {
    if (current.get(name) !== value) {
      current.delete(name);
      if (value !== null) {
        current.set(name, value);
      }
      waiting ||= setTimeout(writeNow, QUIET);
    }
  }

  function set(name, value) {
    put(name, value || null);
  }

  function setFlag(name, isOn) {
    put(name, isOn ? "" : null);
  }

  function ownState() {
    const state = new URLSearchParams(current);
    [...SHARED, BACK].forEach((name) => state.delete(name));
    return String(state);
  }

  // The query of a link to another page of the report.
  function queryTo(page) {
    const back = isOverview ? ownState() : get(BACK);
    const query = new URLSearchParams(page.endsWith(OVERVIEW) ? back : back && { [BACK]: back });
    for (const name of SHARED.filter(has)) {
      query.set(name, get(name));
    }
    return withMark(query);
  }

  // Of a link in a picture only the attribute can be set.
  function carryAlong(event) {
    writeNow();
    const link = event.target.closest?.("a[href]");
    const [, page, place] = /^([^?#]*)[^#]*(.*)$/.exec(link?.getAttribute("href") ?? "");
    if (page.endsWith(".html")) {
      link.setAttribute("href", page + queryTo(page) + place);
    }
  }

  document.addEventListener("click", carryAlong, true);
  document.addEventListener("auxclick", carryAlong, true);
  addEventListener("pagehide", writeNow);

  Object.assign(address, { get, has, ownState, set, setFlag });
}
