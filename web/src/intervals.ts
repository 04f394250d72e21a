/** What is on at a bus cycle, of many things that begin and end. */
export class Intervals<T> {
  private readonly buckets: T[][];
  private readonly width: number;

  /** Of things that are on from `begin` to before `end`, those that can be on between `from` and `to`. */
  constructor(
    things: readonly T[],
    private readonly begin: (thing: T) => number,
    private readonly end: (thing: T) => number,
    private readonly from: number,
    to: number,
  ) {
    // Few buckets for what lasts long, enough that one has little more in it than is on.
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

  /** In the order in which they were given. */
  at(cycle: number): T[] {
    const there = this.buckets[this.bucket(cycle)] ?? [];
    return there.filter((thing) => this.begin(thing) <= cycle && cycle < this.end(thing));
  }

  private bucket(cycle: number): number {
    return Math.floor((cycle - this.from) / this.width);
  }
}

/** How many of these ascending numbers are at most this one. */
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
