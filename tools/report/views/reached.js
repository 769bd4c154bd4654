// All callers or callees of a function, over any number of calls, as a table.

import { max } from "d3-array";
import { element } from "../dom.js";
import { RowGrid } from "../grid.js";
import { leftOut } from "../left.js";
import { reached } from "../reach.js";
import { functionCell } from "./functions.js";

/** @import { Page } from "../types" */

/**
 * `end` is "caller" or "callee".
 * @param {Page} page
 * @param {number} row
 * @param {"caller" | "callee"} end
 * @param {string} empty
 */
export function reachedTable(page, row, end, empty) {
  const { profile, event, eventName } = page;
  const found = reached(profile, row, end, event);
  const known = new Map(found.map((one) => [one.row, one]));
  const said =
    end === "callee"
      ? `What it costs while ${profile.name(row)} is on the stack`
      : `What ${profile.name(row)} costs while it is on the stack`;
  const grid = new RowGrid(
    end === "callee" ? "All callees" : "All callers",
    [
      {
        title: "Function",
        width: 16,
        grow: 1,
        value: (other) => profile.name(other),
        cell: (other) => functionCell(page, other),
      },
      {
        title: eventName,
        long: said,
        width: 22,
        numeric: true,
        total: () => profile.total(event),
        value: (other) => known.get(other)?.cost,
      },
      {
        title: "Away",
        long: "How many calls away it is, at least",
        width: 7,
        numeric: true,
        most: max(found, ({ steps }) => steps),
        value: (other) => known.get(other)?.steps,
      },
      {
        title: "Known",
        long: "Whether the cost is exact; or it is only in stacks that are left out",
        width: 9,
        value: (other) => certainty(known.get(other)),
      },
    ],
    { open: (other) => page.open(`calls/${other}`), empty },
  );
  grid.show(known.keys());
  return { table: grid.node, count: found.length };
}

/** @param {import("../reach.js").Reached | undefined} found */
function certainty(found) {
  if (!found || found.cost === null) return "left out";
  return found.isExact ? "exact" : "estimated";
}

/**
 * What is said of estimates: null if all costs are exact.
 * @param {Page} page
 */
export function estimated(page) {
  const { guess } = page.profile.head;
  if (!guess && !page.profile.head.left.stacks) return null;
  return [
    element(
      "p",
      { class: "note left" },
      "Costs are exact where all ways to the lower function go through the upper one, " +
        "or it is only called directly; others are estimated from the stacks of the flame graph, " +
        `and may be far off${guess ? `: ${guess}` : ""}.`,
    ),
    leftOut(page, "stacks"),
  ];
}
