// A treemap: groups of boxes in boxes, each as large as what it costs. Arrow keys walk, Enter opens or zooms
// in.

import { hierarchy, treemap as layout, treemapSquarify } from "d3-hierarchy";
import { element, plain, stepOf } from "./dom.js";
import { base } from "./format.js";

const SMALLEST = 9; // pixels of a side, below which nothing is drawn
const HEAD = 18; // pixels of a group's heading
const NAMED = 34; // pixels of width, below which a box says no name

/** @typedef {{ name: string, children: Member[] }} Group */
/** @typedef {{ name: string, full?: string, row: number, value: number }} Leaf `full`: as in the profile */
/** @typedef {Group | Leaf} Member */

/** @typedef {import("d3-hierarchy").HierarchyRectangularNode<Member>} Rectangle */

/**
 * @typedef {object} Mapped what is drawn
 * @property {string} whole the name of the whole
 * @property {() => Group} tree
 * @property {(node: { data: Member, value?: number }) => string} text what a box says
 * @property {(leaf: Leaf) => string} colour
 * @property {(leaf: Leaf) => boolean} isDim
 * @property {(row: number) => void} open for a click on a leaf
 * @property {() => string} nothing what is said where no leaf has a value
 */

export class Boxes {
  /**
   * @param {string} label
   * @param {Mapped} drawn
   */
  constructor(label, drawn) {
    this.drawn = drawn;
    /** @type {string[]} the names of the groups zoomed into */
    this.path = [];
    /** @type {Rectangle[]} */
    this.boxes = [];
    /** @type {HTMLElement[]} */
    this.nodes = [];
    this.at = 0;
    this.whole = 0;
    /** @type {ResizeObserver | null} */
    this.watch = null;
    this.crumbs = element("nav", {
      class: "bar crumbs",
      "aria-label": `Where in the ${label.toLowerCase()}`,
    });
    this.map = element("div", {
      class: "treemap-map",
      tabindex: "0",
      role: "application",
      "aria-label": `${label}. Arrow keys walk, Enter zooms in or opens, Escape zooms out.`,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
    });
    this.details = element("div", { class: "details", "aria-live": "polite" });
  }

  /** Draw as soon as it is on the page, and each time its size changes. */
  shown() {
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.map);
  }

  closed() {
    this.watch?.disconnect();
  }

  draw() {
    const width = this.map.clientWidth;
    const height = this.map.clientHeight;
    if (!width || !height) return;
    const whole = hierarchy(/** @type {Member} */ (this.drawn.tree()), (node) =>
      "row" in node ? null : node.children,
    )
      .sum((node) => ("row" in node ? node.value : 0))
      .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
    let shown = whole;
    for (const name of this.path) {
      shown = shown.children?.find((child) => child.data.name === name) ?? shown;
    }
    this.whole = whole.value ?? 0;
    this.drawCrumbs();
    if (!this.whole) {
      this.map.replaceChildren(plain(this.drawn.nothing()));
      return;
    }
    const root = /** @type {typeof layout<Member>} */ (layout)()
      .tile(treemapSquarify)
      .size([width, height])
      .paddingInner(1)
      .paddingOuter(1)
      .paddingTop((node) => (node.depth ? HEAD : 0))
      .round(true)(shown.copy());
    this.boxes = root
      .descendants()
      .filter((node) => node.depth && node.x1 - node.x0 >= SMALLEST && node.y1 - node.y0 >= SMALLEST);
    this.nodes = this.boxes.map((node, index) => this.box(node, index));
    this.map.replaceChildren(...this.nodes);
    this.walkTo(Math.min(this.at, this.boxes.length - 1));
  }

  /**
   * @param {Rectangle} node
   * @param {number} index
   */
  box(node, index) {
    const { data } = node;
    const leaf = "row" in data ? data : null;
    return element(
      "div",
      {
        class: `box ${leaf ? "leaf" : "group"}${leaf && this.drawn.isDim(leaf) ? " dim" : ""}`,
        style:
          `left:${node.x0}px;top:${node.y0}px;` +
          `width:${node.x1 - node.x0}px;height:${node.y1 - node.y0}px;` +
          (leaf ? `background:${this.drawn.colour(leaf)}` : ""),
        title: this.drawn.text(node),
        "data-row": leaf?.row,
        onmouseenter: () => this.tell(node),
        onclick: () => {
          this.walkTo(index);
          this.enter(node);
        },
      },
      node.x1 - node.x0 < NAMED || node.y1 - node.y0 < HEAD - 4
        ? null
        : element("span", {}, leaf ? data.name : base(data.name)),
    );
  }

  /** @param {Rectangle} node */
  tell(node) {
    this.details.textContent = this.drawn.text(node);
  }

  /** @param {Rectangle} node */
  enter(node) {
    if ("row" in node.data) this.drawn.open(node.data.row);
    else {
      this.zoom([
        ...this.path,
        ...node
          .ancestors()
          .reverse()
          .slice(1)
          .map((above) => above.data.name),
      ]);
    }
  }

  /** @param {string[]} path */
  zoom(path) {
    this.path = path;
    this.at = 0;
    this.draw();
  }

  drawCrumbs() {
    const names = [this.drawn.whole, ...this.path];
    this.crumbs.replaceChildren(
      ...names.map((name, depth) =>
        element(
          "button",
          {
            type: "button",
            "aria-current": depth === names.length - 1 ? "location" : undefined,
            onclick: () => this.zoom(this.path.slice(0, depth)),
          },
          depth ? base(name) : name,
        ),
      ),
    );
  }

  /** @param {number} index */
  walkTo(index) {
    this.nodes[this.at]?.classList.remove("walked");
    this.at = index;
    this.nodes[index]?.classList.add("walked");
    if (this.boxes[index]) this.tell(this.boxes[index]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = stepOf(event.key, { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });
    if (step) this.walkTo(Math.min(Math.max(this.at + step, 0), this.boxes.length - 1));
    else if (event.key === "Enter" && this.boxes[this.at]) this.enter(this.boxes[this.at]);
    else if (event.key === "Escape") this.zoom(this.path.slice(0, -1));
    else return;
    event.preventDefault();
  }
}
