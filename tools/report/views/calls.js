// A function: what it costs, who calls it, what it calls.

import { max } from "d3-array";
import { choice, element, link, plain, section } from "../dom.js";
import { count, percent } from "../format.js";
import { callsCell, Grid } from "../grid.js";
import { leftOut } from "../left.js";
import { touchedData } from "./data.js";
import { functionCell } from "./functions.js";
import { estimated, reachedTable } from "./reached.js";

export const calls = {
  name: "calls",
  title: "Calls",
  hint: "The callers and callees of a function",
  shown: () => true,
  refers: "function",
  needs: ["arcs", "lines"],
  draw: (page, argument) => drawFunction(page, chosenFunction(page, argument)),
};

/** The function that an address names, or else the last one, or `first`: with its callees, the most expensive one. */
export function chosenFunction(page, argument, first = () => 0) {
  const row = Number.parseInt(argument, 10);
  if (row >= 0 && row < page.profile.count) page.function = row;
  return page.function ?? first();
}

function drawFunction(page, row) {
  const { profile } = page;
  if (!profile.count) return plain("The profile has no functions.");
  const scope = choice(
    "Which calls",
    [
      ["direct", "Direct"],
      ["all", "All, over any number of calls"],
    ],
    page.allCalls ? "all" : "direct",
    (name) => {
      page.allCalls = name === "all";
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
    page.allCalls ? page.whenRead(["stacks"], () => allCalls(page, row)) : directCalls(page, row),
  );
}

const NO_CALLERS = "Nobody in the profile calls it: it is where a thread, a handler or the program starts.";
const NO_CALLEES = "It calls nothing.";

function directCalls(page, row) {
  const { profile } = page;
  const callers = profile.callers(row);
  const callees = profile.callees(row);
  return halves(
    section(`Callers (${count(callers.length)})`, arcTable(page, "Callers", "caller", callers, NO_CALLERS)),
    section(`Callees (${count(callees.length)})`, arcTable(page, "Callees", "callee", callees, NO_CALLEES)),
  );
}

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

function halves(...sections) {
  return element("div", { class: "halves" }, sections);
}

/** A function's name and place, and links to the other views of it. */
export function functionHead(page, row, here) {
  const { profile } = page;
  const place = firstLine(profile, row);
  const entries = [
    ["calls", `calls/${row}`, "Callers and callees"],
    ["source", place && `source/${place}`, "Source"],
    ["code", profile.has("instructions") ? `code/${row}` : null, "Machine code"],
    ["flame", profile.has("stacks") ? `flame/sandwich/${row}` : null, "Flame graphs of it"],
    ["graph", `graph/${row}`, "Call graph"],
  ].filter(([name, hash]) => hash && name !== here);
  return element(
    "div",
    { class: "bar function" },
    element(
      "div",
      { class: "name" },
      element("h2", { title: profile.fullName(row) }, profile.name(row)),
      element("p", {}, `${profile.file(row)}  ·  ${profile.object(row)}`),
    ),
    entries.map(([, hash, text]) => link(hash, text, { class: "button" })),
  );
}

/** The function's first line that costs something, in its own file if it can be: FILE:LINE. */
function firstLine(profile, row) {
  const table = profile.table("lines");
  const known = profile.linesOfFunction(row).filter((at) => table.line[at]);
  const own = known.filter((at) => table.file[at] === profile.functions.file[row]);
  const lines = (own.length ? own : known).sort((a, b) => table.line[a] - table.line[b]);
  return lines.length ? `${table.file[lines[0]]}:${table.line[lines[0]]}` : null;
}

/** What the function costs in each event, which is a column. */
function costs(page, row) {
  const { profile } = page;
  const events = [...profile.events.keys()];
  const line = (name, figure) => [
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
        line("Inclusive", (...at) => profile.inclusive(...at)),
        line("Self", (...at) => profile.self(...at)),
      ),
    ),
  );
}

function arcTable(page, label, end, arcs, empty) {
  const { profile, event, eventName } = page;
  const table = profile.table("arcs");
  const other = table[end];
  const grid = new Grid(
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
