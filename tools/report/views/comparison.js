// What changed from an older profile to this one.

import { choice, element, link } from "../dom.js";
import { base, count, signed, signedPercent } from "../format.js";
import { callsCell, RowGrid } from "../grid.js";

/** @import { Column, Drawn, GridColumn, Page, Tables, View } from "../types" */

/** @type {View} */
export const comparison = {
  name: "comparison",
  title: "What changed",
  hint: "What changed from the older profile to this one",
  shown: (profile) => profile.has("comparison"),
  isFirst: (profile) => profile.has("comparison"),
  needs: ["comparison"],
  draw: (page, argument) => new Comparison(page, argument || "functions").node,
};

/** @typedef {Tables["comparison"]} Compared */
/**
 * @typedef {object} Drawing
 * @property {InstanceType<typeof RowGrid>} grid the table
 * @property {(row: number) => string} text what of a row is searched
 */

/**
 * @typedef {object} ComparedTable what can be compared
 * @property {string} title
 * @property {(compared: Compared) => { old: Column[], new: Column[] }} costs
 * @property {(comparison: Comparison) => Drawing} draw
 * @property {(compared: Compared, row: number) => boolean} [differs] where costs do not
 */

/** @type {Record<string, ComparedTable>} */
const TABLES = {
  functions: {
    title: "Functions, self",
    costs: ({ functions }) => functions.self,
    draw: functionTable,
  },
  inclusive: {
    title: "Functions, inclusive",
    costs: ({ functions }) => functions.inclusive,
    draw: functionTable,
  },
  causes: { title: "Causes", costs: ({ causes }) => causes, draw: causeTable, differs: () => true },
  calls: {
    title: "Calls",
    costs: ({ calls }) => calls,
    draw: callTable,
    differs: ({ calls }, row) => calls.oldCount[row] !== calls.newCount[row],
  },
  lines: { title: "Lines", costs: ({ lines }) => lines, draw: lineTable },
};

class Comparison {
  /**
   * @param {Page} page
   * @param {string} wanted the name of a table
   */
  constructor(page, wanted) {
    this.page = page;
    this.compared = page.profile.table("comparison");
    const name = Object.hasOwn(TABLES, wanted) ? wanted : "functions";
    const { costs, draw, differs } = TABLES[name];
    this.costs = costs(this.compared);
    this.drawing = draw(this);
    this.rows = [...Array(this.costs.old[0].length).keys()].filter(
      (row) => this.old(row) !== this.now(row) || differs?.(this.compared, row),
    );
    /** @type {[name: string, title: string][]} */
    const titles = Object.entries(TABLES).map(([key, { title }]) => [key, title]);
    /** @type {Drawn} */
    this.node = element(
      "div",
      { class: "filled" },
      this.head(),
      element(
        "div",
        { class: "bar" },
        choice("What is compared", titles, name, (other) => page.open(`comparison/${other}`)),
        element(
          "span",
          { class: "note" },
          "Call graph, flame graph and treemap have colours for what changed.",
        ),
      ),
      this.drawing.grid.node,
    );
    this.node.searched = (text) => this.filter(text);
    this.filter(page.search);
  }

  /** @param {string} text */
  filter(text) {
    const { grid, text: textOf } = this.drawing;
    const wanted = text.trim().toLowerCase();
    grid.show(this.rows.filter((row) => !wanted || textOf(row).toLowerCase().includes(wanted)));
  }

  head() {
    const { profile, event, eventName } = this.page;
    const old = profile.sum(this.compared.oldTotal, event);
    const now = profile.total(event);
    const card = (/** @type {string} */ label, /** @type {string} */ text, /** @type {string} */ small) =>
      element(
        "div",
        { class: "card" },
        element("span", { class: "label" }, label),
        element("strong", { "data-figure": label }, text),
        element("small", {}, small),
      );
    return element(
      "div",
      { class: "cards" },
      card("before", count(old), `${eventName} of ${base(this.compared.old)}`),
      card("after", count(now), `${eventName} of ${profile.head.files.map(base).join(", ")}`),
      card(
        "change",
        signed(now - old),
        old ? `${now < old ? "−" : "+"}${((100 * Math.abs(now - old)) / old).toFixed(2)} %` : "",
      ),
    );
  }

  // ---- Costs of the table

  /** @param {number} row */
  old(row) {
    return this.page.profile.value(this.costs.old, row, this.page.event);
  }

  /** @param {number} row */
  now(row) {
    return this.page.profile.value(this.costs.new, row, this.page.event);
  }

  /** @param {number} row */
  change(row) {
    return this.now(row) - this.old(row);
  }

  /**
   * How a change is coloured: not, where it is smaller than what one is told of.
   * @param {number} row
   */
  judged(row) {
    const change = this.change(row);
    if (Math.abs(change) < this.page.profile.leastChange(this.page.event)) return "slight";
    return change > 0 ? "worse" : "better";
  }

  /** @returns {GridColumn<number>} */
  changeColumn() {
    const { profile, event } = this.page;
    const before = profile.sum(this.compared.oldTotal, event); // shares are of this, as those of cg2_diff are
    return {
      title: "Change",
      width: 22,
      numeric: true,
      value: (row) => this.change(row),
      size: (row) => Math.abs(this.change(row)),
      cell: (row) => [
        element("span", { class: `count ${this.judged(row)}` }, signed(this.change(row))),
        element("span", { class: "share" }, signedPercent(this.change(row), before)),
      ],
    };
  }

