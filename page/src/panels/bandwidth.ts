/** The diagram of bandwidth by ring over time. A click in the diagram goes to that bus cycle. */

import { type Bandwidth, bandwidthOf } from "../bandwidth.ts";
import { set, svg } from "../dom.ts";
import { colour } from "../drawing/rings.ts";
import type { Experiment } from "../experiment.ts";
import { peakOf } from "../machine.ts";
import { runOf } from "../scene.ts";
import type { Trace } from "../trace.ts";
import type { Viewer } from "../viewer.ts";
import { figure } from "../words.ts";

const WIDTH = 400;
const HEIGHT = 150;
const LEFT = 4;
const TOP = 14;
const BOTTOM = 18;
const BINS = 98;

interface Drawn {
  run: string;
  name: string;
  /** GB/s of all rings, by bin. */
  totals: number[];
}

export class BandwidthPanel {
  private cursor: SVGLineElement | null = null;
  private plot: SVGSVGElement | null = null;

  /** The diagram that is shown, and that of the run before it if both have the same FUNCTION. */
  private shown: Drawn | null = null;
  private before: Drawn | null = null;
  /** The diagram of the run beside, or of the run that it is beside; null if there is one run. */
  partner: BandwidthPanel | null = null;
  /** The bandwidth at the top of the diagram, in GB/s, if this run is alone. */
  private top = 0;
  /** The machine and FUNCTION that the scale was chosen for, and the part of the peak that it reaches. */
  private scaled = { what: "", scale: 1 };

  constructor(
    private readonly room: HTMLElement,
    private readonly viewer: Viewer,
    private readonly experiment: Experiment,
    private readonly go = (time: number) => viewer.go(time),
  ) {
    viewer.traced.listen(() => this.draw());
    experiment.learns.listen(() => this.draw());
    experiment.settles.listen(() => this.draw());
    viewer.moved.listen(() => this.moveCursor());
    room.addEventListener("pointerdown", (event) => {
      room.setPointerCapture(event.pointerId);
      this.point(event);
    });
    room.addEventListener("pointermove", (event) => {
      if (room.hasPointerCapture(event.pointerId)) {
        this.point(event);
      }
    });
  }

  /** Draws this diagram and its partner, because both have one scale. */
  draw(): void {
    const { trace } = this.viewer;
    if (trace) {
      const bandwidth = bandwidthOf(trace, BINS);
      const peak = peakOf(trace, this.experiment.facts);
      this.remember(bandwidth);
      this.top = peak / this.scaleOf(Math.max(bandwidth.most, ...(this.before?.totals ?? [])), peak);
      this.paint(trace, bandwidth, peak);
      this.partner?.repaint();
    }
  }

  private repaint(): void {
    const { trace } = this.viewer;
    if (trace) {
      this.paint(trace, bandwidthOf(trace, BINS), peakOf(trace, this.experiment.facts));
    }
  }

