/** A queue as a row of cells; one cell is filled for each entry. */

import { set, svg } from "../dom.ts";
import type { Point } from "../geometry.ts";

export interface CellsAt {
  start: Point;
  /** Unit vector in which the row of cells extends. */
  towards: Point;
  /** Distance from cell to cell, and the gap between two cells. */
  pitch: number;
  gap: number;
  thickness: number;
  capacity: number;
}

/**
 * The cells are dashes of one drawn line, so filling any number of cells changes only the end of that line. The length
 * of the line encodes the number of filled cells, which `shownIn` reads back.
 */
export class Cells {
  readonly group: SVGGElement;
  private readonly full: SVGLineElement;

  constructor(
    queue: string,
    private readonly at: CellsAt,
  ) {
    const empty = this.line("cell");
    this.full = this.line("cell full");
    this.group = svg("g", { "data-queue": queue, "data-pitch": at.pitch, "data-gap": at.gap }, empty, this.full);
    this.stretch(empty, at.capacity);
    this.fill(0);
  }

  fill(entries: number): void {
    this.stretch(this.full, Math.min(entries, this.at.capacity));
  }

  private line(name: string): SVGLineElement {
    const { start, pitch, gap, thickness } = this.at;
    return svg("line", {
      class: name,
      x1: start[0],
      y1: start[1],
      "stroke-width": thickness,
      "stroke-dasharray": `${pitch - gap} ${gap}`,
    });
  }

  private stretch(line: SVGLineElement, cells: number): void {
    const { start, towards, pitch, gap } = this.at;
    const length = cells === 0 ? 0 : cells * pitch - gap;
    set(line, "x2", (start[0] + towards[0] * length).toFixed(2));
    set(line, "y2", (start[1] + towards[1] * length).toFixed(2));
  }
}

/** Number of filled cells of a drawn queue. */
export function shownIn(group: Element): number {
  const full = group.querySelector(".full");
  const end = (name: string) => Number(full?.getAttribute(name));
  const length = Math.hypot(end("x2") - end("x1"), end("y2") - end("y1"));
  const [pitch, gap] = [Number(group.getAttribute("data-pitch")), Number(group.getAttribute("data-gap"))];
  return length === 0 ? 0 : Math.round((length + gap) / pitch);
}
