// The profile that the page shows: tables in script elements, whose columns tools/cg2tools/report/schema.json
// describes. "profile" is read when the page opens, each other when a view needs it.

import { base, count, percent, tailsOf } from "./format.js";
import { checked } from "./schema.js";
import { scopeOf } from "./scope.js";
import { unpacked } from "./tables.js";

/** @import { Column, Head, TableName, Tables } from "./types" */

// A page may have two sets of tables: with inlined functions as functions, and with WHOLE in front of their
// names as parts of those around them.
export const WHOLE = "whole-";

/** The profile, once what every view needs of it is read; the set of tables is "" or WHOLE. */
export async function openedProfile(set = "") {
  const head = await takenFromPage(set, "profile");
  if (!head) throw new Error("the page has no profile");
  return new Profile(set, head);
}

/**
 * Whether the page has such a set of tables.
 * @param {string} set
 */
export function hasSet(set) {
  return document.getElementById(`${set}profile`) !== null;
}

/**
 * The names of a set's tables on the page.
 * @param {string} set
 */
function namesOf(set) {
  return [...document.querySelectorAll("script[type='application/zlib']")]
    .map((source) => source.id)
    .filter((name) => name.startsWith(set) && (set || !name.startsWith(WHOLE)))
    .map((name) => /** @type {TableName} */ (name.slice(set.length)));
}

/**
 * A table, which leaves the page: its letters are as large as what was read of them; null if there is none.
 * @template {TableName} Name
 * @param {string} set
 * @param {Name} name
 */
async function takenFromPage(set, name) {
  const source = document.getElementById(`${set}${name}`);
  source?.remove();
  return source ? checked(name, await unpacked(source.textContent)) : null;
}

export class Profile {
  /** What was read; null of what the profile does not have.
   * @type {Partial<{ [Name in TableName]: Tables[Name] | null }>} */
  #tables = {};
  /** @type {Map<TableName, Promise<void>>} */
  #coming = new Map();
  /** @type {Map<string, unknown>} */
  #derived = new Map();

  /**
   * @param {string} set
   * @param {Head} head
   */
  constructor(set, head) {
    this.set = set;
    this.names = new Set(namesOf(set));
    this.head = head;
    this.functions = head.functions;
    this.strings = head.strings;
    this.events = head.events;
    this.count = this.functions.name.length;
  }

  // ---- Tables