  /** @returns {GridColumn<number>[]} */
  columns() {
    const { profile, event } = this.page;
    const before = profile.sum(this.compared.oldTotal, event);
    return [
      this.changeColumn(),
      {
        title: "Before",
        width: 15,
        numeric: true,
        most: before,
        value: (row) => this.old(row),
      },
      {
        title: "After",
        width: 15,
        numeric: true,
        most: profile.total(event),
        value: (row) => this.now(row),
      },
    ];
  }

  // ---- Names

  /** @param {number} number */
  string(number) {
    return this.page.profile.strings[number];
  }

  /**
   * What of a row is searched: names, whose numbers columns have.
   * @param {Column[]} columns
   * @returns {(row: number) => string}
   */
  searched(...columns) {
    return (row) => columns.map((column) => this.string(column[row])).join(" ");
  }
}

// ---- Tables

/**
 * @param {Comparison} changes
 * @returns {Drawing}
 */
function functionTable(changes) {
  const { page, compared } = changes;
  const { functions } = compared;
  const said = (/** @type {number} */ row) => changes.string(functions.said[row]);
  const grid = new RowGrid(
    "Functions that changed",
    [
      {
        title: "Function",
        width: 34,
        grow: 2,
        value: said,
        cell: (row) => functionLink(functions.row[row], said(row), changes.string(functions.name[row])),
      },
      ...changes.columns(),
      { title: "What", width: 9, value: (row) => functions.kind[row] },
      { title: "File", width: 12, grow: 1, value: (row) => changes.string(functions.file[row]) },
    ],
    { open: (row) => functions.row[row] >= 0 && page.open(`calls/${functions.row[row]}`) },
  );
  return { grid, text: changes.searched(functions.name, functions.said, functions.file) };
}

/**
 * A function of OLD that is no longer there has no view of its own.
 * @param {number} row
 * @param {string} name
 * @param {string} title
 */
function functionLink(row, name, title) {
  return row < 0 ? element("span", { title }, name) : link(`calls/${row}`, name, { tabindex: "-1", title });
}

/**
 * Why the totals differ: what is said adds up to the change. A cause leads to its first line, or else to its
 * function.
 * @param {Comparison} changes
 * @returns {Drawing}
 */
function causeTable(changes) {
  const { page, compared } = changes;
  const { causes } = compared;
  const text = (/** @type {number} */ row) => changes.string(causes.text[row]);
  const place = (/** @type {number} */ row) => {
    if (causes.file[row] >= 0) return `source/${causes.file[row]}:${causes.line[row]}`;
    return causes.row[row] < 0 ? "" : `calls/${causes.row[row]}`;
  };
  const grid = new RowGrid(
    "Causes of the change",
    [
      {
        title: "What",
        width: 40,
        grow: 3,
        value: text,
        cell: (row) => {
          const to = place(row);
          return to ? link(to, text(row), { tabindex: "-1" }) : element("span", {}, text(row));
        },
      },
      changes.changeColumn(),
      { title: "Cause", width: 11, value: (row) => causes.kind[row] },
    ],
    { open: (row) => place(row) !== "" && page.open(place(row)) },
  );
  return { grid, text: changes.searched(causes.text) };
}

/**
 * @param {Comparison} changes
 * @returns {Drawing}
 */
function callTable(changes) {
  const { calls } = changes.compared;
  const times =
    (/** @type {Column} */ numbers, /** @type {Column} */ estimated) => (/** @type {number} */ row) =>
      callsCell(`${estimated[row] ? "~" : ""}${count(numbers[row])}`);
  const grid = new RowGrid("Calls that changed", [
    {
      title: "Caller → callee",
      width: 24,
      grow: 1,
      value: (row) => `${changes.string(calls.callerSaid[row])} → ${changes.string(calls.calleeSaid[row])}`,
    },
    ...changes.columns(),
    {
      title: "Calls before",
      width: 13,
      numeric: true,
      value: (row) => calls.oldCount[row],
      cell: times(calls.oldCount, calls.oldEstimated),
    },
    {
      title: "after",
      width: 11,
      numeric: true,
      value: (row) => calls.newCount[row],
      cell: times(calls.newCount, calls.newEstimated),
    },
  ]);
  const text = changes.searched(calls.caller, calls.callee, calls.callerSaid, calls.calleeSaid);
  return { grid, text };
}

/**
 * @param {Comparison} changes
 * @returns {Drawing}
 */
function lineTable(changes) {
  const { lines } = changes.compared;
  const place = (/** @type {number} */ row) => {
    const [old, now] = [lines.oldLine[row], lines.newLine[row]];
    const moved = old && now && old !== now ? ` (was ${old})` : "";
    return `${changes.string(lines.file[row])}:${now ?? old}${now ? moved : " (before)"}`;
  };
  const grid = new RowGrid("Lines that changed", [
    { title: "Line", width: 18, grow: 1, value: place },
    ...changes.columns(),
    { title: "Function", width: 16, grow: 1, value: (row) => changes.string(lines.said[row]) },
  ]);
  return { grid, text: changes.searched(lines.function, lines.said, lines.file) };
}
