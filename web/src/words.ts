/** What is read on the page: names, reasons and quantities in words. */

import { speOf } from "./reading.ts";
import type { Command, Line } from "./records.ts";
import type { Trace } from "./trace.ts";

/** What an SPU waits for at a channel: in a word or two, and in a sentence. */
const CHANNELS: Record<string, [string, string]> = {
  MFC_RdTagStat: ["tag status", "It reads its tag status, and waits until the DMAs of that tag group are complete."],
  MFC_Cmd: ["queue room", "Its MFC queue is full: the next command has to wait until one has left it."],
  MFC_RdAtomicStat: ["atomic unit", "It waits for the status of an atomic command."],
  MFC_RdListStallStat: ["list stall", "It waits for a DMA list that stops at an element."],
  MFC_WrTagUpdate: ["tag update", "It waits to ask for another update of its tag status."],
  SPU_RdInMbox: ["mail", "Its inbound mailbox is empty: it waits for a message."],
  SPU_WrOutMbox: ["mailbox room", "Its outbound mailbox is full: it waits until somebody reads it."],
  SPU_WrOutIntrMbox: ["mailbox room", "Its outbound mailbox is full: it waits until the PPE reads it."],
  SPU_RdSigNotify1: ["a signal", "It waits for a signal."],
  SPU_RdSigNotify2: ["a signal", "It waits for a signal."],
  SPU_RdEventStat: ["an event", "It waits for an event."],
};

export function waitsFor(channel: string): string {
  return CHANNELS[channel]?.[0] ?? channel;
}

export function waitsSentence(channel: string): string {
  return `${CHANNELS[channel]?.[1] ?? "It waits."} (channel ${channel})`;
}

/** Why a line waits at its on-ramp, in a sentence's end; `%by` and `%to` are names. */
const REASONS: Record<string, string> = {
  "on-ramp": "the line before it still leaves the on-ramp",
  "off-ramp": "the off-ramp of %to still takes another line",
  "start gap": "the rings of its direction have just started another line",
  "way taken": "part of its way is in use",
  turn: "%by is next in turn for the off-ramp of %to",
  older: "%by has waited longer, and their ways cross",
  arbiter: "the arbiter starts another line in this bus cycle",
};

/** Behind the head of an on-ramp's queue. */
export const BEHIND = "it is behind the head of its on-ramp’s queue";

export function reasonSentence(reason: string, line: Line, by: Line | null, trace: Trace): string {
  const other = by ? `the line of ${sender(by, trace)}` : "another line";
  const sentence = REASONS[reason] ?? reason;
  return sentence.replace("%by", other).replace("%to", elementName(line.to, trace));
}

export function elementName(ramp: number | null, trace: Trace): string {
  const name = trace.elements[ramp ?? -1] ?? "nowhere";
  // Elements of a second chip that are no SPEs may have the names of the first one's.
  const chip = Math.floor((ramp ?? 0) / trace.elementsPerChip);
  return chip === 0 || speOf(name) !== null || name.includes("/") ? name : `${name}/${chip}`;
}

/** Where a line's data come from. */
export function sender(line: Line, trace: Trace): string {
  return elementName(line.from, trace);
}

/** On whose behalf a line moves. */
export function owner(line: Line | Command): string {
  if (line.thread !== null) {
    return `thread ${line.thread}`;
  }
  return "issuer" in line ? line.issuer : `SPE${line.spe}`;
}

/** The mark of a line's owner, as it stands on a band. */
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

/** Three significant digits, as results are printed elsewhere. */
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
