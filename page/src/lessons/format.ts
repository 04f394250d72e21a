/** The lessons in the page, as their files have them. docs/guide/lessons.md explains the format. */

/** A bus cycle, or the quantity that is one. */
export type Time = number | string;
/** A value, or the two ends of a range. */
export type Expected = number | string | readonly [number, number];

/** What a step, or the answer to its question, shows. */
export interface View {
  scene?: string;
  at?: Time;
  /** The view plays from `at` to here, at `speed` bus cycles per second. */
  until?: Time;
  speed?: number;
  highlight?: readonly string[];
  /** Whether the picture shows only what is highlighted. */
  zoom?: boolean;
  /** Threads that belong together. */
  pairs?: readonly (readonly [number, number])[];
}

export interface Question {
  ask: string;
  choices: readonly { text: string; is: Expected }[];
  /** The quantity that decides which choice is right. */
  answer: string;
  because: string;
  /** What the page shows after a choice; the answer is the quantity's value there. */
  then?: View;
}

/** What the reader moves, and the quantities that change with it. */
export interface Try {
  ask: string;
  /** A parameter of the run, `value.KEY` of its machine, or `placement`: then the reader drags threads. */
  change: string;
  label?: string;
  /** The positions of the slider; none for placements. */
  values?: readonly (number | string)[];
  shows: readonly string[];
  because: string;
}

/** Where a reader may go on: a link if the page is on a site, and a command. */
export interface Further {
  text: string;
  link?: string;
  command?: string;
}

export interface Step extends View {
  title: string;
  text: string;
  at: Time;
  claims?: Readonly<Record<string, Expected>>;
  question?: Question;
  /** The best known placement, which a reader's placement is compared with. */
  puzzle?: { best: readonly number[] };
  try?: Try;
  further?: readonly Further[];
}

export interface Lesson {
  key: string;
  title: string;
  about: string;
  scene: string;
  steps: readonly Step[];
}
