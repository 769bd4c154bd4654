// The call graph as a picture: functions as boxes, callers above callees.

import { greatest, max } from "d3-array";
import { select } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform } from "d3-zoom";
import { changeColour } from "../colours.js";
import { choice, drawn, element, link, plain, stepOf } from "../dom.js";
import { count, percent, signed } from "../format.js";
import { pictured } from "../callgraph.js";
import { arrowHead, drawing, savedDrawing } from "../drawing.js";
import { leftOut } from "../left.js";
import { changeLegend } from "../legend.js";
import "../graph.css";

/** @import { Arrow, Drawn, GraphSettings, Page, View } from "../types" */

const LEGIBLE = 0.7; // how small the picture is shown to fit, at first
const USUAL = 0.8; // its scale when it does not
const SHARES = [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];
const FAR = 1000; // calls away
const STEPS = [0, 1, 2, 3, 4, 6, 10, FAR];
const PANNED = 80; // pixels by a key
const ZOOMED = 1.25;

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/**
 * @template {keyof GraphSettings} Name
 * @typedef {object} Choice what can be chosen, and what is at first
 * @property {string} text
 * @property {string} [title]
 * @property {GraphSettings[Name][]} values
 * @property {GraphSettings[Name]} first
 * @property {(value: GraphSettings[Name]) => string} said
 * @property {boolean} [whole] of the whole program only
 * @property {boolean} [around] around a function only
 */

/**
 * `least` and `leastCalls` are shares.
 * @type {{ [Name in Exclude<keyof GraphSettings, "folds">]: Choice<Name> }}
 */
const CHOICES = {
  most: {
    text: "Functions",
    title: "How many are drawn at most",
    values: [10, 20, 30, 50, 100, 200, 400],
    first: 30,
    said: String,
  },
  by: { text: "by", values: ["inclusive", "self"], first: "inclusive", said: String, whole: true },
  least: { text: "of at least", values: SHARES, first: 0.01, said: saidShare },
  leastCalls: { text: "Calls of at least", values: SHARES, first: 0.005, said: saidShare },
  up: { text: "Callers up to", values: STEPS, first: 2, said: saidSteps, around: true },
  down: { text: "Callees up to", values: STEPS, first: 3, said: saidSteps, around: true },
};

/** @type {GraphSettings} */
const FIRST = {
  most: CHOICES.most.first,
  by: CHOICES.by.first,
  least: CHOICES.least.first,
  leastCalls: CHOICES.leastCalls.first,
  up: CHOICES.up.first,
  down: CHOICES.down.first,
  folds: true,
};

/** @typedef {ReturnType<typeof drawing>} Picture */

/**
 * By how much arrows move the picture.
 * @type {Record<string, [x: number, y: number]>}
 */
const PANS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @param {number} share */
function saidShare(share) {
  return `${100 * share} %`;
}

/** @param {number} steps */
function saidSteps(steps) {
  return steps === FAR ? "all" : String(steps);
}

/** @type {View} */
export const graph = {
  name: "graph",
  title: "Call graph",
  hint: "Who calls whom, as a picture",
  shown: () => true,
  refers: "function",
  needs: ["arcs", "comparison"],
  draw: (page, argument) => new CallGraph(page, argument).node,
};

