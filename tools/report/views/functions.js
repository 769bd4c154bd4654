// All functions, in a table; also by the object, file or class that they are in.

import { max } from "d3-array";
import { choice, element } from "../dom.js";
import { count } from "../format.js";
import { grouped } from "../profile.js";
import { callsCell } from "../grid.js";
import { TreeGrid } from "../tree.js";

/** @import { Child, Drawn, GridColumn, Page, Profile, View } from "../types" */

/** @type {View} */
export const functions = {
  name: "functions",
  title: "Functions",
  hint: "Every function, by what it costs",
  shown: () => true,
  needs: [],
  draw: (page, argument) => new FunctionTable(page, argument).node,
};

const NO_CLASS = "(no class)";

/**
 * Functions that have something in common.
 * @typedef {{ name: string, text: string, rows: number[] }} Group
 */
/** @typedef {number | Group} Row a function, or a group */

const FunctionGrid = /** @type {typeof TreeGrid<Row>} */ (TreeGrid);

class FunctionTable {
  /**
   * @param {Page} page
   * @param {string} by
   */
  constructor(page, by) {
    this.page = page;
    this.all = page.choices.hasAllEvents;
    this.found = element("span", { class: "found" });
    this.ways = ["object", "file", ...(hasClasses(page.profile) ? ["class"] : [])];
    this.by = this.ways.includes(by) ? by : "";
    this.grid = new FunctionGrid("Functions", this.columns(), {
      open: (row) => page.open(`calls/${row}`),
      empty: "No function has that in its name, file or object.",
      below: (row) => (typeof row === "number" ? [] : row.rows),
      keyOf: (row) => (typeof row === "number" ? row : `${this.by} ${row.name}`),
      opened: page.choices.openGroups,
    });
    /** @type {Drawn} */
    this.node = element("div", { class: "filled" }, this.bar(), this.grid.node);
    this.node.searched = (text) => this.filter(text);
    this.filter(page.search);
  }

  bar() {
    const several = this.page.profile.head.recorded > 1;
    return element(
      "div",
      { class: "bar" },
      this.found,
      choice(
        "Grouped by",
        [["", "Functions"], ...this.ways.map((way) => /** @type {[string, string]} */ ([way, `by ${way}`]))],
        this.by,
        (way) => this.page.open(way ? `functions/${way}` : "functions"),
      ),
      several
        ? element(
            "label",
            {},
            element("input", {
              type: "checkbox",
              id: "all-events",
              checked: this.all,
              onchange: () => {
                this.page.choices.hasAllEvents = !this.all;
                this.page.redraw();
              },
            }),
            " a column for each event",
          )
        : null,
      this.by
        ? element(
            "span",
            { class: "note" },
            "A group has the sums of its functions, but for inclusive costs: " +
              "what calls each other would count twice.",
          )
        : null,
    );
  }

  /** @param {string} text */
  filter(text) {
    const rows = this.page.profile.matching(text);
    const total = this.page.profile.count;
    const shown = this.by ? this.groups(rows) : rows;
    const many = this.by === "class" ? "classes" : `${this.by}s`;
    const groups = this.by ? ` in ${count(shown.length)} ${shown.length === 1 ? this.by : many}` : "";
    this.found.textContent =
      (rows.length === total
        ? `${count(total)} functions`
        : `${count(rows.length)} of ${count(total)} functions`) + groups;
    this.grid.show(shown);
    this.page.status(this.found.textContent);
  }

  /** @param {number[]} rows */
  groups(rows) {
    const { profile } = this.page;
    /** @type {Record<string, (row: number) => string>} */
    const nameOf = {
      object: (row) => profile.object(row),
      file: (row) => profile.file(row),
      class: (row) => profile.scope(row),
    };
    const names = rows.map(nameOf[this.by]);
    return [...grouped(names)].map(([name, places]) => ({
      name,
      text: (this.by === "class" ? name : profile.tail(name)) || NO_CLASS,
      rows: places.map((at) => rows[at]),
    }));
  }

  /**
   * What a function has, or the functions of a group together.
   * @param {Row} row
   * @param {(row: number) => number} value
   */
  sum(row, value) {
    if (typeof row === "number") return value(row);
    return row.rows.reduce((sum, one) => sum + value(one), 0);
  }

  columns() {
    return [this.nameColumn(), ...this.costColumns(), ...this.placeColumns(), ...this.eventColumns()];
  }

