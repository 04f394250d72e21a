/** Reads lines, commands and memory queues from the tables of a trace. */

import type { Command, Line, QueueSteps, Round } from "./records.ts";
import { NEVER } from "./records.ts";
import type { Table } from "./table.ts";

type ThreadOf = (issuer: string) => number | null;

/** The number in an SPE's name such as `SPE3`; null for other names. */
export function speOf(name: string): number | null {
  const found = /^SPE(\d+)$/.exec(name);
  return found ? Number(found[1]) : null;
}

interface Rings {
  rings: readonly string[];
  chips: number;
  elements: readonly string[];
}

/** Hops from ramp to ramp in the direction of a ring. */
function hops(from: number, to: number, ring: number, { rings, chips, elements }: Rings): number {
  const count = elements.length / chips;
  const forwards = rings[ring] === "clockwise" ? to - from : from - to;
  return ((forwards % count) + count) % count;
}

export function readLines(table: Table, rounds: Table, rings: Rings, thread: ThreadOf): Line[] {
  const number = (name: string) => table.numbers(name, null);
  const time = (name: string) => table.numbers(name, NEVER);
  const [issuer, unit, kind, target] = ["issuer", "unit", "kind", "target"].map((name) => table.texts(name));
  const [bytes, command, from, to] = ["bytes", "command", "from", "to"].map(number);
  const [ring, onwardOf] = ["ring", "onward_of"].map(number);
  const [queuedAt, crossingAt, crossedAt] = ["queued_at", "crossing_at", "crossed_at"].map(time);
  const [readyAt, grantedAt, arrivedAt, doneAt] = ["ready_at", "granted_at", "arrived_at", "done_at"].map(time);
  const roundsOf = rounds.length > 0 ? roundsByColumns(rounds) : roundsByRows(table);
  return table.rows((row) => {
    const [start, end, track] = [from?.[row] ?? null, to?.[row] ?? null, ring?.[row] ?? null];
    return {
      id: row + 1,
      issuer: issuer?.[row] ?? "",
      thread: thread(issuer?.[row] ?? ""),
      unit: unit?.[row] ?? "",
      kind: kind?.[row] ?? "",
      target: target?.[row] ?? null,
      bytes: bytes?.[row] ?? 0,
      command: command?.[row] ?? null,
      from: start,
      to: end,
      ring: track,
      hops: start === null || end === null || track === null ? 0 : hops(start, end, track, rings),
      queuedAt: queuedAt?.[row] ?? NEVER,
      crossingAt: crossingAt?.[row] ?? NEVER,
      crossedAt: crossedAt?.[row] ?? NEVER,
      readyAt: readyAt?.[row] ?? NEVER,
      grantedAt: grantedAt?.[row] ?? NEVER,
      arrivedAt: arrivedAt?.[row] ?? NEVER,
      doneAt: doneAt?.[row] ?? NEVER,
      onwardOf: onwardOf?.[row] ?? null,
      rounds: roundsOf.get(row + 1) ?? [],
    };
  });
}

function roundsByColumns(table: Table): Map<number, Round[]> {
  const found = new Map<number, Round[]>();
  const request = table.numbers("request", 0);
  const issuedAt = table.numbers("issued_at", NEVER);
  const orderedAt = table.numbers("ordered_at", NEVER);
  const respondedAt = table.numbers("responded_at", NEVER);
  const response = table.texts("response");
  for (let row = 0; row < table.length; row++) {
    const line = request[row] as number;
    const round = {
      issuedAt: issuedAt[row] as number,
      orderedAt: orderedAt[row] as number,
      respondedAt: respondedAt[row] as number,
      response: response[row] ?? null,
    };
    const before = found.get(line);
    if (before) {
      before.push(round);
    } else {
      found.set(line, [round]);
    }
  }
  return found;
}

interface RowRound {
  issued_at: number | null;
  ordered_at: number | null;
  responded_at: number | null;
  response: string | null;
}

function roundsByRows(requests: Table): Map<number, Round[]> {
  const read = (round: RowRound): Round => ({
    issuedAt: round.issued_at ?? NEVER,
    orderedAt: round.ordered_at ?? NEVER,
    respondedAt: round.responded_at ?? NEVER,
    response: round.response,
  });
  const cells = requests.cells("rounds") as (RowRound[] | undefined)[];
  return new Map(cells.map((rounds, row) => [row + 1, (rounds ?? []).map(read)]));
}

export function readCommands(table: Table, lines: readonly Line[], thread: ThreadOf): Command[] {
  const [spe, bytes, tag] = ["spe", "size_bytes", "tag"].map((name) => table.numbers(name, 0));
  const [queue, name] = [table.texts("queue"), table.texts("name")];
  const [issue, status] = [table.numbers("issue_spu_cycles", 0), table.numbers("status_spu_cycles", null)];
  const times = ["enqueued_at", "list_fetch_at", "first_request_at", "done_at"];
  const [enqueuedAt, listFetchAt, firstRequestAt, doneAt] = times.map((time) => table.numbers(time, NEVER));
  const commands = table.rows((row) => ({
    id: row + 1,
    spe: spe?.[row] ?? 0,
    thread: thread(`SPE${spe?.[row]}`),
    queue: queue[row] ?? "",
    name: name[row] ?? "",
    bytes: bytes?.[row] ?? 0,
    tag: tag?.[row] ?? 0,
    issueSpuCycles: issue[row] ?? 0,
    enqueuedAt: enqueuedAt?.[row] ?? NEVER,
    listFetchAt: listFetchAt?.[row] ?? NEVER,
    firstRequestAt: firstRequestAt?.[row] ?? NEVER,
    doneAt: doneAt?.[row] ?? NEVER,
    statusSpuCycles: status[row] ?? null,
    lines: [] as Line[],
  }));
  for (const line of lines) {
    if (line.command !== null && line.onwardOf === null) {
      commands[line.command - 1]?.lines.push(line);
    }
  }
  return commands;
}

export function readQueues(table: Table): QueueSteps[] {
  const found = new Map<string, QueueSteps>();
  const [channel, at, entries] = ["channel", "at", "entries"].map((name) => table.numbers(name, 0));
  const write = table.switches("write");
  for (let row = 0; row < table.length; row++) {
    const key = `${channel?.[row]} ${write[row]}`;
    const steps = found.get(key) ?? { channel: channel?.[row] ?? 0, write: Boolean(write[row]), at: [], entries: [] };
    steps.at.push(at?.[row] ?? 0);
    steps.entries.push(entries?.[row] ?? 0);
    found.set(key, steps);
  }
  return [...found.values()];
}
