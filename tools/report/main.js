// The page begins: its head, its keys, and the first view.

import { byId, element, plain, stepOf } from "./dom.js";
import { Page, tabs } from "./page.js";
import { openedProfile } from "./profile.js";
import { READABLE } from "./tables.js";
import { summary } from "./views/summary.js";
import { functions } from "./views/functions.js";
import { calls } from "./views/calls.js";
import { graph } from "./views/graph.js";
import { flame } from "./views/flame.js";
import { treemap } from "./views/treemap.js";
import { source } from "./views/source.js";
import { code } from "./views/code.js";
import { timeline } from "./views/timeline.js";
import { comparison } from "./views/comparison.js";
import { curves } from "./views/curves.js";
import { data } from "./views/data.js";

/** @import { Profile, View } from "./types" */

import "./style.css"; // behind the libraries' own

/** All views, in the order of their tabs.
 * @type {View[]} */
const VIEWS = [
  summary,
  functions,
  calls,
  graph,
  flame,
  treemap,
  source,
  code,
  timeline,
  comparison,
  curves,
  data,
];

const KEYS = [
  ["1 … 9, 0", "the views, from the left"],
  ["/", "search; Escape leaves"],
  ["e", "choose an event"],
  ["↑ ↓, Page, Home, End", "walk through a table; Enter opens the row"],
  ["→ ←", "open and close a row of a table that has rows below it"],
  ["↑ ↓ ← →", "walk through the flame graph and the treemap; Enter zooms in, Escape out"],
  ["f, s", "callers and callees of the frame walked to, as tables or as flame graphs"],
  [
    "↑ ↓ ← →",
    "walk through the call graph: to caller and callee, and by cost; Enter centres, Escape shows the whole",
  ],
  ["+, −, Shift with arrows", "zoom and move the call graph; Space chooses, f shows callers and callees"],
  ["Alt ←, Alt →", "back and forth, as in any page"],
  ["t", "light, dark, or as the system has it"],
  ["i", "inlined functions as functions, or in those into which they were inlined, where the page has both"],
  ["?", "these keys"],
];

/** @type {Record<string, string>} */
const THEMES = { auto: "◐", light: "☀", dark: "☾" };

// ---- The head of the page

/** @param {Page} page */
function drawHead(page) {
  const { head } = page.profile;
  const title = byId("title", HTMLElement);
  title.textContent = head.title;
  title.title = head.title;
  drawCompared(head);
  const partial = byId("partial", HTMLElement);
  partial.hidden = !head.partial.length;
  partial.append(
    ...head.partial.map((text) => element("p", {}, `Only a part of the profile is shown: ${text}`)),
  );
  drawEvents(page);
  drawSearch(page);
  byId("tabs", HTMLElement).append(
    ...page.views.map((view, index) =>
      element(
        "a",
        {
          role: "tab",
          id: `tab-${view.name}`,
          href: `#${view.name}`,
          "data-view": view.name,
          "aria-controls": "view",
          title: index < 10 ? `${view.hint} (${(index + 1) % 10})` : view.hint,
        },
        view.title,
      ),
    ),
  );
  byId("inlines", HTMLButtonElement).addEventListener("click", () => page.switchInlines());
  page.showSwitch();
  drawTheme();
  drawKeys();
}

/**
 * What is compared, above each view.
 * @param {Profile["head"]} head
 */
function drawCompared({ compared: [old, ...leftOut], files }) {
  const note = byId("compared", HTMLElement);
  note.hidden = old === undefined;
  if (old === undefined) return;
  const names = element(
    "p",
    {},
    "OLD ",
    element("strong", {}, old),
    ", NEW ",
    element("strong", {}, files.join(", ")),
  );
  note.append(names, ...leftOut.map((text) => element("p", {}, text)));
}

/** @param {Page} page */
function drawEvents(page) {
  const events = byId("event", HTMLSelectElement);
  events.append(
    ...page.profile.events.map((event, index) =>
      element("option", { value: index }, event.long ? `${event.name} – ${event.long}` : event.name),
    ),
  );
  events.value = String(page.event);
  events.addEventListener("change", () => page.choose(Number(events.value)));
}

/** @param {Page} page */
function drawSearch(page) {
  const search = byId("search", HTMLInputElement);
  search.addEventListener("input", () => page.find(search.value));
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      page.main?.focus();
      event.preventDefault();
    }
  });
}

function drawTheme() {
  const button = byId("theme", HTMLButtonElement);
  const names = Object.keys(THEMES);
  let chosen = 0;
  const show = () => {
    const theme = names[chosen];
    document.documentElement.dataset.theme = theme;
    button.textContent = THEMES[theme];
    button.setAttribute("aria-label", `Colours: ${theme}`);
  };
  show();
  button.addEventListener("click", () => {
    chosen = (chosen + 1) % names.length;
    show();
  });
}

function drawKeys() {
  const dialog = byId("help", HTMLDialogElement);
  dialog.append(
    element("h2", {}, "Keys"),
    element(
      "dl",
      {},
      KEYS.flatMap(([keys, what]) => [element("dt", {}, keys), element("dd", {}, what)]),
    ),
    element("form", { method: "dialog" }, element("button", {}, "Close")),
  );
  byId("keys", HTMLButtonElement).addEventListener("click", () => dialog.showModal());
}

// ---- Keys of the whole page

/**
 * @param {Page} page
 * @param {KeyboardEvent} event
 */
function onKey(page, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
  const search = byId("search", HTMLInputElement);
  if (event.key === "Escape" && event.target === search) {
    search.value = "";
    page.find("");
    search.blur();
    page.node.focus();
    return;
  }
  if (event.target.closest("input, select, dialog")) return;
  if (event.target.closest("[role=tab]") && besides(page, event)) return;
  const index = "1234567890".indexOf(event.key);
  if (index >= 0) {
    if (page.views[index]) page.open(page.views[index].name);
  } else if (event.key === "/") {
    search.select();
    search.focus();
  } else if (event.key === "e") byId("event", HTMLSelectElement).focus();
  else if (event.key === "t") byId("theme", HTMLButtonElement).click();
  else if (event.key === "i") page.switchInlines();
  else if (event.key === "?") byId("help", HTMLDialogElement).showModal();
  else return;
  event.preventDefault();
}

/**
 * Go to the next tab; whether the key says so.
 * @param {Page} page
 * @param {KeyboardEvent} event
 */
function besides(page, event) {
  const step = stepOf(event.key, { ArrowRight: 1, ArrowLeft: -1 });
  if (!step) return false;
  const all = tabs();
  const at = all.findIndex((tab) => tab === event.target);
  const next = all[(at + step + all.length) % all.length];
  next.focus();
  page.open(next.dataset.view ?? "");
  event.preventDefault();
  return true;
}

async function start() {
  if (!READABLE) {
    byId("view", HTMLElement).replaceChildren(
      plain(
        "This browser is too old for this page: it has no " +
          "DecompressionStream, which Chromium, Firefox and Safari have since 2023.",
      ),
    );
    return;
  }
  const page = new Page(await openedProfile(), VIEWS);
  drawHead(page);
  addEventListener("hashchange", () => page.route());
  addEventListener("popstate", (event) => {
    // a step back to the same address of the other set
    if (event.state && event.state.set !== page.profile.set) page.route();
  });
  addEventListener("keydown", (event) => onKey(page, event));
  page.route();
  page.readRest();
}

start();
