// A chart of misses by the size of a cache.

import { max } from "d3-array";
import { scaleLinear, scaleLog } from "d3-scale";
import { line } from "d3-shape";
import { seriesColour } from "./colours.js";
import { drawn, element } from "./dom.js";
import { bytes, count } from "./format.js";

/** @import { Curve } from "./types" */

const WIDTH = 900;
const TALL = 320;
const MARGIN = { top: 16, right: 24, bottom: 44, left: 108 };

/**
 * What a curve counts.
 * @param {Curve} given
 */
export function said({ name, of }) {
  return of.length ? of.join(" + ") : name;
}

/** @typedef {{ name: string, values: number[] }} Series misses for each size */
/** @typedef {import("d3-scale").ScaleContinuousNumeric<number, number>} Scale */

/**
 * The chart and its legend: of each series a name, and misses for each size of the curve.
 * @param {Curve} curve
 * @param {Series[]} series
 */
export function sizeChart(curve, series) {
  const sizes = curve.points.map(([size]) => size);
  const x = scaleLog()
    .base(2)
    .domain([sizes[0], sizes[sizes.length - 1]])
    .range([MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear()
    .domain([0, max(series.flatMap(({ values }) => values)) || 1])
    .nice()
    .range([TALL - MARGIN.bottom, MARGIN.top]);
  const path = line(
    (/** @type {number} */ _, at) => x(sizes[at]),
    (value) => y(value),
  );
  return [
    drawn(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${TALL}`, role: "img", "aria-label": `${curve.name} by size` },
      axes(x, y, sizes, `misses of ${said(curve)}`),
      series.map((one, index) =>
        drawn(
          "g",
          { style: `--colour: ${colour(index)}` },
          drawn("path", { class: "curve", d: path(one.values) }),
          one.values.map((value, at) =>
            drawn(
              "circle",
              { cx: x(sizes[at]), cy: y(value), r: 3.5 },
              drawn("title", {}, `${one.name}: ${count(value)} at ${bytes(sizes[at])}`),
            ),
          ),
        ),
      ),
    ),
    element(
      "ul",
      { class: "legend" },
      series.map((one, index) =>
        element("li", { title: one.name }, element("i", { style: `background: ${colour(index)}` }), one.name),
      ),
    ),
  ];
}

/**
 * The first series is the whole, in the colour of text.
 * @param {number} index
 */
function colour(index) {
  return index ? seriesColour(index - 1) : "var(--ink)";
}

/**
 * @param {Scale} x
 * @param {Scale} y
 * @param {number[]} sizes
 * @param {string} title
 */
function axes(x, y, sizes, title) {
  const bottom = TALL - MARGIN.bottom;
  return [
    ...y
      .ticks(5)
      .map((value) =>
        drawn(
          "g",
          { class: "tick" },
          drawn("line", { x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y(value), y2: y(value) }),
          drawn(
            "text",
            { x: MARGIN.left - 8, y: y(value), "text-anchor": "end", dy: "0.32em" },
            count(value),
          ),
        ),
      ),
    ...sizes.map((size) =>
      drawn(
        "g",
        { class: "tick" },
        drawn("line", { x1: x(size), x2: x(size), y1: MARGIN.top, y2: bottom }),
        drawn("text", { x: x(size), y: bottom + 18, "text-anchor": "middle" }, bytes(size)),
      ),
    ),
    drawn(
      "text",
      { class: "axis", x: (MARGIN.left + WIDTH) / 2, y: TALL - 6, "text-anchor": "middle" },
      "size of the cache",
    ),
    drawn(
      "text",
      {
        class: "axis",
        transform: `translate(14 ${(MARGIN.top + bottom) / 2}) rotate(-90)`,
        "text-anchor": "middle",
      },
      title,
    ),
  ];
}
