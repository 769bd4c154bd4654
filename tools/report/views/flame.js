// The flame graph: which calls led to costs. Of the whole program; of one function, with its callers above
// and its callees below; and as tables, paths from the top down, and functions with their callers.

import { choice, element, link, plain, stepOf } from "../dom.js";
import { count, percent, signed } from "../format.js";
import { changeColour, objectColour } from "../colours.js";
import { FlameChart } from "../flamechart.js";
import { leftOut } from "../left.js";
import { changeLegend } from "../legend.js";
import { below as allBelow, calleesOf, callersOf, keyOf, onPath, stackTree } from "../stacktree.js";
import { bottomUpTable } from "./bottomup.js";
import { topDownTable } from "./topdown.js";
import { chosenFunction } from "./calls.js";

/** @import { Child, Children, Drawn, Page, Profile, StackNode, View } from "../types" */

/** @type {View} */
export const flame = {
  name: "flame",
  title: "Flame graph",
  hint: "Which calls led to costs",
  shown: (profile) => profile.has("stacks"),
  refers: "function",
  needs: ["stacks", "comparison", "arcs"],
  draw: (page, argument) => {
    const [name, row] = argument.split("/");
    if (name === "top-down") return drawTopDown(page);
    if (name === "bottom-up") return drawBottomUp(page);
    return (name === "sandwich" ? new Sandwich(page, row) : new Whole(page)).node;
  },
};

/** @type {[name: string, text: string][]} */
const WAYS = [
  ["", "Whole program"],
  ["sandwich", "One function"],
  ["top-down", "From the top down"],
  ["bottom-up", "From the bottom up"],
];

/**
 * What stands above each of the ways to show stacks.
 * @param {Page} page
 * @param {string} way
 * @param {Children} others
 */
function bar(page, way, ...others) {
  const { head } = page.profile;
  return element(
    "div",
    { class: "bar" },
    choice("What is shown", WAYS, way, (name) => page.open(name ? `flame/${name}` : "flame")),
    others.flat(),
    head.guess ? element("span", { class: "note" }, head.guess) : null,
    head.paths && !head.guess
      ? element("span", { class: "note" }, `Exact: each of ${count(head.paths)} paths of calls was counted.`)
      : null,
    leftOut(page, "stacks"),
  );
}

/** @param {Page} page */
function drawTopDown(page) {
  const { grid, filter } = topDownTable(page, stackTree(page, true));
  /** @type {Drawn} */
  const node = element(
    "div",
    { class: "filled" },
    bar(
      page,
      "top-down",
      element(
        "span",
        { class: "note" },
        "Functions, and below each what it calls there; a search for a;b finds paths through a to b.",
      ),
    ),
    grid.node,
  );
  node.searched = filter;
  return node;
}

/** @param {Page} page */
function drawBottomUp(page) {
  const { grid, filter } = bottomUpTable(page);
  /** @type {Drawn} */
  const node = element(
    "div",
    { class: "filled" },
    bar(
      page,
      "bottom-up",
      element("span", { class: "note" }, "What functions cost themselves; below each, by which callers."),
    ),
    grid.node,
  );
  node.searched = filter;
  return node;
}

