// Functions from the bottom up: what each costs itself, and below it by which callers, as a table of rows
// that open.

import { element } from "../dom.js";
import { grouped } from "../profile.js";
import { bottomUp, keyOf, stackTree } from "../stacktree.js";
import { TreeGrid } from "../tree.js";

/** @import { Page, Profile, StackNode } from "../types" */

/**
 * @typedef {object} Row
 * The first row of a function has all its self cost, also of stacks that are not on the page; these are the
 * last row below it, which has no node.
 * @property {StackNode} [node] of callers
 * @property {string} key its place in the tree
 * @property {number} function
 * @property {number[]} rows of functions that are one here
 * @property {string} name
 * @property {number} value what the function above all of them costs itself when it is called that way
 * @property {Row[]} [below] once one asked for them
 */

const CallerGrid = /** @type {typeof TreeGrid<Row>} */ (TreeGrid);

/**
 * The table, and what filters it.
 * @param {Page} page
 */
export function bottomUpTable(page) {
  const { profile, event, eventName } = page;
  const all = functionRows(page);
  const total = () => profile.total(event);
  const grid = new CallerGrid(
    "Functions and their callers",
    [
      {
        title: "Function",
        width: 34,
        grow: 3,
        value: (row) => row.name,
        cell: (row) => nameCell(profile, row),
      },
      {
        title: `${eventName} self`,
        long: "What the function costs itself, called this way",
        width: 22,
        numeric: true,
        total,
        value: (row) => row.value,
      },
      {
        title: "File",
        width: 12,
        grow: 1,
        value: (row) => (row.function < 0 ? "" : profile.tail(profile.file(row.function))),
      },
      {
        title: "Object",
        width: 12,
        grow: 1,
        value: (row) => (row.function < 0 ? "" : profile.tail(profile.object(row.function))),
      },
    ],
    {
      below: (row) => {
        row.below ??= rowsBelow(row);
        return row.below;
      },
      keyOf: (row) => row.key,
      opened: page.choices.openCallers,
      open: (row) => row.function >= 0 && page.open(`calls/${row.function}`),
      empty: "No function costs anything that has that in its name, file or object.",
    },
  );
  const filter = (/** @type {string} */ text) => {
    const found = new Set(profile.matching(text));
    grid.show(all.filter((row) => row.rows.some((one) => found.has(one))));
  };
  filter(page.search);
  return { grid, filter };
}

/**
 * The rows of functions, of which each may be several in the profile, that it keeps apart by their callers.
 * @param {Page} page
 * @returns {Row[]}
 */
function functionRows(page) {
  const { profile, event } = page;
  const trees = bottomUp(stackTree(page));
  const same = grouped(Array.from({ length: profile.count }, (_, row) => keyOf(profile, row)));
  return [...same]
    .map(([key, rows]) => ({
      key,
      rows,
      node: trees.get(key),
      function: rows[0],
      name: trees.get(key)?.name ?? profile.name(rows[0]),
      value: rows.reduce((sum, row) => sum + profile.self(row, event), 0),
    }))
    .filter(({ value }) => value > 0);
}

/**
 * @param {Profile} profile
 * @param {Row} row
 */
function nameCell(profile, row) {
  if (row.function < 0) return element("span", { class: "group-name place" }, row.name);
  return element(
    "a",
    { href: `#calls/${row.function}`, tabindex: "-1", title: profile.fullName(row.function) },
    row.name,
  );
}

/**
 * The callers of a row, and what of its cost is in no stack that is shown.
 * @param {Row} row
 * @returns {Row[]}
 */
function rowsBelow({ node, key, value }) {
  if (!node) return [];
  const callers = node.children.map((child) => ({
    key: `${key}/${child.key}`,
    rows: [],
    function: child.function,
    name: child.name,
    value: child.value,
    node: child,
  }));
  const rest = value - node.value;
  return rest > 0
    ? [
        ...callers,
        { key: `${key}/…`, rows: [], function: -1, name: "in stacks that are left out", value: rest },
      ]
    : callers;
}
