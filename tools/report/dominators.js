// What cannot be reached but through one node of a graph: its dominators. After K. D. Cooper, T. J. Harvey
// and K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001).

/**
 * The nearest node that all ways to each node go through: of nodes 0 to count - 1, of which `roots` are where
 * ways begin. `after` and `before` give the nodes that arrows of one lead to, and come from. -1: there is none.
 */
export function dominators(count, roots, after, before) {
  const root = count; // stands in front of all roots
  const isRoot = new Set(roots);
  const order = reversePostorder(count, roots, after);
  const place = new Int32Array(count + 1).fill(-1);
  order.forEach((node, at) => { place[node] = at + 1; });
  place[root] = 0;
  const nearest = new Int32Array(count + 1).fill(-1);
  nearest[root] = root;
  const common = (a, b) => {
    while (a !== b) {
      while (place[a] > place[b]) a = nearest[a];
      while (place[b] > place[a]) b = nearest[b];
    }
    return a;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const node of order) {
      const known = before(node).filter((other) => nearest[other] >= 0);
      const found = isRoot.has(node) ? root : known.reduce(common);
      if (nearest[node] !== found) {
        nearest[node] = found;
        changed = true;
      }
    }
  }
  return nearest.subarray(0, count).map((node) => (node === root ? -1 : node));
}

/** Nodes that can be reached, each in front of those that only it leads to. */
function reversePostorder(count, roots, after) {
  const seen = new Uint8Array(count);
  const order = [];
  const path = []; // of [node, where it leads to that is yet to be seen]
  const enter = (node) => {
    if (seen[node]) return;
    seen[node] = 1;
    path.push([node, after(node)[Symbol.iterator]()]);
  };
  for (const root of roots) {
    enter(root);
    while (path.length) {
      const { value, done } = path.at(-1)[1].next();
      if (done) order.push(path.pop()[0]);
      else enter(value);
    }
  }
  return order.reverse();
}
