// Data: what the program stores data in, what that costs, and the code that touches it.

import { max } from "d3-array";
import { Boxes } from "../boxes.js";
import { objectColour } from "../colours.js";
import { DataFile } from "../datafile.js";
import { choice, element, link, section } from "../dom.js";
import { count, percent } from "../format.js";
import { RowGrid } from "../grid.js";
import { memory } from "../memory.js";
import { sizeChart } from "../sizechart.js";

/** @import { Column, Curve, Drawn, GridColumn, Page, View } from "../types" */

const LINE_MIN = 12,
  LINE_MAX = 24; // letters of the place of a line
/** @import { Group, Leaf, Member } from "../boxes.js" */

const KINDS = ["heap", "static", "stack", "other"];
/** @type {Record<string, string>} */
const MEANT = {
  heap: "blocks of the heap",
  static: "static objects",
  stack: "frames of the stack",
  other: "other memory",
};

/** @type {View} */
export const data = {
  name: "data",
  title: "Data",
  hint: "What the program stores data in, and the code that touches it",
  shown: (profile) => profile.has("data"),
  isFirst: (profile) => profile.head.isData,
  needs: ["data"],
  draw: (page, argument) => {
    const file = DataFile.of(page.profile);
    const row = Number.parseInt(argument, 10);
    return row >= 0 && row < file.count ? drawObject(page, file, row) : new Objects(page, file).node;
  },
};

/**
 * The event that is chosen: one of the data file, which has those of the profile that are of data.
 * @param {Page} page
 * @param {DataFile} file
 */
function eventOf(page, file) {
  const known = file.events.findIndex(({ name }) => name === page.choices.dataEvent);
  return Math.max(known, 0);
}

/**
 * @param {Page} page
 * @param {DataFile} file
 */
function events(page, file) {
  return choice(
    "Event",
    file.events.map(({ name }) => [name, name]),
    file.events[eventOf(page, file)]?.name ?? "",
    (name) => {
      page.choices.dataEvent = name;
      page.redraw();
    },
  );
}

// ---- All objects

class Objects {
  whole = "All data";

  /**
   * @param {Page} page
   * @param {DataFile} file
   */
  constructor(page, file) {
    this.page = page;
    this.file = file;
    this.event = eventOf(page, file);
    /** @type {Set<number> | null} the objects that are searched for */
    this.matching = null;
    /** @type {Boxes} */
    this.boxes = new Boxes("Treemap of data", this);
    this.found = element("span", { class: "found" });
    this.table = this.grid();
    /** @type {Drawn} */
    this.node = element(
      "div",
      { class: "filled" },
      element(
        "div",
        { class: "bar" },
        this.found,
        events(page, file),
        element("span", { class: "note" }, this.said()),
      ),
      this.boxes.crumbs,
      this.boxes.details,
      this.boxes.map,
      this.table.node,
    );
    this.node.shown = () => this.boxes.shown();
    this.node.closed = () => this.boxes.closed();
    this.node.searched = (text) => this.filter(text);
    this.filter(page.search);
  }

  said() {
    const { table } = this.file;
    const { share } = this.page.profile.head;
    return [
      table.accesses ? "All accesses." : "Accesses that miss.",
      table.attributed ? `Attributed: ${table.attributed}.` : "",
      table.left
        ? `${count(table.left)} of less than ${share} % each are left out; cg2_report --share=0 has them.`
        : "",
    ]
      .filter(Boolean)
      .join(" ");
  }

  /** @param {string} text */
  filter(text) {
    const rows = this.file.matching(text);
    this.matching = text.trim() ? new Set(rows) : null;
    this.found.textContent =
      rows.length === this.file.count
        ? `${count(rows.length)} objects`
        : `${count(rows.length)} of ${count(this.file.count)} objects`;
    this.table.show(rows);
    this.boxes.draw();
    this.page.status(this.found.textContent);
  }

  /** @returns {Group} */
  tree() {
    const rows = [...Array(this.file.count).keys()];
    return {
      name: "all",
      children: KINDS.map((kind) => ({
        name: MEANT[kind],
        children: rows
          .filter((row) => this.file.text("kind", row) === kind && this.file.cost(row, this.event) > 0)
          .map((row) => ({ name: this.file.text("said", row), row, value: this.file.cost(row, this.event) })),
      })).filter(({ children }) => children.length),
    };
  }

  nothing() {
    return `No data has any ${this.file.events[this.event]?.name}.`;
  }

