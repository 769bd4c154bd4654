// What was profiled, and where most of it was spent.

import { element, link, section } from "../dom.js";
import { count, percent } from "../format.js";
import { allLeftOut } from "../left.js";
import { roundsTag } from "./functions.js";
import { source } from "./source.js";

/** @import { Event, Head, Page, Profile, View } from "../types" */

const LISTED = 10; // rows of each short list
const FEW = 6; // events of miss curves that stand among the others
const FILE = 2 ** 32; // more than a file has lines

// A miss, and what it is a share of.
const RATES = [
  ["I1mr", "Ir"],
  ["D1mr", "Dr"],
  ["D1mw", "Dw"],
  ["ILmr", "Ir"],
  ["DLmr", "Dr"],
  ["DLmw", "Dw"],
  ["Bcm", "Bc"],
  ["Bim", "Bi"],
];

/** @type {View} */
export const summary = {
  name: "summary",
  title: "Summary",
  hint: "What was profiled, and where most of it was spent",
  shown: () => true,
  needs: [],
  draw: (page) =>
    element(
      "div",
      { class: "scrolled" },
      warnings(page.profile.head),
      totals(page),
      element(
        "div",
        { class: "columns" },
        section(
          `Most ${page.eventName} with callees`,
          page.whenRead(["arcs"], () => mostInclusive(page)),
        ),
        section(
          `Most ${page.eventName} by themselves`,
          ranked(
            page,
            mostOf(page, (row) => page.profile.self(row, page.event)),
          ),
        ),
        source.shown(page.profile)
          ? section(
              `Lines with most ${page.eventName}`,
              page.whenRead(["lines"], () => lines(page)),
            )
          : null,
      ),
      section("The run", facts(page.profile)),
    ),
};

/** @param {Head} head */
function warnings(head) {
  return head.warnings.length
    ? element(
        "ul",
        { class: "warnings" },
        head.warnings.map((text) => element("li", {}, text)),
      )
    : null;
}

/**
 * A card for each event, which chooses it; those of miss curves, if they are more than a few, open by
 * themselves.
 * @param {Page} page
 */
function totals(page) {
  const { profile } = page;
  const swept = new Set(profile.head.curves.flatMap(({ points }) => points.flatMap(([, events]) => events)));
  const cards = profile.events.map((event, at) => totalCard(page, event, at));
  if (swept.size <= FEW) return cardGroup("Totals", cards);
  return element(
    "div",
    {},
    cardGroup(
      "Totals",
      cards.filter((_, at) => !swept.has(at)),
    ),
    element(
      "details",
      { class: "swept", open: swept.has(page.event) },
      element("summary", {}, `${count(swept.size)} events of miss curves`),
      cardGroup(
        "Totals of miss curves",
        cards.filter((_, at) => swept.has(at)),
      ),
    ),
  );
}

/**
 * @param {string} label
 * @param {HTMLElement[]} cards
 */
function cardGroup(label, cards) {
  return element("div", { class: "cards", role: "group", "aria-label": label }, cards);
}

/**
 * @param {Page} page
 * @param {Event} event
 * @param {number} at
 */
function totalCard(page, event, at) {
  const { profile } = page;
  const numberOf = (/** @type {string} */ name) => profile.events.findIndex((other) => other.name === name);
  const rate = RATES.find(([miss, of]) => miss === event.name && numberOf(of) >= 0);
  return element(
    "button",
    {
      type: "button",
      class: "card",
      "data-event": event.name,
      "aria-pressed": String(at === page.event),
      title: event.long,
      onclick: () => page.choose(at),
    },
    element("span", { class: "label" }, event.name),
    element("strong", {}, count(profile.total(at))),
    rate
      ? element(
          "small",
          {},
          `${percent(profile.total(at), profile.total(numberOf(rate[1]))) || "–"} of ${rate[1]}`,
        )
      : null,
    event.long ? element("small", {}, event.long) : null,
  );
}

/**
 * The functions with most cost, those that only pass on in one line that opens.
 * @param {Page} page
 */
function mostInclusive(page) {
  const { profile, event } = page;
  const passing = passingOn(profile, event);
  const listed = mostOf(page, (row) => (passing.has(row) ? 0 : profile.inclusive(row, event)));
  const list = ranked(page, listed);
  const least = listed.length === LISTED ? listed[LISTED - 1].value : 0; // of what would stand in the list
  const rows = [...passing]
    .map((row) => functionEntry(page, row, profile.inclusive(row, event)))
    .filter(({ value }) => value >= least)
    .sort((a, b) => b.value - a.value);
  if (!rows.length) return list;
  const number =
    rows.length === 1 ? "1 function that only passes" : `${count(rows.length)} functions that only pass`;
  return element(
    "div",
    {},
    element(
      "details",
      {
        class: "passing",
        open: page.choices.showsPassing,
        ontoggle: (/** @type {globalThis.Event} */ { target }) => {
          page.choices.showsPassing = target instanceof HTMLDetailsElement && target.open;
        },
      },
      element(
        "summary",
        { title: "From where a thread starts: almost all that they cost is one callee's" },
        `${number} on`,
      ),
      ranked(page, rows),
    ),
    list,
  );
}

