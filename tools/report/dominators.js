// What cannot be reached but through one node of a graph: its dominators, found by a simple case of
// K. D. Cooper, T. J. Harvey and K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001).

/**
 * The nearest node that all ways to each node go through: of nodes 0 to count - 1, of which `roots` are
 * where ways begin; each circle has to go through roots only. `after` and `before` give the nodes that arrows
 * of one lead to, and come from. -1: there is none.
 * @param {number} count
 * @param {number[]} roots
 * @param {(node: number) => number[]} after
 * @param {(node: number) => number[]} before
 */
export function dominators(count, roots, after, before) {
  const nearest = new Int32Array(count).fill(-1);
  const isRoot = new Set(roots);
  const place = new Int32Array(count);
  const order = callersFirst(count, roots, after);
  order.forEach((node, at) => {
    place[node] = at;
  });
  const common = (/** @type {number} */ one, /** @type {number} */ other) => {
    let [a, b] = [one, other];
    while (a !== b && a >= 0 && b >= 0) {
      if (place[a] > place[b]) a = nearest[a];
      else b = nearest[b];
    }
    return a === b ? a : -1;
  };
  const seen = new Uint8Array(count);
  for (const node of order) {
    const from = before(node).filter((other) => seen[other]);
    if (!isRoot.has(node) && from.length) nearest[node] = from.reduce(common);
    seen[node] = 1;
  }
  return nearest;
}

/**
 * Nodes that can be reached, each behind those that arrows into it come from where there is no circle.
 * @param {number} count
 * @param {number[]} roots
 * @param {(node: number) => number[]} after
 */
function callersFirst(count, roots, after) {
  const seen = new Uint8Array(count);
  /** @type {number[]} */
  const order = [];
  /** @type {[node: number, next: Iterator<number>][]} what it leads to that is yet to be seen */
  const path = [];
  const enter = (/** @type {number} */ node) => {
    if (seen[node]) return;
    seen[node] = 1;
    path.push([node, after(node)[Symbol.iterator]()]);
  };
  for (const root of roots) {
    enter(root);
    while (path.length) {
      const [node, next] = path[path.length - 1];
      const { value, done } = next.next();
      if (done) {
        order.push(node);
        path.pop();
      } else enter(value);
    }
  }
  return order.reverse();
}
