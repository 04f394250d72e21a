/** The terms of the page with their definitions, for readers who have never seen a Cell. */

import { PARAMETERS } from "./parameters.ts";
import { WAITS } from "./words.ts";

export interface Term {
  name: string;
  means: string;
  /** Other forms of the word that a text may use. */
  forms: readonly string[];
}

function term(name: string, means: string, ...forms: string[]): Term {
  return { name, means, forms: [name, ...forms] };
}

export const TERMS: readonly Term[] = [
  term(
    "Cell",
    "The Cell Broadband Engine is the processor of the PlayStation 3 and of some servers. One chip has a main " +
      "processor (PPE), eight smaller processors (SPEs) and a bus of four rings.",
  ),
  term(
    "EIB",
    "The element interconnect bus is the bus of the Cell. It connects twelve elements: the PPE, eight SPEs, the " +
      "memory controller (MIC) and two I/O interfaces (IOIF).",
    "bus",
  ),
  term("PPE", "The main processor of the chip. It runs the operating system and starts programs on the SPEs."),
  term(
    "SPE",
    "One of eight small processors. It has a local store of 256 KB, a processor for the program (SPU), and an engine " +
      "that moves data (MFC). Its program can reach other memory only through DMA.",
    "SPEs",
  ),
  term(
    "SPU",
    "The part of an SPE that runs the program. A triangle marks a running SPU, and two bars mark a waiting one.",
  ),
  term(
    "MFC",
    "The memory flow controller is the part of an SPE that moves data. The SPU puts DMA commands into its SPU queue " +
      "of 16 entries, and goes on with its program meanwhile.",
  ),
  term("proxy", "The MFC’s second queue, of 8 entries, for commands from the PPE and other elements.", "proxy queue"),
  term(
    "DMA",
    "Direct memory access: a transfer of up to 16 KB that the MFC carries out on its own. A get moves data to the SPE " +
      "that asks; a put moves data away from it.",
    "DMAs",
  ),
  term(
    "no request",
    "The bus cycles since the PPE last gave a command. It gives none while it finds all data in its caches.",
  ),
  term("MIC", "The memory interface controller reads and writes main memory, on two channels.", "memory controller"),
  term("IOIF", "An I/O interface. On machines with two chips, one of them is the link to the other chip."),
  term(
    "ring",
    "Four rings carry data between the elements, two clockwise and two counterclockwise. A ring is 16 bytes wide. " +
      "Several lines may travel on it at a time if their paths do not overlap.",
    "rings",
  ),
  term("line", "Data move in lines of 128 bytes, the size of a cache line. A line is eight beats.", "lines"),
  term("beat", "Sixteen bytes: what a ring carries from one element to the next in a bus cycle.", "beats"),
  term("hop", "The way from one element to the next on a ring. A beat moves one hop in each bus cycle.", "hops"),
  term(
    "ramp",
    "A line enters a ring at the on-ramp of one element and leaves it at the off-ramp of another. Each element sends " +
      "one line at a time and receives one at a time. The number in red counts the lines that wait at an on-ramp.",
    "on-ramp",
    "off-ramp",
  ),
  term(
    "grant",
    "The data arbiter grants a ring to a waiting line when the line’s on-ramp, its whole path and its off-ramp will " +
      "be free in time.",
    "grants",
  ),
  term(
    "address concentrator",
    "It puts all commands in order, one in each bus cycle, and returns a response before a line moves.",
  ),
  term("Retry", "Response to a command whose line is in use by another unit: the command must be sent again."),
  term("couple", "Two threads that exchange data only with each other.", "couples"),
  term("thread", "A program on an SPE. Threads have numbers; the badge shows which thread an SPE runs.", "threads"),
  term("placement", "Which thread runs on which SPE. It decides how far data travel, and on which rings."),
  term("bus cycle", "The clock of the bus, 1.6 GHz: half the clock of the processors.", "bus cycles"),
  term("window", "The part of the run that the page shows, usually 4,000 bus cycles.", "this window"),
  term(
    "start-up",
    "The first part of a run, until its bandwidth is steady. A run is steady from the first window from which on " +
      "eight consecutive windows of 4,000 bus cycles stay within 10 % of the whole measurement, with the same SPEs.",
  ),
  term(
    "whole measurement",
    "The bandwidth or latency of the whole run, from the first measured DMA to the last, as the command cellstats " +
      "reports it. The window is a small part of the run.",
  ),
  term("machine", "The computer that is simulated: a PlayStation 3, a blade with two Cells, or a board with one."),
  term("FUNCTION", "The experiment: what the threads do, such as to exchange data in couples.", "experiment"),
  term(
    "passive",
    "A thread without a program of its own: other SPEs read and write its local store, and lines come and go without it.",
  ),
];

const BY_FORM = new Map(TERMS.flatMap((each) => each.forms.map((form) => [form, each] as const)));
for (const { name, label, hint } of PARAMETERS) {
  BY_FORM.set(`--${name}`, { name: label, means: hint, forms: [] });
}

for (const state of WAITS) {
  BY_FORM.set(state.name, { ...state, forms: [] });
}

/** The term that a word names; a parameter of the experiment is named by `--` and its key. */
export function termOf(word: string): Term | null {
  return BY_FORM.get(word) ?? null;
}

/** Longer forms first, so that “proxy queue” is found whole. */
const FORMS = TERMS.flatMap(({ forms }) => forms).sort((one, other) => other.length - one.length);
const ANY = new RegExp(`(?<![\\w-])(${FORMS.join("|")})(?![\\w-])`);

/** Splits a text into plain text and terms; only the first use of each term is marked. */
export function splitTerms(text: string): { text: string; term: Term | null }[] {
  const seen = new Set<Term>();
  return text.split(ANY).map((part) => {
    const found = termOf(part);
    if (!found || seen.has(found)) {
      return { text: part, term: null };
    }
    seen.add(found);
    return { text: part, term: found };
  });
}
