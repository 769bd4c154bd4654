// A flame graph that is walked through by keys: a tree of nodes as stacktree.js has them, as boxes.

import flamegraph from "d3-flame-graph";
import { select } from "d3-selection";
import { element } from "./dom.js";

const CELL = 20; // pixels of a frame's height

export class FlameChart {
  /** `label` says what it shows, `isUpward` whether what a node has below it stands above. `text(node)` and
      `colour(node)` are a frame's; told(node) is called for the frame that is pointed or walked to, leave() where
      keys walk out of it at the root, more(key, node) for other keys, which returns whether it knows them. */
  constructor(label, isUpward, { text, colour, told, leave, more }) {
    this.isUpward = isUpward;
    this.calls = { text, colour, told, leave, more };
    this.node = element("div", {
      class: isUpward ? "flame-chart upward" : "flame-chart",
      tabindex: "0",
      role: "application",
      "aria-label": label,
      onkeydown: (event) => this.key(event),
      onfocus: () => this.at && this.calls.told(this.at.data),
    });
  }

  /** Draw a tree; the node is on the page. With `close`, no more height than it has levels. */
  draw(tree, close = false) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.graph = flamegraph()
      .width(this.node.clientWidth || 900)
      .cellHeight(CELL)
      .minFrameSize(1)
      .transitionDuration(still ? 0 : 250)
      .inverted(!this.isUpward)
      .sort((a, b) => b.value - a.value || (a.data.name < b.data.name ? -1 : 1))
      .label((frame) => this.calls.text(frame.data, true))
      .setColorMapper((frame) => (frame.highlight ? "var(--found)" : this.calls.colour(frame.data)))
      .setSearchMatch((frame) => frame.depth > 0 && this.matches(frame.data))
      .setSearchHandler((frames, sum, total) => {
        this.found = { frames: frames.length, sum, total };
      })
      .setDetailsHandler(() => {})
      .onHover((frame) => this.calls.told(frame.data))
      .onClick((frame) => this.walkTo(frame));
    if (close) this.graph.height(CELL * levels(tree));
    select(this.node).datum(tree).call(this.graph);
    this.root = select(this.node).datum();
    this.at = this.root;
    this.mark();
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(this.node);
    if (this.isUpward) this.node.scrollTop = this.node.scrollHeight;
  }

  close() {
    this.watch?.disconnect();
  }

  fit() {
    const width = this.node.clientWidth;
    if (width && width !== this.graph.width()) this.graph.width(width).update();
  }

  /** Mark the frames that a function says are wanted; null: none. How many, and what they cost. */
  search(matches) {
    this.matches = matches;
    this.found = null;
    if (matches) this.graph.search("wanted");
    else this.graph.clear();
    this.mark();
    return this.found;
  }

  reset() {
    this.graph.resetZoom();
    this.walkTo(this.root);
  }

  // ---- Keys

  key(event) {
    const [deeper, higher] = this.isUpward ? ["ArrowUp", "ArrowDown"] : ["ArrowDown", "ArrowUp"];
    const next = this.neighbour(event.key, deeper, higher);
    if (next) this.walkTo(next);
    else if (event.key === higher && this.at === this.root) this.calls.leave?.();
    else if (event.key === "Enter") this.graph.zoomTo(this.at);
    else if (event.key === "Escape") this.reset();
    else if (!this.calls.more(event.key, this.at.data) && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
  }

  /** The frame that an arrow leads to, if there is one. */
  neighbour(key, deeper, higher) {
    if (key === deeper) return this.at.children?.find((child) => child.value > 0);
    if (key === higher) return this.at.parent;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const beside = this.at.parent?.children.filter((child) => child.value > 0) ?? [];
    return step && beside[beside.indexOf(this.at) + step];
  }

  walkTo(frame) {
    this.at = frame;
    this.calls.told(frame.data);
    this.mark();
  }

  mark() {
    const at = this.at;
    select(this.node)
      .selectAll("g.frame")
      .classed("walked", (frame) => frame === at)
      .filter((frame) => frame === at)
      .raise(); // in front of its neighbours, whole
  }
}

/** How many levels a tree has. */
function levels(tree) {
  let deepest = 0;
  const open = [[tree, 1]];
  while (open.length) {
    const [node, level] = open.pop();
    deepest = Math.max(deepest, level);
    for (const child of node.children) open.push([child, level + 1]);
  }
  return deepest;
}
