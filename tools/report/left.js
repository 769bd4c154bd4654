// What is not on the page, as shares.py says it: how many rows of a table are left out, and what they cost
// together.

import { element } from "./dom.js";
import { count, percent } from "./format.js";

/** @import { Head, Page } from "./types" */

/**
 * How the rows of each table are called.
 * @type {Record<string, string>}
 */
const CALLED = {
  arcs: "pairs of caller and callee",
  stacks: "stacks",
  lines: "lines",
  sites: "calls",
  instructions: "instructions",
  calls: "calls",
  jumps: "jumps",
};

/**
 * By what else rows of a table are told.
 * @type {Record<string, string>}
 */
const BY = { sites: ", by line", calls: ", by instruction" };

const fraction = new Intl.NumberFormat("en-US", { maximumFractionDigits: 15 });

/**
 * What no row that is left out has of any event: 0.0002 %.
 * @param {Head} head
 * @param {string} table
 */
export function limit(head, table) {
  return `${fraction.format(table === "stacks" ? head.smallest : head.share)} %`;
}

/**
 * A note on what is left out of some tables; null if nothing is.
 * @param {Page} page
 * @param {string[]} tables
 */
export function leftOut(page, ...tables) {
  const { profile, event, eventName } = page;
  const { left } = profile.head;
  const [first, ...others] = tables.filter((table) => left[table]);
  if (!first) return null;
  const rows = (/** @type {string} */ table) => `${count(left[table].rows)} ${CALLED[table]}`;
  if (first === "stacks" && profile.head.paths) return leftPaths(profile.head);
  const cost = left[first].cost.length ? profile.sum(left[first].cost, event) : 0;
  return element(
    "p",
    { class: "note left" },
    `${rows(first)} of less than ${limit(profile.head, first)} each`,
    cost ? `, together ${count(cost)} ${eventName} (${percent(cost, profile.total(event))}),` : "",
    " are left out",
    others.length ? `, so are ${others.map(rows).join(" and ")}` : "",
    `; cg2_report --${first === "stacks" ? "smallest" : "share"}=0 has them.`,
  );
}

/**
 * Paths that are left out are a node of the function that calls them.
 * @param {Head} head
 */
function leftPaths(head) {
  return element(
    "p",
    { class: "note left" },
    `${count(head.left.stacks.rows)} paths of less than ${limit(head, "stacks")} each are ` +
      "together (smaller), below what calls them; cg2_report --smallest=0 has them.",
  );
}

/**
 * All that is left out, a line for each table.
 * @param {Head} head
 */
export function allLeftOut(head) {
  return Object.entries(head.left)
    .map(
      ([table, { rows }]) =>
        `${count(rows)} ${CALLED[table]} of less than ${limit(head, table)} each${BY[table] ?? ""}`,
    )
    .join("\n");
}
