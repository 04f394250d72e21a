/** What a trace is made of. Times are bus cycles since the start of the run; what has not happened is at `NEVER`. */

export const NEVER = Number.POSITIVE_INFINITY;

/** One try of a request in the command phase. */
export interface Round {
  issuedAt: number;
  orderedAt: number;
  respondedAt: number;
  response: string | null;
}

/** A bus request, of a line at most. */
export interface Line {
  id: number;
  issuer: string;
  /** Of its issuer; null if that is no SPE, or one without a thread. */
  thread: number | null;
  unit: string;
  kind: string;
  target: string | null;
  bytes: number;
  command: number | null;
  /** Ramps of its data, counted over all chips; null where no data move. */
  from: number | null;
  to: number | null;
  ring: number | null;
  /** From ramp to ramp, in the direction of its ring. */
  hops: number;
  queuedAt: number;
  crossingAt: number;
  crossedAt: number;
  readyAt: number;
  grantedAt: number;
  arrivedAt: number;
  doneAt: number;
  /** The same line on the other chip's ring. */
  onwardOf: number | null;
  rounds: Round[];
}

/** A command of an MFC. */
export interface Command {
  id: number;
  spe: number;
  thread: number | null;
  queue: string;
  name: string;
  bytes: number;
  tag: number;
  issueSpuCycles: number;
  enqueuedAt: number;
  listFetchAt: number;
  firstRequestAt: number;
  doneAt: number;
  statusSpuCycles: number | null;
  lines: Line[];
}

export interface Program {
  spe: number;
  thread: number;
  from: number;
  to: number;
}

/** An SPU waits at a channel. */
export interface Stall {
  spe: number;
  channel: string;
  from: number;
  to: number;
}

/** A channel of memory is busy. */
export interface Access {
  channel: number;
  write: boolean;
  from: number;
  to: number;
}

/** Why the head of an on-ramp's queue is not on a ring yet. */
export interface Wait {
  line: number;
  from: number;
  to: number;
  reason: string;
  by: number | null;
}

/** How many entries a memory channel's queue has, from each of its changes on. */
export interface QueueSteps {
  channel: number;
  write: boolean;
  at: number[];
  entries: number[];
}
