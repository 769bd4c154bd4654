// Source files, with what each line costs.

import { max } from "d3-array";
import { element, link } from "../dom.js";
import { count, percent } from "../format.js";
import { RowGrid, lettersOfShare, numberCell } from "../grid.js";
import { leftOut, limit } from "../left.js";
import { Rows } from "../rows.js";
import { roundsTag } from "./functions.js";

/** @import { CallRow, Drawn, Page, RestRow, SourceRow, Tables, View } from "../types" */

/** @type {View} */
export const source = {
  name: "source",
  title: "Source",
  hint: "Source files, with what each line costs",
  shown: (profile) => profile.head.positions.includes("line"),
  refers: "file",
  needs: ["lines", "sites", "files", "sources"],
  draw: (page, argument) => {
    const [file, line] = argument.split(":").map((text) => Number.parseInt(text, 10));
    return file >= 0 && file < page.profile.strings.length
      ? drawFile(page, file, line || 0)
      : drawFiles(page);
  },
};

// ---- All files

/** @param {Page} page */
function drawFiles(page) {
  const { profile, event, eventName } = page;
  const sources = profile.table("sources");
  const files = [...profile.table("files").file];
  const grid = new RowGrid(
    "Source files",
    [
      {
        title: "File",
        width: 30,
        grow: 1,
        value: (file) => profile.strings[file],
        cell: (file) => link(`source/${file}`, profile.strings[file], { tabindex: "-1" }),
      },
      {
        title: `${eventName} self`,
        width: 22,
        numeric: true,
        total: () => profile.total(event),
        value: (file) => profile.costOfFile(file, event).self,
      },
      {
        title: "Text",
        long: "Whether the text is on this page",
        width: 9,
        value: (file) => (sources[file] ? "yes" : "no"),
      },
    ],
    { open: (file) => page.open(`source/${file}`) },
  );
  const filter = (/** @type {string} */ text) =>
    grid.show(
      files.filter((file) => profile.strings[file].toLowerCase().includes(text.trim().toLowerCase())),
    );
  filter(page.search);
  /** @type {Drawn} */
  const node = element("div", { class: "filled" }, leftOut(page, "lines", "sites"), grid.node);
  node.searched = filter;
  return node;
}

// ---- One file

/**
 * @param {Page} page
 * @param {number} file
 * @param {number} line
 */
function drawFile(page, file, line) {
  const { profile } = page;
  /** @type {Source} */
  const text = profile.table("sources")[file];
  const rows = fileRows(page, file, text);
  const most = max(rows, (row) => ("self" in row ? row.self : undefined)) || 1;
  const total = profile.total(page.event);
  const view = new Rows((index) => drawLine(page, rows[index], most, total, line), {
    class: "rows text-rows",
    tabindex: "0",
    role: "region",
    "aria-label": profile.strings[file],
  });
  view.node.style.setProperty("--numbers", numbersWidth(total));
  /** @type {Drawn} */
  const node = element(
    "div",
    { class: "filled" },
    fileHead(page, file, text),
    leftOut(page, "lines", "sites"),
    view.node,
  );
  node.shown = () => {
    view.show(rows.length);
    const dearest = rows.reduce((best, row) => (selfOf(row) > selfOf(best) ? row : best), rows[0]);
    const wanted = line || (dearest && lineOf(dearest));
    const at = rows.findIndex((row) => lineOf(row) === wanted);
    if (at >= 0) view.reveal(at, true);
  };
  node.searched = (searched) => {
    const wanted = searched.trim().toLowerCase();
    const at = wanted ? rows.findIndex((row) => row.text.toLowerCase().includes(wanted)) : -1;
    if (at >= 0) view.reveal(at, true);
    page.status(wanted ? (at < 0 ? "not in this file" : `line ${lineOf(rows[at])}`) : "");
  };
  return node;
}

/** @param {SourceRow} row */
function selfOf(row) {
  return ("self" in row ? row.self : undefined) ?? 0;
}

/** @param {SourceRow} row */
function lineOf(row) {
  return "line" in row ? row.line : undefined;
}

/** @typedef {Tables["sources"][string] | undefined} Source undefined if the text was not found */

/**
 * @param {Page} page
 * @param {number} file
 * @param {Source} text
 */
function fileHead(page, file, text) {
  const { profile, event } = page;
  const sum = profile.costOfFile(file, event).self;
  const place = text
    ? text.path === profile.strings[file]
      ? ""
      : `read from ${text.path}`
    : "The text was not found when this page was made; cg2_report -I DIR looks in DIR too.";
  return element(
    "div",
    { class: "bar function" },
    element(
      "div",
      { class: "name" },
      element("h2", { title: profile.strings[file] }, profile.tail(profile.strings[file])),
      element("p", {}, `${profile.strings[file]}${place ? "  ·  " : ""}${place}`),
    ),
    element(
      "span",
      { class: "figure" },
      `${count(sum)} ${page.eventName}, ${percent(sum, profile.total(event))}`,
    ),
    link("source", "All files", { class: "button" }),
  );
}

/**
 * A row for each line, each call behind its line, and each gap.
 * @param {Page} page
 * @param {number} file
 * @param {Source} text
 * @returns {SourceRow[]}
 */
