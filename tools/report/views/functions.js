// All functions, in a table.

import { max } from "d3-array";
import { element } from "../dom.js";
import { base, count } from "../format.js";
import { Grid } from "../grid.js";

export const functions = {
  name: "functions",
  title: "Functions",
  hint: "Every function, by what it costs",
  shown: () => true,
  needs: [],
  draw: (page) => new FunctionTable(page).node,
};

class FunctionTable {
  constructor(page) {
    this.page = page;
    this.all = page.allEvents ?? true;
    this.grid = new Grid("Functions", this.columns(), {
      open: (row) => page.open(`calls/${row}`), empty: "No function has that in its name, file or object.",
    });
    this.node = element("div", { class: "filled" }, this.bar(), this.grid.node);
    this.node.searched = (text) => this.filter(text);
    this.filter(page.search);
  }

  bar() {
    this.found = element("span", { class: "found" });
    const several = this.page.profile.head.recorded > 1;
    return element("div", { class: "bar" }, this.found, several ? element("label", {},
      element("input", {
        type: "checkbox", id: "all-events", checked: this.all,
        onchange: (event) => {
          this.page.allEvents = event.target.checked;
          this.page.redraw();
        },
      }), " a column for each event") : null);
  }

  filter(text) {
    const rows = this.page.profile.matching(text);
    const total = this.page.profile.count;
    this.found.textContent = rows.length === total
      ? `${count(total)} functions` : `${count(rows.length)} of ${count(total)} functions`;
    this.grid.show(rows);
    this.page.status(this.found.textContent);
  }

  columns() {
    const { profile, event, eventName } = this.page;
    const total = () => profile.total(event);
    return [
      {
        title: `${eventName} incl.`, long: "What is spent while the function is on the stack",
        width: 22, numeric: true, total, value: (row) => profile.inclusive(row, event),
      },
      {
        title: `${eventName} self`, long: "What the function's own code costs",
        width: 22, numeric: true, total, value: (row) => profile.self(row, event),
      },
      {
        title: "Called", width: 12, numeric: true, most: profile.once("most called", () => max(profile.functions.called)),
        value: (row) => profile.functions.called[row],
      },
      {
        title: "Function", width: 34, grow: 3, value: (row) => profile.name(row),
        cell: (row) => functionCell(this.page, row),
      },
      ...this.eventColumns(),
      {
        title: "File", width: 12, grow: 1, value: (row) => profile.file(row),
        cell: (row) => element("span", { title: profile.file(row) }, base(profile.file(row))),
      },
      {
        title: "Object", width: 12, grow: 1, value: (row) => profile.object(row),
        cell: (row) => element("span", { title: profile.object(row) }, base(profile.object(row))),
      },
    ];
  }

  /** The self cost of each recorded event but the one chosen. */
  eventColumns() {
    const { profile, event } = this.page;
    const { recorded } = profile.head;
    if (!this.all || recorded < 2) return [];
    return [...Array(recorded).keys()].filter((index) => index !== event).map((index) => ({
      title: profile.events[index].name, long: `${profile.events[index].long} self`.trim(),
      width: 13, numeric: true, most: profile.total(index), value: (row) => profile.self(row, index),
    }));
  }
}

/** A function's name, which leads to its callers, and the cycle it is in. */
export function functionCell(page, row) {
  const { profile } = page;
  const cycle = profile.functions.cycle[row];
  return [
    element("a", { href: `#calls/${row}`, tabindex: "-1", title: profile.fullName(row) }, profile.name(row)),
    cycle ? element("span", { class: "tag", title: "These functions call each other" }, `cycle ${cycle}`) : null,
  ].filter(Boolean);
}
