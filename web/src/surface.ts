/**
 * `window.cellstats`: what tests and other programs may ask of the page and do with it. `shown` is read back from the
 * elements that are drawn, so that it can be compared with a trace.
 */

import { shownIn } from "./drawing/cells.ts";
import type { Scene } from "./scene.ts";

export interface ShownLine {
  line: number;
  ring: number;
  tail: number;
  head: number;
  thread: number | null;
}

export interface Shown {
  lines: ShownLine[];
  /** By element: entries of its queues; `waiting` of its on-ramp, beyond what its cells can show. */
  elements: Record<string, { queues: Record<string, number>; waiting: number; thread: number | null; channel: string }>;
  /** The table that says why lines wait. */
  waits: { line: number; reason: string }[];
}

export interface Surface {
  /** When the first picture is there. */
  ready: Promise<void>;
  /** The scene as it is looked at. */
  state(): Scene;
  /** Goes to a bus cycle since the trigger. */
  go(at: number): void;
  /** Shows another scene; false if it is refused. */
  run(scene: Scene): Promise<boolean>;
  shown(): Shown;
  /** Milliseconds of the last window: until its trace was there, and to draw it. */
  timings: { simulated: number; drawn: number };
}

export function shown(root: ParentNode): Shown {
  const number = (element: Element, name: string) => {
    const text = element.getAttribute(name);
    return text === null || text === "" ? null : Number(text);
  };
  const bands = [...root.querySelectorAll("#picture .band[data-line]")];
  const elements = [...root.querySelectorAll("#picture .element")].map((element) => {
    const queues = [...element.querySelectorAll("[data-queue]")].map((group) => {
      return [group.getAttribute("data-queue") ?? "", shownIn(group)] as const;
    });
    const thread = element.querySelector<SVGGElement>(".thread:not([style*=none])");
    const waiting = element.querySelector(".waiting");
    return [
      element.getAttribute("data-element") ?? "",
      {
        queues: Object.fromEntries(queues),
        waiting: (waiting && number(waiting, "data-length")) ?? 0,
        thread: thread && number(thread, "data-thread"),
        channel: element.querySelector("[data-channel]")?.getAttribute("data-channel") ?? "",
      },
    ] as const;
  });
  return {
    lines: bands.map((band) => ({
      line: number(band, "data-line") ?? 0,
      ring: number(band, "data-ring") ?? 0,
      tail: number(band, "data-tail") ?? 0,
      head: number(band, "data-head") ?? 0,
      thread: number(band, "data-thread"),
    })),
    elements: Object.fromEntries(elements),
    waits: [...root.querySelectorAll("#waits [data-line]")].map((row) => ({
      line: number(row, "data-line") ?? 0,
      reason: row.getAttribute("data-reason") ?? "",
    })),
  };
}