const OWN = 0.01; // of its inclusive cost, at most: what a function that only passes on costs itself
const PASSED = 0.7; // of a caller's cost, at least: what the callee costs that it is passed on to

/**
 * The functions on the way from roots that cost almost nothing themselves, each called by one that passes
 * on to it.
 * @param {Profile} profile
 * @param {number} event
 */
function passingOn(profile, event) {
  const table = profile.table("arcs");
  /** @type {Set<number>} */
  const found = new Set();
  const costs = (/** @type {number} */ row) => profile.inclusive(row, event);
  const calledFor = (/** @type {number} */ row) =>
    profile.callers(row).reduce((sum, arc) => sum + profile.value(table.inclusive, arc, event), 0);
  // A root costs more than its callers know of, as a thread's costs none of what the call that makes it does.
  const open = [...Array(profile.count).keys()].filter((row) => calledFor(row) < (1 - PASSED) * costs(row));
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    const least = PASSED * costs(row);
    if (found.has(row) || profile.self(row, event) > OWN * costs(row)) continue;
    found.add(row);
    open.push(
      ...profile
        .callees(row)
        .filter((arc) => profile.value(table.inclusive, arc, event) >= least)
        .map((arc) => table.callee[arc]),
    );
  }
  return found;
}

/** @typedef {{ value: number, node: HTMLElement, rounds?: string }} Entry of a list */

/**
 * The functions with the largest values.
 * @param {Page} page
 * @param {(row: number) => number} value
 */
function mostOf(page, value) {
  const values = Float64Array.from({ length: page.profile.count }, (_, row) => value(row));
  return largest(values.entries()).map(([row, most]) => functionEntry(page, row, most));
}

/**
 * @param {Page} page
 * @param {number} row
 * @param {number} value
 * @returns {Entry}
 */
function functionEntry({ profile }, row, value) {
  return {
    value,
    node: link(`calls/${row}`, profile.name(row), {
      title: `${profile.fullName(row)} in ${profile.file(row)}`,
    }),
    rounds: profile.roundsOf(row),
  };
}

/**
 * The entries [key, value] that are to be listed, largest first; the first of equal ones in front.
 * @param {Iterable<[key: number, value: number]>} entries
 */
function largest(entries) {
  /** @type {[key: number, value: number][]} */
  const found = [];
  for (const entry of entries) {
    const [, value] = entry;
    if (value <= 0 || (found.length === LISTED && value <= found[LISTED - 1][1])) continue;
    const below = found.findIndex(([, other]) => other < value);
    found.splice(below < 0 ? found.length : below, 0, entry);
    found.length = Math.min(found.length, LISTED);
  }
  return found;
}

/** @param {Page} page */
function lines(page) {
  const { profile, event } = page;
  const table = profile.table("lines");
  /** @type {Map<number, number>} by file and line in one number: as text it takes ten times as long */
  const sums = new Map();
  const placeOf = (/** @type {number} */ row) => table.file[row] * FILE + table.line[row];
  table.line.forEach((line, row) => {
    const value = profile.value(table.self, row, event);
    const place = placeOf(row);
    if (line && value) sums.set(place, (sums.get(place) ?? 0) + value);
  });
  const costAt = (/** @type {number} */ place) => (/** @type {number} */ recorded) => {
    let sum = 0;
    table.line.forEach((_, row) => (sum += placeOf(row) === place ? table.self[recorded][row] : 0));
    return sum;
  };
  return ranked(
    page,
    largest(sums).map(([place, value]) => {
      const file = Math.floor(place / FILE);
      const line = place % FILE;
      const path = profile.strings[file];
      const name = `${profile.tail(path)}:${line}`;
      const node = link(`source/${file}:${line}`, name, { title: path });
      return { value, node, rounds: profile.roundsOfLine(costAt(place), file, line) };
    }),
  );
}

/**
 * Values with bars as long as their share of the total.
 * @param {Page} page
 * @param {Entry[]} entries
 */
function ranked(page, entries) {
  const total = page.profile.total(page.event);
  return element(
    "ol",
    { class: "ranked" },
    entries.map(({ value, node, rounds }) =>
      element(
        "li",
        { style: `--share: ${total ? Math.min(1, value / total) : 0}` },
        element("span", { class: "share", title: count(value) }, percent(value, total)),
        node,
        roundsTag(rounds ?? ""),
      ),
    ),
  );
}

/** @param {Profile} profile */
function facts(profile) {
  const { head } = profile;
  const threads = new Set(head.parts.map((part) => part.thread));
  const parts = head.parts.length
    ? `${head.parts.length}, ${threads.has(null) ? "of all threads together" : `in ${threads.size} threads`}`
    : "";
  const rows = [
    ["Command", head.cmd],
    ["Written by", head.creator],
    ["Profiles", head.files.join("\n")],
    ["Parts", parts],
    ["Of all Ir", profile.rounds((event) => head.total[event])],
    ...Object.entries(head.descriptions),
    ...Object.entries(head.skipped).map(([name, calls]) => ["Skipped", `${name} (${count(calls)}×)`]),
    ["Page made by", head.tool],
    ["Left out", allLeftOut(head)],
  ];
  return element(
    "dl",
    { class: "facts" },
    rows
      .filter(([, value]) => value)
      .flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
  );
}
