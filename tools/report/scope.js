// The scope of a function's name: the class of C++, type or module of Rust that it is in.

const OPENING = "<([{";
const CLOSING = ">)]}";
const OPERATOR = /operator\s*(?:\(\)|\[\]|[-+*/%^&|~!=<>,]+|new\b|delete\b)?/y; // whose brackets are none

/**
 * What stands in front of the last :: of a name that is in no brackets; "" without one.
 * @param {string} name
 */
export function scopeOf(name) {
  let start = 0; // of the name, behind the type that it returns
  let found = "";
  let depth = 0;
  for (let at = 0; at < name.length; at += 1) {
    const letter = name[at];
    if (OPENING.includes(letter)) depth += 1;
    else if (CLOSING.includes(letter) && name[at - 1] !== "-") {
      depth = Math.max(0, depth - 1); // -> closes nothing
    } else if (depth === 0 && name.startsWith("::", at)) found = name.slice(start, at);
    else if (depth === 0 && letter === " " && !/^(?:const|volatile|&)/.test(name.slice(at + 1))) {
      start = at + 1;
    } else if (depth === 0 && beginsOperator(name, at)) at = OPERATOR.lastIndex - 1;
  }
  return found;
}

/**
 * @param {string} name
 * @param {number} at
 */
function beginsOperator(name, at) {
  OPERATOR.lastIndex = at;
  return !/\w/.test(name[at - 1] ?? "") && OPERATOR.test(name) && !/\w/.test(name[OPERATOR.lastIndex] ?? "");
}
