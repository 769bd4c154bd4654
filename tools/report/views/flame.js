// The flame graph: which calls led to costs. Of the whole program; of one function, with its callers above and its
// callees below; and as tables, paths from the top down, and functions with their callers.

import { choice, element, link, plain } from "../dom.js";
import { base, count, percent, signed } from "../format.js";
import { changeColour, objectColour } from "../colours.js";
import { FlameChart } from "../flamechart.js";
import { leftOut } from "../left.js";
import { changeLegend } from "../legend.js";
import { below, calleesOf, callersOf, keyOf, onPath, stackTree } from "../stacktree.js";
import { bottomUpTable } from "./bottomup.js";
import { topDownTable } from "./topdown.js";
import { chosenFunction } from "./calls.js";

export const flame = {
  name: "flame",
  title: "Flame graph",
  hint: "Which calls led to costs",
  shown: (profile) => profile.has("stacks"),
  refers: "function",
  needs: ["stacks", "comparison"],
  draw: (page, argument) => {
    const [name, row] = argument.split("/");
    if (name === "top-down") return drawTopDown(page);
    if (name === "bottom-up") return drawBottomUp(page);
    return (name === "sandwich" ? new Sandwich(page, row) : new Whole(page)).node;
  },
};

const WAYS = [
  ["", "Whole program"],
  ["sandwich", "One function"],
  ["top-down", "From the top down"],
  ["bottom-up", "From the bottom up"],
];

/** What stands above each of the ways to show stacks. */
function bar(page, way, ...others) {
  const { head } = page.profile;
  return element(
    "div",
    { class: "bar" },
    choice("What is shown", WAYS, way, (name) => page.open(name ? `flame/${name}` : "flame")),
    others.flat(),
    head.guess ? element("span", { class: "note" }, head.guess) : null,
    head.paths
      ? element("span", { class: "note" }, `Exact: each of ${count(head.paths)} paths of calls was counted.`)
      : null,
    leftOut(page, "stacks"),
  );
}

function drawTopDown(page) {
  const grid = topDownTable(page, stackTree(page, true));
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
  node.searched = (text) => grid.filter(text);
  return node;
}

function drawBottomUp(page) {
  const grid = bottomUpTable(page);
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
  node.searched = (text) => grid.filter(text);
  return node;
}

/** What flame graphs have in common. */
class Flame {
  constructor(page) {
    this.page = page;
    this.isCompared = page.profile.has("comparison");
    this.colourBy = page.flameColour ?? "own";
    this.tree = stackTree(page);
    this.scale = this.isCompared ? this.mostChange() : 0;
    this.details = element("div", { class: "details", "aria-live": "polite" });
  }

  /** The node of the view: bar, details and charts, which are drawn once they are on the page. */
  assembled(way, tools, ...charts) {
    this.charts = charts;
    const reset = charts.length
      ? element("button", { type: "button", class: "reset", onclick: () => this.reset() }, "Whole graph")
      : null;
    const node = element(
      "div",
      { class: "filled" },
      bar(this.page, way, tools, reset, this.isCompared ? this.legend() : []),
      this.details,
    );
    node.searched = (text) => this.find(text);
    node.closed = () => this.charts.forEach((chart) => chart.close());
    node.shown = () => {
      this.start();
      if (this.page.search) this.find(this.page.search);
    };
    return node;
  }

