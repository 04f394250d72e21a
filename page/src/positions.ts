/** Where each SPE's program of instructions is, in SPU cycles since the start of the run. */

import { countUpTo } from "./intervals.ts";
import { NEVER } from "./records.ts";

/** Most letters of a label in the picture. */
const LABEL = 14;

export interface SourceLine {
  file: string;
  number: number;
  /** Null if the file could not be read when the trace was recorded. */
  text: string | null;
}

export interface Instruction {
  address: number;
  text: string;
  /** The function, or the label, before the instruction; null if the executable has none. */
  name: string | null;
  /** Bytes from the beginning of the function. */
  offset: number;
  line: SourceLine | null;
  /** Whether the program has changed this instruction. */
  changed: boolean;
}

/** A time in which an instruction issues or, with a cause, in which none issues because of this instruction. */
export interface Period {
  from: number;
  to: number;
  instruction: Instruction;
  cause: string | null;
}

interface Tables {
  to: number | null;
  instructions: Columns<"address" | "text" | "function" | "offset" | "line" | "changed">;
  lines: Columns<"file" | "number" | "text">;
  causes: string[];
  periods: { after: number[]; instruction: number[]; cause: number[] };
  stretches: number[];
  runs: { spe: number[]; after: number[]; stretch: number[] };
}
type Columns<Name extends string> = Record<Name, unknown[]>;

/** The stretches that ran on one SPE, and the times at which they began. */
interface Runs {
  starts: number[];
  stretches: number[];
}

export class Positions {
  /** The bus cycle from which on the trace has no positions. */
  readonly to: number;
  private readonly tables: Tables;
  private readonly instructions: Instruction[];
  private readonly runs = new Map<number, Runs>();

  constructor(raw: unknown) {
    this.tables = raw as Tables;
    const { instructions, lines, runs, to } = this.tables;
    this.to = to ?? NEVER;
    const sources = lines.file.map((file, row) => {
      return { file, number: lines.number[row], text: lines.text[row] ?? null } as SourceLine;
    });
    this.instructions = instructions.address.map((address, row) => ({
      address: address as number,
      text: instructions.text[row] as string,
      name: instructions.function[row] as string | null,
      offset: (instructions.offset[row] as number | null) ?? 0,
      line: sources[instructions.line[row] as number] ?? null,
      changed: Boolean(instructions.changed[row]),
    }));
    let now = 0;
    runs.spe.forEach((spe, row) => {
      const own = this.runs.get(spe) ?? { starts: [], stretches: [] };
      now = (own.starts.at(-1) ?? 0) + (runs.after[row] as number);
      own.starts.push(now);
      own.stretches.push(runs.stretch[row] as number);
      this.runs.set(spe, own);
    });
  }

  get spes(): number[] {
    return [...this.runs.keys()];
  }

  /** The periods of an SPE that overlap these SPU cycles, in order. A period without a cycle is the first of a pair. */
  during(spe: number, from: number, to: number): Period[] {
    const runs = this.runs.get(spe);
    if (!runs) {
      return [];
    }
    const found: Period[] = [];
    for (let run = Math.max(0, countUpTo(runs.starts, from) - 1); (runs.starts[run] ?? to) < to; run++) {
      found.push(...this.stretch(runs, run).filter((period) => period.from < to && ends(period) > from));
    }
    return found;
  }

  /** The SPU cycle in which an SPE issues an instruction next, from a cycle on; the first time if there is no next. */
  issue(spe: number, instruction: Instruction, from: number): number | null {
    const runs = this.runs.get(spe) ?? { starts: [], stretches: [] };
    let first: number | null = null;
    for (let run = 0; run < runs.starts.length; run++) {
      for (const period of this.stretch(runs, run)) {
        if (period.instruction === instruction && period.cause === null) {
          if (period.from >= from) {
            return period.from;
          }
          first ??= period.from;
        }
      }
    }
    return first;
  }

  /** The instructions that an SPE executes, by address. */
  of(spe: number): Instruction[] {
    const found = new Set<Instruction>();
    for (const stretch of new Set(this.runs.get(spe)?.stretches)) {
      for (let row = this.first(stretch); row < this.first(stretch + 1); row++) {
        found.add(this.instructions[this.tables.periods.instruction[row] as number] as Instruction);
      }
    }
    return [...found].sort((one, other) => one.address - other.address);
  }

  private first(stretch: number): number {
    return this.tables.stretches[stretch] ?? this.tables.periods.after.length;
  }

  private stretch(runs: Runs, run: number): Period[] {
    const { periods, causes } = this.tables;
    const stretch = runs.stretches[run] as number;
    const found: Period[] = [];
    let from = runs.starts[run] as number;
    for (let row = this.first(stretch); row < this.first(stretch + 1); row++) {
      from += periods.after[row] as number;
      const before = found.at(-1);
      if (before) {
        before.to = from;
      }
      const instruction = this.instructions[periods.instruction[row] as number] as Instruction;
      found.push({
        from,
        to: runs.starts[run + 1] ?? NEVER,
        instruction,
        cause: causes[(periods.cause[row] as number) - 1] ?? null,
      });
    }
    return found;
  }
}

/** The end of a period. An instruction takes at least its cycle, even if the next one issues in the same. */
function ends({ from, to }: Period): number {
  return Math.max(to, from + 1);
}

/** The function and the distance from its beginning, or the address. */
export function placeOf({ name, offset, address }: Instruction): string {
  return name === null ? hex(address) : offset === 0 ? name : `${name}+${hex(offset)}`;
}

/** The source line, the function or the address, in a few letters. */
export function labelOf({ line, name, address }: Instruction): string {
  const label = line ? `${line.file}:${line.number}` : (name ?? hex(address));
  return label.length > LABEL ? `${label.slice(0, LABEL - 1)}…` : label;
}

export function hex(number: number): string {
  return `0x${number.toString(16)}`;
}
