// The parts of a run, one after the other, each thread in a lane of its own.

import { scaleLinear } from "d3-scale";
import { element, section, stepOf } from "../dom.js";
import { base, count, percent } from "../format.js";
import { grouped } from "../profile.js";
import { RowGrid } from "../grid.js";
import { seriesColour } from "../colours.js";
import { functionCell } from "./functions.js";

/** @import { Drawn, Page, Part, View } from "../types" */

const COLOURED = 8; // functions that have a colour of their own

/** @type {View} */
export const timeline = {
  name: "timeline",
  title: "Parts",
  hint: "The parts and threads of the run, one after the other",
  shown: (profile) => profile.head.parts.length > 1,
  needs: [],
  draw: (page) => new Timeline(page).node,
};

class Timeline {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.parts = page.profile.head.parts;
    this.top = this.costliest();
    /** @type {HTMLElement[]} the pieces that parts are */
    this.bars = [];
    this.lanes = element("div", { class: "lanes" });
    this.detail = element("div", { class: "part-detail" });
    /** @type {Drawn} */
    this.node = element("div", { class: "scrolled" }, this.legend(), this.lanes, this.detail);
    this.drawLanes();
    this.choose(this.first());
  }

  /** The part to open on: the one that was chosen last, or, if it has no cost, the first that has. */
  first() {
    const { part } = this.page.choices;
    const chosen = this.parts[part];
    if (chosen && this.cost(chosen)) return part;
    return Math.max(
      0,
      this.parts.findIndex((each) => this.cost(each)),
    );
  }

  /** @param {Part} part */
  cost(part) {
    return this.page.profile.sum(part.total, this.page.event);
  }

  /**
   * What the functions of a part cost themselves: [row, number].
   * @param {Part} part
   * @returns {[row: number, cost: number][]}
   */
  costs(part) {
    const { profile, event } = this.page;
    return Array.from(part.functions, (row, at) => [row, profile.value(part.self, at, event)]);
  }

  costliest() {
    const sums = new Map();
    for (const part of this.parts) {
      for (const [row, number] of this.costs(part)) sums.set(row, (sums.get(row) ?? 0) + number);
    }
    return [...sums]
      .filter(([, number]) => number > 0)
      .sort((a, b) => b[1] - a[1])
      .slice(0, COLOURED)
      .map(([row]) => row);
  }

  legend() {
    const { profile, eventName } = this.page;
    return element(
      "div",
      { class: "bar" },
      element(
        "span",
        { class: "note" },
        `A part is as wide as its ${eventName}; colours are functions' self cost: `,
      ),
      element(
        "ul",
        { class: "legend" },
        this.top.map((row, index) =>
          element(
            "li",
            { title: profile.fullName(row) },
            element("i", { style: `background: ${seriesColour(index)}` }),
            profile.name(row),
          ),
        ),
      ),
    );
  }

  /** A lane for each thread of each process; parts in their order. */
  drawLanes() {
    const lanes = this.inOrder(grouped(this.parts.map((part) => `${part.pid ?? ""}:${part.thread}`)));
    const sums = lanes.map((parts) => parts.reduce((sum, at) => sum + this.cost(this.parts[at]), 0));
    const most = Math.max(...sums, 1);
    const processes = new Set(this.parts.map((part) => part.pid)).size;
    this.lanes.replaceChildren(
      ...lanes.map((parts, index) => {
        const { pid } = this.parts[parts[0]];
        const name = threadName(this.parts[parts[0]]);
        parts.sort((a, b) => this.parts[a].part - this.parts[b].part);
        return element(
          "div",
          { class: "lane" },
          element(
            "div",
            { class: "lane-name" },
            `${processes > 1 ? `process ${pid}, ` : ""}${name}`,
            element("small", {}, `${count(sums[index])} ${this.page.eventName}`),
          ),
          element(
            "div",
            { class: "lane-parts", role: "group", "aria-label": `Parts of ${name}` },
            parts.map((at) => this.slot(at, most)),
          ),
        );
      }),
      this.axis(most),
    );
  }

  /**
   * The lanes of each process, as it stands in the profile, in the order of its threads' numbers.
   * @param {Map<string, number[]>} lanes
   */
  inOrder(lanes) {
    const processes = [...new Set(this.parts.map((part) => part.pid))];
    const place = (/** @type {number[]} */ [at]) => processes.indexOf(this.parts[at].pid);
    const thread = (/** @type {number[]} */ [at]) => this.parts[at].thread ?? 0;
    return [...lanes.values()].sort((a, b) => place(a) - place(b) || thread(a) - thread(b));
  }

  /**
   * What the widths of parts are.
   * @param {number} most
   */
  axis(most) {
    const scale = scaleLinear().domain([0, most]).range([0, 100]);
    return element(
      "div",
      { class: "lane" },
      element(
        "div",
        { class: "lane-name" },
        element("small", {}, `${this.page.eventName}, one part after the other`),
      ),
      element(
        "div",
        { class: "lane-axis" },
        scale
          .ticks(4)
          .map((value) => element("span", { style: `left: ${scale(value).toFixed(2)}%` }, count(value))),
      ),
    );
  }

  /**
   * A part with its name below it.
   * @param {number} at
   * @param {number} most
   */
  slot(at, most) {
    const part = this.parts[at];
    const share = ((100 * this.cost(part)) / most).toFixed(3);
    return element(
      "div",
      { class: "slot", style: `width: ${share}%` },
      this.bar(at),
      element("small", { "aria-hidden": "true", title: reason(part) }, part.trigger || `part ${part.part}`),
    );
  }

  /** @param {number} at */
  bar(at) {
    const part = this.parts[at];
    const whole = this.cost(part);
    const numbers = new Map(this.costs(part));
    let end = 0;
    const stops = this.top.map((row, index) => {
      const start = end;
      end += whole > 0 ? (100 * (numbers.get(row) ?? 0)) / whole : 0;
      return `${seriesColour(index)} ${start.toFixed(2)}% ${end.toFixed(2)}%`;
    });
    stops.push(`var(--neutral) ${end.toFixed(2)}% 100%`);
    const text = this.describe(part);
    this.bars[at] = element("button", {
      type: "button",
      class: "part",
      title: text,
      "aria-label": text,
      "data-part": at,
      style: `background: linear-gradient(to top, ${stops.join(", ")})`,
      onclick: () => this.choose(at),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event, at),
    });
    return this.bars[at];
  }

  /** @param {Part} part */
  describe(part) {
    const { profile, event, eventName } = this.page;
    const cost = this.cost(part);
    const figures = `${count(cost)} ${eventName}, ${percent(cost, profile.total(event))}`;
    return [`part ${part.part}, ${threadName(part)}: ${figures}`, reason(part)].filter(Boolean).join("; ");
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} at
   */
  key(event, at) {
    const step = stepOf(event.key, { ArrowRight: 1, ArrowLeft: -1 });
    /** @type {HTMLElement[]} */
    const bars = [...this.lanes.querySelectorAll("button.part")].filter((bar) => bar instanceof HTMLElement);
    const next = step && bars[bars.indexOf(this.bars[at]) + step];
    if (!next) return;
    next.focus();
    this.choose(Number(next.dataset.part));
    event.preventDefault();
  }

  /** @param {number} at */
  choose(at) {
    this.page.choices.part = at;
    const part = this.parts[at] ?? this.parts[0];
    this.bars.forEach((bar, index) => bar.setAttribute("aria-pressed", String(index === at)));
    const costs = new Map(this.costs(part));
    const whole = this.cost(part);
    const listed = [...costs.values()].reduce((sum, number) => sum + number, 0);
    const grid = new RowGrid(
      "Functions of the part",
      [
        {
          title: "Function",
          width: 20,
          grow: 1,
          value: (row) => this.page.profile.name(row),
          cell: (row) => functionCell(this.page, row),
        },
        {
          title: `${this.page.eventName} self`,
          width: 22,
          numeric: true,
          total: () => whole,
          value: (row) => costs.get(row),
        },
      ],
      { open: (row) => this.page.open(`calls/${row}`) },
    );
    grid.show([...costs.keys()].filter((row) => costs.get(row)));
    const facts = [
      reason(part),
      base(part.file),
      `${count(whole - listed)} ${this.page.eventName} in functions that cost less than 0.1 % of all`,
    ];
    this.detail.replaceChildren(
      section(
        this.describe({ ...part, trigger: "", time: "" }),
        element("p", { class: "note" }, facts.filter(Boolean).join("  ·  ")),
        grid.node,
      ),
    );
  }
}

/**
 * Why a part was written, and which time of the run it is of.
 * @param {{ trigger: string, time: string }} given
 */
function reason({ trigger, time }) {
  return [trigger, time].filter(Boolean).join(", ");
}

/** @param {{ thread: number | null, threadName: string }} part */
function threadName({ thread, threadName: name }) {
  if (thread === null) return "all threads";
  return `thread ${thread}${name && ` (${name})`}`;
}
