/** Words for registers of SPEs, such as mailboxes and signals, on their way inside the elements that send and get them. */

import { set, show, svg } from "../dom.ts";
import type { Frame, Geometry, Point } from "../geometry.ts";
import { type Line, NEVER } from "../records.ts";
import type { Trace } from "../trace.ts";

const ENVELOPE = "M-10 -7H10V7H-10ZM-10 -7L0 1L10 -7";

/** Whether a line is a word for a register of an SPE, or from one. */
export function isWord(line: Line): boolean {
  return line.target?.endsWith(" register") ?? false;
}

export class Letters {
  readonly group = svg("g", { class: "letters", "aria-hidden": "true" });
  private readonly marks: SVGPathElement[] = [];
  /** The second parts of words that cross to the other chip. */
  private readonly onward: Map<number | null, Line>;

  constructor(
    private readonly trace: Trace,
    private readonly geometry: Geometry,
  ) {
    this.onward = new Map(trace.lines.map((line) => [line.onwardOf, line]));
  }

  update(time: number): void {
    let used = 0;
    for (const line of this.trace.underWayAt(Math.floor(time)).filter(isWord)) {
      const point = this.point(line, time);
      if (point) {
        const mark = this.marks[used] ?? this.make();
        used += 1;
        show(mark, true);
        set(mark, "data-line", line.id);
        set(mark, "transform", `translate(${point[0].toFixed(1)} ${point[1].toFixed(1)})`);
      }
    }
    for (const mark of this.marks.slice(used)) {
      show(mark, false);
      mark.removeAttribute("data-line");
    }
  }

  /** Where a word is inside an element; null while it is asked for, on a ring or on the link. */
  private point(line: Line, time: number): Point | null {
    const last = this.onward.get(line.id) ?? line;
    const respondedAt = line.rounds.at(-1)?.respondedAt ?? NEVER;
    if (respondedAt <= time && time < line.grantedAt && line.from !== null) {
      const [far, near] = ends(this.frame(line.from));
      return between(far, near, time, respondedAt, line.readyAt);
    }
    if (last.arrivedAt <= time && last.to !== null) {
      const [far, near] = ends(this.frame(last.to));
      return between(near, far, time, last.arrivedAt, line.doneAt);
    }
    return null;
  }

  private frame(ramp: number): Frame {
    return this.geometry.frames[ramp] as Frame;
  }

  private make(): SVGPathElement {
    const mark = svg("path", { class: "letter", "data-ring": "", d: ENVELOPE });
    this.group.append(mark);
    this.marks.push(mark);
    return mark;
  }
}

/** The two ends of a word's way along the side of a box that text rarely reaches: far from the ramps, and near. */
function ends({ x, y, width, height, at }: Frame): [far: Point, near: Point] {
  const inside = (inwards: number): Point => {
    const [across, down] = at(58, inwards);
    return [Math.min(Math.max(across, x + 30), x + width - 18), Math.min(Math.max(down, y + 38), y + height - 14)];
  };
  return [inside(-100), inside(-6)];
}

function between([ax, ay]: Point, [bx, by]: Point, time: number, from: number, to: number): Point {
  const part = to < NEVER ? Math.min(Math.max((time - from) / (to - from || 1), 0), 1) : 0;
  return [ax + part * (bx - ax), ay + part * (by - ay)];
}
