// Tables as tools/cg2tools/report/packed.py writes them, whose head says how they look.

/** Whether this browser can read them: Chromium since 103, Safari since 16.4, Firefox since 113 can. */
export const READABLE = typeof DecompressionStream === "function";

/** The table of some letters. */
export async function unpacked(letters) {
  const stream = new Blob([bytesOf(letters)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const end = bytes.length - 4;
  const start = end - new DataView(bytes.buffer).getUint32(end, true);
  return filled(JSON.parse(new TextDecoder().decode(bytes.subarray(start, end))), bytes);
}

function bytesOf(letters) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(letters);
  const text = atob(letters);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** A value with columns where their marks stand. */
function filled(value, bytes) {
  if (Array.isArray(value))
    return typeof value[0] === "object" ? value.map((member) => filled(member, bytes)) : value;
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value.column)) return column(bytes, ...value.column);
  for (const [name, member] of Object.entries(value)) value[name] = filled(member, bytes);
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

/** `count` whole numbers of `width` bytes, of which the lowest begin at `start`. */
function column(bytes, start, count, width, least) {
  const numbers = new (least ? Float64Array : HOLDERS[width])(count).fill(least);
  for (let at = 0, weight = 1; at < width; at += 1, weight *= 256) {
    const plane = start + at * count;
    for (let row = 0; row < count; row += 1) numbers[row] += bytes[plane + row] * weight;
  }
  return numbers;
}
