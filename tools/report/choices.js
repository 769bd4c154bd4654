// What is chosen and opened in views, and stays so when one is drawn again.

/** @import { GraphSettings, Key } from "./types" */

export class Choices {
  // Functions
  hasAllEvents = true;
  /** @type {Set<Key>} */
  openGroups = new Set();

  // Calls
  hasAllCalls = false;

  // Summary
  showsPassing = false;

  // Call graph
  /** @type {GraphSettings | null} */
  graph = null;
  isGraphAround = false;

  // Flame graph
  flameColour = "own";
  flameFrom = "bottom";
  /** @type {Set<Key>} */
  openPaths = new Set();
  hasOpenedPaths = false;
  /** @type {Set<Key>} */
  openCallers = new Set();

  // Parts
  part = 0;

  // Data
  dataEvent = "";
}
