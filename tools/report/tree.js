// Tables of rows that can be opened: behind each that is, the rows below it.

import { element } from "./dom.js";
import { Grid } from "./grid.js";

/** @import { GridColumn, TreeOptions } from "./types" */

const LEVELS = 28; // by which rows are moved to the right; those below them say how deep they are

/**
 * @template Row
 * @extends {Grid<Row>}
 */
export class TreeGrid extends Grid {
  /** @type {number[]} how deep each row stands */
  #levels = [];
  #isFlat = true;

  /**
   * @param {string} label
   * @param {GridColumn<Row>[]} columns
   * @param {TreeOptions<Row>} options
   */
  constructor(label, columns, { below, keyOf, opened = new Set(), ...options }) {
    super(label, columns, { ...options, role: "treegrid" });
    this.below = below;
    this.keyOf = keyOf;
    this.opened = opened;
    this.open = (/** @type {Row} */ row) => (this.below(row).length ? this.toggle(row) : options.open?.(row));
  }

  /** @param {Row} row */
  isOpen(row) {
    return this.opened.has(this.keyOf(row));
  }

  /** @override */
  arranged() {
    this.#levels = [];
    this.#isFlat = this.shown.every((row) => !this.below(row).length);
    return [...this.withOpened(this.shown, 0)];
  }

  /**
   * @param {Row[]} rows
   * @param {number} level
   * @returns {Generator<Row>}
   */
  *withOpened(rows, level) {
    for (const row of this.sorted(rows)) {
      this.#levels.push(level);
      yield row;
      if (this.isOpen(row)) yield* this.withOpened(this.below(row), level + 1);
    }
  }

  /** @param {Row} row */
  toggle(row) {
    const key = this.keyOf(row);
    if (!this.opened.delete(key)) this.opened.add(key);
    this.arrange();
    this.move(this.at);
  }

  /**
   * @override
   * @param {number} index
   */
  drawRow(index) {
    const row = this.rows[index];
    const drawn = super.drawRow(index);
    const first = drawn.firstElementChild;
    if (this.#isFlat || !(first instanceof HTMLElement)) return drawn;
    const mark = !this.below(row).length ? "" : this.isOpen(row) ? "▾" : "▸";
    const level = this.#levels[index];
    drawn.setAttribute("aria-level", String(level + 1));
    if (mark) drawn.setAttribute("aria-expanded", String(this.isOpen(row)));
    first.style.setProperty("--level", String(Math.min(level, LEVELS)));
    if (level > LEVELS) first.prepend(element("span", { class: "place" }, `${level} `));
    first.prepend(element("span", { class: "mark", "aria-hidden": "true" }, mark));
    return drawn;
  }

  /**
   * @override
   * @param {KeyboardEvent} event
   */
  key(event) {
    const row = this.rows[this.at];
    const arrow = event.target === this.node && row !== undefined ? event.key : "";
    if (arrow === "ArrowRight" && this.below(row).length) {
      if (this.isOpen(row)) this.move(this.at + 1);
      else this.toggle(row);
    } else if (arrow === "ArrowLeft" && this.isOpen(row)) this.toggle(row);
    else if (arrow === "ArrowLeft" && this.#levels[this.at]) this.move(this.above(this.at));
    else {
      super.key(event);
      return;
    }
    event.preventDefault();
  }

  /**
   * Where the row stands that a row is below.
   * @param {number} index
   */
  above(index) {
    return this.#levels.lastIndexOf(this.#levels[index] - 1, index);
  }
}
