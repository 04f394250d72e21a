/** Text that the page shows: names, reasons and quantities. */

import { speOf } from "./reading.ts";
import type { Command, Line } from "./records.ts";
import type { Trace } from "./trace.ts";

/** What an SPU waits for at each channel: a short label and a full sentence. */
const CHANNELS: Record<string, [string, string]> = {
  MFC_RdTagStat: [
    "tag status",
    "The SPU reads its tag status and waits until the DMAs of that tag group are complete.",
  ],
  MFC_Cmd: ["queue room", "The MFC queue is full: the next command waits until another one leaves the queue."],
  MFC_RdAtomicStat: ["atomic unit", "The SPU waits for the status of an atomic command."],
  MFC_RdListStallStat: ["list stall", "The SPU waits for a DMA list to stop at a stall-and-notify element."],
  MFC_WrTagUpdate: ["tag update", "The SPU waits to request another update of its tag status."],
  SPU_RdInMbox: ["mail", "The inbound mailbox is empty: the SPU waits for a message."],
  SPU_WrOutMbox: ["mailbox room", "The outbound mailbox is full: the SPU waits until a processor reads it."],
  SPU_WrOutIntrMbox: ["mailbox room", "The outbound interrupt mailbox is full: the SPU waits until the PPE reads it."],
  SPU_RdSigNotify1: ["a signal", "The SPU waits for a signal."],
  SPU_RdSigNotify2: ["a signal", "The SPU waits for a signal."],
  SPU_RdEventStat: ["an event", "The SPU waits for an event."],
};

export function waitsFor(channel: string): string {
  return CHANNELS[channel]?.[0] ?? channel;
}

/** What each state of a waiting SPU means. */
export const WAITS = Object.values(CHANNELS).map(([short, sentence]) => ({
  name: `waits for ${short}`,
  means: sentence,
}));

export function waitsSentence(channel: string): string {
  return `${CHANNELS[channel]?.[1] ?? "The SPU waits."} (channel ${channel})`;
}

/** Why an SPU issues no instruction. */
const CAUSES: Record<string, string> = {
  dependency: "an operand is not ready",
  double: "a double-precision instruction blocks both pipelines",
  branch: "the branch was taken without a hint",
  misled: "the branch did not go where its hint said",
  hint: "the branch waits until its hint takes effect",
  fetch: "the code is not fetched yet",
  drain: "all earlier results must be ready",
  channel: "the channel instruction is in progress",
  port: "DMA has the port of the local store",
  stop: "the PPE handles the stop",
};

export function causeSentence(cause: string): string {
  return CAUSES[cause] ?? cause;
}

/** Why a line waits at its on-ramp. `%by` stands for the blocking line, `%to` for the receiving element. */
const REASONS: Record<string, string> = {
  "on-ramp": "the previous line is still leaving the on-ramp",
  "off-ramp": "the off-ramp of %to is still receiving another line",
  "start gap": "the rings of this direction have just started another line",
  "way taken": "part of its path is in use",
  turn: "%by has the next turn at the off-ramp of %to",
  older: "%by has waited longer, and the two paths overlap",
  arbiter: "the arbiter is starting another line in this bus cycle",
};

/** Reason of lines that are not at the head of their on-ramp's queue. */
export const BEHIND = "the line is not at the head of its on-ramp’s queue";

export function reasonSentence(reason: string, line: Line, by: Line | null, trace: Trace): string {
  const other = by ? `the line of ${sender(by, trace)}` : "another line";
  const sentence = REASONS[reason] ?? reason;
  return sentence.replace("%by", other).replace("%to", elementName(line.to, trace));
}

export function elementName(ramp: number | null, trace: Trace): string {
  const name = trace.elements[ramp ?? -1] ?? "nowhere";
  // On a second chip, elements other than SPEs may have the same names as elements on the first chip.
  const chip = Math.floor((ramp ?? 0) / trace.elementsPerChip);
  return chip === 0 || speOf(name) !== null || name.includes("/") ? name : `${name}/${chip}`;
}

/** The element that sends a line's data. */
export function sender(line: Line, trace: Trace): string {
  return elementName(line.from, trace);
}

/** The thread that a line or command belongs to, or its issuer if it has no thread. */
export function owner(line: Line | Command): string {
  if (line.thread !== null) {
    return `thread ${line.thread}`;
  }
  return "issuer" in line ? line.issuer : `SPE${line.spe}`;
}

/** The label of a line's owner on its band. */
export function mark(line: Line): string {
  return line.thread !== null ? String(line.thread) : line.issuer === "PPE" ? "P" : line.issuer.replace("SPE", "S");
}

export function ringName(ring: number, trace: Trace): string {
  const chip = Math.floor(ring / trace.ringsPerChip);
  return chip === 0 ? String(ring) : `${ring % trace.ringsPerChip}/${chip}`;
}

export function size(bytes: number): string {
  return bytes >= 1024 && bytes % 1024 === 0 ? `${bytes / 1024} KB` : `${bytes} B`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** A number with three significant digits, as in the command's output. */
export function figure(value: number): string {
  if (value === 0 || !Number.isFinite(value)) {
    return String(value);
  }
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 6));
}

export function time(nanoseconds: number): string {
  if (Math.abs(nanoseconds) < 1000) {
    return `${figure(nanoseconds)} ns`;
  }
  return Math.abs(nanoseconds) < 1e6 ? `${figure(nanoseconds / 1e3)} µs` : `${figure(nanoseconds / 1e6)} ms`;
}
