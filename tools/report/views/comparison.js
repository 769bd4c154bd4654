// What changed from an older profile to this one.

import { choice, element, link } from "../dom.js";
import { base, count, percent, signed } from "../format.js";
import { callsCell, Grid } from "../grid.js";

export const comparison = {
  name: "comparison",
  title: "What changed",
  hint: "What changed from the older profile to this one",
  shown: (profile) => profile.has("comparison"),
  needs: ["comparison"],
  draw: (page, argument) => new Comparison(page, argument || "functions").node,
};

const TABLES = [
  ["functions", "Functions, self"],
  ["inclusive", "Functions, inclusive"],
  ["calls", "Calls"],
  ["lines", "Lines"],
];

class Comparison {
  constructor(page, table) {
    this.page = page;
    this.compared = page.profile.table("comparison");
    this.table = TABLES.some(([name]) => name === table) ? table : "functions";
    this.grid = this[`${this.table}Table`]();
    const costs = this.costs();
    this.rows = [...costs.old[0].keys()].filter(
      (row) =>
        this.old(row) !== this.now(row) ||
        (this.table === "calls" && this.compared.calls.oldCount[row] !== this.compared.calls.newCount[row]),
    );
    this.node = element(
      "div",
      { class: "filled" },
      this.head(),
      element(
        "div",
        { class: "bar" },
        choice("What is compared", TABLES, this.table, (name) => page.open(`comparison/${name}`)),
        element(
          "span",
          { class: "note" },
          "Call graph, flame graph and treemap have colours for what changed.",
        ),
      ),
      this.grid.node,
    );
    this.node.searched = (text) => this.filter(text);
    this.filter(page.search);
  }

  filter(text) {
    const wanted = text.trim().toLowerCase();
    this.grid.show(this.rows.filter((row) => !wanted || this.text(row).toLowerCase().includes(wanted)));
  }

  head() {
    const { profile, event, eventName } = this.page;
    const old = profile.sum(this.compared.oldTotal, event);
    const now = profile.total(event);
    const card = (label, text, small) =>
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
        old ? `${now > old ? "+" : ""}${((100 * (now - old)) / old).toFixed(2)} %` : "",
      ),
    );
  }

  // ---- Costs of the table

  costs() {
    if (this.table === "functions") return this.compared.functions.self;
    if (this.table === "inclusive") return this.compared.functions.inclusive;
    return this.compared[this.table];
  }

  old(row) {
    return this.page.profile.value(this.costs().old, row, this.page.event);
  }

  now(row) {
    return this.page.profile.value(this.costs().new, row, this.page.event);
  }

  change(row) {
    return this.now(row) - this.old(row);
  }

  columns() {
    const { profile, event } = this.page;
    const before = profile.sum(this.compared.oldTotal, event); // shares are of this, as those of cg2_diff are
    return [
      {
        title: "Change",
        width: 22,
        numeric: true,
        value: (row) => this.change(row),
        size: (row) => Math.abs(this.change(row)),
        cell: (row) => [
          element(
            "span",
            { class: this.change(row) > 0 ? "count worse" : "count better" },
            signed(this.change(row)),
          ),
          element("span", { class: "share" }, percent(Math.abs(this.change(row)), before)),
        ],
      },
      { title: "Before", width: 15, numeric: true, most: before, value: (row) => this.old(row) },
      { title: "After", width: 15, numeric: true, most: profile.total(event), value: (row) => this.now(row) },
    ];
  }

  // ---- Tables

  string(number) {
    return this.page.profile.strings[number];
  }

  /** What of a row is searched: names, whose numbers columns have. */
  searched(...columns) {
    return (row) => columns.map((column) => this.string(column[row])).join(" ");
  }

  functionsTable() {
    const { functions } = this.compared;
    this.text = this.searched(functions.name, functions.said, functions.file);
    return new Grid(
      "Functions that changed",
      [
        {
          title: "Function",
          width: 34,
          grow: 2,
          value: (row) => this.string(functions.said[row]),
          cell: (row) =>
            this.functionLink(
              functions.row[row],
              this.string(functions.said[row]),
              this.string(functions.name[row]),
            ),
        },
        ...this.columns(),
        { title: "What", width: 9, value: (row) => functions.kind[row] },
        { title: "File", width: 12, grow: 1, value: (row) => this.string(functions.file[row]) },
      ],
      { open: (row) => functions.row[row] >= 0 && this.page.open(`calls/${functions.row[row]}`) },
    );
  }

  inclusiveTable() {
    return this.functionsTable();
  }

  /** A function of OLD that is no longer there has no view of its own. */
  functionLink(row, name, title) {
    return row < 0 ? element("span", { title }, name) : link(`calls/${row}`, name, { tabindex: "-1", title });
  }

  callsTable() {
    const { calls } = this.compared;
    const times = (numbers, estimated) => (row) =>
      callsCell(`${estimated[row] ? "~" : ""}${count(numbers[row])}`);
    this.text = this.searched(calls.caller, calls.callee, calls.callerSaid, calls.calleeSaid);
    return new Grid("Calls that changed", [
      {
        title: "Caller → callee",
        width: 24,
        grow: 1,
        value: (row) => `${this.string(calls.callerSaid[row])} → ${this.string(calls.calleeSaid[row])}`,
      },
      ...this.columns(),
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
  }

  linesTable() {
    const { lines } = this.compared;
    this.text = this.searched(lines.function, lines.said, lines.file);
    return new Grid("Lines that changed", [
      {
        title: "Line",
        width: 18,
        grow: 1,
        value: (row) => {
          const [old, now] = [lines.oldLine[row], lines.newLine[row]];
          const moved = old && now && old !== now ? ` (was ${old})` : "";
          return `${this.string(lines.file[row])}:${now ?? old}${now ? moved : " (before)"}`;
        },
      },
      ...this.columns(),
      { title: "Function", width: 16, grow: 1, value: (row) => this.string(lines.said[row]) },
    ]);
  }
}
