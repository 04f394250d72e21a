/** The state of the chip at one bus cycle, as the picture shows it. */

import { countUpTo } from "./intervals.ts";
import type { Instruction, Period } from "./positions.ts";
import { speOf } from "./reading.ts";
import { type Access, type Command, type Line, NEVER, type Stall, type Wait } from "./records.ts";
import type { Trace } from "./trace.ts";

/** A line on a ring. `tail` and `head` are the ends of its train of beats, in hops from its on-ramp. */
export interface Band {
  line: Line;
  tail: number;
  head: number;
}

export interface Waiting {
  line: Line;
  /** Why the head of the on-ramp's queue has no grant yet; null for lines behind the head. */
  wait: Wait | null;
}

export interface MemoryChannel {
  channel: number;
  busy: "read" | "write" | null;
  /** Accesses that have begun, and whose data are not yet at the on-ramp. */
  accesses: Access[];
  reads: number | null;
  writes: number | null;
}

/** The state of one element of a chip. */
export interface ElementMoment {
  ramp: number;
  /** Null if the element is not an SPE. */
  spe: SpeMoment | null;
  memory: MemoryChannel[];
  /** Number of incomplete lines that this element has requested. */
  underWay: number;
  /** Number of lines that this memory controller reads: ordered, and not yet ready for a ring. */
  reading: number;
  /** Lines ready at the on-ramp, head of the queue first. */
  waiting: Waiting[];
  sends: Line | null;
  /** The line that arrives or, if there is none, the one that arrived last and is not complete. */
  receives: Line | null;
  /** Beats that have yet to leave for the ring, and beats that have arrived. */
  leaving: number;
  arrived: number;
}

export interface SpeMoment {
  spe: number;
  thread: number | null;
  state: "runs" | "waits" | "none";
  stall: Stall | null;
  commands: Command[];
  proxies: Command[];
  atomic: Command | null;
  /** Where its program of instructions is; null if it has none or its position is not known. */
  instruction: Instruction | null;
}

export interface Moment {
  cycle: number;
  bands: Band[];
  elements: ElementMoment[];
  /** Lines on the link between the chips, by the chip that sent them. */
  crossing: Line[][];
}

/** The ends of a line's train of beats on its ring; `time` may lie between two bus cycles. */
export function beatsAt(line: Line, time: number, { beats, hopCycles }: Trace): { tail: number; head: number } {
  const clamp = (hops: number) => Math.min(Math.max(hops, 0), line.hops);
  const since = time - line.grantedAt;
  return { tail: clamp((since - beats) / hopCycles), head: clamp(since / hopCycles) };
}

export function momentOf(trace: Trace, cycle: number): Moment {
  const transfers = trace.transfersAt(cycle);
  const elements = trace.elements.map((_, ramp) => blank(ramp, trace));
  for (const line of transfers) {
    const [start, end] = [elements[line.from ?? -1], elements[line.to ?? -1]];
    if (start && cycle < line.grantedAt + trace.beats) {
      start.sends = line;
      start.leaving = trace.beats - Math.max(cycle - line.grantedAt, 0);
    }
    if (end && cycle >= line.arrivedAt - trace.beats) {
      end.receives = line;
      end.arrived = cycle - (line.arrivedAt - trace.beats);
    }
  }
  for (const line of trace.deliveredAt(cycle)) {
    const end = elements[line.to ?? -1];
    if (end && !end.receives) {
      [end.receives, end.arrived] = [line, trace.beats];
    }
  }
  addQueues(elements, trace, cycle);
  addSpus(elements, trace, cycle);
  return {
    cycle,
    bands: transfers.map((line) => ({ line, ...beatsAt(line, cycle, trace) })),
    elements,
    crossing: crossingBy(trace, cycle),
  };
}

function blank(ramp: number, trace: Trace): ElementMoment {
  const number = speOf(trace.elements[ramp] ?? "");
  const spe: SpeMoment | null =
    number === null
      ? null
      : {
          spe: number,
          thread: trace.threads.get(number) ?? null,
          state: "none",
          stall: null,
          commands: [],
          proxies: [],
          atomic: null,
          instruction: null,
        };
  return {
    ramp,
    spe,
    memory: [],
    underWay: 0,
    reading: 0,
    waiting: [],
    sends: null,
    receives: null,
    leaving: 0,
    arrived: 0,
  };
}

