// The machine code of a function, with what each instruction costs, and its jumps.

import { max, maxIndex } from "d3-array";
import { drawn, element, link, plain } from "../dom.js";
import { count, hexadecimal } from "../format.js";
import { numberCell } from "../grid.js";
import { leftOut, limit } from "../left.js";
import { HEIGHT, Rows } from "../rows.js";
import { chosenFunction, functionHead } from "./calls.js";
import { roundsTag } from "./functions.js";
import { drawCall, drawRest, numbersWidth } from "./source.js";

/** @import { CallRow, CodeRow, Column, Drawn, Page, Profile, RestRow, View } from "../types" */

const LANES = 8; // the most arrows side by side; what has no lane left is not drawn
const LANE = 8; // pixels
const LONGEST = 16; // bytes of an instruction: more between two is a gap

/** @type {View} */
export const code = {
  name: "code",
  title: "Machine code",
  hint: "The instructions of a function, with what each costs",
  shown: (profile) => profile.has("instructions"),
  refers: "function",
  needs: ["instructions", "calls", "jumps", "code", "lines"],
  draw: (page, argument) =>
    drawCode(
      page,
      chosenFunction(page, argument, () => busiest(page)),
    ),
};

/**
 * The function that costs most itself: its instructions are on the page.
 * @param {Page} page
 */
function busiest({ profile, event }) {
  return maxIndex(Array.from({ length: profile.count }, (_, row) => profile.self(row, event)));
}

/**
 * @param {Page} page
 * @param {number} row
 */
function drawCode(page, row) {
  const { profile, event } = page;
  if (!profile.count) return plain("The profile has no functions.");
  const rows = codeRows(page, row);
  const lanes = laid(jumpsBetween(page, row, rows));
  const most = max(rows, selfOf) || 1;
  const total = profile.total(event);
  const chain = chained(profile, row);
  const width = LANE * (Math.max(-1, ...lanes.map((jump) => jump.lane)) + 2);
  const beside = { lanes, width, most, total, chain };
  const view = new Rows((index) => drawInstruction(page, rows[index], index, beside), {
    class: "rows text-rows",
    tabindex: "0",
    role: "region",
    "aria-label": "Machine code",
  });
  view.node.style.setProperty("--gutter", `${width}px`);
  view.node.style.setProperty("--numbers", numbersWidth(total));
  /** @type {Drawn} */
  const node = element(
    "div",
    { class: "filled" },
    functionHead(page, row, "code"),
    rows.some(textOf)
      ? null
      : plain(
          "The instructions are not on this page. It has those of the " +
            "functions that make up most of an event, and of objects that were there when it was made: " +
            "cg2_report --threshold=100 adds the others.",
        ),
    leftOut(page, "instructions", "calls", "jumps"),
    boundsOf(profile, row),
    view.node,
  );
  node.shown = () => {
    view.show(rows.length);
    const costs = rows.map((line) => selfOf(line) ?? 0);
    const hottest = costs.reduce((best, self, index) => (self > costs[best] ? index : best), 0);
    view.reveal(hottest, true);
  };
  node.searched = (text) => {
    const wanted = text.trim().toLowerCase();
    const at = wanted ? rows.findIndex((line) => textOf(line).toLowerCase().includes(wanted)) : -1;
    if (at >= 0) view.reveal(at, true);
    const line = rows[at];
    const place = line && "address" in line ? `at ${hexadecimal(line.address)}` : "";
    page.status(wanted ? (at < 0 ? "not in this function" : place) : "");
  };
  return node;
}

/**
 * What bounds the loops of a function, in words, if cycles were estimated.
 * @param {Profile} profile
 * @param {number} row
 */
function boundsOf(profile, row) {
  const own = profile.head.bounds.filter((bound) => bound.function === row);
  return own.length ? element("div", {}, ...own.map(({ where, text }) => plain(`${where}: ${text}`))) : null;
}

/**
 * The addresses of the chains that bound loops of a function.
 * @param {Profile} profile
 * @param {number} row
 */
function chained(profile, row) {
  return new Set(
    profile.head.bounds.filter((bound) => bound.function === row).flatMap((bound) => bound.links),
  );
}

// ---- Rows

/** @param {CodeRow} row */
function textOf(row) {
  return "text" in row ? row.text : "";
}

/** @param {CodeRow} row */
function selfOf(row) {
  return "self" in row ? row.self : undefined;
}

const REPEATED = /\brep(n?[ez])? (stos|movs|scas|cmps)/; // as objdump writes it

/**
 * What is said of rounds of an instruction that repeats itself; mostly nothing.
 * @param {Profile} profile
 * @param {number} at
 * @param {string} text
 */
function roundsAt(profile, at, text) {
  const { self } = profile.table("instructions");
  const known = REPEATED.test(text) ? self[profile.recorded("Ir")]?.[at] : 0;
  return profile.rounds((recorded) => self[recorded][at], known);
}

/**
 * A row for each instruction, in front of it its line if that is another, behind it its calls.
 * @param {Page} page
 * @param {number} row
 * @returns {CodeRow[]}
 */
