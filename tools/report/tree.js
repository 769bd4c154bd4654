// Tables of rows that can be opened: behind each that is, the rows below it.

import { element } from "./dom.js";
import { Grid } from "./grid.js";

const LEVELS = 28; // by which rows are moved to the right; those below them say how deep they are

export class TreeGrid extends Grid {
  /** `below(row)` gives the rows below one, none if it cannot be opened; `keyOf(row)` tells it apart from all
      others, also when it is made anew; `opened` has the keys of the rows that are open. */
  constructor(label, columns, { below, keyOf, opened = new Set(), ...options }) {
    super(label, columns, { ...options, role: "treegrid" });
    this.below = below;
    this.keyOf = keyOf;
    this.opened = opened;
    this.open = (row) => (this.below(row).length ? this.toggle(row) : options.open?.(row));
  }

  isOpen(row) {
    return this.opened.has(this.keyOf(row));
  }

  arranged() {
    this.levels = [];
    this.isFlat = this.shown.every((row) => !this.below(row).length);
    return [...this.withOpened(this.shown, 0)];
  }

  *withOpened(rows, level) {
    for (const row of this.sorted(rows)) {
      this.levels.push(level);
      yield row;
      if (this.isOpen(row)) yield* this.withOpened(this.below(row), level + 1);
    }
  }

  toggle(row) {
    const key = this.keyOf(row);
    if (!this.opened.delete(key)) this.opened.add(key);
    this.arrange();
    this.move(this.at);
  }

  drawRow(index) {
    const row = this.rows[index];
    const drawn = super.drawRow(index);
    if (this.isFlat) return drawn;
    const mark = !this.below(row).length ? "" : this.isOpen(row) ? "▾" : "▸";
    drawn.setAttribute("aria-level", this.levels[index] + 1);
    if (mark) drawn.setAttribute("aria-expanded", String(this.isOpen(row)));
    const level = this.levels[index];
    drawn.firstElementChild.style.setProperty("--level", Math.min(level, LEVELS));
    if (level > LEVELS) drawn.firstElementChild.prepend(element("span", { class: "place" }, `${level} `));
    drawn.firstElementChild.prepend(element("span", { class: "mark", "aria-hidden": "true" }, mark));
    return drawn;
  }

  key(event) {
    const row = this.rows[this.at];
    const arrow = event.target === this.node && row !== undefined ? event.key : "";
    if (arrow === "ArrowRight" && this.below(row).length) {
      if (this.isOpen(row)) this.move(this.at + 1);
      else this.toggle(row);
    } else if (arrow === "ArrowLeft" && this.isOpen(row)) this.toggle(row);
    else if (arrow === "ArrowLeft" && this.levels[this.at]) this.move(this.above(this.at));
    else {
      super.key(event);
      return;
    }
    event.preventDefault();
  }

  /** Where the row stands that a row is below. */
  above(index) {
    return this.levels.lastIndexOf(this.levels[index] - 1, index);
  }
}
