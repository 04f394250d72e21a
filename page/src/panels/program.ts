/** The program of one SPE: the instruction where it is, the source line, and the reason why no instruction issues. */

import { html, own, say, show } from "../dom.ts";
import { momentOf, periodsAt, type SpeMoment } from "../moment.ts";
import { hex, type Instruction, type Period, type Positions, placeOf, type SourceLine } from "../positions.ts";
import { NEVER } from "../records.ts";
import type { Trace } from "../trace.ts";
import type { Viewer } from "../viewer.ts";
import { causeSentence, count, waitsSentence } from "../words.ts";

/** Rows of the listing before and after the current instruction. */
const AROUND = 6;
/** Interval between updates during playback. */
const UPDATE_MS = 100;

/** A row of the listing: an instruction, or a heading above instructions of the same function or source line. */
type Row = Instruction | string;

export class ProgramPanel {
  private readonly room = own("program", HTMLElement);
  private readonly spes = own("program-spe", HTMLSelectElement);
  private readonly why = own("program-why", HTMLElement);
  private readonly source = own("program-source", HTMLElement);
  private readonly listing = own("program-listing", HTMLTableSectionElement);
  private rows: Row[] = [];
  private drawn = "";
  private updatedAt = 0;

  constructor(private readonly viewer: Viewer) {
    viewer.traced.listen((trace) => this.open(trace));
    viewer.moved.listen(() => this.move());
    this.spes.addEventListener("change", () => this.choose());
    own("picture", HTMLElement).addEventListener("click", ({ target }) => {
      const spe = target instanceof Element ? target.closest("[data-spe]")?.getAttribute("data-spe") : null;
      if (spe && [...this.spes.options].some(({ value }) => value === spe)) {
        this.spes.value = spe;
        this.choose();
      }
    });
  }

  /** Shows the first SPE that waits, or else the first that has a program. */
  private open(trace: Trace): void {
    show(this.room, trace.positions !== null);
    if (!trace.positions) {
      return;
    }
    const moments = momentOf(trace, this.viewer.cycle).elements.flatMap(({ spe }) => (spe ? [spe] : []));
    const spes = trace.positions.spes;
    const known = moments.filter(({ spe }) => spes.includes(spe)).sort((one, other) => one.spe - other.spe);
    this.spes.replaceChildren(
      ...known.map(({ spe, thread }) => {
        return html("option", { value: spe }, thread === null ? `SPE${spe}` : `SPE${spe}, thread ${thread}`);
      }),
    );
    this.spes.value = String((known.find(({ state }) => state === "waits") ?? known[0])?.spe ?? "");
    this.choose();
  }

  private choose(): void {
    const { trace } = this.viewer;
    if (trace?.positions) {
      this.rows = withHeadings(trace.positions.of(Number(this.spes.value)));
      this.drawn = "";
      this.update(trace, trace.positions);
    }
  }

  private move(): void {
    const { trace, playing } = this.viewer;
    const now = performance.now();
    if (trace?.positions && (!playing || now - this.updatedAt > UPDATE_MS)) {
      this.updatedAt = now;
      this.update(trace, trace.positions);
    }
  }

  private update(trace: Trace, positions: Positions): void {
    const { cycle } = this.viewer;
    const spe = Number(this.spes.value);
    const periods = periodsAt(trace, spe, cycle);
    const moment = momentOf(trace, cycle).elements.find((element) => element.spe?.spe === spe)?.spe;
    const current = periods.at(-1);
    if (!current || !moment || moment.state === "none" || cycle >= positions.to) {
      const end = `This trace has no positions from bus cycle ${positions.to - trace.triggeredAt} on.`;
      say(this.why, cycle >= positions.to ? end : "No program runs here now.");
      say(this.source, "");
      this.draw(null, new Set());
      return;
    }
    const begin = cycle * trace.spuCyclesPerBusCycle;
    const issued = periods.filter(({ from, cause }) => cause === null && from >= begin);
    say(this.why, sentence(issued.length, current, moment, trace));
    this.why.classList.toggle("why", moment.stall !== null || current.cause !== null);
    const { line } = current.instruction;
    this.source.replaceChildren(html("b", {}, placeOf(current.instruction)), line ? ` · ${lineText(line)}` : "");
    this.draw(current.instruction, new Set(issued.map((period) => period.instruction)));
  }

