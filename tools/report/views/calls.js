// A function: what it costs, who calls it, what it calls.

import { max } from "d3-array";
import { choice, element, link, plain, section } from "../dom.js";
import { count, percent } from "../format.js";
import { callsCell, RowGrid } from "../grid.js";
import { leftOut } from "../left.js";
import { touchedData } from "./data.js";
import { functionCell } from "./functions.js";
import { estimated, reachedTable } from "./reached.js";

/** @import { Page, Profile, View } from "../types" */

/** @type {View} */
export const calls = {
  name: "calls",
  title: "Calls",
  hint: "The callers and callees of a function",
  shown: () => true,
  refers: "function",
  needs: ["arcs", "lines"],
  draw: (page, argument) => drawFunction(page, chosenFunction(page, argument)),
};

/**
 * The function that an address names, or else the last one, or `first`: with its callees, the most
 * expensive one.
 * @param {Page} page
 * @param {string} argument
 */
export function chosenFunction(page, argument, first = () => 0) {
  const row = Number.parseInt(argument, 10);
  if (row >= 0 && row < page.profile.count) page.chooseFunction(row);
  return page.function ?? first();
}

/**
 * @param {Page} page
 * @param {number} row
 */
function drawFunction(page, row) {
  const { profile } = page;
  if (!profile.count) return plain("The profile has no functions.");
  const scope = choice(
    "Which calls",
    [
      ["direct", "Direct"],
      ["all", "All, over any number of calls"],
    ],
    page.choices.hasAllCalls ? "all" : "direct",
    (name) => {
      page.choices.hasAllCalls = name === "all";
      page.redraw();
    },
  );
  return element(
    "div",
    { class: "filled" },
    functionHead(page, row, "calls"),
    costs(page, row),
    profile.has("data") ? page.whenRead(["data"], () => touchedData(page, row) ?? "") : null,
    element("div", { class: "bar calls-bar" }, scope, leftOut(page, "arcs")),
    page.choices.hasAllCalls ? page.whenRead(["stacks"], () => allCalls(page, row)) : directCalls(page, row),
  );
}

const NO_CALLERS = "Nobody in the profile calls it: it is where a thread, a handler or the program starts.";
const NO_CALLEES = "It calls nothing.";

/**
 * @param {Page} page
 * @param {number} row
 */
function directCalls(page, row) {
  const { profile } = page;
  const callers = profile.callers(row);
  const callees = profile.callees(row);
  return halves(
    section(`Callers (${count(callers.length)})`, arcTable(page, "Callers", "caller", callers, NO_CALLERS)),
    section(`Callees (${count(callees.length)})`, arcTable(page, "Callees", "callee", callees, NO_CALLEES)),
  );
}

/**
 * @param {Page} page
 * @param {number} row
 */
function allCalls(page, row) {
  const callers = reachedTable(page, row, "caller", NO_CALLERS);
  const callees = reachedTable(page, row, "callee", NO_CALLEES);
  return element(
    "div",
    { class: "filled all-calls" },
    element("div", { class: "bar" }, estimated(page)),
    halves(
      section(`All callers (${count(callers.count)})`, callers.table),
      section(`All callees (${count(callees.count)})`, callees.table),
    ),
  );
}

/** @param {HTMLElement[]} sections */
function halves(...sections) {
  return element("div", { class: "halves" }, sections);
}

/**
 * A function's name and place, and links to the other views of it.
 * @param {Page} page
 * @param {number} row
 * @param {string} here
 */
export function functionHead(page, row, here) {
  const { profile } = page;
  const place = firstLine(profile, row);
  /** @type {[name: string, hash: string | null, text: string][]} */
  const all = [
    ["calls", `calls/${row}`, "Callers and callees"],
    ["source", place && `source/${place}`, "Source"],
    ["code", profile.has("instructions") ? `code/${row}` : null, "Machine code"],
    ["flame", profile.has("stacks") ? `flame/sandwich/${row}` : null, "Flame graphs of it"],
    ["graph", `graph/${row}`, "Call graph"],
  ];
  const links = all.flatMap(([name, hash, text]) =>
    hash && name !== here ? [link(hash, text, { class: "button" })] : [],
  );
  return element(
    "div",
    { class: "bar function" },
    element(
      "div",
      { class: "name" },
      element("h2", { title: profile.fullName(row) }, profile.name(row)),
      element("p", {}, `${profile.file(row)}  ·  ${profile.object(row)}`),
    ),
    links,
  );
}

/**
 * The function's first line that costs something, in its own file if it can be: FILE:LINE.
 * @param {Profile} profile
 * @param {number} row
 */
function firstLine(profile, row) {
  const table = profile.table("lines");
  const known = profile.linesOfFunction(row).filter((at) => table.line[at]);
  const own = known.filter((at) => table.file[at] === profile.functions.file[row]);
  const lines = (own.length ? own : known).sort((a, b) => table.line[a] - table.line[b]);
  return lines.length ? `${table.file[lines[0]]}:${table.line[lines[0]]}` : null;
}

/**
 * What the function costs in each event, which is a column.
 * @param {Page} page
 * @param {number} row
 */
function costs(page, row) {
  const { profile } = page;
  const events = [...profile.events.keys()];
  const line = (/** @type {string} */ name, /** @type {(row: number, event: number) => number} */ figure) => [
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      events.map((at) =>
        element(
          "td",
          {
            "data-figure": `${name} ${profile.events[at].name}`,
            "aria-current": at === page.event,
          },
          count(figure(row, at)),
        ),
      ),
    ),
    element(
      "tr",
      { class: "shares" },
      element("td"),
      events.map((at) => element("td", {}, percent(figure(row, at), profile.total(at)))),
    ),
  ];
  return element(
    "div",
    { class: "costs", role: "region", "aria-label": "Costs", tabindex: "0" },
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          element("td"),
          events.map((at) =>
            element(
              "th",
              { scope: "col", title: profile.events[at].long, "aria-current": at === page.event },
              profile.events[at].name,
            ),
          ),
        ),
      ),
      element(
        "tbody",
        {},
        line("Inclusive", (/** @type {number} */ at, one) => profile.inclusive(at, one)),
        line("Self", (/** @type {number} */ at, one) => profile.self(at, one)),
      ),
    ),
  );
}

/**
 * @param {Page} page
 * @param {string} label
 * @param {"caller" | "callee"} end
 * @param {number[]} arcs
 * @param {string} empty
 */
function arcTable(page, label, end, arcs, empty) {
  const { profile, event, eventName } = page;
  const table = profile.table("arcs");
  const other = table[end];
  const grid = new RowGrid(
    label,
    [
      {
        title: "Function",
        width: 16,
        grow: 1,
        value: (arc) => profile.name(other[arc]),
        cell: (arc) => functionCell(page, other[arc]),
      },
      {
        title: eventName,
        long: "What these calls cost",
        width: 22,
        numeric: true,
        total: () => profile.total(event),
        value: (arc) => profile.value(table.inclusive, arc, event),
      },
      {
        title: "Calls",
        width: 11,
        numeric: true,
        most: max(arcs, (arc) => table.count[arc]),
        value: (arc) => table.count[arc],
        cell: (arc) => callsCell(profile.times(table.callee[arc], table.count[arc])),
      },
    ],
    {
      open: (arc) => page.open(`calls/${other[arc]}`),
      empty,
    },
  );
  grid.show(arcs);
  return grid.node;
}
