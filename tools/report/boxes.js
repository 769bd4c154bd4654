// A treemap: groups of boxes in boxes, each as large as what it costs. Arrow keys walk, Enter opens or zooms in.

import { hierarchy, treemap as layout, treemapSquarify } from "d3-hierarchy";
import { element, plain } from "./dom.js";
import { base } from "./format.js";

const SMALLEST = 9; // pixels of a side, below which nothing is drawn
const HEAD = 18; // pixels of a group's heading
const NAMED = 34; // pixels of width, below which a box says no name

// `drawn` says what is drawn: tree(), groups { name, children } of leaves { name, row, value };
// whole, the name of the whole; text(node), what a box says; colour(data) and isDim(data) of a leaf;
// open(row), for a click on a leaf; nothing(), what is said where no leaf has a value.

export class Boxes {
  constructor(label, drawn) {
    this.drawn = drawn;
    this.path = []; // the names of the groups zoomed into
    this.crumbs = element("nav", {
      class: "bar crumbs",
      "aria-label": `Where in the ${label.toLowerCase()}`,
    });
    this.map = element("div", {
      class: "treemap-map",
      tabindex: "0",
      role: "application",
      "aria-label": `${label}. Arrow keys walk, Enter zooms in or opens, Escape zooms out.`,
      onkeydown: (event) => this.key(event),
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
    const whole = hierarchy(this.drawn.tree())
      .sum((node) => node.value ?? 0)
      .sort((a, b) => b.value - a.value);
    let shown = whole;
    for (const name of this.path) {
      shown = shown.children?.find((child) => child.data.name === name) ?? shown;
    }
    this.whole = whole.value;
    this.drawCrumbs();
    if (!whole.value) {
      this.map.replaceChildren(plain(this.drawn.nothing()));
      return;
    }
    const root = shown.copy();
    layout()
      .tile(treemapSquarify)
      .size([width, height])
      .paddingInner(1)
      .paddingOuter(1)
      .paddingTop((node) => (node.depth ? HEAD : 0))
      .round(true)(root);
    this.boxes = root
      .descendants()
      .filter((node) => node.depth && node.x1 - node.x0 >= SMALLEST && node.y1 - node.y0 >= SMALLEST);
    this.nodes = this.boxes.map((node, index) => this.box(node, index));
    this.map.replaceChildren(...this.nodes);
    this.walkTo(Math.min(this.at ?? 0, this.boxes.length - 1));
  }

  box(node, index) {
    const { data } = node;
    const isLeaf = data.row !== undefined;
    return element(
      "div",
      {
        class: `box ${isLeaf ? "leaf" : "group"}${isLeaf && this.drawn.isDim(data) ? " dim" : ""}`,
        style:
          `left:${node.x0}px;top:${node.y0}px;width:${node.x1 - node.x0}px;height:${node.y1 - node.y0}px;` +
          (isLeaf ? `background:${this.drawn.colour(data)}` : ""),
        title: this.drawn.text(node),
        "data-row": data.row,
        onmouseenter: () => this.tell(node),
        onclick: () => {
          this.walkTo(index);
          this.enter(node);
        },
      },
      node.x1 - node.x0 < NAMED || node.y1 - node.y0 < HEAD - 4
        ? null
        : element("span", {}, isLeaf ? data.name : base(data.name)),
    );
  }

  tell(node) {
    this.details.textContent = this.drawn.text(node);
  }

  enter(node) {
    if (node.data.row !== undefined) this.drawn.open(node.data.row);
    else
      this.zoom([
        ...this.path,
        ...node
          .ancestors()
          .reverse()
          .slice(1)
          .map((above) => above.data.name),
      ]);
  }

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

  walkTo(index) {
    this.nodes[this.at]?.classList.remove("walked");
    this.at = index;
    this.nodes[index]?.classList.add("walked");
    if (this.boxes[index]) this.tell(this.boxes[index]);
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!this.boxes) return;
    if (step) this.walkTo(Math.min(Math.max(this.at + step, 0), this.boxes.length - 1));
    else if (event.key === "Enter" && this.boxes[this.at]) this.enter(this.boxes[this.at]);
    else if (event.key === "Escape") this.zoom(this.path.slice(0, -1));
    else return;
    event.preventDefault();
  }
}
