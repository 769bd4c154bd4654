// What cannot be reached but through one node of a graph: its dominators, found by a simple case of
// K. D. Cooper, T. J. Harvey and K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001).

/**
 * The nearest node that all ways to each node go through: of nodes 0 to count - 1, of which `roots` are where
 * ways begin; each circle has to go through roots only. `after` and `before` give the nodes that arrows of one
 * lead to, and come from. -1: there is none.
 */
export function dominators(count, roots, after, before) {
  const nearest = new Int32Array(count).fill(-1);
  const isRoot = new Set(roots);
  const place = new Int32Array(count);
  const order = callersFirst(count, roots, after);
  order.forEach((node, at) => {
    place[node] = at;
  });
  const common = (a, b) => {
    if (a === undefined) return b;
    while (a !== b && a >= 0 && b >= 0) {
      if (place[a] > place[b]) a = nearest[a];
      else b = nearest[b];
    }
    return a === b ? a : -1;
  };
  const seen = new Uint8Array(count);
  for (const node of order) {
    if (!isRoot.has(node))
      nearest[node] =
        before(node)
          .filter((other) => seen[other])
          .reduce(common, undefined) ?? -1;
    seen[node] = 1;
  }
  return nearest;
}

/** Nodes that can be reached, each behind those that arrows into it come from, as far as there is no circle. */
function callersFirst(count, roots, after) {
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