function addQueues(elements: ElementMoment[], trace: Trace, cycle: number): void {
  const reasons = new Map(trace.waitsAt(cycle).map((wait) => [wait.line, wait]));
  for (const line of trace.readyAt(cycle)) {
    elements[line.from ?? -1]?.waiting.push({ line, wait: reasons.get(line.id) ?? null });
  }
  for (const { waiting } of elements) {
    waiting.sort((one, other) => headsFirst(one) - headsFirst(other) || one.line.readyAt - other.line.readyAt);
  }
  const ramps = new Map(trace.elements.map((name, ramp) => [name, ramp]));
  for (const { issuer, from, rounds, readyAt } of trace.underWayAt(cycle)) {
    const [element, sender] = [elements[ramps.get(issuer) ?? -1], elements[from ?? -1]];
    if (element) {
      element.underWay += 1;
    }
    if (sender && (rounds.at(-1)?.orderedAt ?? NEVER) <= cycle && cycle < readyAt) {
      sender.reading += 1;
    }
  }
  const perChip = trace.memoryChannels / trace.chips;
  elements.forEach((element, ramp) => {
    if (trace.elements[ramp]?.startsWith("MIC")) {
      const chip = Math.floor(ramp / trace.elementsPerChip);
      const channels = Array.from({ length: perChip }, (_, channel) => chip * perChip + channel);
      element.memory = channels.map((channel) => memoryChannel(channel, trace, cycle));
    }
  });
}

function headsFirst({ wait }: Waiting): number {
  return wait ? 0 : 1;
}

function memoryChannel(channel: number, trace: Trace, cycle: number): MemoryChannel {
  const accesses = trace.accessesAt(cycle).filter((access) => access.channel === channel);
  const access = accesses.find(({ to }) => cycle < to);
  const entries = (write: boolean) => {
    const steps = trace.queues.find((steps) => steps.channel === channel && steps.write === write);
    return steps ? (steps.entries[countUpTo(steps.at, cycle) - 1] ?? 0) : null;
  };
  const busy = access ? (access.write ? "write" : "read") : null;
  return { channel, busy, accesses, reads: entries(false), writes: entries(true) };
}

function addSpus(elements: ElementMoment[], trace: Trace, cycle: number): void {
  const spes = new Map(elements.flatMap(({ spe }) => (spe ? [[spe.spe, spe] as const] : [])));
  for (const program of trace.programsAt(cycle)) {
    const spe = spes.get(program.spe);
    if (spe) {
      spe.state = "runs";
      spe.thread = program.thread;
    }
  }
  for (const stall of trace.stallsAt(cycle)) {
    const spe = spes.get(stall.spe);
    if (spe) {
      spe.state = "waits";
      spe.stall = stall;
    }
  }
  for (const spe of trace.positions && cycle < trace.positions.to ? spes.values() : []) {
    spe.instruction = spe.state === "none" ? null : (periodsAt(trace, spe.spe, cycle).at(-1)?.instruction ?? null);
  }
  for (const command of trace.commandsAt(cycle)) {
    const spe = spes.get(command.spe);
    if (command.queue === "spu") {
      spe?.commands.push(command);
    } else if (command.queue === "proxy") {
      spe?.proxies.push(command);
    } else if (spe) {
      spe.atomic = command;
    }
  }
}

/** The periods of an SPE's program in a bus cycle; see `Positions`. */
export function periodsAt({ positions, spuCyclesPerBusCycle }: Trace, spe: number, cycle: number): Period[] {
  return positions?.during(spe, cycle * spuCyclesPerBusCycle, (cycle + 1) * spuCyclesPerBusCycle) ?? [];
}

function crossingBy(trace: Trace, cycle: number): Line[][] {
  const crossing = trace.crossingAt(cycle);
  return Array.from({ length: trace.chips }, (_, chip) =>
    crossing.filter((line) => Math.floor((line.from ?? 0) / trace.elementsPerChip) === chip),
  );
}
