/**
 * Positions of elements and rings. A chip is drawn as a racetrack, with half of its elements along each long side, and
 * with the rings between the two sides. Chip coordinates assume a horizontal chip: `along` points right, and `across`
 * points down. On a narrow screen, the chip is drawn vertically, turned by 90 degrees so that clockwise stays
 * clockwise. A second chip is turned by 180 degrees and drawn below the first, so that the I/O interfaces that connect
 * the chips face each other.
 */

export type Point = readonly [x: number, y: number];

export interface Metrics {
  standing: boolean;
  /** Distance from element to element, and the length of an element's box. */
  slot: number;
  box: number;
  depth: number;
  /** Distances: boxes to outermost ring, ring to ring, and between the two sides of the innermost ring. */
  strip: number;
  lane: number;
  middle: number;
  /** Distance that the outermost ring extends beyond the last element. */
  end: number;
  /** Distance between two chips. */
  between: number;
  margin: number;
}

/** The rectangle of an element's box in the picture. */
export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
  /** A point relative to the middle of the side that faces the rings. */
  at(along: number, inwards: number): Point;
}

const LYING: Metrics = {
  standing: false,
  slot: 166,
  box: 154,
  depth: 106,
  strip: 36,
  lane: 25,
  middle: 92,
  end: 86,
  between: 0,
  margin: 12,
};
const TWO_CHIPS: Metrics = { ...LYING, depth: 102, strip: 32, lane: 21, middle: 46, between: 84 };
const STANDING: Metrics = {
  standing: true,
  slot: 112,
  box: 106,
  depth: 116,
  strip: 25,
  lane: 15,
  middle: 38,
  end: 60,
  between: 84,
  margin: 11,
};

export function metrics(chips: number, narrow: boolean): Metrics {
  return narrow ? STANDING : chips > 1 ? TWO_CHIPS : LYING;
}

/** Points of each quarter circle; enough to look round. */
const BEND_STEPS = 8;

interface Vertex {
  /** Position on the ring, in hops clockwise from ramp 0. */
  at: number;
  point: Point;
}

export class Geometry {
  readonly width: number;
  readonly height: number;
  readonly frames: Frame[];
  private readonly half: number;
  private readonly alongSize: number;
  private readonly acrossSize: number;
  /** The polyline of each ring. */
  private readonly tracks: Vertex[][];

  constructor(
    readonly metrics: Metrics,
    private readonly elements: number,
    chips: number,
    private readonly rings: number,
  ) {
    const { slot, depth, strip, lane, middle, end, between, margin, standing } = metrics;
    this.half = Math.ceil(elements / 2);
    const lanes = 2 * (depth + strip + lane * (rings - 1)) + middle;
    this.alongSize = (this.half - 1) * slot + 2 * Math.max(end, metrics.box / 2) + 2 * margin;
    this.acrossSize = lanes + 2 * margin;
    const [wide, high] = standing ? [this.acrossSize, this.alongSize] : [this.alongSize, this.acrossSize];
    this.width = wide;
    this.height = high * chips + between * (chips - 1);
    this.frames = Array.from({ length: elements * chips }, (_, ramp) => this.frame(ramp));
    this.tracks = Array.from({ length: rings * chips }, (_, ring) => this.track(ring));
  }

  /** The point of a ring at a position in hops clockwise from the chip's ramp 0. */
  on(ring: number, at: number): Point {
    const track = this.tracks[ring] as Vertex[];
    const position = this.wrap(at);
    const next = track.findIndex((vertex) => vertex.at > position);
    const [a, b] = [track[next - 1] as Vertex, track[next] as Vertex];
    const part = (position - a.at) / (b.at - a.at);
    return [a.point[0] + part * (b.point[0] - a.point[0]), a.point[1] + part * (b.point[1] - a.point[1])];
  }

  /** The path along a ring from one position to another, in either direction. */
  path(ring: number, from: number, to: number): string {
    const [low, high] = from < to ? [from, to] : [to, from];
    const track = this.tracks[ring] as Vertex[];
    const turns = Math.floor(low / this.elements) * this.elements;
    const points = [this.on(ring, low)];
    for (const turn of [turns, turns + this.elements]) {
      for (const vertex of track) {
        if (vertex.at + turn > low && vertex.at + turn < high) {
          points.push(vertex.point);
        }
      }
    }
    points.push(this.on(ring, high));
    return pathOf(from < to ? points : points.reverse());
  }

  /** The path of a whole ring. */
  circuit(ring: number): string {
    const points = (this.tracks[ring] as Vertex[]).slice(0, -1).map(({ point }) => point);
    return `${pathOf(points)}Z`;
  }

