// Types of what modules hand to each other. Those of tables follow from schema.json, so that tsc knows each
// column.

import type schema from "../cg2tools/report/schema.json";
import type { DataFile } from "./datafile.js";
import type { Page } from "./page.js";
import type { Profile } from "./profile.js";

export type { DataFile, Page, Profile };

// ---- Tables

type Schema = (typeof schema)["tables"];

/** Whole numbers, one for each row: a list, or what holds numbers of as many bytes as they need. */
export interface Column extends Iterable<number> {
  readonly length: number;
  readonly [row: number]: number;
  forEach(call: (number: number, row: number) => void): void;
  some(call: (number: number) => boolean): boolean;
}

/** Members of one kind, all of one type. */
type Members<Table, Kind extends string, Type> =
  Table extends Record<Kind, infer Names> ? { [Name in keyof Names]: Type } : unknown;

/** What a table in the schema is on the page; its head says what the kinds are. */
type Made<Table> = Members<Table, "text", string> &
  Members<Table, "texts", string[]> &
  Members<Table, "words", string[]> &
  Members<Table, "number", number> &
  Members<Table, "flag", boolean> &
  Members<Table, "unknown", number | null> &
  Members<Table, "cost", Column> &
  Members<Table, "column", Column> &
  Members<Table, "unknowns", (number | null)[]> &
  Members<Table, "costs", Column[]> &
  Members<Table, "factors", [event: number, factor: number][]> &
  Members<Table, "points", [bytes: number, events: number[]][]> &
  Members<Table, "runs", [line: number, ...texts: string[]][]> &
  Members<Table, "texts by name", Record<string, string>> &
  Members<Table, "numbers by name", Record<string, number>> &
  (Table extends { table: infer Tables } ? { [Name in keyof Tables]: Made<Tables[Name]> } : unknown) &
  (Table extends { tables: infer Tables } ? { [Name in keyof Tables]: Made<Tables[Name]>[] } : unknown) &
  (Table extends { "tables by name": infer Tables }
    ? { [Name in keyof Tables]: Record<string, Made<Tables[Name]>> }
    : unknown) &
  (Table extends { "by name": infer One } ? Record<string, Made<One>> : unknown) &
  (Table extends { optional: infer Some } ? Partial<Made<Some>> : unknown);

export type Tables = { [Name in keyof Schema]: Made<Schema[Name]> };
export type TableName = keyof Tables;

export type Head = Tables["profile"];
export type Event = Head["events"][number];
export type Curve = Head["curves"][number];
export type Part = Head["parts"][number];
export type Places = Tables["data"]["places"];

// ---- Views

/** What is shown of a profile in one way. */
export interface View {
  name: string;
  title: string;
  /** What it shows, in a sentence. */
  hint: string;
  /** Whether there is something to show. */
  shown(profile: Profile): boolean;
  /** Whether it is what a page shows first; else that is the first view. */
  isFirst?(profile: Profile): boolean;
  /** What the first number in an argument is, if it is the profile's: the row of a function, or a file. */
  refers?: "function" | "file";
  needs: TableName[];
  draw(page: Page, argument: string): Drawn;
}

/** What a view draws. */
export interface Drawn extends HTMLElement {
  /** Call when it is on the page. */
  shown?(): void;
  /** Call for what is searched. */
  searched?(text: string): void;
  /** Call when another view takes its place. */
  closed?(): void;
}

// ---- Elements

export type Child = Node | string | number | null | undefined;
export type Children = (Child | Child[])[];
export type Attributes = Record<string, unknown>;

// ---- Tables as they are shown

/** A column of a table that is shown; grid.js says more. */
export interface GridColumn<Row> {
  title: string;
  long?: string;
  /** Letters. */
  width: number;
  grow?: number;
  numeric?: boolean;
  value(row: Row): Value;
  size?(row: Row): Value;
  cell?(row: Row): Child | Child[];
  total?(): number;
  most?: number;
}

export type Value = number | string | null | undefined;

export interface GridOptions<Row> {
  /** Called for Enter and clicks. */
  open?(row: Row): void;
  /** What is said where there is no row. */
  empty?: string;
  role?: string;
}

export interface TreeOptions<Row> extends GridOptions<Row> {
  /** The rows below one, none if it cannot be opened. */
  below(row: Row): Row[];
  /** What tells a row apart from all others, also when it is made anew. */
  keyOf(row: Row): Key;
  /** The keys of the rows that are open. */
  opened?: Set<Key>;
}

export type Key = number | string;

// ---- Rows of texts

/** What is called from the line or instruction above. */
export interface CallRow {
  callee: number;
  count: number;
  /** What these calls cost. */
  calls: number;
  text: string;
}

/** What is left out, with what it costs together. */
export interface RestRow {
  rest: number;
  text: string;
}

export type SourceRow =
  | { line: number; text: string; self: number | undefined; rounds: string }
  | { gap: number; text: string }
  | CallRow
  | RestRow;

export interface InstructionRow {
  address: number;
  text: string;
  self: number | undefined;
  /** What is said of rounds of repeated instructions; mostly nothing. */
  rounds: string;
}

/** `place` is FILE:LINE. */
export type CodeRow = InstructionRow | { gap: true } | { place: string } | CallRow | RestRow;

// ---- Stacks

/** A node of a tree of stacks; stacktree.js says what it has. */
export interface StackNode {
  name: string;
  full: string;
  key: string;
  function: number;
  value: number;
  self?: number;
  old?: number;
  oldSelf?: number;
  calls?: number;
  readonly children: StackNode[];
  /** The caller of a stack of the profile. */
  parent?: Stack | null;
}

/** A stack of the profile. */
export interface Stack extends StackNode {
  id: number;
  self: number;
  parent: Stack | null;
  children: Stack[];
}

// ---- The picture of a call graph

/** What can be chosen of it. */
export interface GraphSettings {
  most: number;
  by: "inclusive" | "self";
  /** Shares. */
  least: number;
  leastCalls: number;
  /** Calls away from a function. */
  up: number;
  down: number;
  folds: boolean;
}

/** A function as it is drawn. */
export interface Box {
  id: number;
  name: string;
  figures: string;
  title: string;
  fill: string;
  classes: string;
}

/** Calls of `from`, and perhaps of others between it and `to`: callgraph.js says which arcs these are. */
export interface Arrow {
  from: number;
  to: number;
  arcs: number[];
  isWay?: boolean;
}

/** An arrow as it is drawn; `share`, of 1, says how thick. */
export interface DrawnArrow {
  from: number;
  to: number;
  figures: string;
  title: string;
  share: number;
  classes: string;
}

interface Point {
  x: number;
  y: number;
}

interface Extent {
  width: number;
  height: number;
}

/** A box, and where its middle is. */
export type PlacedBox = Box & Point & Extent & { lines: string[] };

/** An arrow, where its label is, and where it goes. */
export type PlacedArrow = DrawnArrow & Point & Extent & { weight: number; points: Point[] };
