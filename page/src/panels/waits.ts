/** Two lists: waiting lines with the reasons why they wait, and lines on the rings. A click selects a line. */

import { html } from "../dom.ts";
import type { Moment } from "../moment.ts";
import type { Line } from "../records.ts";
import type { Trace } from "../trace.ts";
import { elementName, owner, reasonSentence, ringName } from "../words.ts";

export class WaitsPanel {
  constructor(
    private readonly waiting: HTMLElement,
    private readonly onRings: HTMLElement,
    private readonly select: (line: number) => void,
  ) {
    for (const table of [waiting, onRings]) {
      table.addEventListener("click", (event) => {
        const row = event.target instanceof Element ? event.target.closest("[data-line]") : null;
        if (row) {
          this.select(Number(row.getAttribute("data-line")));
        }
      });
    }
  }

  update(moment: Moment, trace: Trace, selected: number | null): void {
    const waiting = moment.elements.flatMap(({ waiting }) => {
      const heads = trace.saysWhy ? waiting.filter(({ wait }) => wait !== null) : waiting.slice(0, 1);
      // Until the arbiter has examined a waiting line, the oldest line represents the queue.
      const shown = heads.length > 0 ? heads : waiting.slice(0, 1);
      const behind = waiting.length - shown.length;
      return shown.map(({ line, wait }, nth) => {
        const why = wait ? reasonSentence(wait.reason, line, trace.line(wait.by), trace) : unknown(trace);
        const more = behind > 0 && nth === shown.length - 1 ? `+${behind}` : "";
        const row = this.row(line, trace, selected, why, [String(moment.cycle - line.readyAt), more]);
        row.dataset.reason = wait?.reason ?? "";
        return row;
      });
    });
    this.fill(this.waiting, waiting, "No line waits at an on-ramp in this bus cycle.");
    const moving = [...moment.bands].sort((one, other) => (one.line.ring ?? 0) - (other.line.ring ?? 0));
    this.fill(
      this.onRings,
      moving.map(({ line, tail, head }) => {
        const beats = `${round(tail)} to ${round(head)} of ${line.hops}`;
        return this.row(line, trace, selected, "", [ringName(line.ring ?? 0, trace), beats]);
      }),
      "The rings are empty in this bus cycle.",
    );
  }

  private row(
    line: Line,
    trace: Trace,
    selected: number | null,
    why: string,
    cells: readonly string[],
  ): HTMLTableRowElement {
    const route = `${elementName(line.from, trace)} → ${elementName(line.to, trace)}`;
    const button = html("button", { type: "button", class: "line", title: `Show the life of line ${line.id}` }, route);
    return html(
      "tr",
      { "data-line": line.id, class: line.id === selected ? "selected" : null },
      html("td", {}, `${owner(line)}: `, button, why === "" ? null : html("div", { class: "why" }, why)),
      ...cells.map((cell) => html("td", {}, cell)),
    );
  }

  private fill(table: HTMLElement, rows: HTMLTableRowElement[], none: string): void {
    // The focus stays on the same line's button when the rows are replaced.
    const focused = table.contains(document.activeElement)
      ? document.activeElement?.closest("[data-line]")?.getAttribute("data-line")
      : null;
    const empty = html("tr", {}, html("td", { colspan: 3, class: "none" }, none));
    table.replaceChildren(...(rows.length > 0 ? rows : [empty]));
    if (focused) {
      table.querySelector<HTMLElement>(`[data-line="${focused}"] button`)?.focus();
    }
  }
}

function unknown(trace: Trace): string {
  return trace.saysWhy ? "the line has just become ready" : "this trace does not record reasons";
}

function round(hops: number): string {
  return Number.isInteger(hops) ? String(hops) : hops.toFixed(1);
}
