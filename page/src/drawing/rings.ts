/** The rings: a track for each ring, with the lines on it as trains of beats. */

import { say, set, show, svg } from "../dom.ts";
import type { Geometry, Point } from "../geometry.ts";
import type { Band } from "../moment.ts";
import { beatsAt } from "../moment.ts";
import type { Line } from "../records.ts";
import type { Trace } from "../trace.ts";
import { mark, ringName } from "../words.ts";
import { isWord } from "./letters.ts";

/** The tracks of all rings, with their numbers and directions. */
export function drawTracks(trace: Trace, geometry: Geometry): SVGGElement {
  const group = svg("g", { class: "tracks", "aria-hidden": "true" });
  trace.rings.forEach((direction, ring) => {
    const track = svg("path", { class: `track ${colour(ring, trace)}`, "data-ring": ring, d: geometry.circuit(ring) });
    group.append(track, arrows(ring, direction === "clockwise", trace, geometry));
  });
  return group;
}

/** The number of each ring at both ends of the track, drawn on top of the lines. */
export function drawNumbers(trace: Trace, geometry: Geometry): SVGGElement {
  const group = svg("g", { class: "numbers", "aria-hidden": "true" });
  const r = geometry.metrics.standing ? 6.5 : 8.5;
  trace.rings.forEach((direction, ring) => {
    for (const last of [false, true]) {
      const [x, y] = geometry.atEnd(ring, last);
      const name = ringName(ring, trace).split("/")[0] as string;
      group.append(
        svg(
          "g",
          { class: colour(ring, trace), "data-ring": ring },
          svg("title", {}, `ring ${ringName(ring, trace)}, ${direction}`),
          svg("circle", { class: "number", cx: x, cy: y, r }),
          svg("text", { x, y: y + 3.7, "text-anchor": "middle" }, name),
        ),
      );
    }
  });
  return group;
}

/** The colour of a ring: one hue for each direction, one shade for each ring. */
export function colour(ring: number, trace: Trace): string {
  const first = ring - (ring % trace.ringsPerChip);
  const same = trace.rings.slice(first, ring + 1).filter((direction) => direction === trace.rings[ring]).length - 1;
  return `${trace.rings[ring]} shade-${same % 4}`;
}

/** Small arrowheads along a track. */
function arrows(ring: number, clockwise: boolean, trace: Trace, geometry: Geometry): SVGPathElement {
  const positions = Array.from({ length: trace.elementsPerChip }, (_, ramp) => ramp + 0.5);
  const half = trace.elementsPerChip / 2;
  const onStraights = positions.filter((position) => (position + 0.5) % half !== 0);
  const d = onStraights.map((position) => chevron(ring, position, clockwise ? 1 : -1, geometry)).join("");
  return svg("path", { class: `arrows ${colour(ring, trace)}`, "data-ring": ring, d });
}

function chevron(ring: number, position: number, forwards: number, geometry: Geometry): string {
  const [from, to] = [geometry.on(ring, position - 0.01 * forwards), geometry.on(ring, position + 0.01 * forwards)];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const corner = (side: number): Point => [to[0] - 4 * dx - side * 4 * dy, to[1] - 4 * dy + side * 4 * dx];
  const [a, b] = [corner(1), corner(-1)];
  return `M${a[0]} ${a[1]}L${to[0]} ${to[1]}L${b[0]} ${b[1]}`;
}

/** Minimum distance between a label and a ring's number, in hops. */
const CLEAR = 0.2;

interface Node {
  group: SVGGElement;
  body: SVGPathElement;
  beats: SVGPathElement;
  label: SVGGElement;
  /** Makes the label of a word an envelope. */
  flap: SVGPathElement;
  text: SVGTextElement;
}

/** The lines on the rings. The elements drawn for a line are reused after it leaves. */
export class Bands {
  readonly group = svg("g", { class: "bands", "aria-hidden": "true" });
  private readonly shown = new Map<number, Node>();
  private readonly spare: Node[] = [];

  constructor(
    private readonly trace: Trace,
    private readonly geometry: Geometry,
    private readonly name: string,
  ) {}

  /** Draws the bands at a time that may lie between two bus cycles. */
  update(bands: readonly Band[], time: number, selected: number | null): void {
    const on = new Set(bands.map(({ line }) => line.id));
    for (const [id, node] of this.shown) {
      if (!on.has(id)) {
        this.shown.delete(id);
        this.spare.push(node);
        show(node.group, false);
        node.group.removeAttribute("data-line");
      }
    }
    for (const { line } of bands) {
      this.draw(this.node(line), line, time);
      this.shown.get(line.id)?.group.classList.toggle("selected", line.id === selected);
    }
  }

