// A flame graph that is walked through by keys: a tree of nodes as stacktree.js has them, as boxes.

import flamegraph from "d3-flame-graph";
import { select } from "d3-selection";
import { element, stepOf } from "./dom.js";

/** @import { StackNode } from "./types" */

/** @typedef {import("d3-flame-graph").Frame<StackNode>} Drawn a frame */
/**
 * @template Node
 * @typedef {import("d3-flame-graph").FlameGraph<Node>} FlameGraph
 */

/**
 * @typedef {object} Calls what a chart asks and tells
 * @property {(node: StackNode, full?: boolean) => string} text
 * @property {(node: StackNode) => string} colour
 * @property {(node: StackNode) => void} told of the frame that is pointed or walked to
 * @property {() => void} [leave] keys walk out of it at the root
 * @property {(key: string, node: StackNode) => boolean} more whether other keys are known
 */

/** @typedef {{ frames: number, sum: number, total: number }} Found what a search found */

const CELL = 20; // pixels of a frame's height

export class FlameChart {
  #isUpward;
  #calls;
  /** @type {FlameGraph<StackNode> | null} */
  #graph = null;
  /** @type {Drawn | null} of the root */
  #root = null;
  /** @type {Drawn | null} of the frame that is pointed or walked to */
  #at = null;
  /** @type {((node: StackNode) => boolean) | null} */
  #matches = null;
  /** @type {Found | null} */
  #found = null;
  /** @type {ResizeObserver | null} */
  #watch = null;

  /**
   * @param {string} label what it shows
   * @param {boolean} isUpward whether what a node has below it stands above
   * @param {Calls} calls
   */
  constructor(label, isUpward, calls) {
    this.#isUpward = isUpward;
    this.#calls = calls;
    this.node = element("div", {
      class: isUpward ? "flame-chart upward" : "flame-chart",
      tabindex: "0",
      role: "application",
      "aria-label": label,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      onfocus: () => this.#at && this.#calls.told(this.#at.data),
    });
  }

  /** Whether it is drawn. */
  get isDrawn() {
    return this.#graph !== null;
  }

  /**
   * Draw a tree; the node is on the page. With `close`, no more height than it has levels.
   * @param {StackNode} tree
   */
  draw(tree, close = false) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const graph = /** @type {typeof flamegraph<StackNode>} */ (flamegraph)()
      .width(this.node.clientWidth || 900)
      .cellHeight(CELL)
      .minFrameSize(1)
      .transitionDuration(still ? 0 : 250)
      .inverted(!this.#isUpward)
      .sort((a, b) => valueOf(b) - valueOf(a) || (a.data.name < b.data.name ? -1 : 1))
      .label((frame) => this.#calls.text(frame.data, true))
      .setColorMapper((frame) => (frame.highlight ? "var(--found)" : this.#calls.colour(frame.data)))
      .setSearchMatch((frame) => frame.depth > 0 && Boolean(this.#matches?.(frame.data)))
      .setSearchHandler((frames, sum, total) => {
        this.#found = { frames: frames.length, sum, total };
      })
      .setDetailsHandler(() => {})
      .onHover((frame) => this.#calls.told(frame.data))
      .onClick((frame) => this.walkTo(frame));
    if (close) graph.height(CELL * levels(tree));
    this.#graph = graph;
    const place = select(this.node).datum(tree);
    place.call(graph);
    // What was a tree of nodes is now one of frames.
    this.#root = /** @type {Drawn} */ (/** @type {unknown} */ (place.datum()));
    this.#at = this.#root;
    this.mark();
    this.#watch = new ResizeObserver(() => this.fit());
    this.#watch.observe(this.node);
    if (this.#isUpward) this.node.scrollTop = this.node.scrollHeight;
  }

  close() {
    this.#watch?.disconnect();
  }

  fit() {
    const width = this.node.clientWidth;
    if (width && width !== this.#graph?.width()) this.#graph?.width(width).update();
  }

  /**
   * Mark the frames that a function says are wanted; null: none. How many, and what they cost.
   * @param {((node: StackNode) => boolean) | null} matches
   * @returns {Found | null}
   */
  search(matches) {
    this.#matches = matches;
    this.#found = null;
    if (matches) this.#graph?.search("wanted");
    else this.#graph?.clear();
    this.mark();
    return this.#found;
  }

  reset() {
    this.#graph?.resetZoom();
    if (this.#root) this.walkTo(this.#root);
  }

  // ---- Keys

  /** @param {KeyboardEvent} event */
  key(event) {
    const [deeper, higher] = this.#isUpward ? ["ArrowUp", "ArrowDown"] : ["ArrowDown", "ArrowUp"];
    const at = this.#at;
    if (!at) return;
    const next = neighbour(at, event.key, deeper, higher);
    if (next) this.walkTo(next);
    else if (event.key === higher && at === this.#root) this.#calls.leave?.();
    else if (event.key === "Enter") this.#graph?.zoomTo(at);
    else if (event.key === "Escape") this.reset();
    else if (!this.#calls.more(event.key, at.data) && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
  }

  /** @param {Drawn} frame */
  walkTo(frame) {
    this.#at = frame;
    this.#calls.told(frame.data);
    this.mark();
  }

  mark() {
    const at = this.#at;
    select(this.node)
      .selectAll("g.frame")
      .classed("walked", (frame) => frame === at)
      .filter((frame) => frame === at)
      .raise(); // in front of its neighbours, whole
  }
}

/**
 * The frame that an arrow leads to, if there is one.
 * @param {Drawn} at
 * @param {string} key
 * @param {string} deeper
 * @param {string} higher
 */
function neighbour(at, key, deeper, higher) {
  if (key === deeper) return at.children?.find((child) => valueOf(child) > 0);
  if (key === higher) return at.parent;
  const step = stepOf(key, { ArrowLeft: -1, ArrowRight: 1 });
  const beside = at.parent?.children?.filter((child) => valueOf(child) > 0) ?? [];
  return step && beside[beside.indexOf(at) + step];
}

/** @param {Drawn} frame */
function valueOf({ value }) {
  return value ?? 0;
}

/**
 * How many levels a tree has.
 * @param {StackNode} tree
 */
function levels(tree) {
  let deepest = 0;
  const open = [{ node: tree, level: 1 }];
  for (let at = open.pop(); at; at = open.pop()) {
    const { node, level } = at;
    deepest = Math.max(deepest, level);
    for (const child of node.children) open.push({ node: child, level: level + 1 });
  }
  return deepest;
}
