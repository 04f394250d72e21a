/** The records of a trace. Times are bus cycles since the start of the run; future events are at `NEVER`. */

export const NEVER = Number.POSITIVE_INFINITY;

/** One attempt of a request in the command phase. */
export interface Round {
  issuedAt: number;
  orderedAt: number;
  respondedAt: number;
  response: string | null;
}

/** A round of a line's command phase, with the wait until the next round if its response is Retry. */
export interface Attempt {
  line: Line;
  round: Round;
  /** When the command is sent again; `respondedAt` if it is not. */
  again: number;
}

/** A bus request for at most one line. */
export interface Line {
  id: number;
  issuer: string;
  /** The issuer's thread; null if the issuer is not an SPE with a thread. */
  thread: number | null;
  unit: string;
  kind: string;
  target: string | null;
  bytes: number;
  command: number | null;
  /** Ramps that send and receive the data, numbered over all chips; null if no data move. */
  from: number | null;
  to: number | null;
  ring: number | null;
  /** Hops from ramp to ramp in the direction of the ring. */
  hops: number;
  queuedAt: number;
  crossingAt: number;
  crossedAt: number;
  readyAt: number;
  grantedAt: number;
  arrivedAt: number;
  doneAt: number;
  /** The request that carried this line on the first chip; null unless the line crossed the link. */
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

/** A period in which an SPU waits at a channel. */
export interface Stall {
  spe: number;
  channel: string;
  from: number;
  to: number;
}

/** A system call of a PPE's program. */
export interface Call {
  /** The PPE's name. */
  ppe: string;
  name: string;
  from: number;
  to: number;
}

/** An access of a memory channel, which is busy from `from` to `to`. */
export interface Access {
  channel: number;
  write: boolean;
  from: number;
  to: number;
  /** When the data of a read reach the on-ramp. */
  dataAt: number;
}

/** A period in which the head of an on-ramp's queue waits for a ring, and the reason. */
export interface Wait {
  line: number;
  from: number;
  to: number;
  reason: string;
  by: number | null;
}

/** The length of a memory channel's queue as a step function: `entries[n]` applies from bus cycle `at[n]`. */
export interface QueueSteps {
  channel: number;
  write: boolean;
  at: number[];
  entries: number[];
}