  /** @returns {GridColumn<Row>} */
  nameColumn() {
    const { profile } = this.page;
    return {
      title: "Function",
      width: 34,
      grow: 3,
      value: (row) => (typeof row === "number" ? profile.name(row) : row.text),
      cell: (row) =>
        typeof row === "number"
          ? functionCell(this.page, row)
          : [
              element("span", { class: "group-name", title: row.name }, row.text),
              element("span", { class: "tag" }, count(row.rows.length)),
            ],
    };
  }

  /** @returns {GridColumn<Row>[]} */
  costColumns() {
    const { profile, event, eventName } = this.page;
    const total = () => profile.total(event);
    const self = (/** @type {Row} */ row) => this.sum(row, (one) => profile.self(one, event));
    const called = (/** @type {Row} */ row) => this.sum(row, (one) => profile.functions.called[one]);
    return [
      {
        title: `${eventName} incl.`,
        long: "What is spent while the function is on the stack",
        width: 22,
        numeric: true,
        total,
        value: (row) => (typeof row === "number" ? profile.inclusive(row, event) : undefined),
        size: (row) => (typeof row === "number" ? profile.inclusive(row, event) : self(row)),
      },
      {
        title: `${eventName} self`,
        long: "What the function's own code costs",
        width: 22,
        numeric: true,
        total,
        value: self,
      },
      {
        title: "Called",
        width: 12,
        numeric: true,
        value: called,
        cell: (row) => {
          const rows = typeof row === "number" ? [row] : row.rows;
          const about = rows.some((one) => profile.isEstimated(one)) ? "~" : "";
          return callsCell(`${about}${count(called(row))}`);
        },
        most: profile.once("most called", () => max(profile.functions.called)),
      },
    ];
  }

  /**
   * Where a function is; of groups, what they are not told by stays empty.
   * @returns {GridColumn<Row>[]}
   */
  placeColumns() {
    const { profile } = this.page;
    const scope = (/** @type {number} */ row) => profile.scope(row);
    return [
      ...(hasClasses(profile) ? [placeColumn("Class", scope, (name) => name)] : []),
      placeColumn(
        "File",
        (row) => profile.file(row),
        (path) => profile.tail(path),
      ),
      placeColumn(
        "Object",
        (row) => profile.object(row),
        (path) => profile.tail(path),
      ),
    ];
  }

  /**
   * The self cost of each recorded event but the one chosen.
   * @returns {GridColumn<Row>[]}
   */
  eventColumns() {
    const { profile, event } = this.page;
    const { recorded } = profile.head;
    if (!this.all || recorded < 2) return [];
    return [...Array(recorded).keys()]
      .filter((index) => index !== event)
      .map((index) => ({
        title: profile.events[index].name,
        long: `${profile.events[index].long} self`.trim(),
        width: 13,
        numeric: true,
        most: profile.total(index),
        value: (row) => this.sum(row, (one) => profile.self(one, index)),
      }));
  }
}

/**
 * A column of names, which groups do not have.
 * @param {string} title
 * @param {(row: number) => string} nameOf
 * @param {(name: string) => string} shown
 * @returns {GridColumn<Row>}
 */
function placeColumn(title, nameOf, shown) {
  return {
    title,
    width: 12,
    grow: 1,
    value: (row) => (typeof row === "number" ? nameOf(row) : ""),
    cell: (row) =>
      typeof row === "number" ? element("span", { title: nameOf(row) }, shown(nameOf(row))) : "",
  };
}

/**
 * Whether a function is in a class, type or module.
 * @param {Profile} profile
 */
function hasClasses(profile) {
  return profile.once("has classes", () => {
    for (let row = 0; row < profile.count; row += 1) if (profile.scope(row)) return true;
    return false;
  });
}

/**
 * A function's name, which leads to its callers, and the cycle it is in.
 * @param {Page} page
 * @param {number} row
 * @returns {Child[]}
 */
export function functionCell(page, row) {
  const { profile } = page;
  const cycle = profile.functions.cycle[row];
  return [
    element("a", { href: `#calls/${row}`, tabindex: "-1", title: profile.fullName(row) }, profile.name(row)),
    cycle
      ? element("span", { class: "tag", title: "These functions call each other" }, `cycle ${cycle}`)
      : null,
    roundsTag(profile.roundsOf(row)),
  ];
}

/**
 * What is said of rounds of repeated instructions, if they are most of a row.
 * @param {string} text
 */
export function roundsTag(text) {
  const title = "Each round of a repeated instruction counts as one; for a processor all are one instruction";
  return text ? element("span", { class: "tag", title }, text) : null;
}
