// The data file of the run, as tools/cg2tools/report/datatables.py writes it: objects, what is in them, who
// touches them. Its events are its own.

import { grouped } from "./profile.js";

/** @import { Column, Profile } from "./types" */

export class DataFile {
  /** @param {Profile} profile */
  constructor(profile) {
    this.profile = profile;
    this.table = profile.table("data");
    this.count = this.table.objects.kind.length;
    this.events = this.table.events;
    this.of = {
      places: grouped(this.table.places.object),
      code: grouped(this.table.code.object),
      functions: grouped(this.table.code.function),
      sharing: grouped(this.table.sharing.object),
      together: grouped(this.table.together.object),
    };
  }

  /**
   * The one of a page's profile, of which "data" was read.
   * @param {Profile} profile
   */
  static of(profile) {
    return profile.once("data file", () => new DataFile(profile));
  }

  /**
   * What a row of columns of costs has of an event.
   * @param {Column[]} columns
   * @param {number} row
   * @param {number} event
   */
  value(columns, row, event) {
    return this.events[event].factors.reduce((sum, [index, factor]) => sum + factor * columns[index][row], 0);
  }

  /** @param {number} event */
  total(event) {
    return this.events[event].factors.reduce(
      (sum, [index, factor]) => sum + factor * this.table.total[index],
      0,
    );
  }

  /**
   * @param {number} row
   * @param {number} event
   */
  cost(row, event) {
    return this.value(this.table.objects.self, row, event);
  }

  /**
   * @param {"kind" | "name" | "said" | "elf" | "type"} column
   * @param {number} row
   */
  text(column, row) {
    return this.profile.strings[this.table.objects[column][row]];
  }

  /**
   * An object's name as people say it, with its kind.
   * @param {number} row
   */
  name(row) {
    return `${this.text("kind", row)} ${this.text("said", row)}`;
  }

  /**
   * Rows of "places" and of "code" of an object.
   * @param {number} row
   */
  places(row) {
    return this.of.places.get(row) ?? [];
  }

  /** @param {number} row */
  code(row) {
    return this.of.code.get(row) ?? [];
  }

  /**
   * Rows of "sharing" and of "together" of an object.
   * @param {number} row
   */
  sharing(row) {
    return this.of.sharing.get(row) ?? [];
  }

  /** @param {number} row */
  together(row) {
    return this.of.together.get(row) ?? [];
  }

  /**
   * The objects that a function touches, by its row: those that cost most first, each with its cost and
   * accesses.
   * @param {number} row
   * @param {number} event
   */
  touchedBy(row, event) {
    const { code } = this.table;
    const found = new Map();
    for (const at of this.of.functions.get(row) ?? []) {
      const known = found.get(code.object[at]) ?? { object: code.object[at], cost: 0, count: 0 };
      known.cost += this.value(code.self, at, event);
      known.count += code.count[at];
      found.set(code.object[at], known);
    }
    return [...found.values()].sort((a, b) => b.cost - a.cost || b.count - a.count);
  }

  /**
   * Objects of which the name has the text in it.
   * @param {string} text
   */
  matching(text) {
    const wanted = text.trim().toLowerCase();
    const rows = [...Array(this.count).keys()];
    return wanted
      ? rows.filter((row) =>
          `${this.text("kind", row)}::${this.text("name", row)} ${this.text("type", row)}`
            .toLowerCase()
            .includes(wanted),
        )
      : rows;
  }
}
