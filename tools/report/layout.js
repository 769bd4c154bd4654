// Where the boxes and arrows of a call graph stand: callers above callees, by dagre.

import { graphlib, layout } from "@dagrejs/dagre";

/** @import { PlacedArrow, PlacedBox } from "./types" */

/**
 * Give boxes x and y, the middle of each; arrows x and y, that of their labels, and points. Widths and
 * heights are those of boxes and labels. What comes back is the width and height of all.
 * @param {PlacedBox[]} boxes
 * @param {PlacedArrow[]} arrows
 */
export function arranged(boxes, arrows) {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 18, edgesep: 12, ranksep: 34, marginx: 12, marginy: 12 });
  for (const box of boxes) graph.setNode(String(box.id), box);
  arrows.forEach((arrow, number) =>
    graph.setEdge(
      String(arrow.from),
      String(arrow.to),
      Object.assign(arrow, { labelpos: "c" }),
      String(number),
    ),
  );
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return boxes.length ? { width, height } : { width: 0, height: 0 };
}