  /** @param {Leaf} leaf */
  isDim({ row }) {
    return this.matching !== null && !this.matching.has(row);
  }

  /** @param {Leaf} leaf */
  colour({ row, name }) {
    return objectColour(KINDS.indexOf(this.file.text("kind", row)), name);
  }

  /**
   * @param {{ data: Member, value?: number }} box
   * @returns {string}
   */
  text({ data: { name }, value = 0 }) {
    const event = this.file.events[this.event].name;
    return `${name}: ${count(value)} ${event}, ${percent(value, this.boxes.whole)}`;
  }

  /** @param {number} row */
  open(row) {
    this.page.open(`data/${row}`);
  }

  grid() {
    const { file, page } = this;
    const isTyped = file.table.objects.type.some((type) => Boolean(page.profile.strings[type]));
    const grid = new RowGrid(
      "Data objects",
      [
        {
          title: "Object",
          width: 34,
          grow: 3,
          value: (/** @type {number} */ row) => file.name(row),
          cell: (/** @type {number} */ row) => [
            element(
              "a",
              { href: `#data/${row}`, tabindex: "-1", title: file.text("name", row) },
              file.text("said", row),
            ),
            element("span", { class: "tag" }, file.text("kind", row)),
          ],
        },
        ...costColumns(file, this.event, (row, event) => file.cost(row, event), 3),
        {
          title: "Blocks",
          width: 9,
          numeric: true,
          value: (/** @type {number} */ row) => file.table.objects.blocks[row] || undefined,
          most: max(file.table.objects.blocks),
        },
        ...(isTyped
          ? [
              {
                title: "Type",
                width: 12,
                grow: 1,
                value: (/** @type {number} */ row) => file.text("type", row),
              },
            ]
          : []),
      ],
      {
        open: (row) => page.open(`data/${row}`),
        empty: "No object has that in its name.",
      },
    );
    return grid;
  }
}

/**
 * A column for the event that is chosen, and some for the next ones.
 * @param {DataFile} file
 * @param {number} chosen
 * @param {(row: number, event: number) => number} value
 * @param {number} most
 */
function costColumns(file, chosen, value, most, total = (/** @type {number} */ event) => file.total(event)) {
  const order = [chosen, ...file.events.keys()]
    .filter((event, at, all) => all.indexOf(event) === at)
    .slice(0, most);
  return order.map((event) => ({
    title: file.events[event].name,
    long: file.events[event].long,
    width: 14,
    numeric: true,
    total: () => total(event),
    value: (/** @type {number} */ row) => value(row, event),
  }));
}

// ---- One object

/**
 * @param {Page} page
 * @param {DataFile} file
 * @param {number} row
 */
function drawObject(page, file, row) {
  const event = eventOf(page, file);
  /** @type {Drawn} */
  const node = element(
    "div",
    { class: "filled" },
    objectHead(page, file, row),
    element(
      "div",
      { class: "data-object" },
      section("In memory", picture(file, row, event)),
      element(
        "div",
        { class: "halves" },
        section("Members and offsets", placeTable(file, row, event)),
        section("Code that touches it", codeTable(page, file, row, event)),
      ),
      sharing(file, row),
      together(file, row),
      sizes(file, row),
    ),
  );
  node.searched = () => page.open("data");
  return node;
}

/**
 * @param {Page} page
 * @param {DataFile} file
 * @param {number} row
 */
function objectHead(page, file, row) {
  const { objects } = file.table;
  const type = file.text("type", row);
  const blocks = objects.blocks[row];
  const facts = [
    MEANT[file.text("kind", row)],
    type && `${type}, ${count(objects.size[row])} bytes`,
    blocks && `${count(blocks)} ${blocks === 1 ? "block" : "blocks"}, ${count(objects.bytes[row])} bytes`,
    file.text("elf", row),
    ...file.events.map(({ name }, at) => (file.cost(row, at) ? `${name} ${count(file.cost(row, at))}` : "")),
  ].filter(Boolean);
  return element(
    "div",
    { class: "bar function" },
    element(
      "div",
      { class: "name" },
      element("h2", { title: file.text("name", row) }, file.text("said", row)),
      element("p", {}, facts.join("  ·  ")),
    ),
    events(page, file),
    link("data", "All data", { class: "button" }),
  );
}

/**
 * @param {DataFile} file
 * @param {number} row
 * @param {number} event
 */
