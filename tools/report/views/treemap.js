// The treemap: objects, their files, their functions, each as large as its self cost.

import { max } from "d3-array";
import { Boxes } from "../boxes.js";
import { element } from "../dom.js";
import { count, percent, signed } from "../format.js";
import { changeColour, objectColour } from "../colours.js";
import { changeLegend } from "../legend.js";

/** @import { Drawn, Page, View } from "../types" */

/** @type {View} */
export const treemap = {
  name: "treemap",
  title: "Treemap",
  hint: "Objects, files and functions, as large as their cost",
  shown: () => true,
  needs: ["comparison"],
  draw: (page) => new Treemap(page).node,
};

/** @import { Group, Leaf, Member } from "../boxes.js" */

class Treemap {
  whole = "All objects";

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.changes = page.profile.changesOfSelf(page.event);
    this.mostChanged = max(this.changes?.values() ?? [], Math.abs) || 1;
    this.leastChanged = this.changes ? page.profile.leastChange(page.event) : 0;
    /** @type {Set<number> | null} the functions that are searched for */
    this.found = null;
    /** @type {Boxes} */
    this.boxes = new Boxes("Treemap", this);
    /** @type {Drawn} */
    this.node = element(
      "div",
      { class: "filled" },
      this.boxes.crumbs,
      this.changes
        ? element(
            "div",
            { class: "bar" },
            changeLegend(this.mostChanged, this.leastChanged, `${page.eventName} own`),
          )
        : null,
      this.boxes.details,
      this.boxes.map,
    );
    this.node.shown = () => this.boxes.shown();
    this.node.closed = () => this.boxes.closed();
    this.node.searched = () => this.boxes.draw();
  }

  /**
   * Costs by object, file and function.
   * @returns {Group}
   */
  tree() {
    const { profile, event, search } = this.page;
    this.found = search.trim() ? new Set(profile.matching(search)) : null;
    /** @type {Map<string, Map<string, Leaf[]>>} */
    const objects = new Map();
    for (let row = 0; row < profile.count; row += 1) {
      const value = profile.self(row, event);
      if (value <= 0) continue;
      const files = foundIn(objects, profile.object(row), () => new Map());
      const leaf = { name: profile.name(row), full: profile.fullName(row), row, value };
      foundIn(files, profile.file(row), () => /** @type {Leaf[]} */ ([])).push(leaf);
    }
    return {
      name: "all",
      children: [...objects].map(([object, files]) => ({
        name: object,
        children: [...files].map(([file, leaves]) => ({ name: file, children: leaves })),
      })),
    };
  }

  nothing() {
    return `Nothing costs any ${this.page.eventName}.`;
  }

  /** @param {Leaf} leaf */
  isDim({ row }) {
    return this.found !== null && !this.found.has(row);
  }

  /**
   * Which object a function is in; or how it changed.
   * @param {Leaf} leaf
   */
  colour({ row, name }) {
    if (this.changes) return changeColour(this.changes.get(row) ?? 0, this.mostChanged, this.leastChanged);
    return objectColour(this.page.profile.objectNumber(row), name);
  }

  /**
   * @param {{ data: Member, value?: number }} box
   * @returns {string}
   */
  text({ data, value = 0 }) {
    const cost = `${count(value)} ${this.page.eventName}, ${percent(value, this.boxes.whole)}`;
    if (!("row" in data)) return `${data.name}: ${cost}`;
    const text = `${data.full ?? data.name}: ${cost}`;
    return this.changes ? `${text}, ${signed(this.changes.get(data.row) ?? 0)}` : text;
  }

  /** @param {number} row */
  open(row) {
    this.page.open(`calls/${row}`);
  }
}

/**
 * What a key stands for, made anew where it is not known yet.
 * @template What
 * @param {Map<string, What>} known
 * @param {string} key
 * @param {() => What} make
 */
function foundIn(known, key, make) {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
