// Numbers as they are shown.

const whole = new Intl.NumberFormat("en-US");

/**
 * 1234567 as 1,234,567.
 * @param {number} number
 */
export function count(number) {
  return whole.format(number);
}

/**
 * A change: +12, −3, 0.
 * @param {number} number
 */
export function signed(number) {
  return number > 0 ? `+${count(number)}` : count(number).replace("-", "−");
}

/**
 * A share as 12.34 %; "" of nothing.
 * @param {number} number
 * @param {number} total
 */
export function percent(number, total) {
  if (!total) return "";
  const share = (100 * number) / total;
  return `${share.toFixed(share < 10 ? 2 : 1)} %`;
}

/**
 * A change as +12.34 %, or −12.34 %; "" of nothing.
 * @param {number} number
 * @param {number} total
 */
export function signedPercent(number, total) {
  const share = percent(Math.abs(number), Math.abs(total));
  return share && number ? `${number > 0 ? "+" : "−"}${share}` : share;
}

/**
 * 8192 as 8 KiB.
 * @param {number} number
 */
export function bytes(number) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let rest = number;
  let unit = 0;
  while (rest >= 1024 && unit < units.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(rest) ? rest : rest.toFixed(1)} ${units[unit]}`;
}

/**
 * The last part of a path.
 * @param {string} path
 */
export function base(path) {
  return path.slice(path.lastIndexOf("/") + 1) || path;
}

/**
 * The shortest tail that no other path has, of each whose last part others have, too: raw/mod.rs.
 * @param {string[]} paths
 */
export function tailsOf(paths) {
  /** @type {Map<string, string[]>} */
  const alike = new Map();
  for (const path of new Set(paths)) alike.set(base(path), [...(alike.get(base(path)) ?? []), path]);
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const group of alike.values()) {
    if (group.length > 1) for (const [path, tail] of toldApart(group)) found.set(path, tail);
  }
  return found;
}

/**
 * Paths with the same last part, each with its tail.
 * @param {string[]} paths
 * @returns {[string, string][]}
 */
function toldApart(paths) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const tail of paths.flatMap(allTails)) counts.set(tail, (counts.get(tail) ?? 0) + 1);
  return paths.map((path) => [path, allTails(path).find((tail) => counts.get(tail) === 1) ?? path]);
}

/**
 * The tails of a path, the shortest first.
 * @param {string} path
 */
function allTails(path) {
  const parts = path.split("/");
  return parts.map((_, at) => parts.slice(parts.length - 1 - at).join("/"));
}

/**
 * An address as machine code has it.
 * @param {number} address
 */
export function hexadecimal(address) {
  return address.toString(16);
}
