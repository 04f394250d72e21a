/** The legend: the colour, number and direction of each ring. */

import { html } from "../dom.ts";
import { colour } from "../drawing/rings.ts";
import type { Trace } from "../trace.ts";

export function drawLegend(room: HTMLElement, trace: Trace): void {
  const rings = trace.rings.slice(0, trace.ringsPerChip).map((direction, ring) => {
    const arrow = direction === "clockwise" ? "↻" : "↺";
    const sample = html("span", { class: `sample ${colour(ring, trace)}` }, String(ring));
    return html("li", {}, sample, ` ${arrow} ${direction}`);
  });
  room.replaceChildren(...rings);
}
