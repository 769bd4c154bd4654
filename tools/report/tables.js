// Tables as tools/cg2tools/report/packed.py writes them, whose head says how they look.

/** Whether this browser can read them: Chromium since 103, Safari since 16.4, Firefox since 113 can. */
export const READABLE = typeof DecompressionStream === "function";

/**
 * The table of some letters.
 * @param {string} letters
 */
export async function unpacked(letters) {
  const stream = new Blob([bytesOf(letters)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const end = bytes.length - 4;
  const start = end - new DataView(bytes.buffer).getUint32(end, true);
  return filled(JSON.parse(new TextDecoder().decode(bytes.subarray(start, end))), bytes);
}

/** @typedef {{ fromBase64?(letters: string): Uint8Array<ArrayBuffer> }} Decoder not in all browsers */

/** @param {string} letters */
function bytesOf(letters) {
  const decoder = /** @type {Decoder} */ (Uint8Array);
  if (decoder.fromBase64) return decoder.fromBase64(letters);
  const text = atob(letters);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/**
 * A value with columns where their marks stand.
 * @param {unknown} value
 * @param {Uint8Array} bytes
 * @returns {unknown}
 */
function filled(value, bytes) {
  if (Array.isArray(value)) {
    return typeof value[0] === "object" ? value.map((member) => filled(member, bytes)) : value;
  }
  if (value === null || typeof value !== "object") return value;
  if ("column" in value && Array.isArray(value.column)) {
    const [start, count, width, least] = value.column;
    return column(bytes, start, count, width, least);
  }
  const members = /** @type {Record<string, unknown>} */ (value);
  for (const [name, member] of Object.entries(members)) members[name] = filled(member, bytes);
  return value;
}

// The arrays that hold numbers of 0 to 8 bytes; from 2^53 on they are rounded.
const HOLDERS = [
  Uint8Array,
  Uint8Array,
  Uint16Array,
  Uint32Array,
  Uint32Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
];

/**
 * `count` whole numbers of `width` bytes, of which the lowest begin at `start`.
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} count
 * @param {number} width
 * @param {number} least is added to each
 */
function column(bytes, start, count, width, least) {
  const numbers = new (least ? Float64Array : HOLDERS[width])(count).fill(least);
  for (let at = 0, weight = 1; at < width; at += 1, weight *= 256) {
    const plane = start + at * count;
    for (let row = 0; row < count; row += 1) numbers[row] += bytes[plane + row] * weight;
  }
  return numbers;
}
