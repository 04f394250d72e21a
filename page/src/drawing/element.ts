/** An element of a chip: a box with its state, its two ramps, and the lines that wait at its on-ramp. */

import { say, set, show, svg } from "../dom.ts";
import type { Frame, Geometry, Point } from "../geometry.ts";
import { pathOf } from "../geometry.ts";
import type { Capacities } from "../machine.ts";
import type { ElementMoment } from "../moment.ts";
import { labelOf } from "../positions.ts";
import type { Line } from "../records.ts";
import type { Trace } from "../trace.ts";
import { count, elementName } from "../words.ts";
import { Cells } from "./cells.ts";
import { MemoryRows } from "./memory.ts";
import { PpeRows } from "./ppe.ts";
import { colour } from "./rings.ts";
import { SpeRows } from "./spe.ts";

/** Cells of an on-ramp's queue. The number beside them counts all waiting lines. */
const ONRAMP_CELLS = 8;
/** Distance of the ramps from the middle of an element. */
const RAMP = 13;

export class ElementBox {
  readonly group: SVGGElement;
  /** Ramps in use, drawn on top of the tracks. */
  readonly ramps: SVGGElement;
  private readonly frame: Frame;
  private readonly rows: SpeRows | MemoryRows | PpeRows | null;
  private readonly note: SVGTextElement;
  private readonly queue: Cells;
  private readonly waiting: SVGGElement;
  private readonly number: SVGTextElement;
  private readonly waitingTitle = svg("title");
  private readonly leaving: Cells;
  private readonly arrived: Cells;
  private readonly out: SVGPathElement;
  private readonly in: SVGPathElement;

  constructor(
    private readonly ramp: number,
    private readonly trace: Trace,
    private readonly geometry: Geometry,
    first: ElementMoment,
    { capacities, movable }: { capacities: Capacities; movable: boolean },
  ) {
    const frame = geometry.frames[ramp] as Frame;
    const name = elementName(ramp, trace);
    this.frame = frame;
    this.note = svg("text", { class: "fine", x: frame.x + 9, y: frame.y + frame.height - 9 });
    this.rows = first.spe
      ? new SpeRows(frame, capacities, movable)
      : first.memory.length > 0
        ? new MemoryRows(frame, first.memory, capacities.memoryQueue)
        : name.startsWith("PPE")
          ? new PpeRows(frame, name, trace)
          : null;
    this.out = svg("path", { class: "ramp" });
    this.in = svg("path", { class: "ramp" });
    this.ramps = svg("g", { "aria-hidden": "true" }, this.out, this.in);
    this.queue = this.cells();
    this.leaving = this.beats("leaving", -1, this.standing ? 15 : 23);
    this.arrived = this.beats("arrived", 1, 11);
    const [x, y] = frame.at(-RAMP - 18 - ONRAMP_CELLS * this.pitch, 11);
    this.number = svg("text", {
      class: "waiting-number",
      x,
      y: y + 4,
      "text-anchor": "middle",
      "data-term": "on-ramp",
    });
    this.waiting = svg("g", { class: "waiting" }, this.waitingTitle, this.touch(), this.queue.group, this.number);
    const box = svg("rect", { class: "box", x: frame.x, y: frame.y, width: frame.width, height: frame.height, rx: 8 });
    const term = name.match(/^[A-Z]+/)?.[0];
    const title = svg("text", { class: "name", x: frame.x + 8, y: frame.y + 20, "data-term": term }, name);
    this.group = svg(
      "g",
      {
        class: `element ${first.spe ? "spe" : "other"}`,
        "data-element": name,
        "data-spe": first.spe?.spe,
        role: "group",
        "aria-label": name,
      },
      box,
      title,
      this.rows?.group ?? this.about(name),
      this.note,
      this.notches(),
      this.waiting,
      this.leaving.group,
      this.arrived.group,
    );
  }

