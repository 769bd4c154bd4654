// Many rows of equal height, of which only those in sight are on the page.

import { element } from "./dom.js";

export const HEIGHT = 24; // pixels of a row, as in style.css
const BEYOND = 12; // rows that are drawn out of sight

export class Rows {
  /**
   * `draw(index)` makes row `index` of `count`.
   * @param {(index: number) => HTMLElement} draw
   */
  constructor(draw, attributes = {}) {
    this.draw = draw;
    this.count = 0;
    /** @type {[first: number, last: number] | null} */
    this.drawn = null;
    this.body = element("div", { class: "rows-body", role: "presentation" });
    this.node = element("div", { class: "rows", ...attributes }, this.body);
    this.node.addEventListener("scroll", () => this.update(), { passive: true });
    new ResizeObserver(() => this.update()).observe(this.node);
  }

  /**
   * Show `count` rows, all drawn anew.
   * @param {number} count
   */
  show(count) {
    this.count = count;
    this.body.style.height = `${count * HEIGHT}px`;
    this.drawn = [0, 0];
    this.body.replaceChildren();
    this.update();
  }

  update() {
    const top = Math.floor((this.node.scrollTop - this.above) / HEIGHT);
    const seen = Math.ceil((this.node.clientHeight || 800) / HEIGHT);
    const first = Math.max(0, top - BEYOND);
    const last = Math.min(this.count, top + seen + BEYOND);
    if (this.drawn && first === this.drawn[0] && last === this.drawn[1]) return;
    this.drawn = [first, last];
    const rows = [];
    for (let index = first; index < last; index += 1) {
      const row = this.draw(index);
      row.style.top = `${index * HEIGHT}px`;
      rows.push(row);
    }
    this.body.replaceChildren(...rows);
  }

  /** Draw again what is in sight. */
  redraw() {
    this.drawn = null;
    this.update();
  }

  /** Pixels of what stands above the rows and stays in sight. */
  get above() {
    return this.body.offsetTop;
  }

  /**
   * Bring a row into sight; with `middle`, into the middle.
   * @param {number} index
   */
  reveal(index, middle = false) {
    const top = index * HEIGHT;
    const height = this.node.clientHeight - this.above;
    if (middle) {
      this.node.scrollTop = top - height / 2;
    } else if (top < this.node.scrollTop) {
      this.node.scrollTop = top;
    } else if (top + HEIGHT > this.node.scrollTop + height) {
      this.node.scrollTop = top + HEIGHT - height;
    }
    this.update();
  }
}