  private paint(trace: Trace, bandwidth: Bandwidth, peak: number): void {
    const top = Math.max(this.top, this.partner?.top ?? 0);
    const other = this.partner ? this.partner.shown : this.before;
    const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
    this.cursor = svg("line", { class: "cursor", y1: TOP - 4, y2: HEIGHT - BOTTOM + 4 });
    const label = `Bandwidth by ring: ${figure(bandwidth.mean)} GB/s in this window, at most ${figure(bandwidth.most)}`;
    this.plot = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
      ...this.startUp(trace, y(top), y(0)),
      ...areas(bandwidth, trace, y),
      svg("line", { class: "peak", x1: LEFT, x2: WIDTH - LEFT, y1: y(top), y2: y(top) }),
      text(LEFT, y(top) - 4, peakText(top, peak), "start"),
      ...(other ? dashed(other, this.partner ? "the other run" : "the run before", y) : []),
      svg("line", { class: "axis", x1: LEFT, x2: WIDTH - LEFT, y1: y(0), y2: y(0) }),
      ...ticks(trace, y(0)),
      this.cursor,
    );
    this.room.replaceChildren(this.plot);
    this.moveCursor();
  }

  /**
   * A bandwidth far below the peak is drawn at a larger scale, with the peak in the label. Runs of one experiment keep
   * their scale, so that their diagrams can be compared.
   */
  private scaleOf(most: number, peak: number): number {
    const { machine, request } = this.experiment.scene;
    const what = `${machine.name} ${request.function}`;
    const fits = [1, 2, 4, 8, 16, 32, 64].filter((part) => most <= (peak / part) * 0.9).at(-1) ?? 1;
    this.scaled = { what, scale: what === this.scaled.what ? Math.min(fits, this.scaled.scale) : fits };
    return this.scaled.scale;
  }

  /** Keeps the last diagram of another run, so that both are seen on one clock and one scale. */
  private remember({ rings }: Bandwidth): void {
    const { scene } = this.experiment;
    const run = runOf(scene);
    const totals = (rings[0] ?? []).map((_, bin) => rings.reduce((sum, ring) => sum + (ring[bin] ?? 0), 0));
    if (this.shown && this.shown.run !== run) {
      this.before = this.shown.name === scene.request.function ? this.shown : null;
    }
    this.shown = { run, name: scene.request.function, totals };
  }

  private startUp(trace: Trace, top: number, bottom: number): SVGRectElement[] {
    const ended = trace.triggeredAt + (this.experiment.startUp?.ended_at ?? 0);
    const width = across(Math.min(ended, trace.to), trace) - LEFT;
    const box = { class: "start-up", x: LEFT, y: top, width, height: bottom - top };
    return width > 0 ? [svg("rect", box, svg("title", {}, "start-up"))] : [];
  }

  private moveCursor(): void {
    const { trace, time } = this.viewer;
    if (trace && this.cursor) {
      const x = across(time, trace).toFixed(1);
      set(this.cursor, "x1", x);
      set(this.cursor, "x2", x);
    }
  }

  private point(event: PointerEvent): void {
    const { trace } = this.viewer;
    if (trace && this.plot) {
      const box = this.plot.getBoundingClientRect();
      const part = ((event.clientX - box.left) / box.width) * WIDTH - LEFT;
      this.go(Math.round(trace.from + (part / (WIDTH - 2 * LEFT)) * (trace.to - trace.from)));
    }
  }
}

function across(time: number, trace: Trace): number {
  return LEFT + ((time - trace.from) / (trace.to - trace.from)) * (WIDTH - 2 * LEFT);
}

function areas(bandwidth: Bandwidth, trace: Trace, y: (value: number) => number): SVGPathElement[] {
  const below = new Array<number>(bandwidth.rings[0]?.length ?? 0).fill(0);
  return bandwidth.rings.map((ring, number) => {
    const floor = [...below];
    ring.forEach((value, bin) => {
      below[bin] = (below[bin] ?? 0) + value;
    });
    const edges = (bin: number) => [bin, bin + 1].map((edge) => across(edgeOf(edge, bandwidth, trace), trace));
    const step = (heights: number[], bin: number) =>
      edges(bin).map((x) => `${x.toFixed(1)} ${y(heights[bin] ?? 0).toFixed(1)}`);
    const over = below.flatMap((_, bin) => step(below, bin));
    const under = floor.flatMap((_, bin) => step(floor, bin)).reverse();
    return svg("path", { class: `area ${colour(number, trace)}`, d: `M${[...over, ...under].join("L")}Z` });
  });
}

/** The total of another run, bin by bin from the start of its own window. */
function dashed({ totals }: Drawn, name: string, y: (value: number) => number): SVGElement[] {
  const x = (edge: number) => (LEFT + (edge / totals.length) * (WIDTH - 2 * LEFT)).toFixed(1);
  const steps = totals.flatMap((total, bin) => [x(bin), x(bin + 1)].map((at) => `${at} ${y(total).toFixed(1)}`));
  const line = svg("path", { class: "before", d: `M${steps.join("L")}` }, svg("title", {}, name));
  return [line, text(WIDTH - LEFT, TOP - 4, `dashed: ${name}`, "end")];
}

function edgeOf(bin: number, { width }: Bandwidth, { from, to }: Trace): number {
  return Math.min(from + bin * width, to);
}

function peakText(top: number, peak: number): string {
  const name = `bus peak: ${figure(peak)} GB/s`;
  return top === peak ? name : `${figure(top)} GB/s (${name})`;
}

function ticks(trace: Trace, bottom: number): SVGTextElement[] {
  const [from, to] = [trace.from - trace.triggeredAt, trace.to - trace.triggeredAt];
  const middle = Math.round((from + to) / 2);
  return [
    text(LEFT, bottom + 13, String(from), "start"),
    text(WIDTH / 2, bottom + 13, `bus cycle ${middle}`, "middle"),
    text(WIDTH - LEFT, bottom + 13, String(to), "end"),
  ];
}

function text(x: number, y: number, words: string, anchor: string): SVGTextElement {
  return svg("text", { x, y, "text-anchor": anchor }, words);
}