function fileRows(page, file, text) {
  const { profile, event } = page;
  const lines = profile.table("lines");
  const sites = profile.table("sites");
  /** @type {Map<number, number>} */
  const costs = new Map();
  /** @type {Map<number, number[]>} */
  const rowsAt = new Map();
  for (const row of profile.linesOfFile(file)) {
    const line = lines.line[row];
    costs.set(line, (costs.get(line) ?? 0) + profile.value(lines.self, row, event));
    rowsAt.set(line, [...(rowsAt.get(line) ?? []), row]);
  }
  const roundsAt = (/** @type {number} */ line) =>
    profile.roundsOfLine(
      (recorded) => (rowsAt.get(line) ?? []).reduce((sum, row) => sum + lines.self[recorded][row], 0),
      file,
      line,
    );
  /** @type {Map<number, CallRow[]>} */
  const callsAt = new Map();
  for (const site of profile.sitesOfFile(file)) {
    const at = callsAt.get(sites.line[site]) ?? [];
    at.push({
      callee: sites.callee[site],
      count: sites.count[site],
      text: "",
      calls: profile.value(sites.inclusive, site, event),
    });
    callsAt.set(sites.line[site], at);
  }
  /** @type {SourceRow[]} */
  const rows = [];
  const add = (/** @type {number} */ line, /** @type {string} */ words) => {
    rows.push({ line, text: words, self: costs.get(line), rounds: roundsAt(line) });
    rows.push(...merged(callsAt.get(line) ?? []));
  };
  /** @type {Set<number>} */
  const known = new Set();
  let last = 0;
  for (const [start, ...words] of text?.runs ?? []) {
    if (start !== last + 1) rows.push({ gap: start - last - 1, text: "" });
    words.forEach((word, index) => {
      known.add(start + index);
      add(start + index, word);
    });
    last = start + words.length - 1;
  }
  const others = [...new Set([...costs.keys(), ...callsAt.keys()])].filter((line) => !known.has(line));
  for (const line of others.sort((a, b) => a - b)) {
    add(line, line ? (text ? "past the end of the file" : "") : "no line number");
  }
  return [...rows, ...restOfFile(page, file)];
}

/**
 * A row for the lines of a file that are left out, if there are any.
 * @param {Page} page
 * @param {number} file
 * @returns {RestRow[]}
 */
function restOfFile(page, file) {
  const { profile, event } = page;
  const shown = profile.linesOfFile(file);
  const lines = profile.table("lines");
  const whole = profile.costOfFile(file, event);
  const cost = shown.reduce((rest, row) => rest - profile.value(lines.self, row, event), whole.self);
  const text = `${count(whole.lines - shown.length)} lines of less than ${limit(profile.head, "lines")} each`;
  return whole.lines > shown.length ? [{ rest: cost, text }] : [];
}

/**
 * Calls of one callee from several functions' copies of a line are one.
 * @param {CallRow[]} calls
 */
function merged(calls) {
  /** @type {Map<number, CallRow>} */
  const found = new Map();
  for (const call of calls) {
    const known = found.get(call.callee);
    if (known) {
      known.count += call.count;
      known.calls += call.calls;
    } else found.set(call.callee, call);
  }
  return [...found.values()].sort((a, b) => b.calls - a.calls);
}

/**
 * @param {Page} page
 * @param {SourceRow} row
 * @param {number} most
 * @param {number} total
 * @param {number} wanted
 */
function drawLine(page, row, most, total, wanted) {
  if ("gap" in row) return element("div", { class: "row gap" }, `${count(row.gap)} lines`);
  if ("rest" in row) return drawRest(row, total);
  if ("callee" in row) return drawCall(page, row, total);
  const heat = Math.sqrt((row.self ?? 0) / most);
  return element(
    "div",
    {
      class: `row line${row.line === wanted ? " wanted" : ""}`,
      "data-line": row.line,
      style: heat ? `--heat: ${heat.toFixed(3)}` : undefined,
    },
    row.self === undefined ? element("div", { class: "number" }) : numberCell(row.self, total),
    element("div", { class: "line-number" }, row.line || ""),
    element("code", {}, row.text, roundsTag(row.rounds)),
  );
}

/**
 * How wide costs of lines are at most, and at least as those of a short run.
 * @param {number} total
 */
export function numbersWidth(total) {
  return `${Math.max(19, lettersOfShare(total) + 1)}ch`;
}

/**
 * What rows that are left out cost together.
 * @param {RestRow} row
 * @param {number} total
 */
export function drawRest(row, total) {
  return element(
    "div",
    { class: "row rest" },
    numberCell(row.rest, total),
    element("div", { class: "line-number" }),
    element("code", {}, row.text),
  );
}

/**
 * What is called from the line above.
 * @param {Page} page
 * @param {CallRow} row
 * @param {number} total
 */
export function drawCall(page, row, total) {
  return element(
    "div",
    { class: "row call" },
    numberCell(row.calls, total),
    element("div", { class: "line-number" }),
    element(
      "code",
      {},
      "→ ",
      link(`calls/${row.callee}`, page.profile.name(row.callee), { tabindex: "-1" }),
      ` ${page.profile.times(row.callee, row.count)}×`,
    ),
  );
}