/** What flame graphs have in common. */
class Flame {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.isCompared = page.profile.has("comparison");
    this.colourBy = page.choices.flameColour;
    this.tree = stackTree(page);
    this.scale = this.isCompared ? this.mostChange() : 0;
    this.least = this.isCompared ? page.profile.leastChange(page.event) : 0;
    this.known = page.profile.changes(this.colourBy === "own" ? "self" : "inclusive", page.event);
    this.details = element("div", { class: "details", "aria-live": "polite" });
    /** @type {FlameChart[]} */
    this.charts = [];
  }

  /**
   * The node of the view: bar, details and charts, which start() draws once they are on the page.
   * @param {string} way
   * @param {Child} tool
   * @param {FlameChart[]} charts
   * @param {() => void} start
   */
  assembled(way, tool, charts, start) {
    this.charts = charts;
    const reset = charts.length
      ? element("button", { type: "button", class: "reset", onclick: () => this.reset() }, "Whole graph")
      : null;
    /** @type {Drawn} */
    const node = element(
      "div",
      { class: "filled" },
      bar(this.page, way, tool, reset, ...(this.isCompared ? this.legend() : [])),
      this.details,
    );
    node.searched = (text) => this.find(text);
    node.closed = () => this.charts.forEach((chart) => chart.close());
    node.shown = () => {
      start();
      if (this.page.search) this.find(this.page.search);
    };
    return node;
  }

  /**
   * @param {string} label
   * @param {boolean} isUpward
   * @param {() => void} [leave]
   */
  chart(label, isUpward, leave) {
    return new FlameChart(
      `${label} Arrow keys walk, Enter zooms in, Escape out, f opens the function, s shows its callers and ` +
        "callees as flame graphs.",
      isUpward,
      {
        text: (node, full) => this.label(node, full),
        colour: (node) => this.colour(node),
        told: (node) => this.tell(node),
        leave,
        more: (key, node) => this.open(key, node),
      },
    );
  }

  reset() {
    this.charts.forEach((chart) => chart.reset());
  }

  // ---- What changed

  /**
   * By how much a node's cost changed: its own, as far as it has one, or with all that it calls.
   * @param {StackNode} node
   */
  change(node) {
    if (this.colourBy === "own" && node.self !== undefined) return node.self - (node.oldSelf ?? 0);
    return node.value - (node.old ?? 0);
  }

  /**
   * The change that a colour shows: none where the function costs what it did, and only how that is
   * apportioned to callers differs.
   * @param {StackNode} node
   */
  knownChange(node) {
    const isSame = Math.abs(this.known?.get(node.function) ?? 0) < this.least;
    return isSame && this.isApportioned(node) ? 0 : this.change(node);
  }

  /**
   * Whether the cost of a node is a share: it has several callers and calls others itself, or is below one
   * that has.
   * @param {StackNode} node
   */
  isApportioned(node) {
    const { profile } = this.page;
    if (profile.head.paths || !profile.head.guess) return false;
    /** @type {StackNode | null | undefined} */
    let at = node;
    if (this.colourBy !== "own" || !profile.callees(node.function).length) at = node.parent;
    for (; at && at.function >= 0; at = at.parent) {
      if (profile.callers(at.function).length > 1) return true;
    }
    return false;
  }

  mostChange() {
    const nodes = allBelow(this.tree);
    return nodes.reduce((most, node) => Math.max(most, Math.abs(this.change(node))), 1);
  }

  /** What the colours are, in numbers. */
  legend() {
    const said = this.colourBy === "own" ? "own" : "with callees";
    return [
      choice(
        "What the colours show",
        [
          ["own", "Own change"],
          ["all", "with callees"],
        ],
        this.colourBy,
        (by) => {
          this.page.choices.flameColour = by;
          this.page.redraw();
        },
      ),
      changeLegend(this.scale, this.least, `${this.page.eventName} ${said}`),
    ];
  }

  // ---- What a frame says

  /** @param {StackNode} node */
  label(node, isFull = false) {
    const { value, old, self, oldSelf = 0 } = node;
    const cost = `${count(value)} ${this.page.eventName}, ${percent(value, this.tree.value)}`;
    const text = `${isFull ? node.full : node.name}: ${cost}`;
    if (old === undefined) return text;
    const own = self === undefined || node === this.tree ? "" : `, own ${signed(self - oldSelf)}`;
    return `${text}, ${signed(value - old)}${own}`;
  }

  /** @param {StackNode} node */
  colour(node) {
    if (this.isCompared && node.function >= 0) {
      return changeColour(this.knownChange(node), this.scale, this.least);
    }
    if (node.function < 0) return "var(--neutral)";
    return objectColour(this.page.profile.objectNumber(node.function), node.name);
  }

  /** @param {StackNode} node */
  tell(node) {
    const { function: row } = node;
    const { profile } = this.page;
    this.details.replaceChildren(
      element("span", { class: "said" }, this.label(node)),
      ...(row < 0
        ? []
        : [
            element("span", { class: "note" }, profile.tail(profile.object(row))),
            link(`calls/${row}`, "Callers and callees", { tabindex: "-1" }),
            link(`flame/sandwich/${row}`, "Flame graphs of it", { tabindex: "-1" }),
          ]),
    );
  }

  /**
   * Open what a key says of a node; whether there is such a key.
   * @param {string} key
   * @param {StackNode} node
   */
  open(key, { function: row }) {
    const hash = row >= 0 && stepOf(key, { f: `calls/${row}`, s: `flame/sandwich/${row}` });
    if (hash) this.page.open(hash);
    return Boolean(hash);
  }

  /** @param {string} text */
  find(text) {
    if (!this.charts.every((chart) => chart.isDrawn)) return;
    const isWanted = text.trim() ? onPath(this.page.profile, text) : null;
    const found = this.charts.flatMap((chart) => chart.search(isWanted) ?? []);
    const frames = found.reduce((sum, one) => sum + one.frames, 0);
    const said =
      found.length === 1
        ? `, ${count(found[0].sum)} ${this.page.eventName}, ${percent(found[0].sum, found[0].total)}`
        : "";
    this.page.status(found.length ? `${count(frames)} ${frames === 1 ? "frame" : "frames"}${said}` : "");
  }
}

