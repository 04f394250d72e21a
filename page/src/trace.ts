/** A window of a run: its tables, and the records that are active at each bus cycle. */

import { countUpTo, Intervals } from "./intervals.ts";
import { Positions } from "./positions.ts";
import { readCommands, readLines, readQueues, speOf } from "./reading.ts";
import type { Access, Attempt, Call, Command, Line, Program, QueueSteps, Stall, Wait } from "./records.ts";
import { NEVER } from "./records.ts";
import { Table } from "./table.ts";

/** A trace from the simulator or from `Trace.data`, in columns or rows. */
export type RawTrace = Record<string, unknown>;

export class Trace {
  readonly machine: string;
  readonly busHz: number;
  readonly triggeredAt: number;
  readonly from: number;
  readonly to: number;
  readonly beats: number;
  readonly hopCycles: number;
  readonly spuCyclesPerBusCycle: number;
  readonly chips: number;
  readonly memoryChannels: number;
  readonly elements: string[];
  /** The direction of each ring, chip by chip. */
  readonly rings: string[];
  /** The thread of each SPE that has one. */
  readonly threads: Map<number, number>;
  readonly lines: Line[];
  readonly commands: Command[];
  readonly queues: QueueSteps[];
  /** Whether the trace records why lines wait; older traces do not. */
  readonly saysWhy: boolean;
  /** Where the programs are; null if no SPE runs a program of instructions. */
  readonly positions: Positions | null;

  private readonly transfers: Intervals<Line>;
  private readonly delivered: Intervals<Line>;
  private readonly ready: Intervals<Line>;
  private readonly underWay: Intervals<Line>;
  private readonly crossing: Intervals<Line>;
  private readonly queued: Intervals<Command>;
  private readonly stalls: Intervals<Stall>;
  private readonly programs: Intervals<Program>;
  private readonly calls: Intervals<Call>;
  private readonly accesses: Intervals<Access>;
  private readonly waits: Intervals<Wait>;
  private readonly attempts: Intervals<Attempt>;
  private readonly grants: number[];

  /** placement: the SPE of each thread, if known. It adds the threads that a trace omits: those that have ended. */
  constructor(raw: RawTrace, placement: readonly number[] | null) {
    const words = (raw.words as string[] | undefined) ?? [];
    const table = (name: string) => new Table(raw[name], words);
    this.machine = String(raw.machine);
    this.busHz = Number(raw.bus_hz);
    this.triggeredAt = Number(raw.triggered_at);
    this.from = Number(raw.from);
    this.to = Number(raw.to);
    this.beats = Number(raw.beats);
    this.hopCycles = Number(raw.hop_bus_cycles ?? 1);
    this.spuCyclesPerBusCycle = Number(raw.spu_cycles_per_bus_cycle ?? 2);
    this.chips = Number(raw.chips);
    this.memoryChannels = Number(raw.memory_channels);
    this.elements = raw.elements as string[];
    this.rings = raw.rings as string[];
    this.saysWhy = raw.waits !== undefined;
    this.positions = raw.positions === undefined ? null : new Positions(raw.positions);

    const programs = readPrograms(table("programs"));
    this.threads = new Map(programs.map(({ spe, thread }) => [spe, thread]));
    placement?.forEach((spe, thread) => {
      this.threads.set(spe, thread);
    });
    const thread = (issuer: string) => this.threads.get(speOf(issuer) ?? -1) ?? null;
    this.lines = readLines(table("requests"), table("rounds"), this, thread);
    this.commands = readCommands(table("commands"), this.lines, thread);
    this.queues = readQueues(table("memory_queues"));

    const between = <T>(things: T[], begin: (thing: T) => number, end: (thing: T) => number) =>
      new Intervals(things, begin, end, this.from, this.to);
    const span = <T extends { from: number; to: number }>(things: T[]) =>
      between(
        things,
        (thing) => thing.from,
        (thing) => thing.to,
      );
    const onRings = this.lines.filter((line) => line.from !== null);
    const granted = onRings.filter((line) => line.grantedAt < NEVER);
    this.transfers = between(
      granted,
      (line) => line.grantedAt,
      (line) => line.arrivedAt,
    );
    this.delivered = between(
      granted,
      (line) => line.arrivedAt,
      (line) => line.doneAt,
    );
    this.ready = between(
      onRings,
      (line) => line.readyAt,
      (line) => line.grantedAt,
    );
    this.underWay = between(
      this.lines.filter((line) => line.rounds.length > 0),
      (line) => line.rounds[0]?.issuedAt ?? NEVER,
      (line) => line.doneAt,
    );
    this.crossing = between(
      this.lines.filter((line) => line.crossingAt < NEVER),
      (line) => line.crossingAt,
      (line) => line.crossedAt,
    );
    this.queued = between(
      this.commands,
      (command) => command.enqueuedAt,
      (command) => command.doneAt,
    );
    this.programs = span(programs);
    this.stalls = span(readStalls(table("stalls")));
    this.calls = span(readCalls(table("calls")));
    this.accesses = between(
      readAccesses(table("accesses")),
      (access) => access.from,
      (access) => Math.max(access.to, access.dataAt),
    );
    this.attempts = between(
      this.lines.flatMap(attemptsOf),
      ({ round }) => round.issuedAt,
      ({ again }) => again,
    );
    this.waits = span(readWaits(table("waits")));
    this.grants = granted.map((line) => line.grantedAt).sort((one, other) => one - other);
  }

