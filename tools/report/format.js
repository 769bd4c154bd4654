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
 * An address as machine code has it.
 * @param {number} address
 */
export function hexadecimal(address) {
  return address.toString(16);
}
