/** The link between two chips: a lane in each direction, and the lines on both. */

import { say, set, show, svg } from "../dom.ts";
import type { Frame, Geometry, Point } from "../geometry.ts";
import { pathOf } from "../geometry.ts";
import type { Line } from "../records.ts";
import type { Trace } from "../trace.ts";
import { mark } from "../words.ts";

/** Maximum number of lines drawn; a label shows the number of all lines. */
const MOST = 64;
/** Distance between the two lanes. */
const LANE = 20;

interface Direction {
  ends: [Point, Point];
  group: SVGGElement;
  number: SVGTextElement;
  tokens: SVGGElement[];
}

export class Link {
  readonly group = svg("g", { class: "link", "aria-hidden": "true" });
  private readonly directions: Direction[];

  constructor(trace: Trace, geometry: Geometry) {
    const joins = trace.elements.flatMap((name, ramp) => (name.startsWith("IOIF0") ? [ramp] : []));
    const [one, other] = joins.map((ramp) => geometry.frames[ramp] as Frame) as [Frame, Frame];
    const middle = geometry.height / 2;
    const left = Math.min(one.x, other.x) + LANE;
    const right = Math.max(one.x + one.width, other.x + other.width) - LANE;
    const [start, end] = one.x > other.x ? [right, left] : [left, right];
    const above: Point = [start, one.y + one.height];
    const below: Point = [end, other.y];
    const road: Point[] = [above, [start, middle], [end, middle], below];
    const lane = (offset: number): [Point, Point] => [
      [start, middle + offset],
      [end, middle + offset],
    ];
    this.group.append(svg("path", { class: "road", d: pathOf(road) }));
    const back = lane(LANE / 2).reverse() as [Point, Point];
    this.directions = [lane(-LANE / 2), back].map((ends, from) => this.direction(ends, from));
  }

  update(crossing: readonly Line[][], time: number): void {
    this.directions.forEach((direction, from) => {
      const lines = crossing[from] ?? [];
      set(direction.group, "data-length", lines.length);
      say(direction.number, `to chip ${1 - from}: ${lines.length || "no"} ${lines.length === 1 ? "line" : "lines"}`);
      direction.tokens.forEach((token, nth) => {
        const line = lines[nth];
        show(token, line !== undefined);
        if (line) {
          this.moveToken(token, line, direction.ends, time);
        }
      });
    });
  }

  private moveToken(token: SVGGElement, line: Line, [start, end]: [Point, Point], time: number): void {
    const lasts = line.crossedAt - line.crossingAt;
    const part = Number.isFinite(lasts) && lasts > 0 ? (time - line.crossingAt) / lasts : 0.5;
    const along = (axis: 0 | 1) => start[axis] + part * (end[axis] - start[axis]);
    set(token, "transform", `translate(${along(0).toFixed(1)} ${along(1).toFixed(1)})`);
    set(token, "data-line", line.id);
    say(token.lastChild as SVGTextElement, mark(line));
  }

  private direction(ends: [Point, Point], from: number): Direction {
    // Commands cross the link in its middle.
    const [x, y] = [ends[0][0] + (ends[1][0] - ends[0][0]) / 4, ends[0][1]];
    const beside = from === 0 ? -LANE : LANE + 8;
    const number = svg("text", { class: "fine", x, y: y + beside, "text-anchor": "middle" });
    const tokens = Array.from({ length: MOST }, () =>
      svg(
        "g",
        { class: "token" },
        svg("rect", { class: "token-box", x: -9, y: -7, width: 18, height: 14, rx: 3 }),
        tokenText(),
      ),
    );
    const group = svg("g", { "data-link": from }, svg("path", { class: "lane", d: pathOf(ends) }), number, ...tokens);
    this.group.append(group);
    return { ends, group, number, tokens };
  }
}

function tokenText(): SVGTextElement {
  return svg("text", { "text-anchor": "middle", y: 4 });
}
