// The tree of stacks, and what is made of it: the callees of a function, its callers, and functions with their callers
// from the bottom up.
//
// A node is { name, full, key, function, value, self, old, oldSelf, calls, children }: what it costs with its callees and
// by itself, and did in the older profile, which are undefined without one. Functions that the profile keeps apart
// by their callers are one here: they have the same key; `function` is the row of one of them, -1 if there is none.
// `calls` is how often it was called there, where paths were counted; their rest below a node is one, too.
// A node of callers has no self: its value is what the function below all of them costs when it is called that way.

import { count } from "./format.js";

/** All stacks below one node for all of them. A node of a stack also has its `parent`, and an `id`. With `withGone`,
    those are there, too, that only the older profile has. */
export function stackTree(page, withGone = false) {
  const { profile, event } = page;
  const table = profile.table("stacks");
  const cost = (columns, row) => (columns ? profile.value(columns, row, event) : undefined);
  const all = { name: "all", full: "all", function: -1, value: 0, self: 0, children: [], parent: null };
  if (table.old) {
    all.old = profile.sum(profile.table("comparison").oldTotal, event);
    all.oldSelf = 0;
  }
  const nodes = Array.from(table.name, (name, row) => ({
    id: row,
    calls: table.calls?.[row],
    name: saidOf(profile, table, row),
    full: profile.strings[name],
    function: table.function[row],
    key: table.function[row] < 0 ? `${name}` : keyOf(profile, table.function[row]),
    value: cost(table.inclusive, row),
    self: cost(table.self, row),
    old: cost(table.old, row),
    oldSelf: cost(table.oldSelf, row),
    children: [],
  }));
  nodes.forEach((node, row) => {
    if (node.value <= 0 && !(withGone && node.old > 0)) return;
    node.parent = table.parent[row] < 0 ? all : nodes[table.parent[row]];
    node.parent.children.push(node);
    if (node.parent === all) all.value += node.value;
  });
  return all;
}

/** How a stack is called; what is left out below one says how many paths that is. */
function saidOf(profile, table, row) {
  const name = profile.strings[table.said[row]];
  const left = table.paths?.[row];
  return left ? `${name} ${count(left)} ${left === 1 ? "path" : "paths"}` : name;
}

/** Whether a node is the end of a path that has functions like each of the words between ";", in their order. */
export function onPath(profile, text) {
  const words = text
    .split(";")
    .map((word) => word.trim().toLowerCase())
    .filter(Boolean);
  const rows = words.map((word) => new Set(profile.matching(word)));
  const isLike = (node, at) =>
    node.function < 0 ? node.name.toLowerCase().includes(words[at]) : rows[at].has(node.function);
  return (node) => {
    let at = words.length - 1;
    if (at < 0 || !isLike(node, at)) return false;
    for (let above = node.parent; at > 0 && above?.parent; above = above.parent)
      if (isLike(above, at - 1)) at -= 1;
    return at === 0;
  };
}

/** What a function is told by in stacks, which keep none apart by its callers. */
export function keyOf(profile, row) {
  const { bare, file, object } = profile.functions;
  return `${bare[row]}:${file[row]}:${object[row]}`;
}

/** All nodes below a node, each behind its parent. */
export function below(tree) {
  const found = [...tree.children];
  for (let at = 0; at < found.length; at += 1) for (const child of found[at].children) found.push(child);
  return found;
}

/** The stacks of a function that is not called by itself further up. */
function outermost(tree, key) {
  const found = [];
  const open = [tree];
  while (open.length) {
    const node = open.pop();
    if (node.key === key) found.push(node);
    else for (const child of node.children) open.push(child);
  }
  return found;
}

/** A function with all that it calls, wherever it is called from; null if no stack has it. */
export function calleesOf(tree, key) {
  const stacks = outermost(tree, key);
  return stacks.length
    ? new Merged(stacks, together, (some) => some.flatMap((stack) => stack.children))
    : null;
}

/** A function with all that it is called from, a callee in front of its callers; null if no stack has it. */
export function callersOf(tree, key) {
  const stacks = outermost(tree, key);
  return stacks.length ? inverted(stacks, (stack) => [stack.value, stack.old]) : null;
}

/** What functions cost themselves: for each a tree as callersOf gives it, by their keys. */
export function bottomUp(tree) {
  const found = byKey(below(tree));
  return new Map([...found].map(([key, stacks]) => [key, inverted(stacks, (stack) => [stack.self])]));
}

/** The callers of some stacks of one function. */
function inverted(stacks, costsOf) {
  const way = (stack, costs) => ({ stack, costs, key: stack.key });
  const ways = stacks.map((stack) => way(stack, costsOf(stack)));
  return new Merged(
    ways,
    (some) => ({
      ...named(some[0].stack),
      value: sum(some, ({ costs }) => costs[0]),
      old: sum(some, ({ costs }) => costs[1]),
    }),
    (some) =>
      some
        .filter(({ stack, costs }) => costs[0] && stack.parent.parent)
        .map(({ stack, costs }) => way(stack.parent, costs)),
  );
}

/** Members of one function as one node, whose children are found when one asks for them. */
class Merged {
  #members;
  #made;
  #next;
  #children;

  /** `made` gives what a node says of members, `next` the members below some. */
  constructor(members, made, next) {
    Object.assign(this, made(members));
    this.#members = members;
    this.#made = made;
    this.#next = next;
  }

  get children() {
    this.#children ??= [...byKey(this.#next(this.#members)).values()].map(
      (same) => new Merged(same, this.#made, this.#next),
    );
    return this.#children;
  }
}

/** Stacks of one function as one. */
function together(stacks) {
  const [value, self, old, oldSelf] = ["value", "self", "old", "oldSelf"].map((key) =>
    sum(stacks, (stack) => stack[key]),
  );
  return { ...named(stacks[0]), value, self, old, oldSelf };
}

function named({ name, full, key, function: row }) {
  return { name, full, key, function: row };
}

/** Members that have a key, by that. */
function byKey(members) {
  const found = new Map();
  for (const member of members) {
    const known = found.get(member.key);
    if (known) known.push(member);
    else found.set(member.key, [member]);
  }
  return found;
}

/** The sum of numbers; undefined if they are. */
function sum(members, value) {
  return value(members[0]) === undefined
    ? undefined
    : members.reduce((before, member) => before + value(member), 0);
}
