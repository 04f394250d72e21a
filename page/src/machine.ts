/** Values of the machine that the picture needs. */

import type { MachineFacts } from "./answers.ts";
import type { Trace } from "./trace.ts";

function value(facts: MachineFacts | null, key: string, otherwise: number): number {
  const found = facts?.values.find((value) => value.key === key)?.value;
  return typeof found === "number" ? found : otherwise;
}

/** Entries of the machine's queues, and bus cycles from the order of a command to the response of one chip. */
export interface Capacities {
  spuQueue: number;
  proxyQueue: number;
  memoryQueue: number;
  responseCycles: number;
}

/** A recorded trace has no machine values; the numbers of the Cell BE are used instead. */
export function capacities(facts: MachineFacts | null): Capacities {
  return {
    spuQueue: value(facts, "mfc.spu_queue_entries", 16),
    proxyQueue: value(facts, "mfc.proxy_queue_entries", 8),
    memoryQueue: value(facts, "mic.read_queue_entries", 64),
    responseCycles: value(facts, "eib.command_response_bus_cycles", 30),
  };
}

/** Peak bandwidth of the bus in GB/s, set by the lines that each chip's address concentrator orders in a bus cycle. */
export function peakOf(trace: Trace, facts: MachineFacts | null): number {
  const commands = value(facts, "eib.commands_per_bus_cycle", 1);
  const lineBytes = trace.beats * value(facts, "eib.beat_bytes", 16);
  return (commands * lineBytes * trace.busHz * trace.chips) / 1e9;
}
