// The treemap: objects, their files, their functions, each as large as its self cost.

import { max } from "d3-array";
import { hierarchy, treemap as layout, treemapSquarify } from "d3-hierarchy";
import { element, plain } from "../dom.js";
import { base, count, percent, signed } from "../format.js";
import { changeColour, objectColour } from "../colours.js";
import { changeLegend } from "../legend.js";

const SMALLEST = 9; // pixels of a side, below which nothing is drawn
const HEAD = 18; // pixels of a group's heading
const NAMED = 34; // pixels of width, below which a box says no name

export const treemap = {
  name: "treemap",
  title: "Treemap",
  hint: "Objects, files and functions, as large as their cost",
  shown: () => true,
  needs: ["comparison"],
  draw: (page) => new Treemap(page).node,
};

class Treemap {
  constructor(page) {
    this.page = page;
    this.path = []; // the names of the groups zoomed into
    this.crumbs = element("nav", { class: "bar crumbs", "aria-label": "Where in the treemap" });
    this.map = element("div", {
      class: "treemap-map", tabindex: "0", role: "application",
      "aria-label": "Treemap. Arrow keys walk, Enter zooms in or opens, Escape zooms out.",
      onkeydown: (event) => this.key(event),
    });
    this.details = element("div", { class: "details", "aria-live": "polite" });
    this.changes = page.profile.changesOfSelf(page.event);
    this.mostChanged = max(this.changes?.values() ?? [], Math.abs) || 1;
    this.node = element("div", { class: "filled" }, this.crumbs,
      this.changes ? element("div", { class: "bar" }, changeLegend(this.mostChanged, `${page.eventName} own`)) : null,
      this.details, this.map);
    this.node.shown = () => {
      this.watch = new ResizeObserver(() => this.draw());
      this.watch.observe(this.map);
    };
    this.node.closed = () => this.watch?.disconnect();
    this.node.searched = () => this.draw();
  }

  /** Costs by object, file and function. */
  tree() {
    const { profile, event } = this.page;
    const objects = new Map();
    for (let row = 0; row < profile.count; row += 1) {
      const value = profile.self(row, event);
      if (value <= 0) continue;
      const files = groupIn(objects, profile.object(row));
      groupIn(files, profile.file(row)).set(row, value);
    }
    const group = (name, members, inner) => ({
      name, children: [...members].map(([key, value]) => inner(key, value)),
    });
    return group("all", objects, (object, files) => group(object, files, (file, rows) =>
      group(file, rows, (row, value) => ({
        name: profile.name(row), full: profile.fullName(row), row, value,
      }))));
  }

  draw() {
    const width = this.map.clientWidth;
    const height = this.map.clientHeight;
    if (!width || !height) return;
    const whole = hierarchy(this.tree()).sum((node) => node.value ?? 0).sort((a, b) => b.value - a.value);
    let shown = whole;
    for (const name of this.path) {
      shown = shown.children?.find((child) => child.data.name === name) ?? shown;
    }
    this.whole = whole.value;
    this.drawCrumbs();
    if (!whole.value) {
      this.map.replaceChildren(plain(`Nothing costs any ${this.page.eventName}.`));
      return;
    }
    const root = shown.copy();
    layout().tile(treemapSquarify).size([width, height]).paddingInner(1).paddingOuter(1)
      .paddingTop((node) => (node.depth ? HEAD : 0)).round(true)(root);
    this.found = this.page.search.trim() ? new Set(this.page.profile.matching(this.page.search)) : null;
    this.boxes = root.descendants().filter((node) => node.depth && node.x1 - node.x0 >= SMALLEST
      && node.y1 - node.y0 >= SMALLEST);
    this.nodes = this.boxes.map((node, index) => this.box(node, index));
    this.map.replaceChildren(...this.nodes);
    this.walkTo(Math.min(this.at ?? 0, this.boxes.length - 1));
  }

  box(node, index) {
    const { data } = node;
    const isFunction = data.row !== undefined;
    const dim = this.found && isFunction && !this.found.has(data.row);
    return element("div", {
      class: `box ${isFunction ? "leaf" : "group"}${dim ? " dim" : ""}`,
      style: `left:${node.x0}px;top:${node.y0}px;width:${node.x1 - node.x0}px;height:${node.y1 - node.y0}px;` +
        (isFunction ? `background:${this.colour(data)}` : ""),
      title: this.text(node), "data-row": data.row,
      onmouseenter: () => this.tell(node),
      onclick: () => { this.walkTo(index); this.enter(node); },
    }, node.x1 - node.x0 < NAMED || node.y1 - node.y0 < HEAD - 4 ? null
      : element("span", {}, isFunction ? data.name : base(data.name)));
  }

  /** Which object a function is in; or how it changed. */
  colour({ row, name }) {
    if (this.changes) return changeColour(this.changes.get(row) ?? 0, this.mostChanged);
    return objectColour(this.page.profile.objectNumber(row), name);
  }

  text({ data, value }) {
    const text = `${data.full ?? data.name}: ${count(value)} ${this.page.eventName}, ${percent(value, this.whole)}`;
    return this.changes && data.row !== undefined ? `${text}, ${signed(this.changes.get(data.row) ?? 0)}` : text;
  }

  tell(node) {
    this.details.textContent = this.text(node);
  }

  enter(node) {
    if (node.data.row !== undefined) {
      this.page.open(`calls/${node.data.row}`);
      return;
    }
    this.zoom([...this.path, ...node.ancestors().reverse().slice(1).map((above) => above.data.name)]);
  }

  zoom(path) {
    this.path = path;
    this.at = 0;
    this.draw();
  }

  drawCrumbs() {
    const names = ["All objects", ...this.path];
    this.crumbs.replaceChildren(...names.map((name, depth) => element("button", {
      type: "button", "aria-current": depth === names.length - 1 ? "location" : undefined,
      onclick: () => this.zoom(this.path.slice(0, depth)),
    }, depth ? base(name) : name)));
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

function groupIn(groups, name) {
  if (!groups.has(name)) groups.set(name, new Map());
  return groups.get(name);
}
