// Misses by the size of a cache: of the whole program, and of functions.

import { max } from "d3-array";
import { scaleLinear, scaleLog } from "d3-scale";
import { line } from "d3-shape";
import { choice, drawn, element } from "../dom.js";
import { bytes, count } from "../format.js";
import { Grid } from "../grid.js";
import { seriesColour } from "../colours.js";
import { functionCell } from "./functions.js";

const WIDTH = 900;
const TALL = 320;
const MARGIN = { top: 16, right: 24, bottom: 44, left: 108 };
const DRAWN = 6; // functions in the chart, at first

export const curves = {
  name: "curves",
  title: "Miss curves",
  hint: "Misses by the size of the cache",
  shown: (profile) => profile.head.curves.length > 0,
  needs: [],
  draw: (page, argument) => new Curves(page, argument).node,
};

class Curves {
  constructor(page, name) {
    this.page = page;
    const all = page.profile.head.curves;
    this.curve = all.find((curve) => curve.name === name) ?? all[0];
    this.rows = this.missing();
    this.chosen = new Set(this.rows.slice(0, DRAWN));
    this.chart = element("div", { class: "chart" });
    this.node = element("div", { class: "filled" },
      element("div", { class: "bar" },
        choice("Misses", all.map((curve) => [curve.name, said(curve)]), this.curve.name, (other) =>
          page.open(`curves/${other}`)),
        element("span", { class: "note" }, "Enter or a click on a function puts it into the chart, or takes it out.")),
      this.chart, this.table());
    this.node.searched = (text) => this.filter(text);
    this.draw();
  }

  /** The self misses of a function at one size, of which these are the events. */
  missesOf(row, events) {
    const { self } = this.page.profile.functions;
    return events.reduce((sum, event) => sum + self[event][row], 0);
  }

  /** The self misses of a function for each size. */
  misses(row) {
    return this.curve.points.map(([, events]) => this.missesOf(row, events));
  }

  /** The misses of the program at one size. */
  all(events) {
    return events.reduce((sum, event) => sum + this.page.profile.head.total[event], 0);
  }

  /** Functions with misses, most at the smallest size first. */
  missing() {
    const misses = Array.from({ length: this.page.profile.count }, (_, row) => this.misses(row));
    return [...misses.keys()].filter((row) => misses[row].some(Boolean)).sort((a, b) => misses[b][0] - misses[a][0]);
  }

  series() {
    const { profile } = this.page;
    const whole = { name: "the whole program", values: this.curve.points.map(([, events]) => this.all(events)) };
    return [whole, ...[...this.chosen].map((row) => ({ name: profile.name(row), values: this.misses(row) }))];
  }

  draw() {
    const series = this.series();
    const sizes = this.curve.points.map(([size]) => size);
    const x = scaleLog().base(2).domain([sizes[0], sizes.at(-1)]).range([MARGIN.left, WIDTH - MARGIN.right]);
    const y = scaleLinear().domain([0, max(series, (one) => max(one.values)) || 1]).nice()
      .range([TALL - MARGIN.bottom, MARGIN.top]);
    const path = line((value, at) => x(sizes[at]), (value) => y(value));
    this.chart.replaceChildren(
      drawn("svg", { viewBox: `0 0 ${WIDTH} ${TALL}`, role: "img", "aria-label": `${this.curve.name} by size` },
        axes(x, y, sizes, `misses of ${said(this.curve)}`),
        series.map((one, index) => drawn("g", { style: `--colour: ${this.colour(index)}` },
          drawn("path", { class: "curve", d: path(one.values) }),
          one.values.map((value, at) => drawn("circle", { cx: x(sizes[at]), cy: y(value), r: 3.5 },
            drawn("title", {}, `${one.name}: ${count(value)} at ${bytes(sizes[at])}`)))))),
      element("ul", { class: "legend" }, series.map((one, index) => element("li", { title: one.name },
        element("i", { style: `background: ${this.colour(index)}` }), one.name))));
  }

  colour(index) {
    return index ? seriesColour(index - 1) : "var(--ink)";
  }

  table() {
    const { profile } = this.page;
    this.grid = new Grid("Misses by function", [
      {
        title: "Function", width: 34, grow: 1, value: (row) => profile.name(row),
        cell: (row) => functionCell(this.page, row),
      },
      ...this.curve.points.map(([size, events]) => ({
        title: bytes(size), width: 19, numeric: true, total: () => this.all(events),
        value: (row) => this.missesOf(row, events),
      })),
    ], { open: (row) => this.toggle(row) });
    this.filter(this.page.search);
    return this.grid.node;
  }

  filter(text) {
    const found = new Set(this.page.profile.matching(text));
    this.grid.show(this.rows.filter((row) => found.has(row)));
  }

  toggle(row) {
    if (!this.chosen.delete(row)) this.chosen.add(row);
    this.draw();
  }
}

/** What a curve counts. */
function said({ name, of }) {
  return of.length ? of.join(" + ") : name;
}

function axes(x, y, sizes, title) {
  const bottom = TALL - MARGIN.bottom;
  return [
    ...y.ticks(5).map((value) => drawn("g", { class: "tick" },
      drawn("line", { x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y(value), y2: y(value) }),
      drawn("text", { x: MARGIN.left - 8, y: y(value), "text-anchor": "end", dy: "0.32em" }, count(value)))),
    ...sizes.map((size) => drawn("g", { class: "tick" },
      drawn("line", { x1: x(size), x2: x(size), y1: MARGIN.top, y2: bottom }),
      drawn("text", { x: x(size), y: bottom + 18, "text-anchor": "middle" }, bytes(size)))),
    drawn("text", { class: "axis", x: (MARGIN.left + WIDTH) / 2, y: TALL - 6, "text-anchor": "middle" }, "size of the cache"),
    drawn("text", { class: "axis", transform: `translate(14 ${(MARGIN.top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, title),
  ];
}
