// The page: which view is shown, of which event, and what is searched for.

import { element, plain } from "./dom.js";
import { WHOLE, hasSet, openedProfile } from "./profile.js";
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
import "./style.css"; // behind the libraries' own

// A view has name, title, what it shows in a sentence (`hint`), shown(profile),
// which is whether there is something to show, the tables that it needs, and
// draw(page, argument), which gives a node. A drawn node may have searched(text)
// and closed(). `refers` says what the first number in an argument is, if it is the
// profile's: the row of a "function", or the number of a "file".
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

const THEMES = { auto: "◐", light: "☀", dark: "☾" };

class Page {
  constructor(profile) {
    this.profile = profile;
    this.event = 0;
    this.search = "";
    this.views = VIEWS.filter((view) => view.shown(profile));
    this.profiles = { [profile.set]: profile };
    this.node = document.getElementById("view");
  }

  /** The event's name. */
  get eventName() {
    return this.profile.events[this.event].name;
  }

  // ---- The two sets of tables

  /** Show what the address says, of the set of tables that it was of when it was left. */
  async route() {
    const set = history.state?.set ?? this.profile.set;
    history.replaceState({ set }, "");
    if (set !== this.profile.set) await this.take(set);
    this.showAddress();
  }

  /** Show inlined functions as functions, or put them back, at the same place. */
  async switchInlines() {
    if (!this.switches) return;
    const { view, argument, profile, function: chosen } = this;
    const set = profile.set ? "" : WHOLE;
    await this.take(set);
    const number = view.refers && /\d+/.exec(argument)?.[0];
    const found = number && numberIn(profile, this.profile, view.refers, Number(number));
    const place = !number ? argument : found === undefined ? "" : argument.replace(number, found);
    history.pushState({ set }, "", place ? `#${view.name}/${place}` : `#${view.name}`);
    this.showAddress();
    if (view.refers === "function" && chosen !== undefined && this.function === undefined) {
      this.status(`${profile.name(chosen)} is no function here: it was inlined wherever it is called`);
    }
  }

  /** Take the tables of a set, in which the chosen function has another row. */
  async take(set) {
    this.profiles[set] ??= openedProfile(set);
    const [to, from] = [await this.profiles[set], this.profile];
    if (to === from) return;
    if (this.function !== undefined) this.function = numberIn(from, to, "function", this.function);
    if (this.function === undefined) this.isGraphAround = false;
    this.profile = to;
    drawSwitch(this);
  }

  /** Whether the page has two sets of tables. */
  get switches() {
    return this.profile.set === WHOLE || Boolean(this.profiles[WHOLE]) || hasSet(WHOLE);
  }

  /** Show what the address says, as in #source/12:100. */
  showAddress() {
    const [name, ...rest] = decodeURIComponent(location.hash.slice(1)).split("/");
    const first = this.profile.head.isData ? data : this.views[0];
    const view = this.views.find((known) => known.name === name) ?? first;
    this.show(view, rest.join("/"));
  }

  /** Draw a view, at once if what it needs was read; else when that is, unless another is asked for first. */
  show(view, argument) {
    if (this.profile.hasRead(view.needs)) {
      this.draw(view, argument);
      return;
    }
    this.status(`${view.title}: reading …`);
    const asked = {};
    this.asked = asked;
    this.profile.read(view.needs).then(
      () => {
        if (this.asked === asked) this.draw(view, argument);
      },
      (error) => this.status(`this page is damaged: ${error.message}`),
    );
  }

  draw(view, argument) {
    this.drawn?.closed?.();
    this.asked = null;
    this.view = view;
    this.argument = argument;
    this.status("");
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const chosen = tab.dataset.view === view.name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    this.node.className = view.name;
    this.node.setAttribute("aria-labelledby", `tab-${view.name}`);
    this.drawn = view.draw(this, argument);
    this.node.replaceChildren(this.drawn);
    this.drawn.shown?.();
    document.title = `${view.title} – ${this.profile.head.title}`;
    this.focus();
  }

  /** What of the view keys are for: its first table or picture. */
  get main() {
    return this.node.querySelector("[tabindex='0']:not([role=region])");
  }

  /** Focus the view if what had the focus is gone with the last one. */
  focus() {
    if ([document.body, this.node].includes(document.activeElement)) {
      (this.main ?? this.node).focus({ preventScroll: true });
    }
  }

