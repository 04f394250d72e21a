/** The parameters of a measurement, and their form in a URL. */

/** A row of the simulator's table of parameters. */
export interface Parameter {
  name: string;
  label: string;
  kind: "count" | "bytes" | "word" | "word or number" | "rate" | "placement" | "pattern" | "switch";
  hint: string;
  /** Permitted values, if there are no others. */
  choices: readonly (readonly [value: string, label: string])[];
}

/** The simulator's answer to `about` when the page was built, because addresses are read before it can be asked. */
declare const SIMULATOR_PARAMETERS: readonly Parameter[];
/** All parameters. Only Python finds patterns by name and in files. */
export const PARAMETERS = SIMULATOR_PARAMETERS.map((row) =>
  row.kind === "pattern" ? { ...row, hint: "The messages of each phase, as JSON." } : row,
);

const BY_NAME = new Map(PARAMETERS.map((parameter) => [parameter.name, parameter]));

export function parameterOf(name: string): Parameter | null {
  return BY_NAME.get(name) ?? null;
}

/** Parses text from a form field or URL. Text that is not the expected number is kept, and the simulator refuses it. */
export function parse(parameter: Parameter | null, text: string): unknown {
  switch (parameter?.kind) {
    case "switch":
      return text === "true";
    case "count":
    case "bytes":
      return number(text, parameter.kind === "bytes" ? 1024 : 1000);
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
  if (parameter?.kind === "bytes" && typeof value === "number" && value >= 1024 && value % 1024 === 0) {
    return `${value / 1024}k`;
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