  update(moment: ElementMoment, time: number, selected: Line | null, usable: boolean): void {
    if (this.rows instanceof MemoryRows) {
      this.rows.update(moment, time);
    } else if (this.rows instanceof PpeRows) {
      this.rows.update(time);
    } else {
      this.rows?.update(moment, usable);
    }
    const atomic = moment.spe?.atomic;
    const flight = moment.underWay > 0 ? `${count(moment.underWay, "line")} in flight` : "";
    const reading = moment.memory.length > 0 && moment.reading > 0 ? `reading ${count(moment.reading, "line")}` : "";
    const stalled = moment.spe?.stall ? moment.spe.instruction : null;
    const short = moment.underWay > 0 && this.frame.width >= 120 ? `${moment.underWay} in flight · ` : "";
    const note = stalled ? `${short}${labelOf(stalled)}` : flight || reading;
    say(this.note, atomic ? `${atomic.name}${flight && ` · ${moment.underWay} in flight`}` : note);
    set(this.group, "data-in-flight", moment.underWay);
    this.group.classList.toggle("unusable", !usable);
    this.group.classList.toggle("unused", moment.spe !== null && moment.spe.thread === null);
    this.group.classList.toggle("ends", selected?.from === this.ramp || selected?.to === this.ramp);

    const waiting = moment.waiting;
    this.queue.fill(waiting.length);
    const name = elementName(this.ramp, this.trace);
    say(this.waitingTitle, `${count(waiting.length, "line waits", "lines wait")} at the on-ramp of ${name}`);
    say(this.number, waiting.length > 0 ? String(waiting.length) : "");
    set(this.waiting, "data-length", waiting.length);
    set(this.waiting, "data-head", waiting[0]?.line.id ?? "");
    this.stub(this.out, moment.sends, -RAMP);
    const arrives = moment.arrived < this.trace.beats ? moment.receives : null;
    this.stub(this.in, arrives, RAMP);
    this.count(this.leaving, moment.sends, moment.leaving);
    this.count(this.arrived, moment.receives, moment.arrived);
  }

  /** The role of an element that has no state to show. */
  private about(name: string): SVGGElement {
    const joins = this.trace.chips > 1 && name.startsWith("IOIF0");
    const chip = this.ramp < this.trace.elementsPerChip ? 1 : 0;
    const text = joins ? `link to chip ${chip}` : "I/O, unused";
    return svg("g", {}, svg("text", { class: "role", x: this.frame.x + 9, y: this.frame.y + 40 }, text));
  }

  private get standing(): boolean {
    return this.geometry.metrics.standing;
  }

  /** The beats of a line beside a ramp. */
  private beats(name: string, side: -1 | 1, inwards: number): Cells {
    const [start, next] = [this.frame.at(side * (RAMP + 8), inwards), this.frame.at(side * (RAMP + 9), inwards)];
    const towards: Point = [next[0] - start[0], next[1] - start[1]];
    const [pitch, thickness] = this.standing ? [3.9, 5] : [6.8, 8];
    return new Cells(name, { start, towards, pitch, gap: 1.2, thickness, capacity: this.trace.beats });
  }

  private count(cells: Cells, line: Line | null, beats: number): void {
    show(cells.group, line !== null);
    cells.fill(line ? beats : 0);
    set(cells.group, "class", line?.ring == null ? "" : `beat-cells ${colour(line.ring, this.trace)}`);
  }

  private get pitch(): number {
    return this.standing ? 4.2 : 5.6;
  }

  private cells(): Cells {
    const inwards = this.standing ? 8 : 11;
    const [start, next] = [this.frame.at(-RAMP - 8, inwards), this.frame.at(-RAMP - 9, inwards)];
    const towards: Point = [next[0] - start[0], next[1] - start[1]];
    const thickness = this.standing ? 7 : 9;
    return new Cells("on-ramp", { start, towards, pitch: this.pitch, gap: 1.4, thickness, capacity: ONRAMP_CELLS });
  }

  /** A touch area round the cells, which are too small for a finger. */
  private touch(): SVGPathElement {
    const far = -RAMP - 10 - ONRAMP_CELLS * this.pitch;
    const corners = [
      [-RAMP + 8, 1],
      [far, 1],
      [far, 22],
      [-RAMP + 8, 22],
    ] as const;
    return svg("path", { class: "touch", d: pathOf(corners.map(([along, inwards]) => this.frame.at(along, inwards))) });
  }

  /** Arrows at the on-ramp and the off-ramp. */
  private notches(): SVGPathElement {
    const out = [this.frame.at(-RAMP - 5, 1), this.frame.at(-RAMP + 5, 1), this.frame.at(-RAMP, 9)];
    const into = [this.frame.at(RAMP - 5, 9), this.frame.at(RAMP + 5, 9), this.frame.at(RAMP, 1)];
    return svg("path", { class: "notches", d: `${pathOf(out)}Z${pathOf(into)}Z` });
  }

  /** Draws a ramp in use, from the box to the ring. */
  private stub(path: SVGPathElement, line: Line | null, along: number): void {
    show(path, line !== null);
    set(path, "data-line", line?.id ?? "");
    set(path, "data-ring", line?.ring ?? "");
    if (line?.ring == null) {
      return;
    }
    const inset = this.geometry.inset(line.ring);
    const points = [this.frame.at(along, 2), this.frame.at(along, inset - 9), this.frame.at(along / 3, inset)];
    set(path, "d", pathOf(points));
    set(path, "class", `ramp ${colour(line.ring, this.trace)}`);
  }
}