  chart(label, isUpward, leave) {
    return new FlameChart(
      `${label} Arrow keys walk, Enter zooms in, Escape out, f opens the function, s shows its callers and callees as flame graphs.`,
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

  /** By how much a node's cost changed: its own, as far as it has one, or with all that it calls. */
  change(node) {
    if (this.colourBy === "own" && node.self !== undefined) return node.self - node.oldSelf;
    return node.value - node.old;
  }

  mostChange() {
    const nodes = below(this.tree);
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
          this.page.flameColour = by;
          this.page.redraw();
        },
      ),
      changeLegend(this.scale, `${this.page.eventName} ${said}`),
    ];
  }

  // ---- What a frame says

  label(node, isFull = false) {
    const { value, old, self, oldSelf } = node;
    const text = `${isFull ? node.full : node.name}: ${count(value)} ${this.page.eventName}, ${percent(value, this.tree.value)}`;
    if (old === undefined) return text;
    return `${text}, ${signed(value - old)}${self === undefined || node === this.tree ? "" : `, own ${signed(self - oldSelf)}`}`;
  }

  colour(node) {
    if (this.isCompared && node.function >= 0) return changeColour(this.change(node), this.scale);
    if (node.function < 0) return "var(--neutral)";
    return objectColour(this.page.profile.objectNumber(node.function), node.name);
  }

  tell(node) {
    const { function: row } = node;
    const { profile } = this.page;
    this.details.replaceChildren(
      element("span", { class: "said" }, this.label(node)),
      ...(row < 0
        ? []
        : [
            element("span", { class: "note" }, base(profile.object(row))),
            link(`calls/${row}`, "Callers and callees", { tabindex: "-1" }),
            link(`flame/sandwich/${row}`, "Flame graphs of it", { tabindex: "-1" }),
          ]),
    );
  }

  open(key, { function: row }) {
    const hash = row >= 0 && { f: `calls/${row}`, s: `flame/sandwich/${row}` }[key];
    if (hash) this.page.open(hash);
    return Boolean(hash);
  }

  find(text) {
    if (!this.charts.every((chart) => chart.graph)) return;
    const isWanted = text.trim() ? this.wanted(text) : null;
    const found = this.charts.map((chart) => chart.search(isWanted)).filter(Boolean);
    const frames = found.reduce((sum, one) => sum + one.frames, 0);
    const said =
      found.length === 1
        ? `, ${count(found[0].sum)} ${this.page.eventName}, ${percent(found[0].sum, found[0].total)}`
        : "";
    this.page.status(found.length ? `${count(frames)} ${frames === 1 ? "frame" : "frames"}${said}` : "");
  }

  wanted(text) {
    return onPath(this.page.profile, text);
  }
}

/** All stacks, below one frame for the program. */
class Whole extends Flame {
  constructor(page) {
    super(page);
    const from = page.flameFrom ?? "bottom";
    this.all = this.chart("Flame graph.", from === "bottom");
    const order = choice(
      "Callers",
      [
        ["bottom", "Callers at the bottom"],
        ["top", "at the top"],
      ],
      from,
      (other) => {
        page.flameFrom = other;
        page.redraw();
      },
    );
    this.node = this.assembled("", order, this.all);
    this.node.append(this.all.node);
  }

  start() {
    this.tell(this.tree); // the chart has the height that is left
    this.all.draw(this.tree);
  }
}

/** A function between its callers, which stand above it, and its callees. */
class Sandwich extends Flame {
  constructor(page, row) {
    super(page);
    const { profile, event } = page;
    const chosen = profile.count ? chosenFunction(page, row, () => costliest(profile, event)) : -1;
    const key = chosen < 0 ? "" : keyOf(profile, chosen);
    this.callers = callersOf(this.tree, key);
    this.callees = calleesOf(this.tree, key);
    if (!this.callers) {
      this.node = element(
        "div",
        { class: "filled" },
        bar(page, "sandwich"),
        plain(
          chosen < 0
            ? "The profile has no functions."
            : `No stack that is shown has ${profile.name(chosen)} in it; choose another function in the list of functions.`,
        ),
      );
      return;
    }
    this.above = this.chart("Callers.", true, () => this.below.node.focus());
    this.below = this.chart("Callees.", false, () => this.above.node.focus());
    this.node = this.assembled("sandwich", [], this.above, this.below);
    this.node.append(
      element(
        "div",
        { class: "sandwich" },
        this.half(this.above, `Callers of ${this.callers.name}`),
        this.half(this.below, "What it calls"),
      ),
    );
  }

  half(chart, title) {
    return element("section", {}, element("h2", {}, title), chart.node);
  }

  start() {
    this.tell(this.callees); // charts have the height that is left
    this.above.draw(this.callers, true);
    this.below.draw(this.callees, true);
  }
}

/** The function with most cost of its own. */
function costliest(profile, event) {
  let found = 0;
  for (let row = 1; row < profile.count; row += 1)
    if (profile.self(row, event) > profile.self(found, event)) found = row;
  return found;
}
