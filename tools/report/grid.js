// Tables that are sorted by a click on a heading, and walked through by keys.

import { element, stepOf } from "./dom.js";
import { count, percent } from "./format.js";
import { Rows } from "./rows.js";

/** @import { Attributes, GridColumn, GridOptions, Value } from "./types" */

// A column is { title, width, value(row) }: what it sorts by, and shows unless
// there is cell(row), which gives nodes. Its width is in letters; what is left of
// the table's goes to columns that have `grow`, in that proportion. A column of
// numbers has `numeric`; with total(), a number is shown with its share of that. It
// is wider where that, or else `most`, is a number that needs more letters. What has
// no value stays empty. `size` gives what sorts, if that is not the value itself.
//
// The first column says what a row is, and stays in sight when the table is scrolled sideways.

/** @template Row */
export class Grid {
  static #made = 0;

  /**
   * @param {string} label says what it lists
   * @param {GridColumn<Row>[]} columns
   * @param {GridOptions<Row>} options
   */
  constructor(label, columns, { open, empty = "Nothing is here.", role = "grid" } = {}) {
    Grid.#made += 1;
    this.id = `grid${Grid.#made}`;
    this.columns = columns;
    this.open = open;
    /** @type {Row[]} as they were given */
    this.shown = [];
    /** @type {{ column: GridColumn<Row>, descending: boolean }} */
    this.sort = { column: columns.find((column) => column.numeric) ?? columns[0], descending: true };
    this.empty = element("p", { class: "plain empty" }, empty);
    /** @type {Row[]} as they are shown, from above */
    this.rows = [];
    this.at = 0;
    this.view = new Rows((index) => this.drawRow(index), {
      class: "rows grid",
      role,
      tabindex: "0",
      "aria-label": label,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
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

  /** @param {Iterable<Row>} rows */
  show(rows) {
    this.shown = [...rows];
    this.at = 0;
    this.arrange();
  }

  /**
   * Rows in the order that is chosen; by their numbers, if they have some, where they are alike.
   * @param {Row[]} rows
   */
  sorted(rows) {
    const { column, descending } = this.sort;
    const key = (/** @type {Row} */ row) => (column.size ? column.size(row) : column.value(row));
    const sign = descending ? -1 : 1;
    return rows
      .map((row) => ({ key: key(row), row }))
      .sort((a, b) => sign * compared(a.key, b.key) || Number(a.row) - Number(b.row))
      .map(({ row }) => row);
  }

  /** All that is shown, from above. */
  arranged() {
    return this.sorted(this.shown);
  }

  arrange() {
    this.rows = this.arranged();
    this.node.setAttribute("aria-rowcount", String(this.rows.length + 1));
    this.drawHead();
    this.empty.remove();
    if (!this.rows.length) this.node.append(this.empty);
    this.view.show(this.rows.length);
  }

  /** @param {GridColumn<Row>} column */
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

  /** @param {number} index */
  drawRow(index) {
    const row = this.rows[index];
    const cells = this.columns.map((column) => {
      const attributes = { class: column.numeric ? "number" : "text", role: "gridcell" };
      if (column.cell) return element("div", attributes, column.cell(row));
      const value = column.value(row);
      if (!column.numeric || typeof value !== "number") {
        return element("div", { ...attributes, title: value }, value ?? "");
      }
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
        onclick: (/** @type {MouseEvent} */ event) => {
          if (event.target instanceof Element && event.target.closest("a")) return;
          this.move(index);
          this.open?.(row);
        },
      },
      cells,
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = Math.max(1, Math.floor(this.node.clientHeight / 24) - 2);
    const step = stepOf(event.key, {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.rows.length,
      End: this.rows.length,
    });
    if (event.target !== this.node || event.ctrlKey || event.altKey || event.metaKey) return;
    if (step !== undefined) this.move(this.at + step);
    else if (event.key === "Enter" && this.rows.length) this.open?.(this.rows[this.at]);
    else return;
    event.preventDefault();
  }

  /** @param {number} index */
  move(index) {
    this.at = Math.min(Math.max(index, 0), this.rows.length - 1);
    this.view.reveal(this.at);
    this.view.redraw();
    this.node.setAttribute("aria-activedescendant", `${this.id}-${this.at}`);
  }
}

/** A table whose rows are numbers. */
export const RowGrid = /** @type {typeof Grid<number>} */ (Grid);

/**
 * The width of a column.
 * @param {{ width: number, total?(): number, most?: number }} column
 */
function letters({ width, total, most }) {
  return Math.max(width, total ? lettersOfShare(total()) : count(most ?? 0).length);
}

/**
 * The most letters of a number of a total and its share.
 * @param {number} total
 */
export function lettersOfShare(total) {
  return count(total).length + 9;
}

/**
 * Nothing is less than any number.
 * @param {Value} a
 * @param {Value} b
 */
function compared(a, b) {
  if (typeof a === "number" || typeof b === "number") return Number(a ?? -Infinity) - Number(b ?? -Infinity);
  const [first, second] = [a ?? "", b ?? ""];
  return first < second ? -1 : first > second ? 1 : 0;
}

/**
 * A number of calls as text, which may say that it is estimated.
 * @param {string} text
 */
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

/**
 * A number, its share of a total, and a bar as long as that.
 * @param {number} number
 * @param {number} [total]
 * @param {Attributes} attributes
 */
export function numberCell(number, total, attributes = { class: "number" }) {
  const share = total ? Math.min(1, Math.max(0, number / total)) : 0;
  return element(
    "div",
    { ...attributes, style: share ? `--share: ${share.toFixed(4)}` : undefined },
    element("span", { class: number ? "count" : "count nothing" }, count(number)),
    total === undefined ? null : element("span", { class: "share" }, number ? percent(number, total) : ""),
  );
}
