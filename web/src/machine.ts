/** Values of the machine that the picture is drawn by. */

import type { MachineFacts } from "./answers.ts";
import type { Capacities } from "./drawing/element.ts";
import type { Trace } from "./trace.ts";

function value(facts: MachineFacts | null, key: string, otherwise: number): number {
  const found = facts?.values.find((value) => value.key === key)?.value;
  return typeof found === "number" ? found : otherwise;
}

/** A recorded trace does not tell; the numbers are then those of every Cell BE. */
export function capacities(facts: MachineFacts | null): Capacities {
  return {
    spuQueue: value(facts, "mfc.spu_queue_entries", 16),
    proxyQueue: value(facts, "mfc.proxy_queue_entries", 8),
    memoryQueue: value(facts, "mic.read_queue_entries", 64),
  };
}

/** What the bus can carry, in GB/s: the address concentrator of each chip orders so many lines in a bus cycle. */
export function peakOf(trace: Trace, facts: MachineFacts | null): number {
  const commands = value(facts, "eib.commands_per_bus_cycle", 1);
  const lineBytes = trace.beats * value(facts, "eib.beat_bytes", 16);
  return (commands * lineBytes * trace.busHz * trace.chips) / 1e9;
}