  /** Goes to the next bus cycle in which an instruction issues. */
  private follow(instruction: Instruction): void {
    const { trace, cycle } = this.viewer;
    const ratio = trace?.spuCyclesPerBusCycle ?? 1;
    const issue = trace?.positions?.issue(Number(this.spes.value), instruction, (cycle + 1) * ratio);
    if (issue != null) {
      this.viewer.play(false);
      this.viewer.go(Math.floor(issue / ratio));
    }
  }

  /** Draws the rows around an instruction; without one, the first rows. */
  private draw(current: Instruction | null, issued: ReadonlySet<Instruction>): void {
    const middle = current ? this.rows.indexOf(current) : 0;
    const first = Math.max(0, Math.min(middle - AROUND, this.rows.length - 2 * AROUND - 1));
    const shown = this.rows.slice(first, first + 2 * AROUND + 1);
    const key = [first, middle, ...shown.map((row) => (typeof row !== "string" && issued.has(row) ? 1 : 0))].join();
    if (key === this.drawn) {
      return;
    }
    this.drawn = key;
    const focused = this.listing.contains(document.activeElement) && document.activeElement?.closest("tr");
    this.listing.replaceChildren(
      ...shown.map((row) => {
        if (typeof row === "string") {
          return html("tr", { class: "heading" }, html("th", { colspan: 3, scope: "rowgroup" }, row));
        }
        const mark = row === current ? "▶" : issued.has(row) ? "·" : "";
        const changed = row.changed ? html("span", { class: "changed" }, " not in the executable") : null;
        const text = html("button", { type: "button", title: "Go to its next issue" }, row.text);
        text.addEventListener("click", () => this.follow(row));
        const state = { "aria-current": row === current ? "true" : null, class: issued.has(row) ? "issued" : null };
        return html(
          "tr",
          { "data-address": row.address, ...state },
          html("td", {}, mark),
          html("td", {}, hex(row.address).slice(2)),
          html("td", {}, text, changed),
        );
      }),
    );
    if (focused) {
      // The focus stays on the same instruction when the rows are replaced.
      this.listing.querySelector<HTMLElement>(`[data-address="${focused.dataset.address}"] button`)?.focus();
    }
  }
}

/** What the SPU does in a bus cycle: it waits at a channel, it loses cycles, or it issues instructions. */
function sentence(issued: number, current: Period, { stall }: SpeMoment, trace: Trace): string {
  if (stall) {
    const until = stall.to < NEVER ? ` to ${stall.to - trace.triggeredAt}` : " on";
    return `${waitsSentence(stall.channel)} From bus cycle ${stall.from - trace.triggeredAt}${until}.`;
  }
  const issues = issued > 0 ? `${count(issued, "instruction issues", "instructions issue")} in this bus cycle.` : "";
  if (current.cause === null) {
    return issues || "The instruction is in progress.";
  }
  const long = current.to < NEVER ? ` for ${count(current.to - current.from, "SPU cycle")}` : "";
  return `${issues} No instruction issues${long}: ${causeSentence(current.cause)}.`.trim();
}

/** The instructions, with a heading above each function and each source line, and dots where code is left out. */
function withHeadings(instructions: readonly Instruction[]): Row[] {
  return instructions.flatMap((instruction, row): Row[] => {
    const above = headingOf(instruction, instructions[row - 1] ?? null);
    return above === null ? [instruction] : [above, instruction];
  });
}

function headingOf({ line, name, address }: Instruction, before: Instruction | null): string | null {
  if (line && line !== before?.line) {
    return lineText(line);
  }
  if (!line && name !== null && (name !== before?.name || before.line)) {
    return `${name}:`;
  }
  return before && address > before.address + 4 ? "…" : null;
}

function lineText({ file, number, text }: SourceLine): string {
  return `${file}:${number}${text === null ? "" : `  ${text.trim()}`}`;
}
