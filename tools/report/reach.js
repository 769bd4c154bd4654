// All that a function calls, and all that call it, over any number of calls; and what that costs.
//
// The cost is what the lower of two functions costs while the upper one is on the stack. Calls tell it
// exactly in two cases: where all ways to the lower function go through the upper one, it is all that the
// lower one costs; where the only way from the upper to the lower one is a call, it is what that costs.
// Else the stacks tell it, as far as they are exact.

import { dominators } from "./dominators.js";

/** @import { Profile } from "./types" */

/**
 * @typedef {object} Reached a function that is reached
 * @property {number} row
 * @property {number} steps calls away, at least
 * @property {number | null} cost
 * @property {boolean} isExact
 */

/**
 * Callees ("callee") or callers ("caller") of a function; a cost of null says that no stack on the page has
 * both.
 * @param {Profile} profile
 * @param {number} from
 * @param {"caller" | "callee"} end
 * @param {number} event
 * @returns {Reached[]}
 */
export function reached(profile, from, end, event) {
  const isBelow = end === "callee";
  const ways = new Ways(profile, from, isBelow);
  const spent = isBelow ? spentBelow(profile, from, event) : spentAbove(profile, from, event);
  const { guess, left } = profile.head;
  const estimate = (/** @type {number} */ upper, /** @type {number} */ lower) => {
    const cost = spent.get(isBelow ? lower : upper);
    if (cost === undefined) return left.stacks ? null : 0;
    return Math.min(cost, profile.inclusive(lower, event), profile.inclusive(upper, event));
  };
  return [...ways.steps].map(([row, steps]) => {
    const [upper, lower] = isBelow ? [from, row] : [row, from];
    if (isOnlyReachedThrough(profile, upper, lower)) {
      return { row, steps, cost: profile.inclusive(lower, event), isExact: true };
    }
    if (ways.isOnlyDirect(row)) return { row, steps, cost: ways.costOfCalls(row, event), isExact: true };
    return { row, steps, cost: estimate(upper, lower), isExact: !guess && !left.stacks };
  });
}

/** How functions are reached from one, downwards or upwards. */
class Ways {
  /**
   * @param {Profile} profile
   * @param {number} from
   * @param {boolean} isBelow
   */
  constructor(profile, from, isBelow) {
    this.profile = profile;
    this.from = from;
    this.isBelow = isBelow;
    this.direct = new Map(this.arcs(from).map((arc) => [this.end(arc), arc]));
    this.steps = new Map(); // how many calls away each function is at least
    this.spread();
    this.indirect = new Set(); // who can be reached over several calls
    for (const row of this.direct.keys()) this.follow(row);
  }

  /** @param {number} row */
  arcs(row) {
    return this.isBelow ? this.profile.callees(row) : this.profile.callers(row);
  }

  /** @param {number} arc */
  end(arc) {
    const { caller, callee } = this.profile.table("arcs");
    return (this.isBelow ? callee : caller)[arc];
  }

  spread() {
    let rim = [this.from];
    for (let far = 1; rim.length; far += 1) {
      const next = new Set(
        rim
          .flatMap((row) => this.arcs(row).map((arc) => this.end(arc)))
          .filter((row) => !this.steps.has(row)),
      );
      for (const row of next) this.steps.set(row, far);
      rim = [...next];
    }
  }

  /** @param {number} row */
  follow(row) {
    const path = [row];
    for (let at = path.pop(); at !== undefined; at = path.pop()) {
      for (const arc of this.arcs(at)) {
        const next = this.end(arc);
        if (this.indirect.has(next)) continue;
        this.indirect.add(next);
        path.push(next);
      }
    }
  }

  /** @param {number} row */
  isOnlyDirect(row) {
    return this.direct.has(row) && !this.indirect.has(row) && !this.indirect.has(this.from);
  }

  /**
   * @param {number} row
   * @param {number} event
   */
  costOfCalls(row, event) {
    const arc = this.direct.get(row);
    return arc === undefined ? 0 : this.profile.value(this.profile.table("arcs").inclusive, arc, event);
  }
}

// ---- What the graph of calls tells

/**
 * Whether all ways to a function go through another one.
 * @param {Profile} profile
 * @param {number} upper
 * @param {number} lower
 */
function isOnlyReachedThrough(profile, upper, lower) {
  if (upper === lower) return false;
  const nearest = profile.once("dominators", () => foundDominators(profile));
  let row = nearest[lower];
  while (row >= 0 && row !== upper) row = nearest[row];
  return row === upper;
}

/** @param {Profile} profile */
function foundDominators(profile) {
  const { caller, callee } = profile.table("arcs");
  const rows = [...Array(profile.count).keys()];
  return dominators(
    profile.count,
    rows.filter((row) => mayBeRoot(profile, row)),
    (row) => profile.callees(row).map((arc) => callee[arc]),
    (row) => profile.callers(row).map((arc) => caller[arc]),
  );
}

/**
 * Whether a thread, a handler or the program may start in a function: it costs more than its calls, or is
 * in a cycle, where nobody knows, and inclusive costs may be too large.
 * @param {Profile} profile
 * @param {number} row
 */
function mayBeRoot(profile, row) {
  if (profile.functions.cycle[row]) return true;
  const { caller, inclusive } = profile.table("arcs");
  const arcs = profile.callers(row).filter((arc) => caller[arc] !== row);
  return (
    !arcs.length ||
    profile.functions.inclusive.some(
      (column, event) => column[row] > arcs.reduce((sum, arc) => sum + inclusive[event][arc], 0),
    )
  );
}

// ---- What stacks tell

/**
 * By function, what it costs below another one; of a recursion, what is outermost.
 * @param {Profile} profile
 * @param {number} from
 * @param {number} event
 */
function spentBelow(profile, from, event) {
  const { function: functions, parent } = profile.table("stacks");
  const isBelow = new Uint8Array(functions.length);
  const spent = new Map();
  functions.forEach((row, stack) => {
    const above = parent[stack];
    isBelow[stack] = above >= 0 && (isBelow[above] || functions[above] === from) ? 1 : 0;
    if (!isBelow[stack] || row < 0) return;
    let other = above;
    while (other >= 0 && isBelow[other] && functions[other] !== row) other = parent[other];
    if (other < 0 || !isBelow[other]) add(spent, row, costOf(profile, stack, event));
  });
  return spent;
}

/**
 * By function, what another one costs below it.
 * @param {Profile} profile
 * @param {number} from
 * @param {number} event
 */
function spentAbove(profile, from, event) {
  const { function: functions, parent } = profile.table("stacks");
  const spent = new Map();
  functions.forEach((row, stack) => {
    if (row !== from) return;
    const callers = new Set();
    let above = parent[stack];
    while (above >= 0 && functions[above] !== from) {
      callers.add(functions[above]);
      above = parent[above];
    }
    if (above >= 0) callers.add(from);
    for (let further = above >= 0 ? parent[above] : -1; further >= 0; further = parent[further]) {
      callers.delete(functions[further]); // has this cost from the outer activation
    }
    for (const caller of callers) add(spent, caller, costOf(profile, stack, event));
  });
  return spent;
}

/**
 * @param {Profile} profile
 * @param {number} stack
 * @param {number} event
 */
function costOf(profile, stack, event) {
  return profile.value(profile.table("stacks").inclusive, stack, event);
}

/**
 * @param {Map<number, number>} sums
 * @param {number} key
 * @param {number} number
 */
function add(sums, key, number) {
  sums.set(key, (sums.get(key) ?? 0) + number);
}
