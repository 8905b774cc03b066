"use strict";

// The sections of the overview: folded or open as the address says, opened for a link into them,
// and the one in sight marked in the navigation.
{
  const PARAMETER = "folded";
  const folds = new Map(); // by name, its element and whether the page begins with it open
  for (const fold of document.querySelectorAll(".section > details")) {
    folds.set(fold.querySelector("h2").id, { fold, wasOpen: fold.open });
  }

  // Those that are not as the page has them.
  function remember() {
    const changed = [...folds].filter(([, { fold, wasOpen }]) => fold.open !== wasOpen);
    address.set(PARAMETER, changed.map(([name]) => name).join(" "));
  }

  function recall() {
    for (const name of address.get(PARAMETER).split(" ")) {
      const entry = folds.get(name);
      if (entry) {
        entry.fold.open = !entry.wasOpen;
      }
    }
  }

  function openLinked() {
    let inside = location.hash && document.getElementById(location.hash.slice(1));
    while ((inside = inside?.closest?.("details:not([open])"))) {
      inside.open = true;
    }
  }

  // ---- The navigation ----

  const links = new Map(
    [...document.querySelectorAll(".contents a[href^='#']")].map((link) => [
      link.getAttribute("href").slice(1),
      link,
    ]),
  );
  const inSight = new Set();

  function markCurrent() {
    const current = [...folds.keys()].find((name) => inSight.has(name));
    for (const [name, link] of links) {
      link.classList.toggle("is-current", name === current);
    }
  }

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const name = target.querySelector("h2").id;
        inSight[isIntersecting ? "add" : "delete"](name);
      }
      markCurrent();
    },
    { rootMargin: "-20% 0px -60% 0px" },
  );

  // ---- Start ----

  recall();
  openLinked();
  for (const { fold } of folds.values()) {
    fold.addEventListener("toggle", remember);
    observer.observe(fold);
  }
  addEventListener("hashchange", openLinked);
  for (const [name, link] of links) {
    link.addEventListener("click", () => folds.has(name) && (folds.get(name).fold.open = true));
  }
}
