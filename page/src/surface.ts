/**
 * `window.cellstats`: the page's interface for tests and other programs. `shown` reads the drawn elements back, so that
 * tests can compare them with a trace.
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

/** What a picture shows. */
export interface Drawn {
  lines: ShownLine[];
  /** For each element, the entries of its queues. `waiting` counts all lines at its on-ramp, with or without a cell. */
  elements: Record<string, { queues: Record<string, number>; waiting: number; thread: number | null; channel: string }>;
}

export interface Shown extends Drawn {
  /** The table of waiting lines and their reasons. */
  waits: { line: number; reason: string }[];
}

export interface ShownLesson {
  lesson: string;
  step: number;
  /** Whether the run of the step is shown. */
  settled: boolean;
  choice: number | null;
  /** The right choice of the step's question, as the run decides it. */
  right: number | null;
  claims: { name: string; value: number | string | null; holds: boolean }[];
  /** What the reader has tried in this step, with the quantities that the step shows. */
  tried: Record<string, (number | string | null)[]>;
}

export interface Surface {
  /** Resolves when the first picture is drawn. */
  ready: Promise<void>;
  /** The current scene, with the bus cycle and the selection. */
  state(): Scene;
  /** Goes to a bus cycle, counted from the trigger. */
  go(at: number): void;
  /** Shows another scene; false if the simulator refuses it. */
  run(scene: Scene): Promise<boolean>;
  shown(): Shown;
  /** The run that is shown beside, with its picture; null if there is none. */
  beside(): { scene: Scene; drawn: Drawn } | null;
  /** The lesson that is taken; null outside lessons. */
  lesson(): ShownLesson | null;
  /** Milliseconds spent on simulating the last window, and on drawing it. */
  timings(): { simulated: number; drawn: number };
}

function number(element: Element, name: string): number | null {
  const text = element.getAttribute(name);
  return text === null || text === "" ? null : Number(text);
}

export function drawn(picture: Element): Drawn {
  const bands = [...picture.querySelectorAll(".band[data-line]")];
  const elements = [...picture.querySelectorAll(".element")].map((element) => {
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
  };
}

export function shown(root: Document): Shown {
  return {
    ...drawn(root.querySelector("#picture") as Element),
    waits: [...root.querySelectorAll("#waits [data-line]")].map((row) => ({
      line: number(row, "data-line") ?? 0,
      reason: row.getAttribute("data-reason") ?? "",
    })),
  };
}
