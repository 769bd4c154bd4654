// What a picture of the call graph shows: of the whole, the functions that cost most; of a
// function's surroundings, its callers and callees up to some calls away.
//
//   limits   { centre, event, by, most, least, leastCalls, up, down, folds }: centre is the function whose
//            surroundings are shown, or null; of the whole, functions are chosen `by` inclusive or self
//            cost. No more than `most` are drawn, none that has less than the share `least`, no calls that
//            have less than `leastCalls`, nor who is more than `up` calls above the centre, or `down` below.
//            Shares are of the centre's inclusive cost, or of the total. With `folds`, functions that hand
//            nearly all on to a callee are not drawn in the whole
//   arc      a row of "arcs": all calls of one function by another
//   arrow    { from, to, arcs }: the calls of `from` that the first arc has; where that leads to a
//            function that hands on, the other arcs lead on to `to`. With isWay, no other arrow leads to
//            `to`; the arcs are the way there by the most expensive callers

import { ascending, descending, greatest } from "d3-array";

/** @import { Arrow, Column, GraphSettings, Profile } from "./types" */

const OFTEN = 0.1; // of the callee's calls, from which an arc inside a cycle is drawn whatever it costs
const LED = 0.01; // of a function's inclusive cost, from which calls say how it is reached
const HANDED = 0.95; // of a function's inclusive cost, from which it hands on to the callee that has it

/** @typedef {GraphSettings & { centre: number | null, event: number }} Limits */
/** @typedef {Map<number, { steps: number, cost: number }>} Near how far functions are away */

/**
 * What is drawn: functions, the most expensive first, and arrows; how many functions are left out, and why.
 * @param {Profile} profile
 * @param {Limits} limits
 */
export function pictured(profile, limits) {
  const graph = new Graph(profile, limits);
  const found = limits.centre === null ? graph.whole() : graph.surroundings(limits.centre);
  const functions = found.functions.sort((a, b) => graph.byCost(a, b));
  return { ...found, functions, arrows: graph.arrowsBetween(functions) };
}

class Graph {
  /**
   * @param {Profile} profile
   * @param {Limits} limits
   */
  constructor(profile, limits) {
    this.profile = profile;
    this.limits = limits;
    this.table = profile.table("arcs");
    /** @type {Map<number, number | undefined>} the arc of each function that hands on */
    this.handing = new Map();
    const { centre, event } = limits;
    this.base = centre === null ? profile.total(event) : this.inclusive(centre);
  }

  /** @param {number} row */
  inclusive(row) {
    return this.profile.inclusive(row, this.limits.event);
  }

  /**
   * @param {number} a
   * @param {number} b
   */
  byCost(a, b) {
    return descending(this.inclusive(a), this.inclusive(b)) || a - b;
  }

  /** @param {number} arc */
  cost(arc) {
    return this.profile.value(this.table.inclusive, arc, this.limits.event);
  }

  /**
   * What functions are chosen by.
   * @param {number} row
   */
  measure(row) {
    return this.limits.by === "self" && this.limits.centre === null
      ? this.profile.self(row, this.limits.event)
      : this.inclusive(row);
  }

  /** @param {number} row */
  hasShare(row) {
    const cost = this.measure(row);
    return cost > 0 && cost >= this.limits.least * this.base;
  }

  /**
   * Whether calls are worth drawing. Inside a cycle most cost nothing, as the calls that led there have their
   * cost.
   * @param {number} arc
   */
  isDrawn(arc) {
    const cost = this.cost(arc);
    return (cost > 0 && cost >= this.limits.leastCalls * this.base) || this.isOftenInCycle(arc);
  }

  /** @param {number} arc */
  isOftenInCycle(arc) {
    const { cycle, called } = this.profile.functions;
    const [caller, callee] = [this.table.caller[arc], this.table.callee[arc]];
    if (caller === callee) return true;
    return (
      cycle[caller] > 0 && cycle[caller] === cycle[callee] && this.table.count[arc] >= OFTEN * called[callee]
    );
  }

  // ---- Functions

  whole() {
    const rows = [...Array(this.profile.count).keys()]
      .filter((row) => this.hasShare(row))
      .sort((a, b) => descending(this.measure(a), this.measure(b)) || a - b);
    const large = rows.filter((row) => this.handedOn(row) === undefined);
    const functions = large.slice(0, this.limits.most);
    return {
      functions,
      many: large.length - functions.length,
      small: this.profile.count - rows.length,
      folded: rows.length - large.length,
    };
  }

  /**
   * The arc to the callee that a function hands nearly all on to, if it does nothing else.
   * @param {number} row
   */
  handedOn(row) {
    if (!this.limits.folds || this.limits.by === "self" || this.limits.centre !== null) return undefined;
    if (!this.handing.has(row)) this.handing.set(row, this.foundHandedOn(row));
    return this.handing.get(row);
  }