  /** Make a node of tables; one that stands for it if they are yet to be read. */
  whenRead(names, make) {
    if (this.profile.hasRead(names)) return make();
    const before = plain("reading …");
    this.profile.read(names).then(() => before.replaceWith(make()));
    return before;
  }

  /** Read what no view has needed yet, one table at a time, while the browser has nothing to do. */
  readRest() {
    const next = this.profile.unread();
    if (next) whenIdle(() => this.profile.read([next]).then(() => this.readRest()));
  }

  redraw() {
    this.draw(this.view, this.argument);
  }

  open(hash) {
    location.hash = hash;
  }

  choose(event) {
    this.event = event;
    document.getElementById("event").value = event;
    this.redraw();
  }

  find(text) {
    this.search = text;
    if (this.drawn.searched) this.drawn.searched(text);
    else if (text.trim()) {
      this.open("functions");
    }
  }

  status(text) {
    document.getElementById("status").textContent = text;
  }
}

/** What a number of one profile is in another: of a function's row or of a file; undefined of what is not there. */
function numberIn(from, to, refers, number) {
  const found = refers === "file" ? to.strings.indexOf(from.strings[number]) : from.rowIn(to, number);
  return found < 0 ? undefined : found;
}

// ---- The head of the page

function drawHead(page) {
  const title = document.getElementById("title");
  title.textContent = page.profile.head.title;
  title.title = page.profile.head.title;
  const partial = document.getElementById("partial");
  partial.hidden = !page.profile.head.partial.length;
  partial.append(
    ...page.profile.head.partial.map((text) =>
      element("p", {}, `Only a part of the profile is shown: ${text}`),
    ),
  );
  const events = document.getElementById("event");
  events.append(
    ...page.profile.events.map((event, index) =>
      element("option", { value: index }, event.long ? `${event.name} – ${event.long}` : event.name),
    ),
  );
  events.addEventListener("change", () => page.choose(Number(events.value)));
  const search = document.getElementById("search");
  search.addEventListener("input", () => page.find(search.value));
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      page.main?.focus();
      event.preventDefault();
    }
  });
  document.getElementById("tabs").append(
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
  document.getElementById("inlines").addEventListener("click", () => page.switchInlines());
  drawSwitch(page);
  drawTheme();
  drawKeys();
}

function drawSwitch(page) {
  const button = document.getElementById("inlines");
  button.hidden = !page.switches;
  button.setAttribute("aria-checked", String(page.profile.set !== WHOLE));
}

function drawTheme() {
  const button = document.getElementById("theme");
  const set = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = THEMES[theme];
    button.setAttribute("aria-label", `Colours: ${theme}`);
  };
  set("auto");
  button.addEventListener("click", () => {
    const names = Object.keys(THEMES);
    set(names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length]);
  });
}

function drawKeys() {
  const dialog = document.getElementById("help");
  dialog.append(
    element("h2", {}, "Keys"),
    element(
      "dl",
      {},
      KEYS.flatMap(([keys, what]) => [element("dt", {}, keys), element("dd", {}, what)]),
    ),
    element("form", { method: "dialog" }, element("button", {}, "Close")),
  );
  document.getElementById("keys").addEventListener("click", () => dialog.showModal());
}

// ---- Keys of the whole page

function onKey(page, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const search = document.getElementById("search");
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
  } else if (event.key === "/") (search.select(), search.focus());
  else if (event.key === "e") document.getElementById("event").focus();
  else if (event.key === "t") document.getElementById("theme").click();
  else if (event.key === "i") page.switchInlines();
  else if (event.key === "?") document.getElementById("help").showModal();
  else return;
  event.preventDefault();
}

/** Go to the next tab; whether the key says so. */
function besides(page, event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return false;
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
  next.focus();
  page.open(next.dataset.view);
  event.preventDefault();
  return true;
}

/** Call when the browser has nothing to do; a little later where it cannot tell, as Safari cannot. */
function whenIdle(call) {
  if (globalThis.requestIdleCallback) requestIdleCallback(call);
  else setTimeout(call, 100);
}

async function start() {
  if (!READABLE) {
    document
      .getElementById("view")
      .replaceChildren(
        plain(
          "This browser is too old for this page: it has no " +
            "DecompressionStream, which Chromium, Firefox and Safari have since 2023.",
        ),
      );
    return;
  }
  const page = new Page(await openedProfile());
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
