// Paths of calls from the top down, as a table of rows that open: below each function what it calls there.

import { element } from "../dom.js";
import { count, percent, signed } from "../format.js";
import { onPath } from "../stacktree.js";
import { TreeGrid } from "../tree.js";

/** @import { Child, GridColumn, Key, Page, Profile, Stack } from "../types" */

// A row is a node of the tree of stacks.

const PathGrid = /** @type {typeof TreeGrid<Stack>} */ (TreeGrid);

/**
 * The table, and what filters it: by text;text, which are functions on one path.
 * @param {Page} page
 * @param {Stack} tree
 */
export function topDownTable(page, tree) {
  const { profile, event, choices } = page;
  let isFound = false;
  const name = (/** @type {Stack} */ node) => nameCell(profile, node, isFound);
  const grid = new PathGrid("Paths of calls", columns(page, tree, name), {
    below: (node) => node.children,
    keyOf: (node) => node.id,
    opened: choices.openPaths,
    open: (node) => node.function >= 0 && page.open(`calls/${node.function}`),
    empty: "No path that is on the page has that in the names, files or objects of its functions.",
  });
  if (!choices.hasOpenedPaths) openFirst(tree, choices.openPaths);
  choices.hasOpenedPaths = true;
  const filter = (/** @type {string} */ text) => {
    const found = text.trim() ? outermost(tree, onPath(profile, text)) : null;
    isFound = Boolean(found);
    grid.show(found ?? tree.children);
    page.status(found ? told(page, found, profile.total(event)) : "");
  };
  filter(page.search);
  return { grid, filter };
}

/**
 * @param {Page} page
 * @param {Stack} tree
 * @param {(node: Stack) => Child | Child[]} name draws a row's name
 * @returns {GridColumn<Stack>[]}
 */
function columns({ profile, eventName }, tree, name) {
  const total = () => tree.value;
  const hasCalls = tree.children[0]?.calls !== undefined;
  const change = (/** @type {Stack} */ node) => node.value - (node.old ?? 0);
  const optional = {
    calls: {
      title: "Calls",
      long: "How often it was called on this path",
      width: 12,
      numeric: true,
      value: (/** @type {Stack} */ node) => node.calls,
    },
    change: {
      title: "Change",
      long: "By how much the cost of the path changed, with all that it calls",
      width: 14,
      numeric: true,
      value: change,
      cell: (/** @type {Stack} */ node) => signed(change(node)),
    },
  };
  return [
    { title: "Function", width: 40, grow: 4, value: (node) => node.name, cell: name },
    {
      title: eventName,
      long: "What the path costs with all that it calls",
      width: 22,
      numeric: true,
      total,
      value: (node) => node.value,
    },
    {
      title: `${eventName} self`,
      long: "What the path costs itself",
      width: 22,
      numeric: true,
      total,
      value: (node) => node.self,
    },
    ...(hasCalls ? [optional.calls] : []),
    ...(tree.old === undefined ? [] : [optional.change]),
    {
      title: "Object",
      width: 12,
      grow: 1,
      value: (node) => (node.function < 0 ? "" : profile.tail(profile.object(node.function))),
    },
  ];
}

/**
 * Open the way to where paths part: as long as most of the cost goes on in one call.
 * @param {Stack} tree
 * @param {Set<Key>} opened
 */
function openFirst(tree, opened) {
  let node = tree;
  while (node.children.length) {
    const most = node.children.reduce((first, second) => (second.value > first.value ? second : first));
    if (most.value < 0.5 * tree.value) return;
    opened.add(most.id);
    node = most;
  }
}

/**
 * The nodes that are found and in no other that is.
 * @param {Stack} tree
 * @param {(node: Stack) => boolean} isFound
 */
function outermost(tree, isFound) {
  const found = [];
  const open = [...tree.children];
  for (let node = open.pop(); node; node = open.pop()) {
    if (isFound(node)) found.push(node);
    else open.push(...node.children);
  }
  return found;
}

/**
 * @param {Page} page
 * @param {Stack[]} found
 * @param {number} total
 */
function told({ eventName }, found, total) {
  const cost = found.reduce((sum, { value }) => sum + value, 0);
  const paths = `${count(found.length)} ${found.length === 1 ? "path" : "paths"}`;
  return `${paths}, ${count(cost)} ${eventName}, ${percent(cost, total)}`;
}

/**
 * @param {Profile} profile
 * @param {Stack} node
 * @param {boolean} withCallers
 */
function nameCell(profile, node, withCallers) {
  const name =
    node.function < 0
      ? element("span", { class: "group-name place" }, node.name)
      : element(
          "a",
          { href: `#calls/${node.function}`, tabindex: "-1", title: profile.fullName(node.function) },
          node.name,
        );
  return withCallers ? [name, callersOf(node)] : name;
}

/**
 * The functions above a node, the next one first, as many as a line has room for; all where the mouse is.
 * @param {Stack} node
 */
function callersOf(node) {
  const names = [];
  for (let above = node.parent; above?.parent; above = above.parent) names.push(` ‹ ${above.name}`);
  return element("span", { class: "callers", title: names.join("\n") }, names.slice(0, 12).join(""));
}