function codeRows(page, row) {
  const { profile, event } = page;
  const table = profile.table("instructions");
  const own = profile.ofFunction("instructions", row);
  const costs = new Map(own.map((at) => /** @type {const} */ ([table.address[at], at])));
  const callsAt = callsOf(page, row);
  /** @type {CodeRow[]} */
  const rows = [];
  let place = "";
  /** @type {number | null} */
  let before = null;
  const addresses = [...new Set([...costs.keys(), ...callsAt.keys()])];
  for (const [address, text] of instructions(profile, row, addresses)) {
    const at = costs.get(address);
    if (before !== null && address - before > LONGEST) rows.push({ gap: true });
    if (at !== undefined) {
      const here = `${table.file[at]}:${table.line[at]}`;
      if (here !== place && table.line[at]) rows.push({ place: here });
      place = here;
    }
    rows.push({
      address,
      text,
      self: at === undefined ? undefined : profile.value(table.self, at, event),
      rounds: at === undefined ? "" : roundsAt(profile, at, text),
    });
    rows.push(...(callsAt.get(address) ?? []));
    before = address;
  }
  return [...rows, ...restOfFunction(page, row)];
}

/**
 * A row for the instructions of a function that are left out, if there are any.
 * @param {Page} page
 * @param {number} row
 * @returns {RestRow[]}
 */
function restOfFunction({ profile, event }, row) {
  const table = profile.table("instructions");
  const rest = profile
    .ofFunction("instructions", row)
    .reduce((sum, at) => sum - profile.value(table.self, at, event), profile.self(row, event));
  return profile.head.left.instructions && rest
    ? [{ rest, text: `instructions of less than ${limit(profile.head, "instructions")} each` }]
    : [];
}

/**
 * @param {Page} page
 * @param {number} row
 */
function callsOf(page, row) {
  const { profile, event } = page;
  const table = profile.table("calls");
  /** @type {Map<number, CallRow[]>} */
  const found = new Map();
  for (const at of profile.ofFunction("calls", row)) {
    const known = found.get(table.address[at]) ?? [];
    known.push({
      callee: table.callee[at],
      count: table.count[at],
      calls: profile.value(table.inclusive, at, event),
      text: "",
    });
    found.set(table.address[at], known);
  }
  return found;
}

/**
 * The function's instructions, also those that did not run in between.
 * @param {Profile} profile
 * @param {number} row
 * @param {number[]} addresses
 * @returns {[address: number, text: string][]}
 */
function instructions(profile, row, addresses) {
  const texts = profile.tableIfAny("code")?.[profile.functions.object[row]];
  const ran = new Set(addresses);
  const sorted = addresses.sort((a, b) => a - b);
  const found = new Map(sorted.map((address) => [address, ""]));
  if (texts) {
    const last = sorted[sorted.length - 1];
    let next = 0; // which of `sorted` is at or behind this place
    let at = lowest(texts.address, sorted[0]);
    for (; at < texts.address.length && texts.address[at] <= last; at += 1) {
      const address = texts.address[at];
      while (sorted[next] < address) next += 1;
      if (ran.has(address) || sorted[next] - address <= 64) found.set(address, texts.text[at]);
    }
  }
  return [...found].sort((a, b) => a[0] - b[0]);
}

/**
 * Where in rising numbers the first is that is not below `wanted`.
 * @param {Column} numbers
 * @param {number} wanted
 */
function lowest(numbers, wanted) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

// ---- Jumps

/** @typedef {{ from: number, to: number, text: string }} Jump between addresses */
/** @typedef {Jump & { start: number, end: number }} RowJump the same between rows */
/** @typedef {RowJump & { top: number, bottom: number, lane: number }} LaidJump with its place */

/**
 * The jumps between two rows: those that were counted, or else what the code says.
 * @param {Page} page
 * @param {number} row
 * @param {CodeRow[]} rows
 */
function jumpsBetween(page, row, rows) {
  const { profile } = page;
  /** @type {Map<number, number>} */
  const rowOf = new Map();
  rows.forEach((line, index) => {
    if ("address" in line) rowOf.set(line.address, index);
  });
  const table = profile.table("jumps");
  const executed = executions(profile, row);
  /** @type {Jump[]} */
  const counted = profile.ofFunction("jumps", row).map((at) => ({
    from: table.address[at],
    to: table.target[at],
    text: table.conditional[at]
      ? `taken ${count(table.taken[at])} times of ${count(executed(table.address[at]) ?? table.executed[at])}`
      : `${count(table.taken[at])} times`,
  }));
  const jumps = counted.length ? counted : rows.flatMap(written);
  return jumps.flatMap((jump) => {
    const [start, end] = [rowOf.get(jump.from), rowOf.get(jump.to)];
    return start === undefined || end === undefined ? [] : [{ ...jump, start, end }];
  });
}

/**
 * How often an instruction of a function was executed, if that was counted. The
 * executions of jumps are too few: recursion levels that take none have no jump.
 * @param {Profile} profile
 * @param {number} row
 */
