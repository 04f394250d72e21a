/** A queue as a row of cells, of which as many are filled as it has entries. */

import { set, svg } from "../dom.ts";
import type { Point } from "../geometry.ts";

export interface CellsAt {
  start: Point;
  /** The direction in which it fills, of length 1. */
  towards: Point;
  /** From cell to cell, and what lies between two of them. */
  pitch: number;
  gap: number;
  thickness: number;
  capacity: number;
}

/**
 * Cells are the dashes of a line, so a change is one attribute however many cells it fills. The number is in the
 * length of the filled line, and `shownIn` reads it from there.
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

/** How many cells of a drawn queue are filled. */
export function shownIn(group: Element): number {
  const full = group.querySelector(".full");
  const end = (name: string) => Number(full?.getAttribute(name));
  const length = Math.hypot(end("x2") - end("x1"), end("y2") - end("y1"));
  const [pitch, gap] = [Number(group.getAttribute("data-pitch")), Number(group.getAttribute("data-gap"))];
  return length === 0 ? 0 : Math.round((length + gap) / pitch);
}
