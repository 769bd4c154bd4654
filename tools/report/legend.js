// What the colours of changes are, in numbers.

import { changeColour, changeScale } from "./colours.js";
import { element } from "./dom.js";
import { signed } from "./format.js";

/**
 * `most` is the largest change, `least` the smallest that has a colour; `said` says of what.
 * @param {number} most
 * @param {number} least
 * @param {string} said
 */
export function changeLegend(most, least, said) {
  return element(
    "ul",
    { class: "legend changes", "aria-label": "What the colours are" },
    changeScale(most).map((change) =>
      element(
        "li",
        {},
        element("i", { style: `background:${changeColour(change, most, least)}` }),
        signed(change),
      ),
    ),
    element("li", {}, `${said}; red costs more than before, blue less, grey as much, or it is not known`),
  );
}
