/** The parameters of a measurement: their form in a URL and their fields in the form. */

export type Kind = "count" | "size" | "flag" | "word" | "placement" | "pattern";

export interface Parameter {
  name: string;
  label: string;
  kind: Kind;
  hint: string;
  /** Permitted values of a parameter whose values are words. */
  choices?: readonly (readonly [value: string, label: string])[];
}

const BOTH_CHIPS = [
  ["", "by default"],
  ["0", "chip 0"],
  ["1", "chip 1"],
] as const;

/** All parameters, in the order of the form. */
export const PARAMETERS: readonly Parameter[] = [
  { name: "spes", label: "SPEs", kind: "count", hint: "SPEs that take part; each runs one thread" },
  {
    name: "size",
    label: "size",
    kind: "size",
    hint: "bytes of each DMA, list element or access; 16k is 16384",
  },
  {
    name: "op",
    label: "op",
    kind: "word",
    hint: "direction of the pattern's DMAs",
    choices: [
      ["get", "get"],
      ["put", "put"],
      ["copy", "get and put alternately"],
    ],
  },
  {
    name: "target",
    label: "target",
    kind: "word",
    hint: "the hot spot: memory, or an SPE given by the number of its thread",
  },
  {
    name: "spe_to_spe",
    label: "between SPEs",
    kind: "flag",
    hint: "communicate with another SPE instead of with memory or the PPE",
  },
  { name: "private", label: "private buffers", kind: "flag", hint: "each SPE uses its own buffer or variable" },
  { name: "pattern", label: "pattern", kind: "pattern", hint: "the messages of each phase, as JSON" },
  { name: "iterations", label: "iterations", kind: "count", hint: "operations of each SPE" },
  {
    name: "batch",
    label: "batch",
    kind: "count",
    hint: "number of DMAs between waits for completion; 0: wait only at the end",
  },
  { name: "list_elements", label: "list elements", kind: "count", hint: "elements of each DMA list" },
  {
    name: "stride",
    label: "stride",
    kind: "size",
    hint: "bytes from the start of one private buffer to the start of the next",
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
    hint: "the level of the memory hierarchy that loads and stores reach",
    choices: ["l1", "l2", "l1l2", "memory", "ls"].map((level) => [level, level] as const),
  },
  { name: "threads", label: "PPE threads", kind: "count", hint: "PPE threads that load, store or copy" },
  {
    name: "cells",
    label: "SPEs of",
    kind: "word",
    hint: "the chips whose SPEs take part",
    choices: [...BOTH_CHIPS, ["01", "both, chip 0 first"], ["10", "both, chip 1 first"]],
  },
  {
    name: "memory",
    label: "memory of",
    kind: "word",
    hint: "the chip whose memory holds the buffers",
    choices: [...BOTH_CHIPS, ["interleave", "both, interleaved"]],
  },
  {
    name: "spe_program",
    label: "SPE program",
    kind: "word",
    hint: "the programs that the SPEs run",
    choices: [
      ["builtin", "built in"],
      ["c", "compiled C"],
    ],
  },
  { name: "placement", label: "placement", kind: "placement", hint: "the SPE of each thread" },
  { name: "seed", label: "seed", kind: "count", hint: "seed of random placements and random targets" },
];

const BY_NAME = new Map(PARAMETERS.map((parameter) => [parameter.name, parameter]));

export function parameterOf(name: string): Parameter | null {
  return BY_NAME.get(name) ?? null;
}

/** Parses text from a form field or URL. Text that is not the expected number is kept, and the simulator refuses it. */
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

/** Reads a number. `k` and `m` are binary for sizes and decimal for counts, as everywhere in CellStats. */
function number(text: string, kilo: number): number | string {
  const found = /^\s*(\d+)\s*([km]?)\s*$/i.exec(text);
  if (!found) {
    return text;
  }
  const unit = { "": 1, k: kilo, m: kilo * kilo }[found[2]?.toLowerCase() ?? ""] ?? 1;
  return Number(found[1]) * unit;
}

/** Writes a value as the shortest text that parses to the same value. */
export function write(parameter: Parameter | null, value: unknown): string {
  if (Array.isArray(value)) {
    return value.join(".");
  }
  if (parameter?.kind === "size" && typeof value === "number" && value >= 1024 && value % 1024 === 0) {
    return `${value / 1024}k`;
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
