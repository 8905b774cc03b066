"use strict";

// Which lines of two files stand beside each other. Pure functions: no elements, no page.

{
  const MOST_EDITS = 1500; // bounds a diff's time and memory, which grow with their square
  const FEWEST_EQUAL = 0.3; // of the shorter file's lines; below, equal lines are mere braces
  const LONGEST_CHAIN = 2000; // matches

  // ---- Files are paired by what they share most of; [left or null, right or null] ----

  function sharedTokens(matches) {
    const tokens = new Map();
    for (const { left, right, tokens: count } of matches) {
      const key = `${left.file} ${right.file}`;
      tokens.set(key, (tokens.get(key) ?? 0) + count);
    }
    const most = [...tokens].sort(([, one], [, other]) => other - one);
    return most.map(([key]) => key.split(" ").map(Number));
  }

  // Files have a name and a text. Equal ones go together whether they are compared or not, such as
  // those that were handed out; those that nothing else joins, by their names.
  function pairFiles(matches, lefts, rights) {
    const partner = new Map();
    const taken = new Set();
    const join = (left, right) => {
      if (right !== undefined && !partner.has(left) && !taken.has(right)) {
        partner.set(left, right);
        taken.add(right);
      }
    };
    const joinEqual = (keyOf) => {
      const free = [...rights.keys()].filter((right) => !taken.has(right));
      const waiting = Map.groupBy(free, (right) => keyOf(rights[right]));
      for (const left of lefts.keys()) {
        join(left, partner.has(left) ? undefined : waiting.get(keyOf(lefts[left]))?.shift());
      }
    };
    joinEqual(({ name, text }) => JSON.stringify([name, text]));
    joinEqual(({ text }) => text);
    sharedTokens(matches).forEach(([left, right]) => join(left, right));
    joinEqual(({ name }) => name.split("/").at(-1));
    const all = lefts.map((_, left) => [left, partner.get(left) ?? null]);
    const rest = [...rights.keys()].filter((right) => !taken.has(right));
    return [...all, ...rest.map((right) => [null, right])];
  }

  // ---- Matches in the same order on both sides: the chain that has most tokens ----

  function heaviest(links) {
    return links.reduce((one, other) => (other.weight > one.weight ? other : one), { weight: 0 });
  }

  function heaviestChain(matches) {
    const links = [];
    for (const match of matches) {
      const isBefore = (link) => link.match.right.lines[0] <= match.right.lines[0];
      const before = heaviest(links.filter(isBefore));
      links.push({ match, before, weight: before.weight + match.tokens });
    }
    const chain = [];
    for (let link = heaviest(links); link.match; link = link.before) {
      chain.unshift(link.match);
    }
    return chain;
  }

  function linesBeside({ rows, left, right }) {
    const ends = [...rows.slice(1), [left.lines[1] + 1, right.lines[1] + 1]];
    return rows.flatMap(([leftLine, rightLine], at) => {
      const length = Math.max(Math.min(ends[at][0] - leftLine, ends[at][1] - rightLine), 1);
      return Array.from({ length }, (_, step) => [leftLine + step, rightLine + step]);
    });
  }

  function ascending(pairs) {
    let last = [0, 0];
    return pairs.filter((pair) => {
      const isAhead = pair[0] > last[0] && pair[1] > last[1];
      last = isAhead ? pair : last;
      return isAhead;
    });
  }

  // Gives pairs of lines, ascending on both sides, that matches put beside each other.
  function anchorsOf(matches) {
    return ascending(heaviestChain(matches.slice(0, LONGEST_CHAIN)).flatMap(linesBeside));
  }

  // ---- Myers, An O(ND) Difference Algorithm and Its Variations (1986) ----

  // Tells how the farthest way to a diagonal goes on from those of one edit fewer: down, which
  // takes an item of the right side, or on, which takes one of the left.
  function goesDown(before, nth) {
    return nth === 0 || (nth < before.length && before[nth - 1] < before[nth]);
  }

  function startOf(before, nth) {
    if (!before) {
      return 0;
    }
    return goesDown(before, nth) ? before[nth] : before[nth - 1] + 1;
  }

  // Gives how far in left the ways of each number of edits get, on the diagonals 2 * nth - edits,
  // or null where too many are needed.
  function search(left, right, most) {
    const history = [];
    for (let edits = 0; edits <= most; edits += 1) {
      const before = history.at(-1);
      const reach = new Int32Array(edits + 1);
      history.push(reach);
      for (let nth = 0; nth <= edits; nth += 1) {
        const diagonal = 2 * nth - edits;
        let x = startOf(before, nth);
        while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) {
          x += 1;
        }
        reach[nth] = x;
        if (x >= left.length && x - diagonal >= right.length) {
          return history;
        }
      }
    }
    return null;
  }

  // Gives the pairs [place in left, place in right] of a longest common subsequence, or null
  // where finding it would take too long.
  function equalItems(left, right, most = MOST_EDITS) {
    const history = search(left, right, Math.min(left.length + right.length, most));
    if (!history) {
      return null;
    }
    const pairs = [];
    let [x, y] = [left.length, right.length];
    for (let edits = history.length - 1; edits >= 0; edits -= 1) {
      const before = history[edits - 1];
      const nth = (x - y + edits) / 2;
      const start = startOf(before, nth);
      while (x > start) {
        [x, y] = [x - 1, y - 1];
        pairs.push([x, y]);
      }
      if (before) {
        [x, y] = goesDown(before, nth) ? [x, y - 1] : [x - 1, y];
      }
    }
    return pairs.reverse();
  }

  // ---- Rows: [left line or 0, right line or 0] ----

  function rowsBetween(pairs, leftCount, rightCount) {
    const rows = [];
    let from = [0, 0];
    for (const to of [...pairs, [leftCount + 1, rightCount + 1]]) {
      for (let step = 1; from[0] + step < to[0] || from[1] + step < to[1]; step += 1) {
        rows.push(from.map((line, at) => (line + step < to[at] ? line + step : 0)));
      }
      rows.push(to);
      from = to;
    }
    return rows.slice(0, -1);
  }

  // Adds to pairs that are sure those of the others that fit between them.
  function joined(pairs, others) {
    const all = [];
    let next = 0;
    let from = [0, 0];
    for (const to of [...pairs, [Infinity, Infinity]]) {
      for (; next < others.length && others[next][0] < to[0]; next += 1) {
        const [left, right] = others[next];
        if (left > from[0] && right > from[1] && right < to[1]) {
          all.push(others[next]);
        }
      }
      all.push(to);
      from = to;
    }
    return all.slice(0, -1);
  }

  function words(text) {
    return text.replace(/\s+/g, " ").trim();
  }

  // Gives the pairs of equal lines, none where the files are too different for that to help.
  function equalLines(left, right) {
    const isTelling = (text) => /\w{2}/.test(text);
    const pairs = equalItems(left.map(words), right.map(words)) ?? [];
    const telling = pairs.filter(([at]) => isTelling(left[at])).length;
    const lines = Math.min(...[left, right].map((texts) => texts.filter(isTelling).length));
    return telling < FEWEST_EQUAL * lines ? [] : pairs.map(([x, y]) => [x + 1, y + 1]);
  }

  // Gives the rows of two files, by their texts and the matches between them.
  function rowsOf(texts, matches) {
    const pairs = joined(equalLines(...texts), anchorsOf(matches));
    return rowsBetween(pairs, texts[0].length, texts[1].length);
  }

  mosslite.align = { equalItems, pairFiles, rowsOf, words };
}
