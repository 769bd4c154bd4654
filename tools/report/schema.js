// Holds tables against schema.json, which says what each has: a page whose tables are others says so, and
// draws none.

import schema from "../cg2tools/report/schema.json";

/** @import { TableName, Tables } from "./types" */

/** @typedef {Record<string, unknown>} Members */

/**
 * The table of this name; an error if it has not exactly the members that it should have.
 * @template {TableName} Name
 * @param {Name} name
 * @param {unknown} table
 */
export function checked(name, table) {
  check(schema.tables[name], table, name);
  return /** @type {Tables[Name]} */ (table);
}

/**
 * @param {unknown} schemaOf
 * @param {unknown} table
 * @param {string} place
 */
function check(schemaOf, table, place) {
  if (!isObject(schemaOf) || !isObject(table)) throw new Error(`${place} is no table`);
  const { "by name": one } = schemaOf;
  if (one !== undefined) {
    for (const [name, member] of Object.entries(table)) check(one, member, `${place}.${name}`);
    return;
  }
  const needed = kindsOf(schemaOf);
  const known = new Map([...needed, ...kindsOf(schemaOf.optional ?? {})]);
  for (const name of needed.keys()) if (!(name in table)) throw new Error(`${place}.${name} is not there`);
  for (const [name, member] of Object.entries(table)) {
    const kind = known.get(name);
    if (!kind) throw new Error(`${place}.${name} should not be there`);
    for (const [inner, at] of tablesIn(kind[0], member)) check(kind[1], inner, `${place}.${name}${at}`);
  }
}

/**
 * By the name of each member its kind, and what the schema says of it.
 * @param {unknown} schemaOf
 * @returns {Map<string, [kind: string, said: unknown]>}
 */
function kindsOf(schemaOf) {
  const found = new Map();
  for (const [kind, members] of Object.entries(isObject(schemaOf) ? schemaOf : {})) {
    if (kind === "optional" || !isObject(members)) continue;
    for (const [name, said] of Object.entries(members)) found.set(name, [kind, said]);
  }
  return found;
}

/**
 * The tables that a member is or has, each with its place in it.
 * @param {string} kind
 * @param {unknown} member
 * @returns {[table: unknown, place: string][]}
 */
function tablesIn(kind, member) {
  if (kind === "table") return [[member, ""]];
  if (kind === "tables" && Array.isArray(member)) return member.map((one, at) => [one, `[${at}]`]);
  if (kind !== "tables by name" || !isObject(member)) return [];
  return Object.entries(member).map(([name, one]) => [one, `.${name}`]);
}

/**
 * @param {unknown} value
 * @returns {value is Members}
 */
function isObject(value) {
  return typeof value === "object" && value !== null;
}