  /** @param {number} row */
  foundHandedOn(row) {
    const arcs = this.profile.callees(row);
    const { callee } = this.table;
    if (this.profile.functions.cycle[row] || arcs.some((arc) => callee[arc] === row)) return undefined;
    const most = greatest(arcs, (a, b) => ascending(this.cost(a), this.cost(b)));
    const isMost = most !== undefined && this.cost(most) >= HANDED * this.inclusive(row);
    return isMost && this.hasShare(callee[most]) ? most : undefined;
  }

  /**
   * The nearest first, of those equally near the ones that the most expensive calls lead to.
   * @param {number} centre
   */
  surroundings(centre) {
    const { most, up, down } = this.limits;
    /** @type {Set<number>} */
    const small = new Set();
    /** @type {Near} */
    const near = new Map();
    this.reach(centre, up, (row) => this.profile.callers(row), this.table.caller, near, small);
    this.reach(centre, down, (row) => this.profile.callees(row), this.table.callee, near, small);
    near.delete(centre);
    const rows = [...near]
      .sort(([, a], [, b]) => ascending(a.steps, b.steps) || descending(a.cost, b.cost))
      .map(([row]) => row);
    const functions = [centre, ...rows.slice(0, most - 1)];
    const others = [...small].filter((row) => row !== centre && !near.has(row));
    return { functions, many: rows.length + 1 - functions.length, small: others.length, folded: 0 };
  }

  /**
   * Who is reached from the centre by some steps along arcs, into `near`; who is met but too small, into
   * `small`.
   * @param {number} centre
   * @param {number} most
   * @param {(row: number) => number[]} arcsOf
   * @param {Column} end
   * @param {Near} near
   * @param {Set<number>} small
   */
  reach(centre, most, arcsOf, end, near, small) {
    const seen = new Set([centre]);
    let rim = [centre];
    for (let steps = 1; steps <= most && rim.length; steps += 1) {
      /** @type {number[]} */
      const next = [];
      for (const arc of rim.flatMap((row) => arcsOf(row))) {
        const row = end[arc];
        if (!this.isDrawn(arc) || !this.hasShare(row)) {
          small.add(row);
          continue;
        }
        const known = near.get(row);
        const cost = (known?.steps === steps ? known.cost : 0) + this.cost(arc);
        if (!known || steps <= known.steps) near.set(row, { steps, cost });
        if (!seen.has(row)) next.push(row);
        seen.add(row);
      }
      rim = next;
    }
  }

  // ---- Calls

  /**
   * The arrows between functions; if none leads to one, the way there.
   * @param {number[]} functions
   * @returns {Arrow[]}
   */
  arrowsBetween(functions) {
    const drawn = new Set(functions);
    /** @type {Map<number, Arrow[]>} */
    const into = new Map(functions.map((row) => [row, []]));
    for (const from of functions) {
      for (const arc of this.profile.callees(from)) {
        const arrow = this.arrow(from, arc);
        into.get(arrow.to)?.push(arrow);
      }
    }
    return functions.flatMap((row) => this.worthDrawing(row, into.get(row) ?? [], drawn));
  }

  /**
   * Where an arc leads, past functions that hand on.
   * @param {number} from
   * @param {number} arc
   */
  arrow(from, arc) {
    const arcs = [arc];
    let to = this.table.callee[arc];
    for (let next = this.handedOn(to); next !== undefined; next = this.handedOn(to)) {
      arcs.push(next);
      to = this.table.callee[next];
    }
    return { from, to, arcs };
  }

  /**
   * @param {number} row
   * @param {Arrow[]} arrows
   * @param {Set<number>} drawn
   */
  worthDrawing(row, arrows, drawn) {
    arrows.sort((a, b) => descending(this.cost(a.arcs[0]), this.cost(b.arcs[0])) || a.arcs[0] - b.arcs[0]);
    const large = arrows.filter(({ arcs }) => this.isDrawn(arcs[0]));
    return large.some(({ from }) => from !== row) ? large : [...large, ...this.wayTo(row, drawn)];
  }

  /**
   * The way to a function by the most expensive callers, from the first of them that is drawn; no arrow if
   * none is.
   * @param {number} to
   * @param {Set<number>} drawn
   * @returns {Arrow[]}
   */
  wayTo(to, drawn) {
    /** @type {number[]} */
    const arcs = [];
    const seen = new Set([to]);
    for (let row = to; ;) {
      const arc = greatest(
        this.profile.callers(row).filter((into) => !seen.has(this.table.caller[into])),
        (a, b) => ascending(this.cost(a), this.cost(b)),
      );
      if (arc === undefined || this.cost(arc) < LED * this.inclusive(row)) return [];
      arcs.unshift(arc);
      row = this.table.caller[arc];
      if (drawn.has(row)) return [{ from: row, to, arcs, isWay: arcs.length > 1 }];
      seen.add(row);
    }
  }
}
