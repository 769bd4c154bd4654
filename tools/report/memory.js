// What an object looks like in memory: rows of a cache line each, in which members are as wide as they are
// large.

import { element } from "./dom.js";
import { count, percent } from "./format.js";

/** @import { Places } from "./types" */

const LINES = 64; // the most that are drawn
const WIDTH = 8; // bytes of what is touched at one offset, if no other is nearer

/**
 * @typedef {object} Picture what is drawn of places
 * @property {(place: number) => number} heat a share from 0 to 1
 * @property {(place: number, short?: boolean) => string} text what is said of it
 * @property {(place: number) => number} value a part of `total`
 * @property {number} total
 * @property {boolean} isFrame
 */

/** @typedef {{ place: number, offset: number, size: number }} Piece what lies where */
/** @typedef {{ place: number, start: number, size: number, begins: boolean }} Cut of a piece, in a line */

/**
 * Pieces { place, offset, size, period } of an object: what lies where; of what has members, these.
 * @param {Places} places
 * @param {number[]} rows
 */
export function pieces(places, rows) {
  const own = rows.filter(
    (row) => places.offset[row] >= 0 && !places.whole[row] && isDrawn(places, rows, row),
  );
  const period =
    own.length && own.every((row) => places.stride[row] && places.stride[row] === places.stride[own[0]])
      ? places.stride[own[0]]
      : 0;
  const exact = own.filter((row) => period || !places.stride[row]);
  const offsets = [...new Set(exact.map((row) => places.offset[row]))].sort((a, b) => a - b);
  const next = new Map(offsets.map((offset, at) => [offset, offsets[at + 1] ?? (period || Infinity)]));
  return {
    period,
    left: own.length - exact.length,
    pieces: exact.map((row) => {
      const offset = places.offset[row];
      return {
        place: row,
        offset,
        size: places.size[row] || Math.min(WIDTH, (next.get(offset) ?? Infinity) - offset),
      };
    }),
  };
}

/**
 * Whether a place is drawn: what has members is drawn as these.
 * @param {Places} places
 * @param {number[]} rows
 * @param {number} row
 */
function isDrawn(places, rows, row) {
  const next = rows[rows.indexOf(row) + 1];
  return !(next !== undefined && places.depth[next] > places.depth[row]);
}

/**
 * The picture. A frame of the stack has no place in cache lines that is known.
 * @param {Places} places
 * @param {number[]} rows
 * @param {number} line
 * @param {Picture} picture
 */
export function memory(places, rows, line, picture) {
  const { value, total, isFrame } = picture;
  const { pieces: found, period, left } = pieces(places, rows);
  const lines = cutIntoLines(found, line);
  const numbers = [...lines.keys()].sort((a, b) => a - b);
  const cutsOf = (/** @type {number} */ number) => lines.get(number) ?? [];
  const cost = (/** @type {number} */ number) =>
    cutsOf(number).reduce((sum, { place, begins }) => sum + (begins ? value(place) : 0), 0);
  const drawn =
    numbers.length > LINES
      ? new Set([...numbers].sort((a, b) => cost(b) - cost(a)).slice(0, LINES))
      : new Set(numbers);
  const notes = [
    isFrame
      ? "Offsets are bytes below the place of the return address; a frame begins anywhere in a cache line."
      : period
        ? `What is drawn is one of many, ${count(period)} bytes apart.`
        : `A row is a cache line of ${count(line)} bytes, if the object begins at one.`,
    drawn.size < numbers.length
      ? `${count(numbers.length - drawn.size)} more lines that cost less are not drawn.`
      : "",
    left ? `${count(left)} places at equal distances are in the table below alone.` : "",
  ];
  const drawLine = (/** @type {number} */ number) =>
    element(
      "div",
      { class: "line", "data-line": number },
      element("span", { class: "line-start" }, count(number * line)),
      element(
        "div",
        { class: "bytes" },
        cutsOf(number).map((cut) => drawCut(places, cut, line, picture)),
      ),
      element(
        "span",
        { class: "line-cost" },
        cutsOf(number).some(({ begins }) => begins)
          ? [count(cost(number)), " ", element("i", {}, percent(cost(number), total))]
          : [],
      ),
    );
  return element(
    "figure",
    { class: "memory" },
    element(
      "div",
      { class: "lines", role: "region", "aria-label": "Cache lines", tabindex: "0" },
      numbers.filter((number) => drawn.has(number)).map(drawLine),
    ),
    element("figcaption", { class: "note" }, notes.filter(Boolean).join(" ")),
  );
}

/**
 * Pieces by cache line, cut where one ends.
 * @param {Piece[]} found
 * @param {number} line bytes of one
 */
function cutIntoLines(found, line) {
  /** @type {Map<number, Cut[]>} */
  const lines = new Map();
  for (const { place, offset, size } of found) {
    for (let start = offset; start < offset + size;) {
      const number = Math.floor(start / line);
      const end = Math.min(offset + size, (number + 1) * line);
      const cuts = lines.get(number) ?? [];
      cuts.push({ place, start: start - number * line, size: end - start, begins: start === offset });
      lines.set(number, cuts);
      start = end;
    }
  }
  return lines;
}

/**
 * @param {Places} places
 * @param {Cut} cut
 * @param {number} line bytes of one
 * @param {Picture} picture
 */
function drawCut(places, { place, start, size, begins }, line, { heat, text }) {
  const shade = heat(place).toFixed(4);
  const touched = places.count[place] ? "bytes-part" : "bytes-part untouched";
  return element(
    "span",
    {
      class: places.hole[place] ? "bytes-hole" : touched,
      style: `left:${(100 * start) / line}%;width:${(100 * size) / line}%;--heat:${shade}`,
      title: text(place),
      "data-place": place,
    },
    begins ? text(place, true) : "",
  );
}
