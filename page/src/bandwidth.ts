/** Bandwidth by ring over the time of a window. */

import { NEVER } from "./records.ts";
import type { Trace } from "./trace.ts";

export interface Bandwidth {
  /** Bus cycles of a bin. `rings` has GB/s by bin for each ring of one chip. */
  width: number;
  rings: number[][];
  most: number;
  /** Mean of the whole window. A line that crosses from chip to chip counts once. */
  mean: number;
}

/** Adds up rings that have the same number on different chips. */
export function bandwidthOf(trace: Trace, bins: number): Bandwidth {
  const width = Math.max(1, Math.ceil((trace.to - trace.from) / bins));
  const count = Math.ceil((trace.to - trace.from) / width);
  const rings = Array.from({ length: trace.ringsPerChip }, () => new Array<number>(count).fill(0));
  let bytes = 0;
  for (const line of trace.lines) {
    if (line.ring === null || line.arrivedAt === NEVER) {
      continue;
    }
    const ring = rings[line.ring % trace.ringsPerChip] as number[];
    // In each of a line's last bus cycles, one beat of the line leaves the ring.
    for (let beat = 0; beat < trace.beats; beat++) {
      const at = line.arrivedAt - trace.beats + beat;
      if (at >= trace.from && at < trace.to) {
        const bin = Math.floor((at - trace.from) / width);
        ring[bin] = (ring[bin] ?? 0) + line.bytes / trace.beats;
        bytes += line.onwardOf === null ? line.bytes / trace.beats : 0;
      }
    }
  }
  const gigabytes = (amount: number, cycles: number) => (amount * trace.busHz) / cycles / 1e9;
  const last = trace.to - trace.from - (count - 1) * width;
  for (const ring of rings) {
    ring.forEach((amount, bin) => {
      ring[bin] = gigabytes(amount, bin === count - 1 ? last : width);
    });
  }
  const sums = Array.from({ length: count }, (_, bin) => rings.reduce((sum, ring) => sum + (ring[bin] ?? 0), 0));
  return { width, rings, most: Math.max(...sums, 0), mean: gigabytes(bytes, trace.to - trace.from) };
}