  /**
   * Whether all of these are read, so that table() gives them.
   * @param {TableName[]} names
   */
  hasRead(names) {
    return names.every((name) => name in this.#tables);
  }

  /**
   * Read tables, as far as the profile has them.
   * @param {TableName[]} names
   */
  async read(names) {
    await Promise.all(
      names.map((name) => {
        const coming = this.#coming.get(name) ?? this.#readOne(name);
        this.#coming.set(name, coming);
        return coming;
      }),
    );
  }

  /**
   * @template {TableName} Name
   * @param {Name} name
   */
  async #readOne(name) {
    Object.assign(this.#tables, { [name]: await takenFromPage(this.set, name) });
  }

  /**
   * A table that was read.
   * @template {TableName} Name
   * @param {Name} name
   * @returns {Tables[Name]}
   */
  table(name) {
    const table = this.tableIfAny(name);
    if (!table) throw new Error(`there is no table ${name}`);
    return table;
  }

  /**
   * A table that was read, or null if the profile does not have it.
   * @template {TableName} Name
   * @param {Name} name
   * @returns {Tables[Name] | null}
   */
  tableIfAny(name) {
    return /** @type {Tables[Name] | null} */ (this.#tables[name] ?? null);
  }

  /** @param {TableName} name */
  has(name) {
    return this.names.has(name);
  }

  /** The first table on the page that nobody asked for yet. */
  unread() {
    return [...this.names].find((name) => !this.#coming.has(name));
  }

  /**
   * What is found once and then known, by any name.
   * @template What
   * @param {string} name
   * @param {() => What} find
   */
  once(name, find) {
    if (!this.#derived.has(name)) this.#derived.set(name, find());
    return /** @type {What} */ (this.#derived.get(name));
  }

  // ---- Costs

  /**
   * A row of columns of costs, in an event, which may be made of others.
   * @param {Column[]} columns
   * @param {number} row
   * @param {number} event
   */
  value(columns, row, event) {
    let sum = 0;
    for (const [index, factor] of this.events[event].factors) sum += factor * columns[index][row];
    return sum;
  }

  /**
   * What is said of a cost of which most is no instruction for a processor; mostly nothing.
   * @param {(event: number) => number} cost
   * @param {number} known rounds that are in it where no event counts them
   */
  rounds(cost, known = 0) {
    const [ir, rep] = ["Ir", "Rep"].map((name) => this.recorded(name));
    if (ir < 0 || (rep < 0 && !known)) return "";
    const counted = cost(ir);
    const rounds = rep < 0 ? known : cost(rep);
    return 2 * rounds > counted ? `${percent(rounds, counted)} rounds of rep` : "";
  }

  /**
   * The same of a function.
   * @param {number} row
   */
  roundsOf(row) {
    return this.rounds((event) => this.functions.self[event][row], this.head.roundsOfFunctions[row]);
  }

  /**
   * The same of a line.
   * @param {(event: number) => number} cost
   * @param {number} file
   * @param {number} line
   */
  roundsOfLine(cost, file, line) {
    return this.rounds(cost, this.head.roundsOfLines[`${file}:${line}`]);
  }

  /**
   * The column of an event that was recorded; -1: it was not.
   * @param {string} name
   */
  recorded(name) {
    return this.events.findIndex((event, at) => event.name === name && at < this.head.recorded);
  }

  /**
   * A vector of costs in an event.
   * @param {Column} cost
   * @param {number} event
   */
  sum(cost, event) {
    return this.events[event].factors.reduce((sum, [index, factor]) => sum + factor * cost[index], 0);
  }

  /** @param {number} event */
  total(event) {
    return this.sum(this.head.total, event);
  }

  /**
   * @param {number} row
   * @param {number} event
   */
  self(row, event) {
    return this.value(this.functions.self, row, event);
  }

  /**
   * @param {number} row
   * @param {number} event
   */
  inclusive(row, event) {
    return this.value(this.functions.inclusive, row, event);
  }

  /**
   * The smallest change from the older profile that is one: of less, nobody is told.
   * @param {number} event
   */
  leastChange(event) {
    const before = Math.abs(this.sum(this.table("comparison").oldTotal, event));
    return Math.ceil((this.head.smallest / 100) * Math.max(before, 1));
  }

  /**
   * By function, by how much its self cost changed from the older profile, where it did; null without one.
   * @param {number} event
   */
  changesOfSelf(event) {
    return this.changes("self", event);
  }

  /**
   * The same, of self or inclusive costs.
   * @param {"self" | "inclusive"} cost
   * @param {number} event
   */
  changes(cost, event) {
    const compared = this.tableIfAny("comparison")?.functions;
    if (!compared) return null;
    /** @type {Map<number, number>} */
    const changes = new Map();
    compared.row.forEach((row, at) => {
      const { old, new: now } = compared[cost];
      const change = this.value(now, at, event) - this.value(old, at, event);
      if (row >= 0) changes.set(row, change);
    });
    return changes;
  }

  // ---- Functions

  /**
   * A function's name as people say it.
   * @param {number} row
   */
  name(row) {
    return row < 0 ? "(small shares)" : this.strings[this.functions.said[row]];
  }

  /**
   * A function's name as the profile has it.
   * @param {number} row
   */
  fullName(row) {
    return row < 0 ? this.name(row) : this.strings[this.functions.name[row]];
  }

  /**
   * Whether the number of calls of a function is estimated, as it was inlined.
   * @param {number} row
   */
  isEstimated(row) {
    return this.functions.estimated[row] === 1;
  }

  /**
   * How often a function was called by some, as text: "~12" is estimated.
   * @param {number} row
   * @param {number} number
   */
  times(row, number) {
    return `${this.isEstimated(row) ? "~" : ""}${count(number)}`;
  }

  /**
   * The class, type or module that a function is in; "" of none.
   * @param {number} row
   */
  scope(row) {
    const known = this.once("scopes", () => /** @type {Map<number, string>} */ (new Map()));
    const name = this.functions.said[row];
    const scope = known.get(name) ?? scopeOf(this.strings[name]);
    known.set(name, scope);
    return scope;
  }

  /** @param {number} row */
  file(row) {
    return this.strings[this.functions.file[row]];
  }

  /**
   * The end of the path of a file or object that tells it from others.
   * @param {string} path
   */
  tail(path) {
    const tails = this.once("tails", () => tailsOf(this.strings.filter((name) => name.includes("/"))));
    return tails.get(path) ?? base(path);
  }

  /** @param {number} row */
  object(row) {
    return this.strings[this.functions.object[row]];
  }

  /**
   * The row in another profile of what is the same function, or of one in another file by the same name; or
   * -1.
   * @param {Profile} other
   * @param {number} row
   */
  rowIn(other, row) {
    const alike = [...Array(other.count).keys()].filter(
      (at) => other.fullName(at) === this.fullName(row) && other.object(at) === this.object(row),
    );
    return alike.find((at) => other.file(at) === this.file(row)) ?? alike[0] ?? -1;
  }

  /**
   * The number of a function's object, in the order in which functions cost most.
   * @param {number} row
   */
  objectNumber(row) {
    const numbers = this.once(
      "objects",
      () =>
        new Map([...new Set(this.functions.object)].map((object, at) => /** @type {const} */ ([object, at]))),
    );
    return numbers.get(this.functions.object[row]) ?? 0;
  }

  /**
   * The rows of "arcs" into a function, or out of it.
   * @param {number} row
   */
  callers(row) {
    return this.once("callers", () => grouped(this.table("arcs").callee)).get(row) ?? [];
  }

  /** @param {number} row */
  callees(row) {
    return this.once("callees", () => grouped(this.table("arcs").caller)).get(row) ?? [];
  }

  /**
   * Functions of which name, file or object has the text in it.
   * @param {string} text
   */
  matching(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return [...Array(this.count).keys()];
    const lower = this.once("lower", () => this.strings.map((name) => name.toLowerCase()));
    const { name, said, file, object } = this.functions;
    const rows = [];
    for (let row = 0; row < this.count; row += 1) {
      if ([name, said, file, object].some((part) => lower[part[row]].includes(wanted))) {
        rows.push(row);
      }
    }
    return rows;
  }

  // ---- Lines

  /**
   * Rows of "lines" by file, and by function.
   * @param {number} file
   */
  linesOfFile(file) {
    return this.once("linesOfFile", () => grouped(this.table("lines").file)).get(file) ?? [];
  }

  /** @param {number} row */
  linesOfFunction(row) {
    return this.once("linesOfFunction", () => grouped(this.table("lines").function)).get(row) ?? [];
  }

  /**
   * What all lines of a file cost in an event, and how many there are; also of those that are left out.
   * @param {number} file
   * @param {number} event
   */
  costOfFile(file, event) {
    const files = this.table("files");
    const row = this.once(
      "rowOfFile",
      () => new Map(Array.from(files.file, (number, at) => /** @type {const} */ ([number, at]))),
    ).get(file);
    return row === undefined
      ? { lines: 0, self: 0 }
      : { lines: files.lines[row], self: this.value(files.self, row, event) };
  }

  /**
   * Rows of "sites", which are calls by line, by file.
   * @param {number} file
   */
  sitesOfFile(file) {
    return this.once("sitesOfFile", () => grouped(this.table("sites").file)).get(file) ?? [];
  }

  /**
   * Rows of "instructions", "calls" or "jumps" by function.
   * @param {"instructions" | "calls" | "jumps"} table
   * @param {number} row
   */
  ofFunction(table, row) {
    return this.once(`${table} by function`, () => grouped(this.table(table).function)).get(row) ?? [];
  }
}

/**
 * The rows in which each value of a column stands.
 * @template Of
 * @param {{ forEach(call: (value: Of, row: number) => void): void }} column
 */
export function grouped(column) {
  /** @type {Map<Of, number[]>} */
  const rows = new Map();
  column.forEach((value, row) => {
    const known = rows.get(value);
    if (known) known.push(row);
    else rows.set(value, [row]);
  });
  return rows;
}