  /** Distance of a ring from the boxes. */
  inset(ring: number): number {
    return this.metrics.strip + (ring % this.rings) * this.metrics.lane;
  }

  /** The point of a chip with these chip coordinates. */
  onChip(chip: number, along: number, across: number): Point {
    const turned = chip % 2 === 1;
    const [a, b] = turned ? [this.alongSize - along, this.acrossSize - across] : [along, across];
    const below = chip * ((this.metrics.standing ? this.alongSize : this.acrossSize) + this.metrics.between);
    return this.metrics.standing ? [this.acrossSize - b, a + below] : [a, b + below];
  }

  /** The middle of a chip, between its innermost rings. */
  centre(chip: number): Point {
    return this.onChip(chip, this.alongSize / 2, this.acrossSize / 2);
  }

  /** The middle of the bend at one end of a ring: the end with ramp 0, or the other end. */
  atEnd(ring: number, last: boolean): Point {
    return this.on(ring, last ? this.half - 0.5 : this.elements - 0.5);
  }

  private wrap(at: number): number {
    return ((at % this.elements) + this.elements) % this.elements;
  }

  /** Chip coordinate `along` of the middle of the first element. */
  private get firstAlong(): number {
    return this.metrics.margin + Math.max(this.metrics.end, this.metrics.box / 2);
  }

  private frame(ramp: number): Frame {
    const { slot, box, depth, margin } = this.metrics;
    const chip = Math.floor(ramp / this.elements);
    const nth = ramp % this.elements;
    const first = nth < this.half;
    const along = this.firstAlong + slot * (first ? nth : this.elements - 1 - nth);
    const edge = first ? margin + depth : this.acrossSize - margin - depth;
    const inwards = first ? 1 : -1;
    const at = (more: number, towards: number) => this.onChip(chip, along + more, edge + inwards * towards);
    const [one, other] = [at(-box / 2, -depth), at(box / 2, 0)];
    return {
      x: Math.min(one[0], other[0]),
      y: Math.min(one[1], other[1]),
      width: Math.abs(one[0] - other[0]),
      height: Math.abs(one[1] - other[1]),
      at,
    };
  }

  private track(ring: number): Vertex[] {
    const { slot, depth, margin, end, lane } = this.metrics;
    const chip = Math.floor(ring / this.rings);
    const inset = depth + this.inset(ring);
    const [top, bottom] = [margin + inset, this.acrossSize - margin - inset];
    const reach = Math.max(end - (ring % this.rings) * lane, 6);
    const [left, right] = [this.firstAlong, this.firstAlong + slot * (this.half - 1)];
    const count = this.elements;
    const vertices: Vertex[] = [];
    const add = (at: number, along: number, across: number) => {
      vertices.push({ at, point: this.onChip(chip, along, across) });
    };
    for (let nth = 0; nth < this.half; nth++) {
      add(nth, left + nth * slot, top);
    }
    bend(this.half - 1, right, reach, top, bottom, 1, add);
    for (let nth = this.half; nth < count; nth++) {
      add(nth, right - (nth - this.half) * slot, bottom);
    }
    bend(count - 1, left, reach, bottom, top, -1, add);
    add(count, left, top);
    return vertices;
  }
}

/** Adds the hop round an end: a quarter circle, a straight part and another quarter circle, at constant speed. */
function bend(
  at: number,
  along: number,
  reach: number,
  from: number,
  to: number,
  outwards: number,
  add: (at: number, along: number, across: number) => void,
): void {
  const radius = Math.min(reach, Math.abs(to - from) / 2);
  const down = Math.sign(to - from);
  const quarter = (Math.PI / 2) * radius;
  const length = 2 * quarter + Math.abs(to - from) - 2 * radius;
  for (let step = 1; step <= BEND_STEPS; step++) {
    const angle = (step / BEND_STEPS) * (Math.PI / 2);
    const part = (step / BEND_STEPS) * quarter;
    add(at + part / length, along + outwards * radius * Math.sin(angle), from + down * radius * (1 - Math.cos(angle)));
  }
  for (let step = 0; step < BEND_STEPS; step++) {
    const angle = (1 - step / BEND_STEPS) * (Math.PI / 2);
    const part = length - quarter + (step / BEND_STEPS) * quarter;
    add(at + part / length, along + outwards * radius * Math.sin(angle), to - down * radius * (1 - Math.cos(angle)));
  }
}

export function pathOf(points: readonly Point[]): string {
  return points.map(([x, y], nth) => `${nth === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}
