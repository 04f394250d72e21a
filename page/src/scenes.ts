/** The example scenes of the page: each has an experiment and a description of what to look at. */

import type { Request, Scene } from "./scene.ts";
import { complete } from "./scene.ts";

export interface ListedScene extends Scene {
  title: string;
  key: string;
  text: string;
}

const KB64 = 65536;

function listed(
  key: string,
  title: string,
  text: string,
  machine: string,
  request: Request,
  line: number | null = null,
): ListedScene {
  return { ...complete({ title, machine: { name: machine }, request, line, key }), title, key, text };
}

/** Simultaneous messages of four DMAs each, between pairs of threads. */
function messages(name: string, pairs: readonly (readonly [number, number])[]): Request {
  const phase = pairs.map(([source, destination]) => ({ source, destination, bytes: KB64, repetitions: 1 }));
  return { function: "exchange", pattern: { name, threads: pairs.length * 2, phases: [phase] } };
}

const EIGHT = { spes: 8, size: 16384 };

export const scenes: readonly ListedScene[] = [
  listed(
    "couples",
    "Four couples",
    "Eight threads in four couples. The partners of each couple repeatedly exchange 16 KB.",
    "eval-board",
    { function: "couples", ...EIGHT },
  ),
  listed(
    "one-dma",
    "One DMA",
    "An SPE gets one line of 128 bytes from memory. Step through its stages: the command, the command order, the " +
      "memory access, and eight beats on a ring. Only a small part of the time is spent on the ring.",
    "eval-board",
    { function: "dmaget", spes: 1, size: 128 },
    1,
  ),
  listed(
    "hot-spot",
    "A hot spot",
    "Eight SPEs get from memory at the same time. The rings are nearly empty. Look at the queues of the memory " +
      "controller instead: all SPEs wait for its two channels.",
    "eval-board",
    { function: "hotspot", ...EIGHT, op: "get" },
  ),
  listed(
    "complement",
    "Complement",
    "Threads 0 and 7 put to each other, as do threads 1 and 6, and so on. Every ring carries at least two lines at a " +
      "time, and the bus nearly reaches its peak bandwidth.",
    "eval-board",
    { function: "complement", ...EIGHT, op: "put" },
  ),
  listed(
    "well-placed",
    "Couples placed well",
    "The same four couples on different SPEs. Each ring carries lines of two couples at a time, and their paths do " +
      "not overlap: the bus reaches its peak bandwidth.",
    "eval-board",
    { function: "couples", ...EIGHT, placement: [0, 4, 2, 6, 5, 1, 3, 7] },
  ),
  listed(
    "badly-placed",
    "Couples placed badly",
    "The same couples again, with the partners on opposite sides of the ring. Every line occupies half of a ring, " +
      "and all lines travel clockwise: few lines are in flight at a time, and all others wait.",
    "eval-board",
    { function: "couples", ...EIGHT, placement: [0, 7, 2, 5, 4, 3, 1, 6] },
  ),
  listed(
    "half-way",
    "Opposite sides",
    "Both threads of each pair get from each other, an experiment of Chen et al. (2007). On this machine a line that " +
      "travels half way round always goes clockwise, so two of the four rings stay empty.",
    "eval-board",
    { function: "pairwise", ...EIGHT, op: "get", placement: [0, 7, 1, 6, 2, 5, 3, 4] },
  ),
  listed(
    "three-messages",
    "Three messages",
    "Three messages travel clockwise, two of them round an end of the ring. Their paths do not overlap, so one ring " +
      "carries all three nearly as fast as each alone. Sudheer et al. (2009) measured a slowdown. Move a thread " +
      "until two paths overlap.",
    "eval-board",
    {
      ...messages("three messages", [
        [0, 1],
        [2, 3],
        [4, 5],
      ]),
      placement: [0, 3, 7, 6, 4, 2],
    },
  ),
  listed(
    "shared-counter",
    "A shared counter",
    "Six SPEs add to one word of memory. The rings are nearly empty: the line moves from the cache of one SPE to the " +
      "cache of the next, and all other requests for the line receive Retry.",
    "ps3",
    { function: "fetchadd", spes: 6 },
  ),
  listed(
    "two-chips",
    "Two chips",
    "Each of four couples has one thread on each chip. All lines pass through the I/O interfaces and over the one " +
      "link between the chips.",
    "blade-2100",
    { function: "couples", ...EIGHT, placement: [0, 8, 1, 9, 2, 10, 3, 11] },
  ),
];

/** The scene that an empty URL shows. */
export const FIRST = scenes[0] as ListedScene;
