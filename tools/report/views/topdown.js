// Paths of calls from the top down, as a table of rows that open: below each function what it calls there.

import { element } from "../dom.js";
import { base, count, percent, signed } from "../format.js";
import { onPath } from "../stacktree.js";
import { TreeGrid } from "../tree.js";

// A row is a node of the tree of stacks.

/** The table, with filter(text), of which text;text are functions on one path. */
export function topDownTable(page, tree) {
  const { profile, event } = page;
  const state = (page.openPaths ??= { opened: new Set() });
  const grid = new TreeGrid("Paths of calls", columns(page, tree), {
    below: (node) => node.children,
    keyOf: (node) => node.id,
    opened: state.opened,
    open: (node) => node.function >= 0 && page.open(`calls/${node.function}`),
    empty: "No path that is on the page has that in the names, files or objects of its functions.",
  });
  if (!state.isBegun) openFirst(tree, state.opened);
  state.isBegun = true;
  grid.filter = (text) => {
    const found = text.trim() ? outermost(tree, onPath(profile, text)) : null;
    grid.isFound = Boolean(found);
    grid.show(found ?? tree.children);
    page.status(found ? told(page, found, profile.total(event)) : "");
  };
  grid.filter(page.search);
  return grid;

  function columns() {
    const { eventName } = page;
    const total = () => tree.value;
    const all = [
      {
        title: "Function",
        width: 40,
        grow: 4,
        value: (node) => node.name,
        cell: (node) => nameCell(profile, node, grid.isFound),
      },
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
      {
        title: "Calls",
        long: "How often it was called on this path",
        width: 12,
        numeric: true,
        value: (node) => node.calls,
      },
      {
        title: "Change",
        long: "By how much the cost of the path changed, with all that it calls",
        width: 14,
        numeric: true,
        value: (node) => node.value - node.old,
        cell: (node) => signed(node.value - node.old),
      },
      {
        title: "Object",
        width: 12,
        grow: 1,
        value: (node) => (node.function < 0 ? "" : base(profile.object(node.function))),
      },
    ];
    const isLeft = { Calls: tree.children[0]?.calls === undefined, Change: tree.old === undefined };
    return all.filter(({ title }) => !isLeft[title]);
  }
}

/** Open the way to where paths part: as long as most of the cost goes on in one call. */
function openFirst(tree, opened) {
  let node = tree;
  while (node.children.length) {
    const most = node.children.reduce((first, second) => (second.value > first.value ? second : first));
    if (most.value < 0.5 * tree.value) return;
    opened.add(most.id);
    node = most;
  }
}

/** The nodes that are found and in no other that is. */
function outermost(tree, isFound) {
  const found = [];
  const open = [...tree.children];
  while (open.length) {
    const node = open.pop();
    if (isFound(node)) found.push(node);
    else open.push(...node.children);
  }
  return found;
}

function told({ eventName }, found, total) {
  const cost = found.reduce((sum, { value }) => sum + value, 0);
  return `${count(found.length)} ${found.length === 1 ? "path" : "paths"}, ${count(cost)} ${eventName}, ${percent(cost, total)}`;
}

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

/** The functions above a node, the next one first, as many as a line has room for; all where the mouse is. */
function callersOf(node) {
  const names = [];
  for (let above = node.parent; above?.parent; above = above.parent) names.push(` ‹ ${above.name}`);
  return element("span", { class: "callers", title: names.join("\n") }, names.slice(0, 12).join(""));
}
