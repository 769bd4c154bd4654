// What an object looks like in memory: rows of a cache line each, in which members are as wide as they are large.

import { element } from "./dom.js";
import { count, percent } from "./format.js";

const LINES = 64; // the most that are drawn
const WIDTH = 8; // bytes of what is touched at one offset, if no other is nearer

/** Pieces { place, offset, size, period } of an object: what lies where; of what has members, these. */
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
      return { place: row, offset, size: places.size[row] || Math.min(WIDTH, next.get(offset) - offset) };
    }),
  };
}

/** Whether a place is drawn: what has members is drawn as these. */
function isDrawn(places, rows, row) {
  const next = rows[rows.indexOf(row) + 1];
  return !(next !== undefined && places.depth[next] > places.depth[row]);
}

/** The picture; `heat(place)` is a share from 0 to 1, `text(place)` what is said of it, in short with a second argument;
 * `value(place)` is a part of `total`. A frame of the stack has no place in cache lines that is known. */
export function memory(places, rows, line, { heat, text, value, total, isFrame }) {
  const { pieces: found, period, left } = pieces(places, rows);
  const lines = new Map(); // pieces by line, cut where a line ends
  for (const piece of found) {
    for (let start = piece.offset; start < piece.offset + piece.size;) {
      const number = Math.floor(start / line);
      const end = Math.min(piece.offset + piece.size, (number + 1) * line);
      if (!lines.has(number)) lines.set(number, []);
      lines
        .get(number)
        .push({
          place: piece.place,
          start: start - number * line,
          size: end - start,
          begins: start === piece.offset,
        });
      start = end;
    }
  }
  const numbers = [...lines.keys()].sort((a, b) => a - b);
  const cost = (number) =>
    lines.get(number).reduce((sum, { place, begins }) => sum + (begins ? value(place) : 0), 0);
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
  return element(
    "figure",
    { class: "memory" },
    element(
      "div",
      { class: "lines", role: "region", "aria-label": "Cache lines", tabindex: "0" },
      numbers
        .filter((number) => drawn.has(number))
        .map((number) =>
          element(
            "div",
            { class: "line", "data-line": number },
            element("span", { class: "line-start" }, count(number * line)),
            element(
              "div",
              { class: "bytes" },
              lines.get(number).map(({ place, start, size, begins }) =>
                element(
                  "span",
                  {
                    class: places.hole[place]
                      ? "bytes-hole"
                      : places.count[place]
                        ? "bytes-part"
                        : "bytes-part untouched",
                    style: `left:${(100 * start) / line}%;width:${(100 * size) / line}%;--heat:${heat(place).toFixed(4)}`,
                    title: text(place),
                    "data-place": place,
                  },
                  begins ? text(place, true) : "",
                ),
              ),
            ),
            element(
              "span",
              { class: "line-cost" },
              lines.get(number).some(({ begins }) => begins)
                ? [count(cost(number)), " ", element("i", {}, percent(cost(number), total))]
                : [],
            ),
          ),
        ),
    ),
    element("figcaption", { class: "note" }, notes.filter(Boolean).join(" ")),
  );
}
