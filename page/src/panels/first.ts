/** What to look at first: an arrow if there are any, or how to find one. */

import { own, say } from "../dom.ts";
import type { Trace } from "../trace.ts";

/** Fewer lines in a hundred bus cycles than this, and the picture often shows none. */
const MANY = 5;

export function drawFirstLook(trace: Trace): void {
  const grants = trace.lines.filter(({ grantedAt }) => grantedAt >= trace.from && grantedAt < trace.to).length;
  const often = (grants * 100) / (trace.to - trace.from) >= MANY;
  const arrow = "a thick arrow, which is a line of 128 bytes";
  const text = often
    ? `Follow ${arrow}, along its ring.`
    : grants > 0
      ? `Press “next grant” to see ${arrow}, on its ring.`
      : "No line moves on the rings in this part of the run: look at what the SPEs do and wait for.";
  say(own("first-look", HTMLElement), text);
}