function picture(file, row, event) {
  const { places } = file.table;
  const rows = file.places(row);
  const value = (/** @type {number} */ place) => file.value(places.self, place, event);
  const most = max(rows, value) || 1;
  const name = (/** @type {number} */ place) => file.profile.strings[places.text[place]];
  const cost = (/** @type {number} */ place) =>
    `${count(value(place))} ${file.events[event].name}, ${percent(value(place), file.cost(row, event))}`;
  return memory(places, rows, file.table.line, {
    value,
    total: file.cost(row, event),
    isFrame: file.text("kind", row) === "stack",
    heat: (place) => Math.max(0, value(place)) / most,
    text: (place, short) =>
      short
        ? name(place)
        : `${typed(file, place)}, offset ${count(places.offset[place])}: ${cost(place)}; ` +
          `${places.count[place] ? `${count(places.count[place])} accesses` : "never touched"}`,
  });
}

/**
 * A place with its type, as code declares it.
 * @param {DataFile} file
 * @param {number} place
 */
function typed(file, place) {
  const {
    places: { text, type },
  } = file.table;
  return `${file.profile.strings[type[place]]} ${file.profile.strings[text[place]]}`.trim();
}

/**
 * @param {DataFile} file
 * @param {number} row
 * @param {number} event
 */
function placeTable(file, row, event) {
  const { places, line } = file.table;
  const name = (/** @type {number} */ place) => file.profile.strings[places.text[place]];
  const rows = file.places(row);
  const isFrame = file.text("kind", row) === "stack";
  const isTyped = rows.some((place) => places.size[place] && !/^[0-9]/.test(name(place)));
  const grid = new RowGrid("Members and offsets", [
    {
      title: "Offset",
      width: 8,
      grow: isTyped ? 0 : 1,
      value: (/** @type {number} */ place) => places.offset[place],
      cell: (/** @type {number} */ place) => (isTyped ? count(places.offset[place]) : name(place)),
    },
    ...(isTyped ? [memberColumn(file)] : []),
    {
      title: "Line",
      width: 4,
      long: `Which cache line of ${line} bytes, if the object begins at one`,
      value: (/** @type {number} */ place) =>
        isFrame || places.stride[place] || places.offset[place] < 0
          ? ""
          : Math.floor(places.offset[place] / line),
    },
    ...costColumns(
      file,
      event,
      (place, one) => file.value(places.self, place, one),
      2,
      (one) => file.cost(row, one),
    ),
    {
      title: "Accesses",
      width: 8,
      numeric: true,
      value: (/** @type {number} */ place) => places.count[place],
      most: max(rows, (place) => places.count[place]),
    },
  ]);
  grid.sort = { column: grid.columns[0], descending: false };
  grid.show(rows);
  return grid.node;
}

/**
 * Names of places, as deep as these are in others.
 * @param {DataFile} file
 * @returns {GridColumn<number>}
 */
function memberColumn(file) {
  const { places } = file.table;
  const name = (/** @type {number} */ place) => file.profile.strings[places.text[place]];
  return {
    title: "Member",
    width: 14,
    grow: 1,
    value: name,
    cell: (place) =>
      element(
        "span",
        {
          class: places.count[place] || places.hole[place] ? "" : "nothing",
          style: `padding-left:${places.depth[place]}em`,
        },
        name(place),
        " ",
        element("span", { class: "note" }, file.profile.strings[places.type[place]]),
      ),
  };
}

/**
 * @param {Page} page
 * @param {DataFile} file
 * @param {number} row
 * @param {number} event
 */
function codeTable(page, file, row, event) {
  const { code } = file.table;
  const { strings } = page.profile;
  const name = (/** @type {number} */ at) =>
    code.function[at] >= 0 ? page.profile.name(code.function[at]) : strings[code.name[at]];
  const place = (/** @type {number} */ at) =>
    code.line[at] ? `${page.profile.tail(strings[code.file[at]])}:${code.line[at]}` : "";
  const longest = max(file.code(row), (at) => place(at).length) ?? 0;
  const grid = new RowGrid(
    "Code that touches it",
    [
      {
        title: "Function",
        width: 14,
        grow: 1,
        value: name,
        cell: (at) =>
          code.function[at] < 0
            ? name(at)
            : link(`calls/${code.function[at]}`, name(at), { tabindex: "-1", title: name(at) }),
      },
      {
        title: "Line",
        width: Math.min(Math.max(LINE_MIN, longest), LINE_MAX),
        value: place,
        cell: (at) =>
          place(at)
            ? link(`source/${code.file[at]}:${code.line[at]}`, place(at), {
                tabindex: "-1",
                title: place(at),
              })
            : "",
      },
      ...costColumns(
        file,
        event,
        (at, one) => file.value(code.self, at, one),
        1,
        (one) => file.cost(row, one),
      ),
      {
        title: "Accesses",
        width: 10,
        numeric: true,
        value: (at) => code.count[at],
        most: max(file.code(row), (at) => code.count[at]),
      },
    ],
    {
      open: (at) => {
        if (code.function[at] >= 0) page.open(`calls/${code.function[at]}`);
      },
      empty: "No code is known to touch it.",
    },
  );
  grid.show(file.code(row));
  return grid.node;
}