  private node(line: Line): Node {
    const there = this.shown.get(line.id);
    if (there) {
      return there;
    }
    const node = this.spare.pop() ?? this.make();
    this.shown.set(line.id, node);
    set(node.group, "class", `band ${colour(line.ring ?? 0, this.trace)}`);
    set(node.group, "data-line", line.id);
    set(node.group, "data-ring", line.ring ?? "");
    set(node.group, "data-thread", line.thread ?? "");
    show(node.flap, isWord(line));
    set(node.beats, "marker-end", `url(#${this.name}-head-${line.ring})`);
    say(node.text, mark(line));
    show(node.group, true);
    return node;
  }

  private make(): Node {
    const body = svg("path", { class: "body" });
    const beats = svg("path", { class: "beats" });
    // A badge like the thread's; a circle would look like a ring's number. At this size, including its border, it does
    // not touch a label on the next ring.
    const [width, height] = this.geometry.metrics.standing ? [12.6, 12.6] : [20, 18];
    const badge = svg("rect", { x: -width / 2, y: -height / 2, width, height, rx: 4 });
    const text = svg("text", { "text-anchor": "middle", y: 4 });
    const flap = svg("path", { class: "flap", d: `M${-width / 2} ${-height / 2}L0 0L${width / 2} ${-height / 2}` });
    const label = svg("g", { class: "label" }, badge, flap, text);
    const group = svg("g", {}, body, beats, label);
    this.group.append(group);
    return { group, body, beats, label, flap, text };
  }

  private draw(node: Node, line: Line, time: number): void {
    const { tail, head } = beatsAt(line, time, this.trace);
    const ring = line.ring ?? 0;
    const forwards = this.trace.rings[ring] === "clockwise" ? 1 : -1;
    const start = (line.from ?? 0) % this.trace.elementsPerChip;
    const along = (hops: number) => start + forwards * hops;
    set(node.group, "data-tail", tail);
    set(node.group, "data-head", head);
    set(node.body, "d", head > tail ? this.geometry.path(ring, along(tail), along(head)) : "");
    set(node.beats, "d", this.beats(line, time, along));
    const [x, y] = this.geometry.on(ring, this.labelPosition(along(tail), along(head)));
    set(node.label, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  }

  /** The position of a label: the middle of its band, unless the ring's number is there. */
  private labelPosition(tail: number, head: number): number {
    const middle = (tail + head) / 2;
    const half = this.trace.elementsPerChip / 2;
    const past = (((middle + 0.5) % half) + half) % half;
    const toNumber = past > half / 2 ? past - half : past;
    if (Math.abs(toNumber) >= CLEAR) {
      return middle;
    }
    // Move the label towards the longer part of the band.
    const moved = middle - toNumber + (toNumber < 0 ? -CLEAR : CLEAR);
    return Math.min(Math.max(moved, Math.min(tail, head)), Math.max(tail, head));
  }

  /** A dash for each beat on the ring, last beat first, so that the arrowhead marks the first beat. */
  private beats(line: Line, time: number, along: (hops: number) => number): string {
    const { beats, hopCycles } = this.trace;
    const gap = 3 / this.geometry.metrics.slot;
    const dashes: string[] = [];
    for (let beat = beats - 1; beat >= 0; beat--) {
      const front = (time - line.grantedAt - beat) / hopCycles;
      const [from, to] = [Math.max(front - 1 / hopCycles + gap, 0), Math.min(front - gap, line.hops)];
      if (to - from > gap) {
        dashes.push(this.geometry.path(line.ring ?? 0, along(from), along(to)));
      }
    }
    return dashes.join("");
  }
}

/** Arrowheads for the first beats, one for each ring. `name` keeps the pictures of a page apart. */
export function arrowheads(trace: Trace, name: string): SVGDefsElement {
  const heads = trace.rings.map((_, ring) =>
    svg(
      "marker",
      {
        id: `${name}-head-${ring}`,
        class: `head ${colour(ring, trace)}`,
        viewBox: "0 0 10 10",
        refX: 5,
        refY: 5,
        markerWidth: 17,
        markerHeight: 17,
        markerUnits: "userSpaceOnUse",
        orient: "auto",
      },
      svg("path", { d: "M0 0L10 5L0 10Z" }),
    ),
  );
  return svg("defs", {}, ...heads);
}
