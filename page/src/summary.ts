/** Describes a bus cycle in sentences, for people who cannot see the picture. */

import type { Moment } from "./moment.ts";
import type { Trace } from "./trace.ts";
import { count, elementName, owner, ringName, waitsFor } from "./words.ts";

export function summaryOf(moment: Moment, trace: Trace): string {
  const lines = moment.bands.map(({ line }) => {
    const route = `${elementName(line.from, trace)} to ${elementName(line.to, trace)}`;
    return `${owner(line)} from ${route} on ring ${ringName(line.ring ?? 0, trace)}`;
  });
  const waiting = moment.elements.filter((element) => element.waiting.length > 0);
  const queues = waiting.map(({ ramp, waiting }) => `${waiting.length} at ${elementName(ramp, trace)}`);
  const stalls = moment.elements.flatMap(({ spe }) =>
    spe?.stall ? [`SPE${spe.spe} waits for ${waitsFor(spe.stall.channel)}`] : [],
  );
  const number = moment.elements.reduce((sum, element) => sum + element.waiting.length, 0);
  return [
    `Bus cycle ${moment.cycle - trace.triggeredAt}.`,
    lines.length > 0 ? `${count(lines.length, "line")} on the rings: ${lines.join("; ")}.` : "The rings are empty.",
    number > 0 ? `${count(number, "line waits", "lines wait")}: ${queues.join(", ")}.` : "",
    stalls.length > 0 ? `${stalls.join(", ")}.` : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}
