// The profile that the page shows: tables in script elements, which tools/cg2tools/report/contents.py
// describes. "profile" is read when the page opens, each other when a view needs it.

import { count } from "./format.js";
import { scopeOf } from "./scope.js";
import { unpacked } from "./tables.js";

// A page may have two sets of tables: with inlined functions as functions, and with WHOLE in front of their names
// as parts of those around them.
export const WHOLE = "whole-";

/** The profile, once what every view needs of it is read; the set of tables is "" or WHOLE. */
export async function openedProfile(set = "") {
  return new Profile(set, await takenFromPage(`${set}profile`));
}

/** Whether the page has such a set of tables. */
export function hasSet(set) {
  return document.getElementById(`${set}profile`) !== null;
}

/** The names of a set's tables on the page. */
function namesOf(set) {
  return [...document.querySelectorAll("script[type='application/zlib']")]
    .map((source) => source.id)
    .filter((name) => name.startsWith(set) && (set || !name.startsWith(WHOLE)))
    .map((name) => name.slice(set.length));
}

/** A table, which leaves the page: its letters are as large as what was read of them. */
async function takenFromPage(name) {
  const source = document.getElementById(name);
  source?.remove();
  return source ? unpacked(source.textContent) : null;
}

class Profile {
  constructor(set, head) {
    this.set = set;
    this.names = new Set(namesOf(set));
    this.tables = new Map();
    this.coming = new Map();
    this.head = head;
    this.functions = this.head.functions;
    this.strings = this.head.strings;
    this.events = this.head.events;
    this.count = this.functions.name.length;
    this.derived = new Map();
  }

  // ---- Tables

  /** Whether all of these are read, so that table() gives them. */
  hasRead(names) {
    return names.every((name) => this.tables.has(name));
  }

  /** Read tables; those that the profile does not have become null. */
  async read(names) {
    await Promise.all(
      names.map((name) => {
        if (!this.coming.has(name)) {
          this.coming.set(
            name,
            takenFromPage(this.set + name).then((table) => {
              this.tables.set(name, table);
            }),
          );
        }
        return this.coming.get(name);
      }),
    );
  }

  /** A table that was read, or null if the profile has none of that name. */
  table(name) {
    return this.tables.get(name);
  }

  has(name) {
    return this.names.has(name);
  }

  /** The first table on the page that nobody asked for yet. */
  unread() {
    return [...this.names].find((name) => !this.coming.has(name));
  }

  /** What is found once and then known, by any name. */
  once(name, find) {
    if (!this.derived.has(name)) this.derived.set(name, find());
    return this.derived.get(name);
  }

  // ---- Costs

  /** A row of columns of costs, in an event, which may be made of others. */
  value(columns, row, event) {
    let sum = 0;
    for (const [index, factor] of this.events[event].factors) sum += factor * columns[index][row];
    return sum;
  }

  /** A vector of costs in an event. */
  sum(cost, event) {
    return this.events[event].factors.reduce((sum, [index, factor]) => sum + factor * cost[index], 0);
  }

  total(event) {
    return this.sum(this.head.total, event);
  }

  self(row, event) {
    return this.value(this.functions.self, row, event);
  }

  inclusive(row, event) {
    return this.value(this.functions.inclusive, row, event);
  }

  /** By function, by how much its self cost changed from the older profile, where it did; null without one. */
  changesOfSelf(event) {
    const compared = this.table("comparison")?.functions;
    if (!compared) return null;
    const changes = new Map();
    compared.row.forEach((row, at) => {
      if (row >= 0)
        changes.set(row, this.value(compared.self.new, at, event) - this.value(compared.self.old, at, event));
    });
    return changes;
  }

  // ---- Functions

  /** A function's name as people say it. */
  name(row) {
    return row < 0 ? "(small shares)" : this.strings[this.functions.said[row]];
  }

  /** A function's name as the profile has it. */
  fullName(row) {
    return row < 0 ? this.name(row) : this.strings[this.functions.name[row]];
  }

  /** Whether the number of calls of a function is estimated, as it was inlined. */
  isEstimated(row) {
    return this.functions.estimated[row] === 1;
  }

  /** How often a function was called by some, as text: "~12" is estimated. */
  times(row, number) {
    return `${this.isEstimated(row) ? "~" : ""}${count(number)}`;
  }

  /** The class, type or module that a function is in; "" of none. */
  scope(row) {
    const known = this.once("scopes", () => new Map());
    const name = this.functions.said[row];
    if (!known.has(name)) known.set(name, scopeOf(this.strings[name]));
    return known.get(name);
  }

  file(row) {
    return this.strings[this.functions.file[row]];
  }

  object(row) {
    return this.strings[this.functions.object[row]];
  }

  /** The row in another profile of what is the same function, or of one in another file by the same name; or -1. */
  rowIn(other, row) {
    const alike = [...Array(other.count).keys()].filter(
      (at) => other.fullName(at) === this.fullName(row) && other.object(at) === this.object(row),
    );
    return alike.find((at) => other.file(at) === this.file(row)) ?? alike[0] ?? -1;
  }

  /** The number of a function's object, in the order in which functions cost most. */
  objectNumber(row) {
    return this.once(
      "objects",
      () => new Map([...new Set(this.functions.object)].map((object, at) => [object, at])),
    ).get(this.functions.object[row]);
  }

  /** The rows of "arcs" into a function, or out of it. */
  callers(row) {
    return this.once("callers", () => grouped(this.table("arcs").callee)).get(row) ?? [];
  }

  callees(row) {
    return this.once("callees", () => grouped(this.table("arcs").caller)).get(row) ?? [];
  }

  /** Functions of which name, file or object has the text in it. */
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

  /** Rows of "lines" by file, and by function. */
  linesOfFile(file) {
    return this.once("linesOfFile", () => grouped(this.table("lines").file)).get(file) ?? [];
  }

  linesOfFunction(row) {
    return this.once("linesOfFunction", () => grouped(this.table("lines").function)).get(row) ?? [];
  }

  /** What all lines of a file cost in an event, and how many there are; also of those that are left out. */
  costOfFile(file, event) {
    const files = this.table("files");
    const row = this.once(
      "rowOfFile",
      () => new Map(Array.from(files.file, (number, at) => [number, at])),
    ).get(file);
    return row === undefined
      ? { lines: 0, self: 0 }
      : { lines: files.lines[row], self: this.value(files.self, row, event) };
  }

  /** Rows of "sites", which are calls by line, by file. */
  sitesOfFile(file) {
    return this.once("sitesOfFile", () => grouped(this.table("sites").file)).get(file) ?? [];
  }

  /** Rows of "instructions", "calls" or "jumps" by function. */
  ofFunction(table, row) {
    return this.once(`${table} by function`, () => grouped(this.table(table).function)).get(row) ?? [];
  }
}

/** The rows in which each number of a column stands. */
export function grouped(column) {
  const rows = new Map();
  column.forEach((number, row) => {
    const known = rows.get(number);
    if (known) known.push(row);
    else rows.set(number, [row]);
  });
  return rows;
}
