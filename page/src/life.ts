/** The life of a line or a command, phase by phase. */

import type { Call, Command, Line } from "./records.ts";
import { NEVER } from "./records.ts";
import type { Trace } from "./trace.ts";
import { elementName, ringName } from "./words.ts";

export interface Phase {
  /** Style of the phase in the picture. */
  kind: "queue" | "order" | "retry" | "fetch" | "wait" | "ring" | "link" | "deliver" | "complete" | "system";
  name: string;
  from: number;
  /** `NEVER` if the phase lasts beyond the end of the window. */
  to: number;
}

export function lifeOfLine(line: Line, trace: Trace): Phase[] {
  const first = trace.line(line.onwardOf) ?? line;
  const onward = trace.lines.find(({ onwardOf }) => onwardOf === first.id) ?? null;
  const command = trace.command(first.command);
  const issuedAt = first.rounds[0]?.issuedAt ?? first.readyAt;
  const phases: Phase[] = [];
  // A command that moves many lines stays queued so long that its other phases would be too short to see.
  if (command?.lines.length === 1) {
    phases.push({ kind: "queue", name: "command in the MFC queue", from: command.enqueuedAt, to: issuedAt });
  }
  phases.push(...commandPhase(first));
  const respondedAt = first.rounds.at(-1)?.respondedAt ?? issuedAt;
  phases.push({ kind: "fetch", name: preparing(first), from: respondedAt, to: first.readyAt });
  phases.push(...onRing(first, trace));
  const here = first.arrivedAt;
  if (onward) {
    phases.push({ kind: "link", name: "crosses the link to the other chip", from: here, to: onward.readyAt });
    phases.push(...onRing(onward, trace));
  }
  const arrivedAt = onward?.arrivedAt ?? here;
  phases.push({ kind: "deliver", name: `${goal(first)} receives the line`, from: arrivedAt, to: first.doneAt });
  if (command && command.lines.length === 1) {
    phases.push({ kind: "complete", name: "command completes", from: first.doneAt, to: command.doneAt });
  }
  return begun(phases);
}

function commandPhase({ rounds }: Line): Phase[] {
  return rounds.flatMap((round, nth): Phase[] => {
    const again = rounds[nth + 1];
    const retry: Phase | null = again
      ? { kind: "retry", name: "received Retry: waits to be sent again", from: round.respondedAt, to: again.issuedAt }
      : null;
    return [
      { kind: "order", name: "to the address concentrator", from: round.issuedAt, to: round.orderedAt },
      { kind: "order", name: "ordered; the response returns", from: round.orderedAt, to: round.respondedAt },
      ...(retry ? [retry] : []),
    ];
  });
}

function onRing(line: Line, trace: Trace): Phase[] {
  if (line.from === null) {
    return [];
  }
  const route = `from ${elementName(line.from, trace)} to ${elementName(line.to, trace)}`;
  const ring = line.ring === null ? "on a ring" : `on ring ${ringName(line.ring, trace)}`;
  return [
    {
      kind: "wait",
      name: `waits at the on-ramp of ${elementName(line.from, trace)}`,
      from: line.readyAt,
      to: line.grantedAt,
    },
    { kind: "ring", name: `${ring} ${route}`, from: line.grantedAt, to: line.arrivedAt },
  ];
}

function source(line: Line): string {
  return line.kind === "write" ? line.issuer : (line.target ?? "its source");
}

function preparing(line: Line): string {
  const from = source(line);
  return from === "memory" ? "memory is still reading" : `${from} prepares the data`;
}

function goal(line: Line): string {
  return line.kind === "write" ? (line.target ?? "its destination") : line.issuer;
}

export function lifeOfCommand(command: Command): Phase[] {
  const first = command.firstRequestAt;
  const last = Math.max(...command.lines.map(({ doneAt }) => doneAt), first < NEVER ? first : 0);
  const done = command.lines.length > 0 ? last : command.doneAt;
  return begun([
    { kind: "queue", name: "waits in the MFC queue", from: command.enqueuedAt, to: first },
    { kind: "ring", name: "lines in flight", from: first, to: done },
    { kind: "complete", name: "completes", from: done, to: command.doneAt },
  ]);
}

/** The operating system's part of a system call, and the loads for which it waits. */
export function lifeOfCall(call: Call, trace: Trace): Phase[] {
  const loads = trace.lines
    .filter(({ issuer, kind }) => issuer === call.ppe && kind === "read")
    .map((line) => ({ line, from: line.rounds[0]?.issuedAt ?? NEVER }))
    .filter(({ from }) => call.from <= from && from < call.to);
  const phases: Phase[] = [];
  let at = call.from;
  for (const { line, from } of loads) {
    phases.push({ kind: "system", name: "operating system", from: at, to: from });
    phases.push({ kind: "fetch", name: `load from ${line.target}`, from, to: line.doneAt });
    at = line.doneAt;
  }
  return begun([...phases, { kind: "system", name: "operating system", from: at, to: call.to }]);
}

/** The phases that have begun and last at least one bus cycle. */
function begun(phases: readonly Phase[]): Phase[] {
  return phases.filter(({ from, to }) => from < NEVER && to > from);
}
