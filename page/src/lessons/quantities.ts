/**
 * Quantities of a run, by names such as `line 1 granted_at` or `SPE3 commands`: a subject and one word; `+ 4` or `- 4`
 * may follow. The Python package evaluates the same names (python/cellstats/lessons/quantities.py), and a test compares
 * both.
 */

import type { Result } from "../answers.ts";
import { bandwidthOf } from "../bandwidth.ts";
import { type Moment, momentOf } from "../moment.ts";
import type { Command, Line } from "../records.ts";
import { NEVER } from "../records.ts";
import type { Trace } from "../trace.ts";
import { figure, time, waitsFor } from "../words.ts";
import type { Expected } from "./format.ts";

export type Value = number | string | null;

const NAME = /^(\S+)( \d+)? (\w+)(?: ([+-]) (\d+))?$/;

/** The value of a quantity at a bus cycle, counted from the trigger; null if there is none, or none yet. */
export function quantityOf(name: string, trace: Trace, cycle: number, result: Result | null): Value {
  const [, subject = "", number, word = "", sign, amount] = NAME.exec(name) ?? [];
  const nth = Number(number ?? 0);
  const moment = () => momentOf(trace, trace.triggeredAt + cycle);
  const value = read(subject, nth, word, trace, moment, result);
  return typeof value === "number" ? value + Number(amount ?? 0) * (sign === "-" ? -1 : 1) : value;
}

function read(
  subject: string,
  nth: number,
  word: string,
  trace: Trace,
  moment: () => Moment,
  result: Result | null,
): Value {
  switch (subject) {
    case "line":
      return ofLine(trace.line(nth), word, trace, moment());
    case "command":
      return ofCommand(trace.command(nth), word, trace);
    case "ring":
      return moment().bands.filter(({ line }) => line.ring === nth).length;
    case "rings":
      return moment().bands.length;
    case "link":
      return moment().crossing.flat().length;
    case "window":
      return ofWindow(word, trace);
    case "run":
      return result && (word === "latency_ns" ? result.latency_ns : result.bandwidth_gb_s);
    default:
      return ofElement(trace.elements.indexOf(subject), word, moment());
  }
}

function since(time: number | undefined, trace: Trace): Value {
  return time === undefined || time === NEVER ? null : time - trace.triggeredAt;
}

function ofLine(line: Line | null, word: string, trace: Trace, moment: Moment): Value {
  if (!line) {
    return null;
  }
  const values: Record<string, () => Value> = {
    issued_at: () => since(line.rounds[0]?.issuedAt, trace),
    ordered_at: () => since(line.rounds.at(-1)?.orderedAt, trace),
    responded_at: () => since(line.rounds.at(-1)?.respondedAt, trace),
    ready_at: () => since(line.readyAt, trace),
    granted_at: () => since(line.grantedAt, trace),
    arrived_at: () => since(line.arrivedAt, trace),
    done_at: () => since(line.doneAt, trace),
    ring: () => line.ring,
    hops: () => (line.ring === null ? null : line.hops),
    from: () => trace.elements[line.from ?? -1] ?? null,
    to: () => trace.elements[line.to ?? -1] ?? null,
    waited: () => (line.grantedAt === NEVER ? null : line.grantedAt - line.readyAt),
    on_ring: () => (line.arrivedAt === NEVER ? null : line.arrivedAt - line.grantedAt),
    retries: () => line.rounds.length - 1,
    reason: () => trace.waitsAt(moment.cycle).find((wait) => wait.line === line.id)?.reason ?? null,
  };
  return values[word]?.() ?? null;
}

function ofCommand(command: Command | null, word: string, trace: Trace): Value {
  const times = { enqueued_at: command?.enqueuedAt, first_request_at: command?.firstRequestAt };
  return since(word === "done_at" ? command?.doneAt : times[word as keyof typeof times], trace);
}

function ofWindow(word: string, trace: Trace): Value {
  switch (word) {
    case "grants":
      return trace.lines.filter(({ grantedAt }) => grantedAt >= trace.from && grantedAt < trace.to).length;
    case "retries":
      return trace.lines.flatMap(({ rounds }) => rounds).filter(({ response }) => response === "retry").length;
    default:
      return bandwidthOf(trace, 1).mean;
  }
}

function ofElement(ramp: number, word: string, moment: Moment): Value {
  const element = moment.elements[ramp];
  const sum = (of: "reads" | "writes") => element?.memory.reduce((all, channel) => all + (channel[of] ?? 0), 0) ?? null;
  const values: Record<string, () => Value> = {
    commands: () => element?.spe?.commands.length ?? null,
    in_flight: () => element?.underWay ?? null,
    waiting: () => element?.waiting.length ?? null,
    state: () => element?.spe?.state ?? null,
    channel: () => element?.spe?.stall?.channel ?? null,
    reads: () => sum("reads"),
    writes: () => sum("writes"),
  };
  return values[word]?.() ?? null;
}

/** Whether a value is the expected one, or within the expected range. */
export function agrees(value: Value, expected: Expected): boolean {
  if (typeof expected === "object") {
    return typeof value === "number" && expected[0] <= value && value <= expected[1];
  }
  return value === expected;
}

/** A value as text, with its unit. */
export function valueInWords(name: string, value: Value): string {
  if (value === null) {
    return "…";
  }
  if (name.endsWith("channel")) {
    return `${waitsFor(String(value))} (${value})`;
  }
  const text =
    typeof value === "number" ? (Number.isInteger(value) ? value.toLocaleString("en") : figure(value)) : value;
  return name.includes("gb_s") ? `${text} GB/s` : name.endsWith("_ns") ? time(Number(value)) : text;
}
