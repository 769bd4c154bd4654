// Tables that are sorted by a click on a heading, and walked through by keys.

import { element } from "./dom.js";
import { count, percent } from "./format.js";
import { Rows } from "./rows.js";

// A column is { title, width, value(row) }: what it sorts by, and shows unless
// there is cell(row), which gives nodes. Its width is in letters; what is left of
// the table's goes to columns that have `grow`, in that proportion. A column of
// numbers has `numeric`; with total(), a number is shown with its share of that. It
// is wider where that, or else `most`, is a number that needs more letters. What has
// no value stays empty. `size` gives what sorts, if that is not the value itself.
//
// The first column says what a row is, and stays in sight when the table is scrolled sideways.

export class Grid {
  /** `open(row)` is called for Enter and clicks; `label` says what it lists. */
  constructor(label, columns, { open, empty = "Nothing is here.", role = "grid" } = {}) {
    this.columns = columns;
    this.open = open;
    this.sort = { column: columns.find((column) => column.numeric) ?? columns[0], descending: true };
    this.empty = element("p", { class: "plain empty" }, empty);
    this.rows = [];
    this.at = 0;
    this.view = new Rows((index) => this.drawRow(index), {
      class: "rows grid",
      role,
      tabindex: "0",
      "aria-label": label,
      onkeydown: (event) => this.key(event),
    });
    this.head = element("div", { class: "head row", role: "row" });
    this.view.node.prepend(this.head);
    this.node = this.view.node;
    this.node.style.setProperty(
      "--columns",
      columns
        .map((column) =>
          column.grow ? `minmax(${letters(column)}ch, ${column.grow}fr)` : `${letters(column)}ch`,
        )
        .join(" "),
    );
    const all = columns.reduce((sum, column) => sum + letters(column), 0);
    this.node.style.setProperty("--least", `calc(${all}ch + ${0.9 * (columns.length - 1) + 2}rem)`);
  }

  show(rows) {
    this.shown = [...rows];
    this.at = 0;
    this.arrange();
  }

  /** Rows in the order that is chosen. */
  sorted(rows) {
    const { column, descending } = this.sort;
    const key = column.size ?? column.value;
    const sign = descending ? -1 : 1;
    return rows
      .map((row) => [key(row), row])
      .sort((a, b) => sign * compared(a[0], b[0]) || a[1] - b[1])
      .map(([, row]) => row);
  }

  /** All that is shown, from above. */
  arranged() {
    return this.sorted(this.shown);
  }

  arrange() {
    this.rows = this.arranged();
    this.node.setAttribute("aria-rowcount", this.rows.length + 1);
    this.drawHead();
    this.empty.remove();
    if (!this.rows.length) this.node.append(this.empty);
    this.view.show(this.rows.length);
  }

  sortBy(column) {
    const again = this.sort.column === column;
    this.sort = { column, descending: again ? !this.sort.descending : Boolean(column.numeric) };
    this.at = 0;
    this.node.scrollTop = 0;
    this.arrange();
  }

  drawHead() {
    this.head.replaceChildren(
      ...this.columns.map((column) => {
        const sorted = this.sort.column === column;
        const order = this.sort.descending ? "descending" : "ascending";
        return element(
          "div",
          {
            class: column.numeric ? "number" : "text",
            role: "columnheader",
            "aria-sort": sorted ? order : "none",
            title: column.long,
          },
          element(
            "button",
            { type: "button", onclick: () => this.sortBy(column) },
            column.title,
            element(
              "span",
              { class: "order", "aria-hidden": "true" },
              sorted ? (this.sort.descending ? " ▾" : " ▴") : "",
            ),
          ),
        );
      }),
    );
  }

  drawRow(index) {
    const row = this.rows[index];
    const cells = this.columns.map((column) => {
      const attributes = { class: column.numeric ? "number" : "text", role: "gridcell" };
      if (column.cell) return element("div", attributes, column.cell(row));
      const value = column.value(row);
      if (!column.numeric || value === undefined)
        return element("div", { ...attributes, title: value }, value ?? "");
      return numberCell(value, column.total?.(), attributes);
    });
    return element(
      "div",
      {
        class: "row",
        role: "row",
        id: `${this.id}-${index}`,
        "aria-rowindex": index + 2,
        "aria-selected": String(index === this.at),
        "data-row": row,
        onclick: (event) => {
          if (event.target.closest("a")) return;
          this.move(index);
          this.open?.(row);
        },
      },
      cells,
    );
  }

  get id() {
    this.name ??= `grid${(Grid.made = (Grid.made ?? 0) + 1)}`;
    return this.name;
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.node.clientHeight / 24) - 2);
    const steps = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.rows.length,
      End: this.rows.length,
    };
    if (event.target !== this.node || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in steps) this.move(this.at + steps[event.key]);
    else if (event.key === "Enter" && this.rows.length) this.open?.(this.rows[this.at]);
    else return;
    event.preventDefault();
  }

  move(index) {
    this.at = Math.min(Math.max(index, 0), this.rows.length - 1);
    this.view.reveal(this.at);
    this.view.redraw();
    this.node.setAttribute("aria-activedescendant", `${this.id}-${this.at}`);
  }
}

/** The width of a column. */
function letters({ width, total, most }) {
  return Math.max(width, total ? lettersOfShare(total()) : count(most ?? 0).length);
}

/** The most letters of a number of a total and its share. */
export function lettersOfShare(total) {
  return count(total).length + 9;
}

function compared(a, b) {
  if (typeof a === "number" || typeof b === "number") return (a ?? -Infinity) - (b ?? -Infinity);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A number of calls as text, which may say that it is estimated. */
export function callsCell(text) {
  const isEstimated = text.startsWith("~");
  return element(
    "span",
    {
      class: text === "0" ? "count nothing" : "count",
      title: isEstimated ? "estimated, as the function was inlined" : undefined,
    },
    text,
  );
}

/** A number, its share of a total, and a bar as long as that. */
export function numberCell(number, total, attributes = { class: "number" }) {
  const share = total ? Math.min(1, Math.max(0, number / total)) : 0;
  return element(
    "div",
    { ...attributes, style: share ? `--share: ${share.toFixed(4)}` : undefined },
    element("span", { class: number ? "count" : "count nothing" }, count(number)),
    total === undefined ? null : element("span", { class: "share" }, number ? percent(number, total) : ""),
  );
}