class CallGraph {
  /**
   * @param {Page} page
   * @param {string} argument
   */
  constructor(page, argument) {
    this.page = page;
    this.profile = page.profile;
    this.centre = this.chosenCentre(argument);
    page.choices.graph ??= { ...FIRST };
    this.settings = page.choices.graph;
    this.changes = this.profile.changesOfSelf(page.event);
    this.mostChanged = max(this.changes?.values() ?? [], Math.abs) || 1;
    this.leastChanged = this.changes ? this.profile.leastChange(page.event) : 0;
    /** @type {number[]} the functions that are drawn */
    this.rows = [];
    /** @type {Arrow[]} */
    this.arrows = [];
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {Map<number, SVGGElement> | null} of the functions that are drawn */
    this.nodes = null;
    this.at = -1; // the function that is walked to
    /** @type {import("d3-zoom").ZoomBehavior<SVGSVGElement, unknown>} */
    this.zoom = zoom();
    this.svg = drawn("svg", {
      class: "graph-chart",
      role: "group",
      "aria-label":
        "Call graph. Up and down go to the most expensive caller and callee, left and right by cost; " +
        "Enter centres, Escape shows the whole, plus and minus zoom, f opens the function.",
    });
    this.details = element("div", { class: "details", "aria-live": "polite" });
    this.said = element("span", { class: "note left" });
    this.chart = element("div", { class: "graph-place" });
    /** @type {Drawn} */
    this.node = element(
      "div",
      { class: "filled", onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
      this.bar(),
      element("div", { class: "bar graph-said" }, this.said, this.legend()),
      this.details,
      this.chart,
    );
    this.node.shown = () => this.start();
    this.node.searched = (text) => this.find(text);
  }

  /**
   * The function in the middle, or null; without an argument, as last time.
   * @param {string} argument
   */
  chosenCentre(argument) {
    const { page } = this;
    const row = Number.parseInt(argument, 10);
    if (row >= 0 && row < this.profile.count) {
      page.chooseFunction(row);
      page.choices.isGraphAround = true;
    } else if (argument === "all") page.choices.isGraphAround = false;
    if (!page.choices.isGraphAround || page.function === undefined) return null;
    page.keepArgument(String(page.function)); // stays in the middle when another function is chosen
    return page.function;
  }

  // ---- What can be chosen

  bar() {
    const isAround = this.centre !== null;
    const scope = choice(
      "What is drawn",
      [
        ["all", "Whole program"],
        ["around", "Around a function"],
      ],
      isAround ? "around" : "all",
      (name) => this.page.open(name === "all" ? "graph/all" : `graph/${this.chosen}`),
    );
    const names = /** @type {(keyof typeof CHOICES)[]} */ (Object.keys(CHOICES));
    const selects = names
      .filter((name) => (isAround ? !CHOICES[name].whole : !CHOICES[name].around))
      .map((name) => this.select(name));
    return element(
      "div",
      { class: "bar graph-bar" },
      scope,
      selects,
      isAround ? null : this.folds(),
      element(
        "span",
        { class: "choice" },
        toolButton("smaller", "−", () => this.zoomBy(1 / ZOOMED), "Zoom out"),
        toolButton("larger", "+", () => this.zoomBy(ZOOMED), "Zoom in"),
        toolButton("fit", "Fit", () => this.fit(0), "Show all of the picture"),
        toolButton("save", "SVG", () => this.save(), "Save the picture as a file"),
      ),
    );
  }

  /**
   * @template {keyof typeof CHOICES} Name
   * @param {Name} name
   */
  select(name) {
    const { text, title, values, said } = /** @type {Choice<Name>} */ (CHOICES[name]);
    const options = values.map((value) =>
      element("option", { value, selected: value === this.settings[name] }, said(value)),
    );
    const chooser = element("select", {
      id: `graph-${name}`,
      onchange: () => {
        this.settings[name] = values[chooser.selectedIndex];
        this.update();
      },
    });
    chooser.append(...options);
    return element("label", { title }, `${text} `, chooser);
  }

  folds() {
    const { settings } = this;
    return element(
      "label",
      { title: "Functions that hand 95 % of their cost or more on to one callee" },
      element("input", {
        type: "checkbox",
        id: "graph-folds",
        checked: !settings.folds,
        onchange: () => {
          settings.folds = !settings.folds;
          this.update();
        },
      }),
      " also handing on",
    );
  }

  legend() {
    const cycles = this.profile.functions.cycle.some((cycle) => cycle > 0) ? "; dashed: recursion" : "";
    if (!this.changes) {
      return element(
        "span",
        { class: "legend" },
        element("i", { class: "hot" }),
        `the redder, the more self cost${cycles}`,
      );
    }
    return changeLegend(this.mostChanged, this.leastChanged, `${this.page.eventName} own${cycles}`);
  }

  // ---- The picture

  /** The function that is chosen in all views, or the most expensive one. */
  get chosen() {
    return this.page.function ?? this.rows[0] ?? 0;
  }

  start() {
    this.zoom
      .scaleExtent([0.02, 4])
      .clickDistance(4)
      .on("zoom", ({ transform }) => this.picture?.scene.setAttribute("transform", transform));
    select(this.svg).call(this.zoom).on("dblclick.zoom", null);
    this.update();
  }

  update() {
    const { page, profile } = this;
    const shown = pictured(profile, { ...this.settings, centre: this.centre, event: page.event });
    this.rows = shown.functions;
    this.arrows = shown.arrows;
    this.details.replaceChildren();
    this.said.replaceChildren(...this.leftOut(shown));
    if (!this.rows.length) {
      this.chart.replaceChildren(
        plain(
          `No function has ${saidShare(this.settings.least)} of ${page.eventName}; ` +
            "a smaller share can be chosen above.",
        ),
      );
      return;
    }
    this.chart.replaceChildren(this.svg);
    this.picture = this.drawing();
    this.nodes = new Map(this.picture.boxes.map(({ id, node }) => [id, node]));
    this.svg.replaceChildren(arrowHead(), this.picture.scene);
    this.mark();
    this.walkTo(this.rows.includes(this.chosen) ? this.chosen : this.rows[0], false);
    this.fit(LEGIBLE);
    this.find(page.search);
  }

  drawing() {
    const boxes = this.rows.map((row) => this.box(row));
    const most = max(this.arrows, (arrow) => this.cost(arrow)) || 1;
    const arrows = this.arrows.map((arrow) => this.arrow(arrow, most));
    const picture = drawing(this.chart, boxes, arrows);
    for (const { id, node } of picture.boxes) this.listen(id, node);
    return picture;
  }

  /**
   * @param {number} id
   * @param {SVGGElement} node
   */
  listen(id, node) {
    node.addEventListener("click", () => this.choose(id));
    node.addEventListener("dblclick", () => this.page.open(`graph/${id}`));
    node.addEventListener("focus", () => this.tell(id));
    node.addEventListener("mouseenter", () => this.tell(id));
  }

  /** @param {number} row */
  box(row) {
    const { profile } = this;
    const { event } = this.page;
    const total = profile.total(event);
    const own = profile.self(row, event);
    const classes = [this.changes ? "light" : "", profile.functions.cycle[row] ? "in-cycle" : ""];
    return {
      id: row,
      name: profile.name(row),
      title: `${profile.fullName(row)}: ${this.words(row)}`,
      fill: this.colour(row),
      classes: classes.join(" "),
      figures: `${percent(profile.inclusive(row, event), total)}, self ${percent(own, total)}`,
    };
  }

  /**
   * @param {Arrow} arrow
   * @param {number} most
   */
  arrow(arrow, most) {
    const { profile } = this;
    const { event, eventName } = this.page;
    const { callee, count: counts } = profile.table("arcs");
    const { from, to, arcs } = arrow;
    const said = [from, ...arcs.map((arc) => callee[arc])].map((row) => profile.fullName(row)).join(" → ");
    if (arrow.isWay) {
      return {
        from,
        to,
        share: 0,
        classes: "some-way",
        figures: "…",
        title: `${said}: the way by the most expensive callers`,
      };
    }
    const cost = this.cost(arrow);
    const times = counts[arcs[0]];
    const about = profile.isEstimated(callee[arcs[0]]) ? "~" : "";
    const { cycle } = profile.functions;
    const isInside = from === to || (cycle[from] > 0 && cycle[from] === cycle[to]);
    const share = percent(cost, profile.total(event));
    const calls = `${about}${count(times)} ${times === 1 ? "call" : "calls"}`;
    return {
      from,
      to,
      share: Math.max(0, cost / most),
      classes: isInside ? "in-cycle" : "",
      figures: `${cost ? `${share} · ` : ""}${about}${compact.format(times)}×${arcs.length > 1 ? " …" : ""}`,
      title: `${said}: ${count(cost)} ${eventName}, ${share}, ${calls}${isInside ? ", in a recursion" : ""}`,
    };
  }

  /**
   * What the calls cost that an arrow begins with; 0 if they are not all that lead along it.
   * @param {Arrow} given
   */
  cost({ arcs, isWay }) {
    return isWay ? 0 : this.profile.value(this.profile.table("arcs").inclusive, arcs[0], this.page.event);
  }

  // ---- Colours

  /** @param {number} row */
  colour(row) {
    if (this.changes) return changeColour(this.changes.get(row) ?? 0, this.mostChanged, this.leastChanged);
    const { profile } = this;
    const { event } = this.page;
    const most = profile.once(
      `most self of ${event}`,
      () => max(Array.from({ length: profile.count }, (_, at) => profile.self(at, event))) || 1,
    );
    const heat = Math.max(0, profile.self(row, event) / most) ** 0.6;
    return `color-mix(in srgb, var(--hot) ${(60 * heat).toFixed(0)}%, var(--raised))`;
  }

  // ---- What is said

  /** @param {number} row */
  words(row) {
    const { profile } = this;
    const { event, eventName } = this.page;
    const total = profile.total(event);
    const cost = profile.inclusive(row, event);
    const own = profile.self(row, event);
    const change = this.changes ? `, own ${signed(this.changes.get(row) ?? 0)}` : "";
    const cycle = profile.functions.cycle[row];
    return (
      `${count(cost)} ${eventName}, ${percent(cost, total)}, ` +
      `self ${count(own)}, ${percent(own, total)}${change}${cycle ? `, in cycle ${cycle}` : ""}`
    );
  }

  /** @param {number} row */
  tell(row) {
    const { profile } = this;
    const arcs = this.drawnArcs();
    const hidden = (/** @type {number[]} */ all, /** @type {string} */ what) => {
      const number = all.filter((arc) => !arcs.has(arc)).length;
      return number ? [`${count(number)} ${what}${number > 1 ? "s" : ""}`] : [];
    };
    const rest = [...hidden(profile.callers(row), "caller"), ...hidden(profile.callees(row), "callee")];
    this.details.replaceChildren(
      element("span", { class: "said", title: profile.fullName(row) }, profile.name(row)),
      element("span", { class: "figures" }, this.words(row)),
      ...(rest.length ? [element("span", { class: "note" }, `not drawn: ${rest.join(", ")}`)] : []),
      link(`calls/${row}`, "Callers and callees", { tabindex: "-1" }),
      ...(row === this.centre ? [] : [link(`graph/${row}`, "Centre", { tabindex: "-1" })]),
    );
  }

  drawnArcs() {
    return new Set(this.arrows.flatMap(({ arcs }) => arcs));
  }

  /**
   * How much is drawn, and what is not.
   * @param {{ many: number, small: number, folded: number }} given
   */
  leftOut({ many, small, folded }) {
    const { profile, centre, rows } = this;
    const { event, eventName } = this.page;
    const own = rows.reduce((sum, row) => sum + profile.self(row, event), 0);
    const total = profile.total(event);
    const { most, least } = this.settings;
    const left = [
      small ? `${count(small)} of less than ${saidShare(least)}` : null,
      folded ? `${count(folded)} that hand 95 % on to one callee` : null,
      many ? `${count(many)} because no more than ${count(most)} are drawn` : null,
    ].filter(Boolean);
    const of =
      centre === null ? "" : ` Shares to be drawn are of the inclusive cost of ${profile.name(centre)}.`;
    const pairs = profile.table("arcs").count.length;
    const note = leftOut(this.page, "arcs");
    return [
      `${count(rows.length)} of ${count(profile.count)} functions are drawn, whose self cost is ` +
        `${percent(own, total) || "nothing"}${total ? ` of all ${eventName}` : ""}, ` +
        `and ${count(this.drawnArcs().size)} of ${count(pairs)} pairs of caller and callee.` +
        `${left.length ? ` Left out${centre === null ? "" : " nearby"}: ${left.join(", ")}.` : ""}${of}`,
      ...(note ? [note] : []),
    ];
  }

  // ---- What is chosen, and searched for

  /** @param {number} row */
  choose(row) {
    this.page.chooseFunction(row);
    this.mark();
    this.walkTo(row);
  }

  /** Mark the function that is chosen. */
  mark() {
    for (const [row, node] of this.nodes ?? []) {
      node.classList.toggle("chosen", row === this.page.function);
      node.classList.toggle("centre", row === this.centre);
    }
  }

  /** @param {string} text */
  find(text) {
    if (!this.nodes) return;
    const wanted = new Set(text.trim() ? this.profile.matching(text) : []);
    for (const [row, node] of this.nodes) node.classList.toggle("found", wanted.has(row));
    const found = this.rows.filter((row) => wanted.has(row));
    this.page.status(
      text.trim() ? `${count(found.length)} of ${count(wanted.size)} found functions are drawn` : "",
    );
    if (found.length) this.reveal(found[0]);
  }

  // ---- Keys

  /** @param {KeyboardEvent} event */
  key(event) {
    const isHere = event.target instanceof Element && event.target.closest(".graph-chart");
    if (!isHere || event.ctrlKey || event.altKey || event.metaKey) return;
    const pan = stepOf(event.key, PANS);
    if (event.shiftKey && pan) this.panBy(...pan);
    else if (pan) this.walkTo(this.neighbour(event.key));
    else if (event.key === "Home") this.walkTo(this.rows[0]);
    else if (event.key === "End") this.walkTo(this.rows[this.rows.length - 1]);
    else if (event.key === "Enter") this.page.open(`graph/${this.at}`);
    else if (event.key === " ") this.choose(this.at);
    else if (event.key === "Escape") this.page.open("graph/all");
    else if (event.key === "f") this.page.open(`calls/${this.at}`);
    else if (event.key === "+" || event.key === "=") this.zoomBy(ZOOMED);
    else if (event.key === "-") this.zoomBy(1 / ZOOMED);
    else return;
    event.preventDefault();
  }

  /**
   * The function that an arrow leads to.
   * @param {string} key
   */
  neighbour(key) {
    const step = stepOf(key, { ArrowLeft: -1, ArrowRight: 1 });
    if (step) return this.rows[this.rows.indexOf(this.at) + step] ?? this.at;
    const here = (/** @type {Arrow} */ arrow) => (key === "ArrowUp" ? arrow.to : arrow.from);
    const there = (/** @type {Arrow} */ arrow) => (key === "ArrowUp" ? arrow.from : arrow.to);
    const arrows = this.arrows.filter((arrow) => here(arrow) === this.at && there(arrow) !== this.at);
    const most = greatest(arrows, (a, b) => this.cost(a) - this.cost(b));
    return most ? there(most) : this.at;
  }

  /** @param {number} row */
  walkTo(row, focus = true) {
    this.nodes?.get(this.at)?.setAttribute("tabindex", "-1");
    this.at = row;
    const node = this.nodes?.get(row);
    node?.setAttribute("tabindex", "0");
    this.tell(row);
    if (!focus) return;
    this.reveal(row);
    node?.focus({ preventScroll: true });
  }

  // ---- Zoom

  get view() {
    return [this.svg.clientWidth || 900, this.svg.clientHeight || 600];
  }

  /** @param {number} factor */
  zoomBy(factor) {
    select(this.svg).call(this.zoom.scaleBy, factor);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  panBy(x, y) {
    const { k } = zoomTransform(this.svg);
    select(this.svg).call(this.zoom.translateBy, (x * PANNED) / k, (y * PANNED) / k);
  }

  /** @param {number} row */
  boxOf(row) {
    return this.picture?.boxes.find(({ id }) => id === row);
  }

  /**
   * Show all of the picture; if that were smaller than `least`, what is around its most important function.
   * @param {number} least
   */
  fit(least) {
    const [width, height] = this.view;
    const size = this.picture?.size;
    const box = this.boxOf(this.centre ?? this.rows[0]);
    if (!size || !box) return;
    const all = Math.min(1, width / size.width, height / size.height);
    const scale = all < least ? USUAL : all;
    const place = (
      /** @type {number} */ length,
      /** @type {number} */ whole,
      /** @type {number} */ middle,
    ) =>
      whole * scale <= length
        ? (length - whole * scale) / 2
        : Math.min(0, Math.max(length - whole * scale, length / 2 - middle * scale));
    select(this.svg).call(
      this.zoom.transform,
      zoomIdentity.translate(place(width, size.width, box.x), place(height, size.height, box.y)).scale(scale),
    );
  }

  /**
   * Bring a function into sight.
   * @param {number} row
   */
  reveal(row) {
    const box = this.boxOf(row);
    if (!box) return;
    const { k, x, y } = zoomTransform(this.svg);
    const [width, height] = this.view;
    const outside = (
      /** @type {number} */ middle,
      /** @type {number} */ half,
      /** @type {number} */ length,
    ) => middle - half < 0 || middle + half > length;
    if (
      outside(box.x * k + x, (box.width * k) / 2, width) ||
      outside(box.y * k + y, (box.height * k) / 2, height)
    ) {
      select(this.svg).call(this.zoom.translateTo, box.x, box.y);
    }
  }

  save() {
    if (!this.picture) return;
    const text = savedDrawing(this.svg, this.picture.size);
    const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    element("a", { href: address, download: "callgraph.svg" }).click();
    URL.revokeObjectURL(address);
  }
}

/**
 * @param {string} name
 * @param {string} text
 * @param {() => void} act
 * @param {string} title
 */
function toolButton(name, text, act, title) {
  return element("button", { type: "button", class: name, title, "aria-label": title, onclick: act }, text);
}