/** All stacks, below one frame for the program. */
class Whole extends Flame {
  /** @param {Page} page */
  constructor(page) {
    super(page);
    const from = page.choices.flameFrom;
    const all = this.chart("Flame graph.", from === "bottom");
    const order = choice(
      "Callers",
      [
        ["bottom", "Callers at the bottom"],
        ["top", "at the top"],
      ],
      from,
      (other) => {
        page.choices.flameFrom = other;
        page.redraw();
      },
    );
    this.node = this.assembled("", order, [all], () => {
      this.tell(this.tree); // the chart has the height that is left
      all.draw(this.tree);
    });
    this.node.append(all.node);
  }
}

/** A function between its callers, which stand above it, and its callees. */
class Sandwich extends Flame {
  /**
   * @param {Page} page
   * @param {string} row
   */
  constructor(page, row) {
    super(page);
    const { profile, event } = page;
    const chosen = profile.count ? chosenFunction(page, row, () => costliest(profile, event)) : -1;
    const key = chosen < 0 ? "" : keyOf(profile, chosen);
    const callers = callersOf(this.tree, key);
    const callees = calleesOf(this.tree, key);
    this.node = callers && callees ? this.halves(callers, callees) : this.nothing(chosen);
  }

  /**
   * What is said where no stack has the function.
   * @param {number} chosen
   */
  nothing(chosen) {
    const { page } = this;
    const said =
      chosen < 0
        ? "The profile has no functions."
        : `No stack that is shown has ${page.profile.name(chosen)} in it; ` +
          "choose another function in the list of functions.";
    return element("div", { class: "filled" }, bar(page, "sandwich"), plain(said));
  }

  /**
   * @param {StackNode} callers
   * @param {StackNode} callees
   */
  halves(callers, callees) {
    const above = this.chart("Callers.", true, () => below.node.focus());
    const below = this.chart("Callees.", false, () => above.node.focus());
    const node = this.assembled("sandwich", null, [above, below], () => {
      this.tell(callees); // charts have the height that is left
      above.draw(callers, true);
      below.draw(callees, true);
    });
    node.append(
      element(
        "div",
        { class: "sandwich" },
        this.half(above, `Callers of ${callers.name}`),
        this.half(below, "What it calls"),
      ),
    );
    return node;
  }

  /**
   * @param {FlameChart} chart
   * @param {string} title
   */
  half(chart, title) {
    return element("section", {}, element("h2", {}, title), chart.node);
  }
}

/**
 * The function with most cost of its own.
 * @param {Profile} profile
 * @param {number} event
 */
function costliest(profile, event) {
  let found = 0;
  for (let row = 1; row < profile.count; row += 1) {
    if (profile.self(row, event) > profile.self(found, event)) found = row;
  }
  return found;
}
