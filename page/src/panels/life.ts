/** The life of the selected line or DMA command: a timeline, and its phases with their cycles and times. */

import { html, set, svg } from "../dom.ts";
import { colour } from "../drawing/rings.ts";
import { lifeOfCommand, lifeOfLine, type Phase } from "../life.ts";
import type { Command, Line } from "../records.ts";
import { NEVER } from "../records.ts";
import type { Trace } from "../trace.ts";
import type { Viewer } from "../viewer.ts";
import { count, figure, owner, size } from "../words.ts";

const WIDTH = 400;
const BAR = 18;
/** Height of one line's row in the picture of a command. */
const ROW = 3;

interface Span {
  from: number;
  to: number;
}

export class LifePanel {
  private cursors: SVGLineElement[] = [];
  private span: Span | null = null;

  constructor(
    private readonly room: HTMLElement,
    private readonly viewer: Viewer,
  ) {
    viewer.selected.listen(() => this.draw());
    viewer.moved.listen(() => this.moveCursor());
    room.addEventListener("click", (event) => this.follow(event.target));
  }

  private draw(): void {
    const { trace, selection } = this.viewer;
    const line = trace?.line(selection.line) ?? null;
    const command = trace?.command(selection.command) ?? null;
    this.cursors = [];
    if (line ?? command) {
      this.room.closest("details")?.setAttribute("open", "");
    }
    if (trace && line) {
      this.room.replaceChildren(...this.ofLine(line, trace));
    } else if (trace && command) {
      this.room.replaceChildren(...this.ofCommand(command, trace));
    } else {
      const hint = "Click a line on a ring, a waiting line or an MFC queue to see its life here.";
      this.room.replaceChildren(html("p", { class: "none hint" }, hint));
    }
    this.moveCursor();
  }

  private ofLine(line: Line, trace: Trace): Node[] {
    const phases = lifeOfLine(line, trace);
    const target = line.target ? ` ${line.kind === "write" ? "to" : "of"} ${line.target}` : "";
    const command = trace.command(line.command ?? trace.line(line.onwardOf)?.command ?? null);
    const part = command
      ? html(
          "span",
          {},
          ", part of ",
          link({ "data-command": command.id }, `${command.name} of ${size(command.bytes)}`),
        )
      : null;
    const head = html(
      "p",
      {},
      html("b", {}, `Line ${line.id}`),
      `: ${line.issuer} (${owner(line)}), `,
      part ? "" : null,
    );
    head.append(`${line.kind}${target}, ${count(line.bytes, "byte")}`, part ?? "");
    return [head, this.timeline(phases, trace), this.table(phases, trace)];
  }

  private ofCommand(command: Command, trace: Trace): Node[] {
    const phases = lifeOfCommand(command);
    const about = `: ${command.name} of ${size(command.bytes)} by SPE${command.spe} (${owner(command)}), tag ${command.tag}`;
    const head = html("p", {}, html("b", {}, `Command ${command.id}`), about);
    const before = `The SPU took ${count(command.issueSpuCycles, "SPU cycle")} to issue the command`;
    const after = command.statusSpuCycles === null ? "." : ` and ${command.statusSpuCycles} to read its completion.`;
    const nodes: Node[] = [head, this.timeline(phases, trace)];
    if (command.lines.length > 1) {
      const parts = "Each row is one line: before it is ready, waiting at its on-ramp, on a ring, and being received.";
      nodes.push(this.waterfall(command.lines, trace), html("p", { class: "note" }, parts));
    } else if (command.lines[0]) {
      const line = command.lines[0];
      nodes.push(html("p", {}, "The command moves one line: ", link({ "data-line": line.id }, `line ${line.id}`), "."));
    }
    return [...nodes, this.table(phases, trace), html("p", { class: "note" }, before + after)];
  }

