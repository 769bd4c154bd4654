// A call graph as a drawing: boxes with names and shares, arrows with shares and counts of calls.

import { curveBasis, line } from "d3-shape";
import { drawn } from "./dom.js";
import { arranged } from "./layout.js";

/** @import { Box, DrawnArrow, PlacedArrow, PlacedBox } from "./types" */

const LETTERS = 26; // of a line of a box
const LINES = 3; // of a name
const LINE = 15; // pixels
const NAME = 12; // pixels of letters
const LABEL = 11;
const MARGIN = 8;

const curve = line(
  (/** @type {{ x: number, y: number }} */ point) => point.x,
  (point) => point.y,
).curve(curveBasis);

/**
 * A name as at most three lines, broken behind signs; of one that is too long, the end stays.
 * @param {string} name
 */
function wrapped(name) {
  /** @type {string[]} */
  const lines = [];
  let rest = name;
  while (rest.length > LETTERS && lines.length < LINES - 1) {
    const signs = [...rest.slice(0, LETTERS).matchAll(/::|[>,_ /+-]/g)].map(
      (sign) => sign.index + sign[0].length,
    );
    const end = signs.findLast((place) => place >= LETTERS / 3) ?? LETTERS;
    lines.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...lines, rest.length > LETTERS ? `…${rest.slice(1 - LETTERS)}` : rest];
}

/**
 * Measures texts in the letters of a node of the page.
 * @param {Element} node
 */
function ruler(node) {
  const canvas = document.createElement("canvas").getContext("2d");
  if (!canvas) throw new Error("this browser measures no text");
  const { fontFamily } = getComputedStyle(node);
  return (/** @type {string} */ text, /** @type {number} */ size) => {
    canvas.font = `${size}px ${fontFamily}`;
    return canvas.measureText(text).width;
  };
}

/**
 * Draw boxes and arrows. Gives the drawing, its size, and boxes with their places and nodes.
 * @param {Element} page a node in whose letters it is drawn
 * @param {Box[]} boxes
 * @param {DrawnArrow[]} arrows
 */
export function drawing(page, boxes, arrows) {
  const width = ruler(page);
  const placed = boxes.map((box) => sizedBox(box, width));
  const ways = arrows.map((arrow) => ({
    ...arrow,
    x: 0,
    y: 0,
    points: [],
    width: 8 + Math.ceil(width(arrow.figures, LABEL)),
    height: LINE,
    weight: 1 + Math.round(20 * arrow.share),
  }));
  const size = arranged(placed, ways);
  const places = new Map(placed.map((box) => [box.id, box]));
  const drawnBoxes = placed.map((box) => ({ ...box, node: drawnBox(box) }));
  const scene = drawn(
    "g",
    { class: "scene" },
    drawn(
      "g",
      { class: "arrows", "aria-hidden": "true" },
      ways.map((arrow) => drawnArrow(arrow, way(arrow, places))),
    ),
    drawn(
      "g",
      { class: "boxes" },
      drawnBoxes.map(({ node }) => node),
    ),
  );
  return { scene, size, boxes: drawnBoxes };
}

/**
 * A box as large as its words, without a place.
 * @param {Box} box
 * @param {(text: string, size: number) => number} width
 * @returns {PlacedBox}
 */
function sizedBox(box, width) {
  const lines = wrapped(box.name);
  const widths = [...lines.map((text) => width(text, NAME)), width(box.figures, LABEL)];
  return {
    ...box,
    lines,
    x: 0,
    y: 0,
    width: 2 * MARGIN + Math.ceil(Math.max(...widths)),
    height: 2 * MARGIN + LINE * (lines.length + 1) - 4,
  };
}

/** @param {PlacedBox} box */
function drawnBox(box) {
  const left = box.x - box.width / 2;
  const top = box.y - box.height / 2;
  const text = (/** @type {string} */ words, /** @type {number} */ row, /** @type {string} */ name) =>
    drawn("text", { class: name, x: box.x, y: top + MARGIN + LINE * row + 9 }, words);
  return drawn(
    "g",
    {
      class: `box-of ${box.classes}`,
      "data-row": box.id,
      tabindex: "-1",
      role: "button",
      "aria-label": box.title,
    },
    drawn("title", {}, box.title),
    drawn("rect", { x: left, y: top, width: box.width, height: box.height, rx: 5, fill: box.fill }),
    box.lines.map((words, row) => text(words, row, "name")),
    text(box.figures, box.lines.length, "figures"),
  );
}

/**
 * The path of an arrow, which goes through the middle of its label.
 * @param {PlacedArrow} arrow
 * @param {Map<number, PlacedBox>} places
 */
function way(arrow, places) {
  const box = places.get(arrow.from);
  if (arrow.from !== arrow.to || !box) return curve(arrow.points) ?? "";
  const side = box.x + box.width / 2;
  const far = (4 * arrow.x - side) / 3;
  return `M${side},${box.y - 9} C${far},${box.y - 26} ${far},${box.y + 26} ${side},${box.y + 9}`;
}

/**
 * @param {PlacedArrow} arrow
 * @param {string} path
 */
function drawnArrow(arrow, path) {
  return drawn(
    "g",
    { class: `arrow-of ${arrow.classes}`, "data-from": arrow.from, "data-to": arrow.to },
    drawn("title", {}, arrow.title),
    drawn("path", { class: "near", d: path }),
    drawn("path", {
      class: "way",
      d: path,
      "stroke-width": (1.2 + 5 * arrow.share).toFixed(1),
      "marker-end": "url(#arrow-head)",
    }),
    drawn("rect", {
      x: arrow.x - arrow.width / 2,
      y: arrow.y - LINE / 2,
      width: arrow.width,
      height: LINE,
      rx: 3,
    }),
    drawn("text", { x: arrow.x, y: arrow.y + 4 }, arrow.figures),
  );
}

/** The head of arrows, which a drawing needs once. */
export function arrowHead() {
  return drawn(
    "defs",
    {},
    drawn(
      "marker",
      {
        id: "arrow-head",
        viewBox: "0 0 10 10",
        refX: 9,
        refY: 5,
        markerWidth: 9,
        markerHeight: 9,
        markerUnits: "userSpaceOnUse",
        orient: "auto",
      },
      drawn("path", { class: "head", d: "M0,1 L10,5 L0,9 z" }),
    ),
  );
}

// What the style of the page says of a drawing, and a file of its own has to say itself.
const STYLE = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "paint-order",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];

/**
 * A drawing as text, that looks as it does here wherever it is shown.
 * @param {SVGSVGElement} svg
 * @param {{ width: number, height: number }} given
 */
export function savedDrawing(svg, { width, height }) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const here = [...svg.querySelectorAll("*")];
  [...copy.querySelectorAll("*")].forEach((node, index) => {
    const style = getComputedStyle(here[index]);
    for (const name of STYLE) node.setAttribute(name, style.getPropertyValue(name));
  });
  copy.querySelector(".scene")?.removeAttribute("transform");
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
    copy.setAttribute(name, String(value));
  }
  const paper = drawn("rect", {
    width,
    height,
    fill: getComputedStyle(document.documentElement).backgroundColor,
  });
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}
