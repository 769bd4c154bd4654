// All functions, in a table; also by the object, file or class that they are in.

import { max } from "d3-array";
import { choice, element } from "../dom.js";
import { base, count } from "../format.js";
import { grouped } from "../profile.js";
import { callsCell } from "../grid.js";
import { TreeGrid } from "../tree.js";

export const functions = {
  name: "functions",
  title: "Functions",
  hint: "Every function, by what it costs",
  shown: () => true,
  needs: [],
  draw: (page, argument) => new FunctionTable(page, argument).node,
};

const NO_CLASS = "(no class)";

// A row is a function's number, or the functions that have something in common: { name, text, rows }.

class FunctionTable {
  constructor(page, by) {
    this.page = page;
    this.all = page.allEvents ?? true;
    this.ways = ["object", "file", ...(hasClasses(page.profile) ? ["class"] : [])];
    this.by = this.ways.includes(by) ? by : "";
    page.openGroups ??= new Set();
    this.grid = new TreeGrid("Functions", this.columns(), {
      open: (row) => page.open(`calls/${row}`),
      empty: "No function has that in its name, file or object.",
      below: (row) => row.rows ?? [],
      keyOf: (row) => (row.rows ? `${this.by} ${row.name}` : row),
      opened: page.openGroups,
    });
    this.node = element("div", { class: "filled" }, this.bar(), this.grid.node);
    this.node.searched = (text) => this.filter(text);
    this.filter(page.search);
  }

  bar() {
    this.found = element("span", { class: "found" });
    const several = this.page.profile.head.recorded > 1;
    return element(
      "div",
      { class: "bar" },
      this.found,
      choice(
        "Grouped by",
        [["", "Functions"], ...this.ways.map((way) => [way, `by ${way}`])],
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
              onchange: (event) => {
                this.page.allEvents = event.target.checked;
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

  groups(rows) {
    const { profile } = this.page;
    const nameOf = {
      object: (row) => profile.object(row),
      file: (row) => profile.file(row),
      class: (row) => profile.scope(row),
    };
    const names = rows.map(nameOf[this.by]);
    return [...grouped(names)].map(([name, places]) => ({
      name,
      text: (this.by === "class" ? name : base(name)) || NO_CLASS,
      rows: places.map((at) => rows[at]),
    }));
  }

  /** What a function has, or the functions of a group together. */
  sum(row, value) {
    return row.rows ? row.rows.reduce((sum, one) => sum + value(one), 0) : value(row);
  }

  columns() {
    return [this.nameColumn(), ...this.costColumns(), ...this.placeColumns(), ...this.eventColumns()];
  }

  nameColumn() {
    const { profile } = this.page;
    return {
      title: "Function",
      width: 34,
      grow: 3,
      value: (row) => row.text ?? profile.name(row),
      cell: (row) =>
        row.rows
          ? [
              element("span", { class: "group-name", title: row.name }, row.text),
              element("span", { class: "tag" }, count(row.rows.length)),
            ]
          : functionCell(this.page, row),
    };
  }

  costColumns() {
    const { profile, event, eventName } = this.page;
    const total = () => profile.total(event);
    const self = (row) => this.sum(row, (one) => profile.self(one, event));
    const called = (row) => profile.functions.called[row];
    return [
      {
        title: `${eventName} incl.`,
        long: "What is spent while the function is on the stack",
        width: 22,
        numeric: true,
        total,
        value: (row) => (row.rows ? undefined : profile.inclusive(row, event)),
        size: (row) => (row.rows ? self(row) : profile.inclusive(row, event)),
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
        value: (row) => this.sum(row, called),
        cell: (row) => {
          const about = (row.rows ?? [row]).some((one) => profile.isEstimated(one)) ? "~" : "";
          return callsCell(`${about}${count(this.sum(row, called))}`);
        },
        most: profile.once("most called", () => max(profile.functions.called)),
      },
    ];
  }

  /** Where a function is; of groups, what they are not told by stays empty. */
  placeColumns() {
    const { profile } = this.page;
    const column = (title, nameOf, shown) => ({
      title,
      width: 12,
      grow: 1,
      value: (row) => (row.rows ? "" : nameOf(row)),
      cell: (row) => (row.rows ? "" : element("span", { title: nameOf(row) }, shown(nameOf(row)))),
    });
    return [
      ...(hasClasses(profile)
        ? [
            column(
              "Class",
              (row) => profile.scope(row),
              (name) => name,
            ),
          ]
        : []),
      column("File", (row) => profile.file(row), base),
      column("Object", (row) => profile.object(row), base),
    ];
  }

  /** The self cost of each recorded event but the one chosen. */
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

/** Whether a function is in a class, type or module. */
function hasClasses(profile) {
  return profile.once("has classes", () => {
    for (let row = 0; row < profile.count; row += 1) if (profile.scope(row)) return true;
    return false;
  });
}

/** A function's name, which leads to its callers, and the cycle it is in. */
export function functionCell(page, row) {
  const { profile } = page;
  const cycle = profile.functions.cycle[row];
  return [
    element("a", { href: `#calls/${row}`, tabindex: "-1", title: profile.fullName(row) }, profile.name(row)),
    cycle
      ? element("span", { class: "tag", title: "These functions call each other" }, `cycle ${cycle}`)
      : null,
  ].filter(Boolean);
}
