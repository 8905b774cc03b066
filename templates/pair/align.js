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
    return [...tokens].map(([key, count]) => [...key.split(" ").map(Number), count]);
  }

  // Joins what has no partner yet by a key, in order.
  function joinEqual(partner, lefts, rights, keyOf) {
    const taken = new Set(partner.values());
    const waiting = new Map();
    for (const [right, file] of [...rights.entries()].reverse()) {
      const key = keyOf(file);
      if (!taken.has(right)) {
        waiting.set(key, waiting.get(key) ?? []);
        waiting.get(key).push(right);
      }
    }
    for (const [left, file] of lefts.entries()) {
      const right = partner.has(left) ? undefined : waiting.get(keyOf(file))?.pop();
      if (right !== undefined) {
        partner.set(left, right);
      }
    }
  }

  function joinMatched(partner, matches) {
    const taken = new Set(partner.values());
    const byTokens = sharedTokens(matches).sort((one, other) => other[2] - one[2]);
    for (const [left, right] of byTokens) {
      if (!partner.has(left) && !taken.has(right)) {
        partner.set(left, right);
        taken.add(right);
      }
    }
  }

  // Files have a name and a text. Equal ones go together whether they are compared or not, such as
  // those that were handed out; those that nothing else joins, by their names.
  function pairFiles(matches, lefts, rights) {
    const partner = new Map();
    joinEqual(partner, lefts, rights, ({ name, text }) => JSON.stringify([name, text]));
    joinEqual(partner, lefts, rights, ({ text }) => text);
    joinMatched(partner, matches);
    joinEqual(partner, lefts, rights, ({ name }) => name.split("/").at(-1));
    const taken = new Set(partner.values());
    const all = lefts.map((_, left) => [left, partner.get(left) ?? null]);
    const rest = rights.map((_, right) => [null, right]);
    return [...all, ...rest.filter(([, right]) => !taken.has(right))];
  }

  // ---- Matches in the same order on both sides: the chain that has most tokens ----

  function heaviestChain(matches) {
    const best = [];
    for (const [at, match] of matches.entries()) {
      let link = { weight: match.tokens, before: null, match };
      for (let back = at - 1; back >= 0; back -= 1) {
        const isBefore = matches[back].right.lines[0] <= match.right.lines[0];
        if (isBefore && best[back].weight + match.tokens > link.weight) {
          link = { weight: best[back].weight + match.tokens, before: best[back], match };
        }
      }
      best.push(link);
    }
    const chain = [];
    const heaviest = best.reduce((one, other) => (other.weight > one.weight ? other : one), best[0]);
    for (let link = heaviest; link; link = link.before) {
      chain.unshift(link.match);
    }
    return chain;
  }

  function linesBeside(match) {
    const [lastLeft, lastRight] = [match.left.lines[1] + 1, match.right.lines[1] + 1];
    return match.rows.flatMap(([left, right], at) => {
      const [nextLeft, nextRight] = match.rows[at + 1] ?? [lastLeft, lastRight];
      const length = Math.max(Math.min(nextLeft - left, nextRight - right), 1);
      return Array.from({ length }, (_, step) => [left + step, right + step]);
    });
  }

  function ascending(pairs) {
    let [left, right] = [0, 0];
    return pairs.filter((pair) => {
      const isAhead = pair[0] > left && pair[1] > right;
      if (isAhead) {
        [left, right] = pair;
      }
      return isAhead;
    });
  }

  // Gives pairs of lines, ascending on both sides, that matches put beside each other.
  function anchorsOf(matches, leftFile, rightFile) {
    const between = matches.filter(
      (match) => match.left.file === leftFile && match.right.file === rightFile,
    );
    return ascending(heaviestChain(between.slice(0, LONGEST_CHAIN)).flatMap(linesBeside));
  }

  // ---- Myers, An O(ND) Difference Algorithm and Its Variations (1986) ----

  function furthest(reach, diagonal, edits, left, right) {
    const goesDown =
      diagonal === -edits ||
      (diagonal !== edits && reach.get(diagonal - 1) < reach.get(diagonal + 1));
    let x = goesDown ? reach.get(diagonal + 1) : reach.get(diagonal - 1) + 1;
    while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) {
      x += 1;
    }
    return x;
  }

  // Keeps reaches by diagonal, in an array as diagonals can be negative.
  class Reaches {
    constructor(size) {
      this.middle = size + 1;
      this.values = new Int32Array(2 * size + 3);
    }

    get(diagonal) {
      return this.values[this.middle + diagonal];
    }

    set(diagonal, x) {
      this.values[this.middle + diagonal] = x;
    }

    around(edits) {
      const copy = new Reaches(edits);
      copy.values = this.values.slice(this.middle - edits - 1, this.middle + edits + 2);
      return copy;
    }
  }

  // Gives the reaches before each number of edits, or null where too many are needed.
  function search(left, right, most) {
    const reach = new Reaches(most);
    const history = [];
    for (let edits = 0; edits <= most; edits += 1) {
      history.push(reach.around(edits));
      for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
        const x = furthest(reach, diagonal, edits, left, right);
        reach.set(diagonal, x);
        if (x >= left.length && x - diagonal >= right.length) {
          return history;
        }
      }
    }
    return null;
  }

  function equalFrom(history, left, right) {
    const pairs = [];
    let [x, y] = [left.length, right.length];
    for (let edits = history.length - 1; edits >= 0; edits -= 1) {
      const reach = history[edits];
      const diagonal = x - y;
      const goesDown =
        diagonal === -edits ||
        (diagonal !== edits && reach.get(diagonal - 1) < reach.get(diagonal + 1));
      const from = edits ? reach.get(goesDown ? diagonal + 1 : diagonal - 1) : 0;
      const start = edits ? from + (goesDown ? 0 : 1) : 0;
      while (x > start) {
        [x, y] = [x - 1, y - 1];
        pairs.push([x, y]);
      }
      [x, y] = [from, from - (goesDown ? diagonal + 1 : diagonal - 1)];
    }
    return pairs.reverse();
  }

  function commonStart(left, right) {
    let length = 0;
    while (length < Math.min(left.length, right.length) && left[length] === right[length]) {
      length += 1;
    }
    return length;
  }

  // Gives the pairs [place in left, place in right] of a longest common subsequence, or null
  // where finding it would take too long.
  function equalItems(left, right, most = MOST_EDITS) {
    const start = commonStart(left, right);
    const [ours, theirs] = [left.slice(start), right.slice(start)];
    const history = search(ours, theirs, Math.min(ours.length + theirs.length, most));
    if (!history) {
      return null;
    }
    const head = Array.from({ length: start }, (_, at) => [at, at]);
    return [...head, ...equalFrom(history, ours, theirs).map(([x, y]) => [x + start, y + start])];
  }

  // ---- Rows: [left line or 0, right line or 0] ----

  function addGapRows(rows, from, to) {
    for (let step = 1; from[0] + step < to[0] || from[1] + step < to[1]; step += 1) {
      rows.push([0, 1].map((side) => (from[side] + step < to[side] ? from[side] + step : 0)));
    }
  }

  function rowsBetween(pairs, leftCount, rightCount) {
    const rows = [];
    let from = [0, 0];
    for (const to of [...pairs, [leftCount + 1, rightCount + 1]]) {
      addGapRows(rows, from, to);
      rows.push(to);
      from = to;
    }
    rows.pop();
    return rows;
  }

  // Adds to pairs that are sure those of the others that fit between them.
  function joined(pairs, others) {
    const all = [];
    let next = 0;
    let from = [0, 0];
    for (const to of [...pairs, [Infinity, Infinity]]) {
      while (next < others.length && others[next][0] < to[0]) {
        const [left, right] = others[next];
        if (left > from[0] && right > from[1] && right < to[1]) {
          all.push(others[next]);
        }
        next += 1;
      }
      all.push(to);
      from = to;
    }
    all.pop();
    return all;
  }

  function words(text) {
    return text.replace(/\s+/g, " ").trim();
  }

  // Gives the pairs of equal lines, none where the files are too different for that to help.
  function equalLines(left, right) {
    const pairs = equalItems(left.map(words), right.map(words));
    const telling = (pairs ?? []).filter(([at]) => /\w{2}/.test(left[at])).length;
    const lines = Math.min(
      ...[left, right].map((texts) => texts.filter((text) => /\w{2}/.test(text)).length),
    );
    return telling < FEWEST_EQUAL * lines ? [] : pairs.map(([x, y]) => [x + 1, y + 1]);
  }

  mosslite.align = { anchorsOf, equalItems, equalLines, joined, pairFiles, rowsBetween, words };
}
