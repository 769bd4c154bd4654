// The tree of stacks, and what is made of it: the callees of a function, its callers, and functions with
// their callers from the bottom up.
//
// A node (StackNode in types.d.ts) says what it costs with its callees and by itself, and did in the older
// profile, which are undefined without one. Functions that the profile keeps apart by their callers are one
// here: they have the same key; `function` is the row of one of them, -1 if there is none. `calls` is how
// often it was called there, where paths were counted; their rest below a node is one, too. A node of
// callers has no self: its value is what the function below all of them costs when it is called that way.

import { count } from "./format.js";

/** @import { Column, Page, Profile, Stack, StackNode, Tables } from "./types" */

/**
 * All stacks below one node for all of them. A node of a stack also has its `parent`, and an `id`. With
 * `withGone`, those are there, too, that only the older profile has.
 * @param {Page} page
 * @returns {Stack}
 */
export function stackTree(page, withGone = false) {
  const { profile, event } = page;
  const table = profile.table("stacks");
  const cost = (/** @type {Column[]} */ columns, /** @type {number} */ row) =>
    profile.value(columns, row, event);
  const all = rootOf(page);
  const nodes = Array.from(table.name, (name, row) => {
    const { old, oldSelf } = table;
    /** @type {Stack} */
    const node = {
      id: row,
      calls: table.calls?.[row],
      name: saidOf(profile, table, row),
      full: profile.strings[name],
      function: table.function[row],
      key: table.function[row] < 0 ? `${name}` : keyOf(profile, table.function[row]),
      value: cost(table.inclusive, row),
      self: cost(table.self, row),
      old: old && cost(old, row),
      oldSelf: oldSelf && cost(oldSelf, row),
      parent: null,
      children: [],
    };
    return node;
  });
  nodes.forEach((node, row) => {
    if (node.value <= 0 && !(withGone && (node.old ?? 0) > 0)) return;
    const parent = table.parent[row] < 0 ? all : nodes[table.parent[row]];
    node.parent = parent;
    parent.children.push(node);
    if (parent === all) all.value += node.value;
  });
  return all;
}

/**
 * What stands for the program, without stacks below it.
 * @param {Page} page
 * @returns {Stack}
 */
function rootOf({ profile, event }) {
  const isCompared = Boolean(profile.table("stacks").old);
  return {
    id: -1,
    name: "all",
    full: "all",
    key: "all",
    function: -1,
    value: 0,
    self: 0,
    old: isCompared ? profile.sum(profile.table("comparison").oldTotal, event) : undefined,
    oldSelf: isCompared ? 0 : undefined,
    parent: null,
    children: [],
  };
}

/**
 * How a stack is called; what is left out below one says how many paths that is.
 * @param {Profile} profile
 * @param {Tables["stacks"]} table
 * @param {number} row
 */
function saidOf(profile, table, row) {
  const name = profile.strings[table.said[row]];
  const left = table.paths?.[row];
  return left ? `${name} ${count(left)} ${left === 1 ? "path" : "paths"}` : name;
}

/**
 * What says whether a node is the end of a path that has functions like each of the words between ";", in
 * their order.
 * @param {Profile} profile
 * @param {string} text
 * @returns {(node: StackNode) => boolean}
 */
export function onPath(profile, text) {
  const words = text
    .split(";")
    .map((word) => word.trim().toLowerCase())
    .filter(Boolean);
  const rows = words.map((word) => new Set(profile.matching(word)));
  const isLike = (/** @type {StackNode} */ node, /** @type {number} */ at) =>
    node.function < 0 ? node.name.toLowerCase().includes(words[at]) : rows[at].has(node.function);
  return (node) => {
    let at = words.length - 1;
    if (at < 0 || !isLike(node, at)) return false;
    for (let above = node.parent; at > 0 && above?.parent; above = above.parent) {
      if (isLike(above, at - 1)) at -= 1;
    }
    return at === 0;
  };
}

/**
 * What a function is told by in stacks, which keep none apart by its callers.
 * @param {Profile} profile
 * @param {number} row
 */
export function keyOf(profile, row) {
  const { bare, file, object } = profile.functions;
  return `${bare[row]}:${file[row]}:${object[row]}`;
}

/**
 * All nodes below a node, each behind its parent.
 * @param {Stack} tree
 */
