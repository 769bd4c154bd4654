// Misses by the size of a cache: of the whole program, and of functions.

import { choice, element } from "../dom.js";
import { bytes } from "../format.js";
import { RowGrid } from "../grid.js";
import { said, sizeChart } from "../sizechart.js";
import { functionCell } from "./functions.js";

/** @import { Drawn, Page, View } from "../types" */

const DRAWN = 6; // functions in the chart, at first

/** @type {View} */
export const curves = {
  name: "curves",
  title: "Miss curves",
  hint: "Misses by the size of the cache",
  shown: (profile) => profile.head.curves.length > 0,
  needs: [],
  draw: (page, argument) => new Curves(page, argument).node,
};

class Curves {
  /**
   * @param {Page} page
   * @param {string} name
   */
  constructor(page, name) {
    this.page = page;
    const all = page.profile.head.curves;
    this.curve = all.find((curve) => curve.name === name) ?? all[0];
    this.rows = this.missing();
    this.chosen = new Set(this.rows.slice(0, DRAWN));
    this.chart = element("div", { class: "chart" });
    this.grid = this.table();
    this.filter(page.search);
    /** @type {Drawn} */
    this.node = element(
      "div",
      { class: "filled" },
      element(
        "div",
        { class: "bar" },
        choice(
          "Misses",
          all.map((curve) => /** @type {[string, string]} */ ([curve.name, said(curve)])),
          this.curve.name,
          (other) => page.open(`curves/${other}`),
        ),
        element(
          "span",
          { class: "note" },
          "Enter or a click on a function puts it into the chart, or takes it out.",
        ),
      ),
      this.chart,
      this.grid.node,
    );
    this.node.searched = (text) => this.filter(text);
    this.draw();
  }

  /**
   * The self misses of a function at one size, of which these are the events.
   * @param {number} row
   * @param {number[]} events
   */
  missesOf(row, events) {
    const { self } = this.page.profile.functions;
    return events.reduce((sum, event) => sum + self[event][row], 0);
  }

  /**
   * The self misses of a function for each size.
   * @param {number} row
   */
  misses(row) {
    return this.curve.points.map(([, events]) => this.missesOf(row, events));
  }

  /**
   * The misses of the program at one size.
   * @param {number[]} events
   */
  all(events) {
    return events.reduce((sum, event) => sum + this.page.profile.head.total[event], 0);
  }

  /** Functions with misses, most at the smallest size first. */
  missing() {
    const misses = Array.from({ length: this.page.profile.count }, (_, row) => this.misses(row));
    return [...misses.keys()]
      .filter((row) => misses[row].some(Boolean))
      .sort((a, b) => misses[b][0] - misses[a][0]);
  }

  series() {
    const { profile } = this.page;
    const whole = {
      name: "the whole program",
      values: this.curve.points.map(([, events]) => this.all(events)),
    };
    return [whole, ...[...this.chosen].map((row) => ({ name: profile.name(row), values: this.misses(row) }))];
  }

  draw() {
    this.chart.replaceChildren(...sizeChart(this.curve, this.series()));
  }

  table() {
    const { profile } = this.page;
    return new RowGrid(
      "Misses by function",
      [
        {
          title: "Function",
          width: 34,
          grow: 1,
          value: (row) => profile.name(row),
          cell: (row) => functionCell(this.page, row),
        },
        ...this.curve.points.map(([size, events]) => ({
          title: bytes(size),
          width: 19,
          numeric: true,
          total: () => this.all(events),
          value: (/** @type {number} */ row) => this.missesOf(row, events),
        })),
      ],
      { open: (row) => this.toggle(row) },
    );
  }

  /** @param {string} text */
  filter(text) {
    const found = new Set(this.page.profile.matching(text));
    this.grid.show(this.rows.filter((row) => found.has(row)));
  }

  /** @param {number} row */
  toggle(row) {
    if (!this.chosen.delete(row)) this.chosen.add(row);
    this.draw();
  }
}
