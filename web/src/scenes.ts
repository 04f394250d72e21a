/** The scenes of the page: each an experiment, and what to look at in it. */

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
  at: number,
  line: number | null = null,
): ListedScene {
  return { ...complete({ title, machine: { name: machine }, request, at, line, key }), title, key, text };
}

/** Messages of four DMAs each between pairs of threads, all at the same time. */
function messages(name: string, pairs: readonly (readonly [number, number])[]): Request {
  const phase = pairs.map(([source, destination]) => ({ source, destination, bytes: KB64, repetitions: 1 }));
  return { function: "exchange", pattern: { name, threads: pairs.length * 2, phases: [phase] } };
}

const EIGHT = { spes: 8, size: 16384 };

export const scenes: readonly ListedScene[] = [
  listed(
    "couples",
    "Four couples",
    "Eight threads, two and two a couple, exchange 16 KB again and again. Drag a thread to another SPE, and see what " +
      "that does to the bandwidth.",
    "eval-board",
    { function: "couples", ...EIGHT },
    1500,
  ),
  listed(
    "one-dma",
    "One DMA",
    "An SPE gets one line of 128 bytes from memory. Step through it: the command, the order, the memory, eight beats " +
      "on a ring. Most of its time is not spent on the ring.",
    "eval-board",
    { function: "dmaget", spes: 1, size: 128 },
    193,
    1,
  ),
  listed(
    "hot-spot",
    "A hot spot",
    "Eight SPEs get from memory at the same time. The rings are nearly empty: look at the queues of the memory " +
      "controller. All SPEs wait for its two channels.",
    "eval-board",
    { function: "hotspot", ...EIGHT, op: "get" },
    2000,
  ),
  listed(
    "complement",
    "Complement",
    "Thread 0 puts to thread 7 and thread 7 to thread 0, 1 to 6, and so on. Every ring carries two lines and more at a " +
      "time, and the bus has nearly all of its peak.",
    "eval-board",
    { function: "complement", ...EIGHT, op: "put" },
    1500,
  ),
  listed(
    "well-placed",
    "Couples placed well",
    "The same four couples on other SPEs. Each ring carries lines of two of them at a time, and their ways do not " +
      "overlap: the bus has all of its peak.",
    "eval-board",
    { function: "couples", ...EIGHT, placement: [0, 4, 2, 6, 5, 1, 3, 7] },
    1500,
  ),
  listed(
    "badly-placed",
    "Couples placed badly",
    "The same couples again, each half way round apart. Every line takes half of a ring, and all of them go clockwise: " +
      "few are on their way at a time, and all others wait.",
    "eval-board",
    { function: "couples", ...EIGHT, placement: [0, 7, 2, 5, 4, 3, 1, 6] },
    1500,
  ),
  listed(
    "half-way",
    "Half way round",
    "The same pairs, in which both get from each other: an experiment of Chen et al. (2007). Half way round goes " +
      "clockwise only on this machine, so two of the four rings stay empty.",
    "eval-board",
    { function: "pairwise", ...EIGHT, op: "get", placement: [0, 7, 1, 6, 2, 5, 3, 4] },
    1500,
  ),
  listed(
    "three-messages",
    "Three messages",
    "Three messages go clockwise, two of them over an end of the ring. Their ways do not overlap, so one ring carries all " +
      "three, nearly as fast as each alone; Sudheer et al. (2009) saw them slowed down. Move a thread until ways overlap.",
    "eval-board",
    {
      ...messages("three messages", [
        [0, 1],
        [2, 3],
        [4, 5],
      ]),
      placement: [0, 3, 7, 6, 4, 2],
    },
    400,
  ),
  listed(
    "shared-counter",
    "A shared counter",
    "Six SPEs add to one word of memory. Hardly anything is on the rings: the line wanders from one SPE’s cache to the " +
      "next, and whoever asks meanwhile is answered Retry.",
    "ps3",
    { function: "fetchadd", spes: 6 },
    600,
  ),
  listed(
    "two-chips",
    "Two chips",
    "Four couples, each with one thread on either chip. All their lines go through the interfaces and over the one " +
      "link between the chips.",
    "blade-2100",
    { function: "couples", ...EIGHT, placement: [0, 8, 1, 9, 2, 10, 3, 11] },
    2500,
  ),
];

/** What an empty URL shows. */
export const FIRST = scenes[0] as ListedScene;
