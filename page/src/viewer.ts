/** The current view: a trace, a time in it, and the selected line or command. */

import { Signal } from "./signal.ts";
import type { Trace } from "./trace.ts";

export interface Selection {
  line: number | null;
  command: number | null;
}

const NOTHING: Selection = { line: null, command: null };
/** Bus cycles from a grant to the cycle shown first, in which some of the line's beats are on a ring. */
const INTO_LINE = 4;
/** Bus cycles from the cycle shown first to the grant of a selected line, so that it is seen to start. */
const BEFORE_LINE = 10;

export class Viewer {
  trace: Trace | null = null;
  /** Time in bus cycles since the start of the run; fractional during playback. */
  time = 0;
  selection: Selection = NOTHING;
  playing = false;
  /** Whether nobody has done anything since the trace is shown. */
  untouched = true;

  readonly traced = new Signal<Trace>();
  readonly moved = new Signal();
  readonly selected = new Signal();
  readonly played = new Signal();

  get cycle(): number {
    return Math.floor(this.time);
  }

  /** The current bus cycle, counted from the trigger. */
  get at(): number {
    return this.cycle - (this.trace?.triggeredAt ?? 0);
  }

  /** Shows a bus cycle; without one, the start of the selected line, or else a line in the middle of the window. */
  show(trace: Trace, at: number | null, line: number | null): void {
    const starts = (trace.line(line)?.grantedAt ?? Number.POSITIVE_INFINITY) - BEFORE_LINE;
    const middle = trace.middleGrant === null ? trace.from : trace.middleGrant + INTO_LINE;
    const start = at !== null ? trace.triggeredAt + at : Number.isFinite(starts) ? starts : middle;
    this.trace = trace;
    this.time = clamp(start, trace);
    this.selection = { line: trace.line(line) ? line : null, command: null };
    this.untouched = true;
    this.traced.send(trace);
    this.moved.send();
    this.selected.send();
  }

  touch(): void {
    this.untouched = false;
  }

  go(time: number): void {
    if (this.trace) {
      this.untouched = false;
      this.time = clamp(time, this.trace);
      this.moved.send();
    }
  }

  step(cycles: number): void {
    this.play(false);
    this.go(this.cycle + cycles);
  }

  /** Goes to the next grant; false if the window has no further grant. */
  nextGrant(): boolean {
    this.play(false);
    const next = this.trace?.grantAfter(this.cycle) ?? null;
    if (next !== null) {
      this.go(next);
    }
    return next !== null;
  }

  select(selection: Partial<Selection>): void {
    this.untouched = false;
    this.selection = { ...NOTHING, ...selection };
    this.selected.send();
  }

  play(playing: boolean): void {
    if (playing !== this.playing) {
      this.playing = playing;
      if (!playing) {
        this.time = this.cycle;
      }
      this.played.send();
      this.moved.send();
    }
  }
}

function clamp(time: number, { from, to }: Trace): number {
  return Math.min(Math.max(time, from), to - 1);
}
