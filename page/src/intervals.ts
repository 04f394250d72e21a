/** Finds the intervals that contain a bus cycle. */
export class Intervals<T> {
  private readonly buckets: T[][];
  private readonly width: number;

  /** An interval contains its `begin` but not its `end`. Queries must be between `from` and `to`. */
  constructor(
    things: readonly T[],
    private readonly begin: (thing: T) => number,
    private readonly end: (thing: T) => number,
    private readonly from: number,
    to: number,
  ) {
    // Fewer buckets store long intervals more cheaply; more buckets make each lookup more selective.
    const count = Math.max(1, Math.min(512, Math.ceil((to - from) / 16)));
    this.width = Math.max(1, Math.ceil((to - from) / count));
    this.buckets = Array.from({ length: count }, () => []);
    for (const thing of things) {
      const first = Math.max(0, this.bucket(begin(thing)));
      const last = Math.min(count - 1, this.bucket(end(thing) - 1));
      for (let bucket = first; bucket <= last; bucket++) {
        this.buckets[bucket]?.push(thing);
      }
    }
  }

  /** The intervals that contain the cycle, in their original order. */
  at(cycle: number): T[] {
    const there = this.buckets[this.bucket(cycle)] ?? [];
    return there.filter((thing) => this.begin(thing) <= cycle && cycle < this.end(thing));
  }

  private bucket(cycle: number): number {
    return Math.floor((cycle - this.from) / this.width);
  }
}

/** Number of ascending values that are at most `most`. */
export function countUpTo(ascending: readonly number[], most: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) <= most) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
