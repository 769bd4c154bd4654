// The call graph as a picture: functions as boxes, callers above callees.

import { greatest, max } from "d3-array";
import { select } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform } from "d3-zoom";
import { changeColour } from "../colours.js";
import { choice, drawn, element, link, plain } from "../dom.js";
import { count, percent, signed } from "../format.js";
import { pictured } from "../callgraph.js";
import { arrowHead, drawing, savedDrawing } from "../drawing.js";
import { leftOut } from "../left.js";
import { changeLegend } from "../legend.js";
import "../graph.css";

const LEGIBLE = 0.7; // how small the picture is shown to fit, at first
const USUAL = 0.8; // its scale when it does not
const SHARES = [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];
const FAR = 1000; // calls away
const PANNED = 80; // pixels by a key
const ZOOMED = 1.25;

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

// What can be chosen, and what is at first. `least` and `leastCalls` are shares.
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
  up: { text: "Callers up to", values: [0, 1, 2, 3, 4, 6, 10, FAR], first: 2, said: saidSteps, around: true },
  down: {
    text: "Callees up to",
    values: [0, 1, 2, 3, 4, 6, 10, FAR],
    first: 3,
    said: saidSteps,
    around: true,
  },
};

function saidShare(share) {
  return `${100 * share} %`;
}

