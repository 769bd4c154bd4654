// Elements of the page.

/** @import { Attributes, Child, Children } from "./types" */

/**
 * The element of the page's template that has an id.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

/**
 * An element with attributes, listeners (`on...`) and children; those that are null are left out.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {Children} children
 */
export function element(name, attributes = {}, ...children) {
  return furnished(document.createElement(name), attributes, children);
}

/**
 * The same for what is drawn.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {Children} children
 */
export function drawn(name, attributes = {}, ...children) {
  return furnished(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/**
 * @template {Element} Made
 * @param {Made} made
 * @param {Attributes} attributes
 * @param {Children} children
 */
function furnished(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") made.addEventListener(key.slice(2), (event) => value(event));
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(
    ...children
      .flat()
      .filter((child) => child !== null && child !== undefined)
      .map(asNode),
  );
  return made;
}

/** @param {Exclude<Child, null | undefined>} child */
function asNode(child) {
  return typeof child === "number" ? String(child) : child;
}

/**
 * A link to a view.
 * @param {string} hash
 * @param {string} text
 * @param {Attributes} attributes
 */
export function link(hash, text, attributes = {}) {
  return element("a", { href: `#${hash}`, ...attributes }, text);
}

/**
 * A heading and what stands below it.
 * @param {string} title
 * @param {Children} children
 */
export function section(title, ...children) {
  return element("section", {}, element("h2", {}, title), ...children);
}

/**
 * A row of buttons of which one is pressed: [name, text] each.
 * @template {string} Name
 * @param {string} label
 * @param {[name: Name, text: string][]} options
 * @param {Name} chosen
 * @param {(name: Name) => void} choose
 */
export function choice(label, options, chosen, choose) {
  const buttons = options.map(([name, text]) =>
    element(
      "button",
      {
        type: "button",
        "aria-pressed": String(name === chosen),
        "data-name": name,
        onclick: () => choose(name),
      },
      text,
    ),
  );
  return element("div", { class: "choice", role: "group", "aria-label": label }, ...buttons);
}

/** @param {string} text */
export function plain(text) {
  return element("p", { class: "plain" }, text);
}

/**
 * What a key stands for in a table of keys; undefined if it is not there.
 * @template What
 * @param {string} key
 * @param {Record<string, What>} known
 * @returns {What | undefined}
 */
export function stepOf(key, known) {
  return Object.hasOwn(known, key) ? known[key] : undefined;
}
