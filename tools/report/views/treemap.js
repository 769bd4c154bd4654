// The treemap: objects, their files, their functions, each as large as its self cost.

import { max } from "d3-array";
import { Boxes } from "../boxes.js";
import { element } from "../dom.js";
import { count, percent, signed } from "../format.js";
import { changeColour, objectColour } from "../colours.js";
import { changeLegend } from "../legend.js";

export const treemap = {
  name: "treemap",
  title: "Treemap",
  hint: "Objects, files and functions, as large as their cost",
  shown: () => true,
  needs: ["comparison"],
  draw: (page) => new Treemap(page).node,
};

class Treemap {
  whole = "All objects";

  constructor(page) {
    this.page = page;
    this.changes = page.profile.changesOfSelf(page.event);
    this.mostChanged = max(this.changes?.values() ?? [], Math.abs) || 1;
    this.boxes = new Boxes("Treemap", this);
    this.node = element(
      "div",
      { class: "filled" },
      this.boxes.crumbs,
      this.changes
        ? element("div", { class: "bar" }, changeLegend(this.mostChanged, `${page.eventName} own`))
        : null,
      this.boxes.details,
      this.boxes.map,
    );
    this.node.shown = () => this.boxes.shown();
    this.node.closed = () => this.boxes.closed();
    this.node.searched = () => this.boxes.draw();
  }

  /** Costs by object, file and function. */
  tree() {
    const { profile, event, search } = this.page;
    this.found = search.trim() ? new Set(profile.matching(search)) : null;
    const objects = new Map();
    for (let row = 0; row < profile.count; row += 1) {
      const value = profile.self(row, event);
      if (value <= 0) continue;
      const files = groupIn(objects, profile.object(row));
      groupIn(files, profile.file(row)).set(row, value);
    }
    const group = (name, members, inner) => ({
      name,
      children: [...members].map(([key, value]) => inner(key, value)),
    });
    return group("all", objects, (object, files) =>
      group(object, files, (file, rows) =>
        group(file, rows, (row, value) => ({
          name: profile.name(row),
          full: profile.fullName(row),
          row,
          value,
        })),
      ),
    );
  }

  nothing() {
    return `Nothing costs any ${this.page.eventName}.`;
  }

  isDim({ row }) {
    return this.found && !this.found.has(row);
  }

  /** Which object a function is in; or how it changed. */
  colour({ row, name }) {
    if (this.changes) return changeColour(this.changes.get(row) ?? 0, this.mostChanged);
    return objectColour(this.page.profile.objectNumber(row), name);
  }

  text({ data, value }) {
    const text = `${data.full ?? data.name}: ${count(value)} ${this.page.eventName}, ${percent(value, this.boxes.whole)}`;
    return this.changes && data.row !== undefined
      ? `${text}, ${signed(this.changes.get(data.row) ?? 0)}`
      : text;
  }

  open(row) {
    this.page.open(`calls/${row}`);
  }
}

function groupIn(groups, name) {
  if (!groups.has(name)) groups.set(name, new Map());
  return groups.get(name);
}