export function below(tree) {
  const found = [...tree.children];
  for (let at = 0; at < found.length; at += 1) for (const child of found[at].children) found.push(child);
  return found;
}

/**
 * The stacks of a function that is not called by itself further up.
 * @param {Stack} tree
 * @param {string} key
 */
function outermost(tree, key) {
  const found = [];
  const open = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.key === key) found.push(node);
    else for (const child of node.children) open.push(child);
  }
  return found;
}

/**
 * A function with all that it calls, wherever it is called from; null if no stack has it.
 * @param {Stack} tree
 * @param {string} key
 */
export function calleesOf(tree, key) {
  const stacks = outermost(tree, key);
  return stacks.length ? merged(stacks, together, (some) => some.flatMap(({ children }) => children)) : null;
}

/**
 * A function with all that it is called from, a callee in front of its callers; null if no stack has it.
 * @param {Stack} tree
 * @param {string} key
 */
export function callersOf(tree, key) {
  const stacks = outermost(tree, key);
  return stacks.length ? inverted(stacks, ({ value, old }) => ({ value, old })) : null;
}

/**
 * What functions cost themselves: for each a tree as callersOf gives it, by their keys.
 * @param {Stack} tree
 * @returns {Map<string, StackNode>}
 */
export function bottomUp(tree) {
  const found = byKey(below(tree));
  return new Map([...found].map(([key, stacks]) => [key, inverted(stacks, ({ self }) => ({ value: self }))]));
}

/** @typedef {{ value: number, old?: number }} Costs */
/** @typedef {{ stack: Stack, costs: Costs, key: string }} Way what it costs called in some way */

/**
 * The callers of some stacks of one function.
 * @param {Stack[]} stacks
 * @param {(stack: Stack) => Costs} costsOf
 */
function inverted(stacks, costsOf) {
  const ways = stacks.map((stack) => ({ stack, costs: costsOf(stack), key: stack.key }));
  return merged(
    ways,
    (some) => ({
      ...named(some[0].stack),
      value: sum(some, ({ costs }) => costs.value) ?? 0,
      old: sum(some, ({ costs }) => costs.old),
    }),
    (some) => some.flatMap(nextWay),
  );
}

/**
 * The way on to the caller, if there is one.
 * @param {Way} way
 * @returns {Way[]}
 */
function nextWay({ stack: { parent }, costs }) {
  return costs.value && parent?.parent ? [{ stack: parent, costs, key: parent.key }] : [];
}

/** @typedef {Omit<StackNode, "children">} Said what a node says */

/**
 * Members of one function as one node, whose children are found when one asks for them.
 * @template {{ key: string }} Member
 * @param {Member[]} members
 * @param {(some: Member[]) => Said} made what a node says of members
 * @param {(some: Member[]) => Member[]} next the members below some
 * @returns {StackNode}
 */
function merged(members, made, next) {
  /** @type {StackNode[] | undefined} */
  let children;
  return {
    ...made(members),
    get children() {
      children ??= [...byKey(next(members)).values()].map((same) => merged(same, made, next));
      return children;
    },
  };
}

/**
 * Stacks of one function as one.
 * @param {Stack[]} stacks
 * @returns {Said}
 */
function together(stacks) {
  return {
    ...named(stacks[0]),
    value: sum(stacks, ({ value }) => value) ?? 0,
    self: sum(stacks, ({ self }) => self),
    old: sum(stacks, ({ old }) => old),
    oldSelf: sum(stacks, ({ oldSelf }) => oldSelf),
  };
}

/** @param {Stack} stack */
function named({ name, full, key, function: row }) {
  return { name, full, key, function: row };
}

/**
 * Members that have a key, by that.
 * @template {{ key: string }} Member
 * @param {Member[]} members
 */
function byKey(members) {
  /** @type {Map<string, Member[]>} */
  const found = new Map();
  for (const member of members) {
    const known = found.get(member.key);
    if (known) known.push(member);
    else found.set(member.key, [member]);
  }
  return found;
}

/**
 * The sum of numbers; undefined if they are.
 * @template Member
 * @param {Member[]} members
 * @param {(member: Member) => number | undefined} value
 */
function sum(members, value) {
  if (value(members[0]) === undefined) return undefined;
  return members.reduce((before, member) => before + (value(member) ?? 0), 0);
}