function saidSteps(steps) {
  return steps === FAR ? "all" : String(steps);
}

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
  constructor(page, argument) {
    this.page = page;
    this.profile = page.profile;
    this.centre = this.chosenCentre(argument);
    page.graph ??= {
      ...Object.fromEntries(Object.entries(CHOICES).map(([name, { first }]) => [name, first])),
      folds: true,
    };
    this.changes = this.changesOfSelf();
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
    this.node = element(
      "div",
      { class: "filled", onkeydown: (event) => this.key(event) },
      this.bar(),
      element("div", { class: "bar graph-said" }, this.said, this.legend()),
      this.details,
      this.chart,
    );
    this.node.shown = () => this.start();
    this.node.searched = (text) => this.find(text);
  }

  /** The function in the middle, or null; without an argument, as last time. */
  chosenCentre(argument) {
    const { page } = this;
    const row = Number.parseInt(argument, 10);
    if (row >= 0 && row < this.profile.count) {
      page.function = row;
      page.isGraphAround = true;
    } else if (argument === "all") page.isGraphAround = false;
    if (!page.isGraphAround) return null;
    page.argument = String(page.function); // stays in the middle when another function is chosen
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
    const selects = Object.entries(CHOICES)
      .filter(([, { around, whole }]) => (isAround ? !whole : !around))
      .map(([name, what]) => this.select(name, what));
    const button = (name, text, act, title) =>
      element("button", { type: "button", class: name, title, "aria-label": title, onclick: act }, text);
    return element(
      "div",
      { class: "bar graph-bar" },
      scope,
      selects,
      isAround ? null : this.folds(),
      element(
        "span",
        { class: "choice" },
        button("smaller", "−", () => this.zoomBy(1 / ZOOMED), "Zoom out"),
        button("larger", "+", () => this.zoomBy(ZOOMED), "Zoom in"),
        button("fit", "Fit", () => this.fit(0), "Show all of the picture"),
        button("save", "SVG", () => this.save(), "Save the picture as a file"),
      ),
    );
  }

  select(name, { text, title, values, said }) {
    const { graph: settings } = this.page;
    return element(
      "label",
      { title },
      `${text} `,
      element(
        "select",
        {
          id: `graph-${name}`,
          onchange: (event) => {
            settings[name] = values.find((value) => String(value) === event.target.value);
            this.update();
          },
        },
        values.map((value) => element("option", { value, selected: value === settings[name] }, said(value))),
      ),
    );
  }

  folds() {
    const { graph: settings } = this.page;
    return element(
      "label",
      { title: "Functions that hand 95 % of their cost or more on to one callee" },
      element("input", {
        type: "checkbox",
        id: "graph-folds",
        checked: !settings.folds,
        onchange: (event) => {
          settings.folds = !event.target.checked;
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
    return changeLegend(this.mostChanged, `${this.page.eventName} own${cycles}`);
  }

  // ---- The picture

  /** The function that is chosen in all views, or the most expensive one. */
  get chosen() {
    return this.page.function ?? this.rows?.[0] ?? 0;
  }

  start() {
    this.zoom = zoom()
      .scaleExtent([0.02, 4])
      .clickDistance(4)
      .on("zoom", ({ transform }) => this.scene?.setAttribute("transform", transform));
    select(this.svg).call(this.zoom).on("dblclick.zoom", null);
    this.update();
  }

  update() {
    const { page, profile } = this;
    this.limits = { ...page.graph, centre: this.centre, event: page.event };
    const shown = pictured(profile, this.limits);
    this.rows = shown.functions;
    this.arrows = shown.arrows;
    this.details.replaceChildren();
    this.said.replaceChildren(...this.leftOut(shown));
    if (!this.rows.length) {
      this.chart.replaceChildren(
        plain(
          `No function has ${saidShare(this.limits.least)} of ${page.eventName}; a smaller share can be chosen above.`,
        ),
      );
      return;
    }
    this.chart.replaceChildren(this.svg);
    const { scene, size } = this.drawing();
    this.scene = scene;
    this.size = size;
    this.svg.replaceChildren(arrowHead(), scene);
    this.mark();
    this.walkTo(this.rows.includes(this.chosen) ? this.chosen : this.rows[0], false);
    this.fit(LEGIBLE);
    this.find(page.search);
  }

  drawing() {
    this.boxes = this.rows.map((row) => this.box(row));
    const most = max(this.arrows, (arrow) => this.cost(arrow)) || 1;
    const result = drawing(
      this.chart,
      this.boxes,
      this.arrows.map((arrow) => this.arrow(arrow, most)),
    );
    this.nodes = new Map(this.boxes.map((box) => [box.id, box.node]));
    for (const box of this.boxes) this.listen(box);
    return result;
  }

  listen({ id, node }) {
    node.addEventListener("click", () => this.choose(id));
    node.addEventListener("dblclick", () => this.page.open(`graph/${id}`));
    node.addEventListener("focus", () => this.tell(id));
    node.addEventListener("mouseenter", () => this.tell(id));
  }

  box(row) {
    const {
      profile,
      page: { event },
    } = this;
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

  arrow(arrow, most) {
    const {
      profile,
      page: { event, eventName },
    } = this;
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
    return {
      from,
      to,
      share: Math.max(0, cost / most),
      classes: isInside ? "in-cycle" : "",
      figures: `${cost ? `${share} · ` : ""}${about}${compact.format(times)}×${arcs.length > 1 ? " …" : ""}`,
      title:
        `${said}: ${count(cost)} ${eventName}, ${share}, ${about}${count(times)} ${times === 1 ? "call" : "calls"}` +
        `${isInside ? ", in a recursion" : ""}`,
    };
  }

  /** What the calls cost that an arrow begins with; 0 if they are not all that lead along it. */
  cost({ arcs, isWay }) {
    return isWay ? 0 : this.profile.value(this.profile.table("arcs").inclusive, arcs[0], this.page.event);
  }

  // ---- Colours

  /** By function, by how much its self cost changed; null if nothing is compared. */
  changesOfSelf() {
    const changes = this.profile.changesOfSelf(this.page.event);
    this.mostChanged = max(changes?.values() ?? [], Math.abs) || 1;
    return changes;
  }

  colour(row) {
    if (this.changes) return changeColour(this.changes.get(row) ?? 0, this.mostChanged);
    const {
      profile,
      page: { event },
    } = this;
    this.mostOfOne ??= max(
      profile.once(`self of ${event}`, () =>
        Array.from({ length: profile.count }, (_, at) => profile.self(at, event)),
      ),
    );
    const heat = Math.max(0, profile.self(row, event) / (this.mostOfOne || 1)) ** 0.6;
    return `color-mix(in srgb, var(--hot) ${(60 * heat).toFixed(0)}%, var(--raised))`;
  }

  // ---- What is said

  words(row) {
    const {
      profile,
      page: { event, eventName },
    } = this;
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

  tell(row) {
    const { profile } = this;
    const arcs = this.drawnArcs();
    const hidden = (all) => all.filter((arc) => !arcs.has(arc)).length;
    const rest = [
      [hidden(profile.callers(row)), "caller"],
      [hidden(profile.callees(row)), "callee"],
    ]
      .filter(([number]) => number)
      .map(([number, what]) => `${count(number)} ${what}${number > 1 ? "s" : ""}`);
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

  /** How much is drawn, and what is not. */
  leftOut({ many, small, folded }) {
    const {
      profile,
      centre,
      rows,
      limits: { event },
    } = this;
    const own = rows.reduce((sum, row) => sum + profile.self(row, event), 0);
    const { most, least } = this.limits;
    const left = [
      small ? `${count(small)} of less than ${saidShare(least)}` : null,
      folded ? `${count(folded)} that hand 95 % on to one callee` : null,
      many ? `${count(many)} because no more than ${count(most)} are drawn` : null,
    ].filter(Boolean);
    const of =
      centre === null ? "" : ` Shares to be drawn are of the inclusive cost of ${profile.name(centre)}.`;
    return [
      `${count(rows.length)} of ${count(profile.count)} functions are drawn, whose self cost is ` +
        `${percent(own, profile.total(event)) || "nothing"}${profile.total(event) ? ` of all ${this.page.eventName}` : ""}, ` +
        `and ${count(this.drawnArcs().size)} of ${count(profile.table("arcs").count.length)} pairs of caller and callee.` +
        `${left.length ? ` Left out${centre === null ? "" : " nearby"}: ${left.join(", ")}.` : ""}${of}`,
      leftOut(this.page, "arcs"),
    ].filter(Boolean);
  }

  // ---- What is chosen, and searched for

  choose(row) {
    this.page.function = row;
    this.mark();
    this.walkTo(row);
  }

  /** Mark the function that is chosen. */
  mark() {
    for (const [row, node] of this.nodes) {
      node.classList.toggle("chosen", row === this.page.function);
      node.classList.toggle("centre", row === this.centre);
    }
  }

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

  key(event) {
    if (!event.target.closest(".graph-chart") || event.ctrlKey || event.altKey || event.metaKey) return;
    const pan = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.shiftKey && pan) this.panBy(...pan);
    else if (pan) this.walkTo(this.neighbour(event.key));
    else if (event.key === "Home") this.walkTo(this.rows[0]);
    else if (event.key === "End") this.walkTo(this.rows.at(-1));
    else if (event.key === "Enter") this.page.open(`graph/${this.at}`);
    else if (event.key === " ") this.choose(this.at);
    else if (event.key === "Escape") this.page.open("graph/all");
    else if (event.key === "f") this.page.open(`calls/${this.at}`);
    else if (event.key === "+" || event.key === "=") this.zoomBy(ZOOMED);
    else if (event.key === "-") this.zoomBy(1 / ZOOMED);
    else return;
    event.preventDefault();
  }

  /** The function that an arrow leads to. */
  neighbour(key) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step) return this.rows[this.rows.indexOf(this.at) + step] ?? this.at;
    const [here, there] = key === "ArrowUp" ? ["to", "from"] : ["from", "to"];
    const arrows = this.arrows.filter((arrow) => arrow[here] === this.at && arrow[there] !== this.at);
    return arrows.length ? greatest(arrows, (a, b) => this.cost(a) - this.cost(b))[there] : this.at;
  }

  walkTo(row, focus = true) {
    this.nodes.get(this.at)?.setAttribute("tabindex", "-1");
    this.at = row;
    const node = this.nodes.get(row);
    node.setAttribute("tabindex", "0");
    this.tell(row);
    if (!focus) return;
    this.reveal(row);
    node.focus({ preventScroll: true });
  }

  // ---- Zoom

  get view() {
    return [this.svg.clientWidth || 900, this.svg.clientHeight || 600];
  }

  zoomBy(factor) {
    select(this.svg).call(this.zoom.scaleBy, factor);
  }

  panBy(x, y) {
    const { k } = zoomTransform(this.svg);
    select(this.svg).call(this.zoom.translateBy, (x * PANNED) / k, (y * PANNED) / k);
  }

  /** Show all of the picture; if that were smaller than `least`, what is around its most important function. */
  fit(least) {
    const [width, height] = this.view;
    const all = Math.min(1, width / this.size.width, height / this.size.height);
    const scale = all < least ? USUAL : all;
    const box = this.boxes.find(({ id }) => id === (this.centre ?? this.rows[0]));
    const place = (length, whole, middle) =>
      whole * scale <= length
        ? (length - whole * scale) / 2
        : Math.min(0, Math.max(length - whole * scale, length / 2 - middle * scale));
    select(this.svg).call(
      this.zoom.transform,
      zoomIdentity
        .translate(place(width, this.size.width, box.x), place(height, this.size.height, box.y))
        .scale(scale),
    );
  }

  /** Bring a function into sight. */
  reveal(row) {
    const box = this.boxes.find(({ id }) => id === row);
    const { k, x, y } = zoomTransform(this.svg);
    const [width, height] = this.view;
    const outside = (middle, half, length) => middle - half < 0 || middle + half > length;
    if (
      outside(box.x * k + x, (box.width * k) / 2, width) ||
      outside(box.y * k + y, (box.height * k) / 2, height)
    ) {
      select(this.svg).call(this.zoom.translateTo, box.x, box.y);
    }
  }

  save() {
    const text = savedDrawing(this.svg, this.size);
    const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    element("a", { href: address, download: "callgraph.svg" }).click();
    URL.revokeObjectURL(address);
  }
}
