// The flame graph: which calls led to costs.

import flamegraph from "d3-flame-graph";
import { select } from "d3-selection";
import { choice, element, link } from "../dom.js";
import { base, count, percent, signed } from "../format.js";
import { changeColour, objectColour } from "../colours.js";
import { leftOut } from "../left.js";

const CELL = 20; // pixels of a frame's height

export const flame = {
  name: "flame",
  title: "Flame graph",
  hint: "Which calls led to costs",
  shown: (profile) => profile.has("stacks"),
  needs: ["stacks", "comparison"],
  draw: (page) => new Flame(page).node,
};

/** The stacks as d3-flame-graph wants them, below one frame for all. */
function tree(page) {
  const { profile, event } = page;
  const table = profile.table("stacks");
  const frames = Array.from(table.name, (name, row) => ({
    name: profile.strings[table.said[row]], full: profile.strings[name], function: table.function[row],
    value: profile.value(table.inclusive, row, event),
    old: table.old ? profile.value(table.old, row, event) : undefined, children: [],
  }));
  const all = { name: "all", function: -1, value: 0, children: [] };
  if (table.old) all.old = profile.sum(profile.table("comparison").oldTotal, event);
  frames.forEach((frame, row) => {
    if (frame.value <= 0) return;
    const parent = table.parent[row] < 0 ? all : frames[table.parent[row]];
    parent.children.push(frame);
    if (parent === all) all.value += frame.value;
  });
  return all;
}

class Flame {
  constructor(page) {
    this.page = page;
    this.from = page.flameFrom ?? "bottom";
    this.chart = element("div", {
      class: "flame-chart", tabindex: "0", role: "application",
      "aria-label": "Flame graph. Arrow keys walk, Enter zooms in, Escape out, f opens the function.",
      onkeydown: (event) => this.key(event),
    });
    this.details = element("div", { class: "details", "aria-live": "polite" });
    this.node = element("div", { class: "filled" }, this.bar(), this.details, this.chart);
    this.node.shown = () => this.start();
    this.node.searched = (text) => this.find(text);
    this.node.closed = () => { this.watch?.disconnect(); };
  }

  bar() {
    const { head } = this.page.profile;
    const compared = this.page.profile.has("comparison");
    return element("div", { class: "bar" },
      choice("Callers", [["bottom", "Callers at the bottom"], ["top", "at the top"]], this.from, (from) => {
        this.page.flameFrom = from;
        this.page.redraw();
      }),
      element("button", { type: "button", class: "reset", onclick: () => this.reset() }, "Whole graph"),
      compared ? element("span", { class: "legend" }, element("i", { class: "less" }), "less than before ",
        element("i", { class: "more" }), "more") : null,
      head.guess ? element("span", { class: "note" }, head.guess) : null,
      leftOut(this.page, "stacks"));
  }

  start() {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.graph = flamegraph()
      .width(this.chart.clientWidth || 900).cellHeight(CELL).minFrameSize(1)
      .transitionDuration(still ? 0 : 250).inverted(this.from === "top")
      .sort((a, b) => b.value - a.value || (a.data.name < b.data.name ? -1 : 1))
      .label((frame) => this.label(frame, frame.data.full))
      .setColorMapper((frame) => this.colour(frame))
      .setSearchMatch((frame, text) => this.matches(frame, text))
      .setSearchHandler((frames, sum, total) => this.report(frames, sum, total))
      .setDetailsHandler(() => {})
      .onHover((frame) => this.tell(frame))
      .onClick((frame) => this.walkTo(frame));
    const all = tree(this.page);
    this.total = all.value;
    this.scale = Math.max(...all.children.map((frame) => Math.abs(frame.value - (frame.old ?? 0))), 1);
    select(this.chart).datum(all).call(this.graph);
    this.root = select(this.chart).datum();
    this.walkTo(this.root);
    if (this.page.search) this.find(this.page.search);
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(this.chart);
    if (this.from === "bottom") this.chart.scrollTop = this.chart.scrollHeight;
  }

  fit() {
    const width = this.chart.clientWidth;
    if (width && width !== this.graph.width()) this.graph.width(width).update();
  }

  // ---- What a frame says

  label(frame, name = frame.data.name) {
    const { value, old } = frame.data;
    const text = `${name}: ${count(value)} ${this.page.eventName}, ${percent(value, this.total)}`;
    return old === undefined ? text : `${text}, ${signed(value - old)}`;
  }

  colour(frame) {
    const { data } = frame;
    if (frame.highlight) return "var(--found)";
    if (data.old !== undefined) return changeColour(data.value - data.old, this.scale);
    if (data.function < 0) return "var(--neutral)";
    return objectColour(this.page.profile.objectNumber(data.function), data.name);
  }

  tell(frame) {
    const { function: row } = frame.data;
    const { profile } = this.page;
    this.details.replaceChildren(element("span", { class: "said" }, this.label(frame)),
      ...(row < 0 ? [] : [element("span", { class: "note" }, base(profile.object(row))),
        link(`calls/${row}`, "Callers and callees", { tabindex: "-1" })]));
  }

  matches(frame, text) {
    const { function: row, name } = frame.data;
    if (row >= 0) return this.wanted.has(row);
    return name.toLowerCase().includes(text.trim().toLowerCase()) && frame.depth > 0;
  }

  find(text) {
    if (!this.graph) return;
    this.wanted = new Set(text.trim() ? this.page.profile.matching(text) : []);
    if (text.trim()) this.graph.search(text);
    else {
      this.graph.clear();
      this.page.status("");
    }
    this.mark();
  }

  report(frames, sum, total) {
    this.page.status(`${count(frames.length)} ${frames.length === 1 ? "frame" : "frames"}, ${count(sum)} ${this.page.eventName}, ${percent(sum, total)}`);
  }

  // ---- Keys

  reset() {
    this.graph.resetZoom();
    this.walkTo(this.root);
  }

  key(event) {
    const next = this.neighbour(event.key);
    if (next) this.walkTo(next);
    else if (event.key === "Enter") this.graph.zoomTo(this.at);
    else if (event.key === "Escape") this.reset();
    else if (event.key === "f" && this.at.data.function >= 0) this.page.open(`calls/${this.at.data.function}`);
    else if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
  }

  /** The frame that an arrow leads to, if there is one. */
  neighbour(key) {
    const deeper = this.from === "top" ? "ArrowDown" : "ArrowUp";
    const higher = this.from === "top" ? "ArrowUp" : "ArrowDown";
    if (key === deeper) return this.at.children?.find((child) => child.value > 0);
    if (key === higher) return this.at.parent;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const beside = this.at.parent?.children.filter((child) => child.value > 0) ?? [];
    return step && beside[beside.indexOf(this.at) + step];
  }

  walkTo(frame) {
    this.at = frame;
    this.tell(frame);
    this.mark();
  }

  mark() {
    const at = this.at;
    select(this.chart).selectAll("g.frame").classed("walked", (frame) => frame === at)
      .filter((frame) => frame === at).raise(); // in front of its neighbours, whole
  }
}
