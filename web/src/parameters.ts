/** The parameters of a measurement: how each is written in a URL and asked for in the form. */

export type Kind = "count" | "size" | "flag" | "word" | "placement" | "pattern";

export interface Parameter {
  name: string;
  label: string;
  kind: Kind;
  hint: string;
  /** What it may be, where these are words. */
  choices?: readonly (readonly [value: string, label: string])[];
}

const BOTH_CHIPS = [
  ["", "by default"],
  ["0", "chip 0"],
  ["1", "chip 1"],
] as const;

/** In the order of the form. */
export const PARAMETERS: readonly Parameter[] = [
  { name: "spes", label: "SPEs", kind: "count", hint: "SPEs that take part, a thread on each" },
  {
    name: "size",
    label: "size",
    kind: "size",
    hint: "bytes of a DMA, a list element or an access; 16k is 16384",
  },
  {
    name: "op",
    label: "op",
    kind: "word",
    hint: "which way the DMAs of a pattern go",
    choices: [
      ["get", "get"],
      ["put", "put"],
      ["copy", "get and put in turn"],
    ],
  },
  { name: "target", label: "target", kind: "word", hint: "what is hot: memory, or the number of an SPE’s thread" },
  { name: "spe_to_spe", label: "between SPEs", kind: "flag", hint: "with another SPE, not with memory or the PPE" },
  { name: "private", label: "a buffer each", kind: "flag", hint: "each SPE has a buffer or variable of its own" },
  { name: "pattern", label: "pattern", kind: "pattern", hint: "the messages of each phase, as JSON" },
  { name: "iterations", label: "iterations", kind: "count", hint: "how often each SPE does it" },
  { name: "batch", label: "batch", kind: "count", hint: "wait for completion after so many DMAs; 0: only at the end" },
  { name: "list_elements", label: "list elements", kind: "count", hint: "elements of a DMA list" },
  {
    name: "stride",
    label: "stride",
    kind: "size",
    hint: "bytes from one private buffer to the next",
  },
  {
    name: "ppe",
    label: "PPE",
    kind: "word",
    hint: "how the PPE reaches an SPE",
    choices: [
      ["library", "by system calls"],
      ["mmio", "by registers"],
    ],
  },
  {
    name: "level",
    label: "level",
    kind: "word",
    hint: "where loads and stores go",
    choices: ["l1", "l2", "l1l2", "memory", "ls"].map((level) => [level, level] as const),
  },
  { name: "threads", label: "PPE threads", kind: "count", hint: "threads of the PPE that load, store or copy" },
  {
    name: "cells",
    label: "SPEs of",
    kind: "word",
    hint: "whose SPEs take part",
    choices: [...BOTH_CHIPS, ["01", "both, chip 0 first"], ["10", "both, chip 1 first"]],
  },
  {
    name: "memory",
    label: "memory of",
    kind: "word",
    hint: "whose memory holds the buffers",
    choices: [...BOTH_CHIPS, ["interleave", "both in turn"]],
  },
  {
    name: "spe_program",
    label: "SPE program",
    kind: "word",
    hint: "what the SPEs run",
    choices: [
      ["builtin", "built in"],
      ["c", "compiled C"],
    ],
  },
  { name: "placement", label: "placement", kind: "placement", hint: "the SPE of each thread" },
  { name: "seed", label: "seed", kind: "count", hint: "chooses random placements and random targets" },
];

const BY_NAME = new Map(PARAMETERS.map((parameter) => [parameter.name, parameter]));

export function parameterOf(name: string): Parameter | null {
  return BY_NAME.get(name) ?? null;
}

/** A value from its text in the form or in a URL; what is no number stays a text, and the simulator says why not. */
export function parse(parameter: Parameter | null, text: string): unknown {
  switch (parameter?.kind) {
    case "flag":
      return text === "true";
    case "count":
    case "size":
      return number(text, parameter.kind === "size" ? 1024 : 1000);
    case "placement":
      return text === "random" ? text : text.split(/[.,]/).map(Number);
    case "pattern":
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
    default:
      return text;
  }
}

/** `k` and `m` are binary for sizes and decimal for counts, as everywhere in CellStats. */
function number(text: string, kilo: number): number | string {
  const found = /^\s*(\d+)\s*([km]?)\s*$/i.exec(text);
  if (!found) {
    return text;
  }
  const unit = { "": 1, k: kilo, m: kilo * kilo }[found[2]?.toLowerCase() ?? ""] ?? 1;
  return Number(found[1]) * unit;
}

/** A value as text, the shortest that reads the same. */
export function write(parameter: Parameter | null, value: unknown): string {
  if (Array.isArray(value)) {
    return value.join(".");
  }
  if (parameter?.kind === "size" && typeof value === "number" && value >= 1024 && value % 1024 === 0) {
    return `${value / 1024}k`;
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