  get ringsPerChip(): number {
    return this.rings.length / this.chips;
  }

  get elementsPerChip(): number {
    return this.elements.length / this.chips;
  }

  transfersAt = (cycle: number): Line[] => this.transfers.at(cycle);
  /** The lines that have arrived, and whose requests are not yet complete. */
  deliveredAt = (cycle: number): Line[] => this.delivered.at(cycle);
  readyAt = (cycle: number): Line[] => this.ready.at(cycle);
  underWayAt = (cycle: number): Line[] => this.underWay.at(cycle);
  crossingAt = (cycle: number): Line[] => this.crossing.at(cycle);
  commandsAt = (cycle: number): Command[] => this.queued.at(cycle);
  stallsAt = (cycle: number): Stall[] => this.stalls.at(cycle);
  programsAt = (cycle: number): Program[] => this.programs.at(cycle);
  callsAt = (cycle: number): Call[] => this.calls.at(cycle);
  accessesAt = (cycle: number): Access[] => this.accesses.at(cycle);
  /** The commands on their way to the address concentrator and back, or waiting to be sent again. */
  attemptsAt = (cycle: number): Attempt[] => this.attempts.at(cycle);
  waitsAt = (cycle: number): Wait[] => this.waits.at(cycle);

  line(id: number | null): Line | null {
    return (id !== null && this.lines[id - 1]) || null;
  }

  command(id: number | null): Command | null {
    return (id !== null && this.commands[id - 1]) || null;
  }

  /** The bus cycle of the next grant after this one; null if the window has none. */
  grantAfter(cycle: number): number | null {
    return this.grants[countUpTo(this.grants, cycle)] ?? null;
  }

  /** The bus cycle of the first grant after the middle of the window, or of the last one before; null if none. */
  get middleGrant(): number | null {
    return this.grantAfter((this.from + this.to) / 2) ?? this.grants.at(-1) ?? null;
  }

  nanoseconds(cycles: number): number {
    return (cycles / this.busHz) * 1e9;
  }
}

function attemptsOf(line: Line): Attempt[] {
  return line.rounds.map((round, nth) => ({ line, round, again: line.rounds[nth + 1]?.issuedAt ?? round.respondedAt }));
}

function readPrograms(table: Table): Program[] {
  const [spe, thread] = [table.numbers("spe", -1), table.numbers("thread", -1)];
  const [from, to] = [table.numbers("started_at", NEVER), table.numbers("stopped_at", NEVER)];
  return table.rows((row) => ({
    spe: spe[row] as number,
    thread: thread[row] as number,
    from: from[row] as number,
    to: to[row] as number,
  }));
}

function readStalls(table: Table): Stall[] {
  const [spe, channel] = [table.numbers("spe", -1), table.texts("channel")];
  const [from, to] = [table.numbers("from", NEVER), table.numbers("to", NEVER)];
  return table.rows((row) => ({
    spe: spe[row] as number,
    channel: channel[row] ?? "",
    from: from[row] as number,
    to: to[row] as number,
  }));
}

function readCalls(table: Table): Call[] {
  const [ppe, name] = [table.texts("ppe"), table.texts("name")];
  const [from, to] = [table.numbers("from", NEVER), table.numbers("to", NEVER)];
  return table.rows((row) => ({
    ppe: ppe[row] ?? "",
    name: name[row] ?? "",
    from: from[row] as number,
    to: to[row] as number,
  }));
}

function readAccesses(table: Table): Access[] {
  const [channel, write] = [table.numbers("channel", -1), table.switches("write")];
  const dataAt = table.numbers("data_at", 0);
  const [from, to] = [table.numbers("from", NEVER), table.numbers("to", NEVER)];
  return table.rows((row) => ({
    channel: channel[row] as number,
    write: write[row] as boolean,
    from: from[row] as number,
    to: to[row] as number,
    dataAt: dataAt[row] as number,
  }));
}

function readWaits(table: Table): Wait[] {
  const [line, reason, by] = [table.numbers("request", -1), table.texts("reason"), table.numbers("by", null)];
  const [from, to] = [table.numbers("from", NEVER), table.numbers("to", NEVER)];
  return table.rows((row) => ({
    line: line[row] as number,
    from: from[row] as number,
    to: to[row] as number,
    reason: reason[row] ?? "",
    by: by[row] ?? null,
  }));
}