function executions(profile, row) {
  const ir = profile.recorded("Ir");
  const table = profile.table("instructions");
  const rows = profile.ofFunction("instructions", row);
  const costs = new Map(rows.map((at) => /** @type {const} */ ([table.address[at], at])));
  return (/** @type {number} */ address) => {
    const at = costs.get(address);
    return ir < 0 || at === undefined ? undefined : table.self[ir][at];
  };
}

/**
 * The jump that an instruction says it is, if it is one.
 * @param {CodeRow} line
 * @returns {Jump[]}
 */
function written(line) {
  if (!("address" in line)) return [];
  const match = /^(?:\S+ )?(?:j|loop|b\.?)[a-z]*\s+(?:\S+, )*([0-9a-f]+)(?: <|$)/.exec(line.text);
  return match ? [{ from: line.address, to: Number.parseInt(match[1], 16), text: "" }] : [];
}

/**
 * A lane for each jump, the shortest next to the code.
 * @param {RowJump[]} jumps
 */
function laid(jumps) {
  /** @type {[first: number, last: number][][]} */
  const used = Array.from({ length: LANES }, () => []);
  const length = (/** @type {RowJump} */ jump) => Math.abs(jump.end - jump.start);
  /** @type {LaidJump[]} */
  const placed = [];
  for (const jump of jumps.sort((a, b) => length(a) - length(b) || a.start - b.start)) {
    const top = Math.min(jump.start, jump.end);
    const bottom = Math.max(jump.start, jump.end);
    const lane = used.findIndex((spans) => spans.every(([first, last]) => bottom < first || last < top));
    if (lane >= 0) {
      used[lane].push([top, bottom]);
      placed.push({ ...jump, top, bottom, lane });
    }
  }
  return placed;
}

/**
 * The piece of the arrows that is beside one row.
 * @param {LaidJump[]} lanes
 * @param {number} index
 * @param {number} width
 */
function gutter(lanes, index, width) {
  const middle = HEIGHT / 2;
  const pieces = lanes
    .filter((jump) => jump.top <= index && index <= jump.bottom)
    .map((jump) => {
      const x = width - LANE * (jump.lane + 1) - 4;
      const isEnd = index === jump.top || index === jump.bottom;
      const upper = index === jump.top ? middle : 0;
      const lower = index === jump.bottom ? middle : HEIGHT;
      const path =
        `M${x} ${upper}V${lower}${isEnd ? `M${x} ${middle}H${width - 2}` : ""}` +
        (index === jump.end ? `m-4 -3 4 3 -4 3` : "");
      return drawn(
        "path",
        { d: path, class: jump.end <= jump.start ? "back" : "" },
        drawn("title", {}, jump.text),
      );
    });
  return drawn("svg", { class: "gutter", width, height: HEIGHT, "aria-hidden": "true" }, ...pieces);
}

// ---- Drawing

/**
 * @param {Page} page
 * @param {CodeRow} line
 * @param {number} index
 * @param {{
 *   lanes: LaidJump[], width: number, most: number, total: number, chain: Set<string>
 * }} beside arrows, what costs are of, the addresses of a chain
 */
function drawInstruction(page, line, index, { lanes, width, most, total, chain }) {
  if ("callee" in line || "rest" in line) {
    const row = "callee" in line ? drawCall(page, line, total) : drawRest(line, total);
    row.append(gutter(lanes, index, width));
    return row;
  }
  if ("gap" in line) {
    const { instructions: left } = page.profile.head.left;
    return element("div", { class: "row gap" }, `code that was not run${left ? ", or is left out" : ""}`);
  }
  if ("place" in line) return placeRow(page, line.place, gutter(lanes, index, width));
  const heat = Math.sqrt((line.self ?? 0) / most);
  const jumps = lanes.filter((jump) => jump.start === index && jump.text).map((jump) => jump.text);
  return element(
    "div",
    {
      class: "row line",
      "data-address": hexadecimal(line.address),
      style: heat ? `--heat: ${heat.toFixed(3)}` : undefined,
    },
    line.self === undefined ? element("div", { class: "number" }) : numberCell(line.self, total),
    element("div", { class: "line-number" }, hexadecimal(line.address)),
    element(
      "code",
      {},
      line.text,
      jumps.length ? element("span", { class: "note" }, `  ${jumps.join(", ")}`) : null,
      chain.has(line.address.toString(16)) ? element("span", { class: "note" }, "  in the chain") : null,
      roundsTag(line.rounds),
    ),
    gutter(lanes, index, width),
  );
}

/**
 * @param {Page} page
 * @param {string} place FILE:LINE
 * @param {SVGSVGElement} arrows
 */
function placeRow(page, place, arrows) {
  const [file, line] = place.split(":");
  const path = page.profile.strings[Number(file)];
  const name = `${page.profile.tail(path)}:${line}`;
  return element(
    "div",
    { class: "row place" },
    element("div"),
    element("div"),
    element("div", {}, link(`source/${place}`, name, { title: path, tabindex: "-1" })),
    arrows,
  );
}
