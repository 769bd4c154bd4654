// Colours of things, the same each time.

/**
 * A number between 0 and 1 that depends on a text only.
 * @param {string} text
 */
function hash(text) {
  let number = 2166136261; // FNV-1a
  for (let at = 0; at < text.length; at += 1) {
    number = Math.imul(number ^ text.charCodeAt(at), 16777619);
  }
  return (number >>> 0) / 2 ** 32;
}

/**
 * A light colour: the hue says which object, by its number; its shade which function.
 * @param {number} object
 * @param {string} name
 */
export function objectColour(object, name) {
  const hue = 205 + 137.5 * object + 26 * (hash(`${name} `) - 0.5);
  const shade = hash(name);
  return `hsl(${(hue % 360).toFixed(0)} ${(58 + 20 * shade).toFixed(0)}% ${(66 + 12 * shade).toFixed(0)}%)`;
}

/**
 * The colour of a change: red for what costs more than before, blue for less, grey for what is below `least`.
 * @param {number} change
 * @param {number} most
 * @param {number} least
 */
export function changeColour(change, most, least) {
  const strength = Math.min(1, Math.abs(change) / most) ** 0.4;
  if (!change || Math.abs(change) < least) return "hsl(0 0% 82%)";
  const [saturation, lightness] = [30 + 60 * strength, 82 - 22 * strength];
  return `hsl(${change > 0 ? 8 : 212} ${saturation.toFixed(0)}% ${lightness.toFixed(0)}%)`;
}

/**
 * Changes that say what the colours are: the most, a tenth of it, none.
 * @param {number} most
 */
export function changeScale(most) {
  const tenth = Math.round(most / 10);
  const more = tenth ? [tenth, most] : [most];
  return [...more.map((change) => -change).reverse(), 0, ...more];
}

/**
 * The colour of a curve: a few colours in turn that are easily told apart.
 * @param {number} index
 */
export function seriesColour(index) {
  return `var(--series-${index % 8})`;
}
