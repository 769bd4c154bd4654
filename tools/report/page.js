// Which view is shown, of which event, what is searched for, and which function is chosen.

import { Choices } from "./choices.js";
import { byId, plain } from "./dom.js";
import { WHOLE, hasSet, openedProfile } from "./profile.js";

/** @import { Drawn, Profile, TableName, View } from "./types" */

export class Page {
  /** @type {number | undefined} */
  #function;
  /** @type {View | null} */
  #view = null;
  #argument = "";
  /** @type {Drawn | null} */
  #drawn = null;
  /** What was asked for last and is yet to be read.
   * @type {object | null} */
  #asked = null;

  /**
   * @param {Profile} profile
   * @param {View[]} views all that there are
   */
  constructor(profile, views) {
    this.profile = profile;
    this.event = Math.max(
      0,
      profile.events.findIndex(({ name }) => name === "Cyc"),
    );
    this.search = "";
    this.choices = new Choices();
    this.views = views.filter((view) => view.shown(profile));
    /** @type {Record<string, Profile | Promise<Profile>>} */
    this.profiles = { [profile.set]: profile };
    this.node = byId("view", HTMLElement);
  }

  /** The event's name. */
  get eventName() {
    return this.profile.events[this.event].name;
  }

  /** The row of the function that is chosen in all views; undefined before one is. */
  get function() {
    return this.#function;
  }

  /** @param {number} row */
  chooseFunction(row) {
    this.#function = row;
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
    const { profile, function: chosen } = this;
    const view = this.#view;
    if (!this.switches || !view) return;
    const set = profile.set ? "" : WHOLE;
    await this.take(set);
    const place = this.#placeFrom(profile, view);
    history.pushState({ set }, "", place ? `#${view.name}/${place}` : `#${view.name}`);
    this.showAddress();
    if (view.refers === "function" && chosen !== undefined && this.function === undefined) {
      this.status(`${profile.name(chosen)} is no function here: it was inlined wherever it is called`);
    }
  }

  /**
   * The argument of a view of another profile, as it is of this one; "" if what it names is not here.
   * @param {Profile} profile
   * @param {View} view
   */
  #placeFrom(profile, { refers }) {
    const number = refers && /\d+/.exec(this.#argument)?.[0];
    if (!refers || !number) return this.#argument;
    const found = numberIn(profile, this.profile, refers, Number(number));
    return found === undefined ? "" : this.#argument.replace(number, String(found));
  }

  /**
   * Take the tables of a set, in which the chosen function has another row.
   * @param {string} set
   */
  async take(set) {
    this.profiles[set] ??= openedProfile(set);
    const [to, from] = [await this.profiles[set], this.profile];
    if (to === from) return;
    if (this.#function !== undefined) this.#function = numberIn(from, to, "function", this.#function);
    if (this.#function === undefined) this.choices.isGraphAround = false;
    this.profile = to;
    this.showSwitch();
  }

  /** Show which set of tables is taken, if there are two. */
  showSwitch() {
    const button = byId("inlines", HTMLButtonElement);
    button.hidden = !this.switches;
    button.setAttribute("aria-checked", String(this.profile.set !== WHOLE));
  }

  /** Whether the page has two sets of tables. */
  get switches() {
    return this.profile.set === WHOLE || Boolean(this.profiles[WHOLE]) || hasSet(WHOLE);
  }

  /** Show what the address says, as in #source/12:100. */
  showAddress() {
    const [name, ...rest] = decodeURIComponent(location.hash.slice(1)).split("/");
    const first = this.views.find((known) => known.isFirst?.(this.profile)) ?? this.views[0];
    const view = this.views.find((known) => known.name === name) ?? first;
    this.show(view, rest.join("/"));
  }

  /**
   * Draw a view, at once if what it needs was read; else when that is, unless another is asked for first.
   * @param {View} view
   * @param {string} argument
   */
  show(view, argument) {
    if (this.profile.hasRead(view.needs)) {
      this.draw(view, argument);
      return;
    }
    this.status(`${view.title}: reading …`);
    const asked = {};
    this.#asked = asked;
    this.profile.read(view.needs).then(
      () => {
        if (this.#asked === asked) this.draw(view, argument);
      },
      (error) => this.status(`this page is damaged: ${error.message}`),
    );
  }

  /**
   * @param {View} view
   * @param {string} argument
   */
  draw(view, argument) {
    this.#drawn?.closed?.();
    this.#asked = null;
    this.#view = view;
    this.#argument = argument;
    this.status("");
    for (const tab of tabs()) {
      const chosen = tab.dataset.view === view.name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    this.node.className = view.name;
    this.node.setAttribute("aria-labelledby", `tab-${view.name}`);
    this.#drawn = view.draw(this, argument);
    this.node.replaceChildren(this.#drawn);
    this.#drawn.shown?.();
    document.title = `${view.title} – ${this.profile.head.title}`;
    this.focus();
  }

  /**
   * Have another argument when the view is drawn again.
   * @param {string} argument
   */
  keepArgument(argument) {
    this.#argument = argument;
  }

  /**
   * What of the view keys are for: its first table or picture.
   * @returns {HTMLElement | null}
   */
  get main() {
    return this.node.querySelector("[tabindex='0']:not([role=region])");
  }

  /** Focus the view if what had the focus is gone with the last one. */
  focus() {
    const focused = document.activeElement;
    if (focused === document.body || focused === this.node) {
      (this.main ?? this.node).focus({ preventScroll: true });
    }
  }

  /**
   * Make a node of tables; one that stands for it if they are yet to be read.
   * @param {TableName[]} names
   * @param {() => Node | string} make
   */
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

  /** Draw the view that is shown again. */
  redraw() {
    if (this.#view) this.draw(this.#view, this.#argument);
  }

  /** @param {string} hash */
  open(hash) {
    location.hash = hash;
  }

  /** @param {number} event */
  choose(event) {
    this.event = event;
    byId("event", HTMLSelectElement).value = String(event);
    this.redraw();
  }

  /** @param {string} text */
  find(text) {
    this.search = text;
    if (this.#drawn?.searched) this.#drawn.searched(text);
    else if (text.trim()) this.open("functions");
  }

  /** @param {string} text */
  status(text) {
    byId("status", HTMLElement).textContent = text;
  }
}

/**
 * The tabs, one for each view.
 * @returns {HTMLElement[]}
 */
export function tabs() {
  return [...document.querySelectorAll("[role=tab]")].filter((tab) => tab instanceof HTMLElement);
}

/**
 * What a function's row or a file of one profile is in another; undefined of what is not there.
 * @param {Profile} from
 * @param {Profile} to
 * @param {"function" | "file"} refers
 * @param {number} number
 */
function numberIn(from, to, refers, number) {
  const found = refers === "file" ? to.strings.indexOf(from.strings[number]) : from.rowIn(to, number);
  return found < 0 ? undefined : found;
}

/**
 * Call when the browser has nothing to do; a little later where it cannot tell, as Safari cannot.
 * @param {() => void} call
 */
function whenIdle(call) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(call);
  else setTimeout(call, 100);
}
