// What the colours of changes are, in numbers.

import { changeColour, changeScale } from "./colours.js";
import { element } from "./dom.js";
import { signed } from "./format.js";

/**
 * `most` is the largest change; `said` says of what.
 * @param {number} most
 * @param {string} said
 */
export function changeLegend(most, said) {
  return element(
    "ul",
    { class: "legend changes", "aria-label": "What the colours are" },
    changeScale(most).map((change) =>
      element("li", {}, element("i", { style: `background:${changeColour(change, most)}` }), signed(change)),
    ),
    element("li", {}, `${said}; red costs more than before, blue less`),
  );
}
