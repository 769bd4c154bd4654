// What the page uses of d3-flame-graph, which comes without types.

declare module "d3-flame-graph" {
  import type { HierarchyRectangularNode } from "d3-hierarchy";
  import type { Selection } from "d3-selection";

  export type Frame<Node> = HierarchyRectangularNode<Node> & { highlight?: boolean };

  /** Draws the tree that is a node's datum, in that node. */
  export interface FlameGraph<Node> {
    <Place extends HTMLElement>(place: Selection<Place, Node, null, undefined>): void;
    width(): number;
    width(pixels: number): this;
    height(pixels: number): this;
    cellHeight(pixels: number): this;
    minFrameSize(pixels: number): this;
    transitionDuration(milliseconds: number): this;
    inverted(isInverted: boolean): this;
    sort(compared: (a: Frame<Node>, b: Frame<Node>) => number): this;
    label(said: (frame: Frame<Node>) => string): this;
    setColorMapper(colour: (frame: Frame<Node>) => string): this;
    setSearchMatch(matches: (frame: Frame<Node>) => boolean): this;
    setSearchHandler(found: (frames: Frame<Node>[], sum: number, total: number) => void): this;
    setDetailsHandler(told: () => void): this;
    onHover(told: (frame: Frame<Node>) => void): this;
    onClick(told: (frame: Frame<Node>) => void): this;
    search(text: string): void;
    clear(): void;
    resetZoom(): void;
    zoomTo(frame: Frame<Node>): void;
    update(): void;
  }

  export default function flamegraph<Node>(): FlameGraph<Node>;
}