  private timeline(phases: readonly Phase[], trace: Trace): SVGSVGElement {
    const from = Math.min(...phases.map((phase) => phase.from));
    const to = Math.max(...phases.map((phase) => (phase.to === NEVER ? trace.to : phase.to)), from + 1);
    this.span = { from, to };
    const bars = phases.map((phase) => {
      const x = this.x(phase.from);
      const width = Math.max(this.x(Math.min(phase.to, to)) - x, 0.5);
      return svg("rect", { class: `phase ${phase.kind}`, x, y: 2, width, height: BAR }, svg("title", {}, phase.name));
    });
    const box = { viewBox: `0 0 ${WIDTH} ${BAR + 4}`, class: "timeline", role: "img", "aria-label": "timeline" };
    return svg("svg", box, ...bars, this.cursor(BAR + 4));
  }

  /** One row for each line of a command, with the phases of that line. */
  private waterfall(lines: readonly Line[], trace: Trace): SVGSVGElement {
    const height = lines.length * ROW;
    const end = (time: number) => this.x(Math.min(time, this.span?.to ?? 0));
    const rows = lines.map((line, row) => {
      const bar = (kind: string, from: number, to: number) =>
        from < NEVER &&
        svg("rect", { class: kind, x: end(from), y: row * ROW, width: end(to) - end(from), height: ROW - 0.6 });
      const parts = [
        bar("phase order", line.rounds[0]?.issuedAt ?? NEVER, line.readyAt),
        bar("phase wait", line.readyAt, line.grantedAt),
        bar(`area ${colour(line.ring ?? 0, trace)}`, line.grantedAt, line.arrivedAt),
        bar("phase deliver", line.arrivedAt, line.doneAt),
      ];
      const title = svg("title", {}, `line ${line.id}`);
      return svg("g", { "data-line": line.id }, title, ...parts.filter((part) => part !== false));
    });
    const box = { viewBox: `0 0 ${WIDTH} ${height}`, class: "waterfall", role: "img", preserveAspectRatio: "none" };
    return svg("svg", { ...box, "aria-label": "the lines of the command over time" }, ...rows, this.cursor(height));
  }

  private table(phases: readonly Phase[], trace: Trace): HTMLTableElement {
    const rows = phases.map(({ kind, name, from, to }) => {
      const over = to < NEVER;
      const cycles = (over ? to : trace.to) - from;
      const more = over ? "" : "…";
      return html(
        "tr",
        {},
        html("td", {}, html("span", { class: `swatch ${kind}` }), name),
        html("td", {}, link({ "data-cycle": from }, String(from - trace.triggeredAt))),
        html("td", {}, `${cycles}${more}`),
        html("td", {}, `${figure(trace.nanoseconds(cycles))}${more}`),
      );
    });
    const heads = ["phase", "from", "cycles", "ns"].map((name) => html("th", { scope: "col" }, name));
    return html("table", { class: "life" }, html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...rows));
  }

  private x(time: number): number {
    const { from, to } = this.span as Span;
    return ((time - from) / (to - from)) * WIDTH;
  }

  private cursor(height: number): SVGLineElement {
    const cursor = svg("line", { class: "cursor", y1: 0, y2: height });
    this.cursors.push(cursor);
    return cursor;
  }

  private moveCursor(): void {
    for (const cursor of this.cursors) {
      const x = this.span ? this.x(this.viewer.time) : -1;
      const inside = x >= 0 && x <= WIDTH;
      set(cursor, "x1", inside ? x.toFixed(1) : -9);
      set(cursor, "x2", inside ? x.toFixed(1) : -9);
    }
  }

  private follow(target: EventTarget | null): void {
    const found = target instanceof Element ? target.closest("[data-cycle], [data-command], [data-line]") : null;
    const number = (name: string) => Number(found?.getAttribute(name));
    if (found?.hasAttribute("data-cycle")) {
      this.viewer.play(false);
      this.viewer.go(number("data-cycle"));
    } else if (found?.hasAttribute("data-command")) {
      this.viewer.select({ command: number("data-command") });
    } else if (found) {
      this.viewer.select({ line: number("data-line") });
    }
  }
}

function link(data: Record<string, string | number>, text: string): HTMLButtonElement {
  return html("button", { type: "button", class: "link", ...data }, text);
}
