// The profile that the page shows: tables of JSON in script elements, which
// tools/cg2tools/report/contents.py describes. Most are read when they are first needed.

export class Profile {
  constructor() {
    this.tables = new Map();
    this.head = this.table("profile");
    this.functions = this.head.functions;
    this.arcs = this.head.arcs;
    this.strings = this.head.strings;
    this.events = this.head.events;
    this.count = this.functions.name.length;
    this.derived = new Map();
  }

  /** A table, or null if the profile has none of that name. */
  table(name) {
    if (!this.tables.has(name)) {
      const source = document.getElementById(name);
      this.tables.set(name, source ? JSON.parse(source.textContent) : null);
      source?.remove(); // the text is as large as what was read of it
    }
    return this.tables.get(name);
  }

  has(name) {
    return this.tables.get(name) !== null &&
      (this.tables.has(name) || document.getElementById(name) !== null);
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

  // ---- Functions

  name(row) {
    return row < 0 ? "(small shares)" : this.strings[this.functions.name[row]];
  }

  file(row) {
    return this.strings[this.functions.file[row]];
  }

  object(row) {
    return this.strings[this.functions.object[row]];
  }

  /** The number of a function's object, in the order in which functions cost most. */
  objectNumber(row) {
    return this.once("objects", () => new Map([...new Set(this.functions.object)].map((object, at) => [object, at])))
      .get(this.functions.object[row]);
  }

  /** How often each function was called. */
  get called() {
    return this.once("called", () => {
      const called = new Array(this.count).fill(0);
      this.arcs.callee.forEach((callee, arc) => { called[callee] += this.arcs.count[arc]; });
      return called;
    });
  }

  /** The rows of arcs into a function, or out of it. */
  callers(row) {
    return this.once("callers", () => grouped(this.arcs.callee)).get(row) ?? [];
  }

  callees(row) {
    return this.once("callees", () => grouped(this.arcs.caller)).get(row) ?? [];
  }

  /** Functions of which name, file or object has the text in it. */
  matching(text) {
    const wanted = text.trim().toLowerCase();
    const lower = this.once("lower", () => this.strings.map((name) => name.toLowerCase()));
    const { name, file, object } = this.functions;
    const rows = [];
    for (let row = 0; row < this.count; row += 1) {
      if (!wanted || [name, file, object].some((part) => lower[part[row]].includes(wanted))) {
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
