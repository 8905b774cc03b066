"use strict";

// The sections of the overview: folded or open as the address says, opened for a link into them,
// and the one in sight marked in the navigation.
{
  const PARAMETER = "folded";
  const folds = [...document.querySelectorAll(".section > details")];
  const nameOf = (fold) => fold.querySelector("h2").id;
  const inSight = new Set();

  // Of those that are not as the page has them.
  function remember() {
    const changed = folds.filter((fold) => fold.open !== isOpenAtFirst.get(fold));
    address.set(PARAMETER, changed.map(nameOf).join(" "));
  }

  function openLinked() {
    let inside = location.hash && document.getElementById(location.hash.slice(1));
    while ((inside = inside?.closest?.("details:not([open])"))) {
      inside.open = true;
    }
  }

  function onSight(entries) {
    for (const { target, isIntersecting } of entries) {
      inSight[isIntersecting ? "add" : "delete"](target);
    }
    const current = folds.find((fold) => inSight.has(fold));
    for (const link of document.querySelectorAll(".contents a[href^='#']")) {
      const isCurrent = current && link.getAttribute("href") === `#${nameOf(current)}`;
      link.classList.toggle("is-current", Boolean(isCurrent));
    }
  }

  // A link to where one is already changes no address.
  function onClick({ target }) {
    if (target.closest?.("a[href^='#']")?.getAttribute("href") === location.hash) {
      openLinked();
    }
  }

  // ---- Start ----

  const isOpenAtFirst = new Map(folds.map((fold) => [fold, fold.open]));
  const observer = new IntersectionObserver(onSight, { rootMargin: "-20% 0px -60% 0px" });
  const changed = address.get(PARAMETER).split(" ");
  for (const fold of folds) {
    fold.open = fold.open !== changed.includes(nameOf(fold));
    fold.addEventListener("toggle", remember);
    observer.observe(fold);
  }
  openLinked();
  addEventListener("hashchange", openLinked);
  addEventListener("click", onClick);
}