// ---- Threads, company, and sizes of caches

/**
 * The places that threads take each other's cache lines for; null if they take none.
 * @param {DataFile} file
 * @param {number} row
 */
function sharing(file, row) {
  const {
    sharing: { text, count: times, false: isFalse },
  } = file.table;
  const rows = file.sharing(row);
  if (!rows.length) return null;
  const grid = new RowGrid("Cache lines that threads take from each other", [
    {
      title: "Places",
      width: 30,
      grow: 1,
      value: (at) => file.profile.strings[text[at]],
    },
    {
      title: "Shared",
      width: 14,
      value: (at) => (isFalse[at] ? "only the line" : "the same bytes"),
    },
    {
      title: "Missed",
      width: 10,
      numeric: true,
      value: (at) => times[at],
      most: max(rows, (at) => times[at]),
      long: "How often a thread missed a line that another one had taken",
    },
  ]);
  grid.show(rows);
  return section("Cache lines that threads take from each other", grid.node);
}

/**
 * Which members are accessed together; null if that was not recorded.
 * @param {DataFile} file
 * @param {number} row
 */
function together(file, row) {
  const {
    together: { first, second, both, ofFirst, ofSecond },
  } = file.table;
  const rows = file.together(row);
  if (!rows.length) return null;
  const name = (/** @type {number} */ number) => file.profile.strings[number];
  const share = (/** @type {string} */ title, /** @type {Column} */ of) => ({
    title,
    width: 12,
    numeric: true,
    value: (/** @type {number} */ at) => both[at] / of[at] || 0,
    most: 1,
    cell: (/** @type {number} */ at) => (of[at] ? percent(both[at], of[at]) : ""),
  });
  const grid = new RowGrid("Members that are accessed together", [
    { title: "Member", width: 14, grow: 1, value: (at) => name(first[at]) },
    { title: "and", width: 14, grow: 1, value: (at) => name(second[at]) },
    {
      title: "Together",
      width: 12,
      numeric: true,
      value: (at) => both[at],
      most: max(rows, (at) => both[at]),
      long: "Visits of a block that come to both: until 16 other blocks were accessed",
    },
    share("of the first", ofFirst),
    share("of the second", ofSecond),
  ]);
  grid.show(rows);
  return section("Accessed together", grid.node);
}

/**
 * How often the object misses in caches of each size; null if they were not simulated.
 * @param {DataFile} file
 * @param {number} row
 */
function sizes(file, row) {
  const { curves, objects, total } = file.table;
  if (!curves.length) return null;
  const values = (/** @type {Curve} */ curve, /** @type {(event: number) => number} */ value) =>
    curve.points.map(([, some]) => some.reduce((sum, event) => sum + value(event), 0));
  return curves.map((curve) =>
    section(
      "Misses by the size of the cache",
      element(
        "div",
        { class: "chart" },
        ...sizeChart(curve, [
          { name: "the whole program", values: values(curve, (event) => total[event]) },
          {
            name: file.name(row),
            values: values(curve, (event) => objects.self[event][row]),
          },
        ]),
      ),
    ),
  );
}

// ---- From a function to what it touches

const TOUCHED = 8; // objects that are listed

/**
 * Links to the objects that a function touches most; null if it touches none.
 * @param {Page} page
 * @param {number} row
 */
export function touchedData(page, row) {
  const file = DataFile.of(page.profile);
  const event = eventOf(page, file);
  const found = file.touchedBy(row, event);
  if (!found.length) return null;
  const more = found.length - TOUCHED;
  return element(
    "div",
    { class: "bar touched" },
    element("span", { class: "label" }, "Data touched:"),
    found.slice(0, TOUCHED).map(({ object, cost, count: times }) =>
      link(`data/${object}`, file.name(object), {
        title: `${count(times)} accesses, ${count(cost)} ${file.events[event].name}`,
      }),
    ),
    more > 0 ? element("span", { class: "note" }, `and ${count(more)} more`) : null,
  );
}
