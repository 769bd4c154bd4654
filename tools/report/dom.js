// Elements of the page.

/** An element with attributes, listeners (`on...`) and children; those that are null are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  return furnished(made, attributes, children);
}

/** The same for what is drawn. */
export function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  return furnished(made, attributes, children);
}

function furnished(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** A link to a view. */
export function link(hash, text, attributes = {}) {
  return element("a", { href: `#${hash}`, ...attributes }, text);
}

/** A heading and what stands below it. */
export function section(title, ...children) {
  return element("section", {}, element("h2", {}, title), ...children);
}

/** A row of buttons of which one is pressed: [name, text] each. */
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

export function plain(text) {
  return element("p", { class: "plain" }, text);
}
