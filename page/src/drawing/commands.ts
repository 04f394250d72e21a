/**
 * The ways of commands: from a unit to the address concentrator, from there to every unit, and the combined response
 * back. A trace has the times at which a command is sent, ordered and answered. Between them, marks move evenly: the
 * snoop of all units, their responses, and the combined response each have a third of the time from order to answer.
 */

import { say, set, show, svg } from "../dom.ts";
import { type Geometry, type Point, pathOf } from "../geometry.ts";
import type { Attempt } from "../records.ts";
import type { Trace } from "../trace.ts";

/** Most marks that are drawn. */
const MOST = 128;
/** With more attempts than this at a time, only the marks of units are drawn, and not the snoops. */
const FEW = 4;

export type Stage = "sent" | "both chips" | "snoop" | "responses" | "response" | "retry";

/** Where an attempt is: its stage, and the part of it that has passed, from 0 to 1. */
export interface Way {
  stage: Stage;
  part: number;
}

/** local: bus cycles from order to response of a command that concerns one of two chips; infinite on a single chip. */
export function wayOf({ round, again }: Attempt, time: number, local: number): Way {
  const { issuedAt, orderedAt, respondedAt } = round;
  const between = (from: number, to: number) => Math.min(Math.max((time - from) / (to - from || 1), 0), 1);
  if (time < orderedAt) {
    return { stage: "sent", part: between(issuedAt, orderedAt) };
  }
  if (time >= respondedAt) {
    return { stage: "retry", part: between(respondedAt, again) };
  }
  const snooped = respondedAt - orderedAt > local ? respondedAt - local : orderedAt;
  if (time < snooped) {
    return { stage: "both chips", part: between(orderedAt, snooped) };
  }
  const thirds = 3 * between(snooped, respondedAt);
  const nth = Math.min(Math.floor(thirds), 2);
  return { stage: (["snoop", "responses", "response"] as const)[nth] as Stage, part: thirds - nth };
}

interface Mark {
  group: SVGGElement;
  sign: SVGPathElement;
  words: SVGTextElement;
  title: SVGTitleElement;
}

/** A command is a diamond, a response a disc, and a Retry a disc with its name. */
const DIAMOND = "M0 -8L8 0L0 8L-8 0Z";
const DISC = "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z";

export class Commands {
  readonly group: SVGGElement;
  private readonly marks: Mark[] = [];
  private readonly ways = svg("path", { class: "command-ways" });
  private readonly fans = svg("path", { class: "snoops" });
  private readonly ramps: Map<string, number>;

  constructor(
    private readonly trace: Trace,
    private readonly geometry: Geometry,
    private readonly local: number,
  ) {
    this.ramps = new Map(trace.elements.map((name, ramp) => [name, ramp]));
    const { width, height } = this.box;
    const boxes = Array.from({ length: trace.chips }, (_, chip) => {
      const [x, y] = geometry.centre(chip);
      const at = { x: x - width / 2, y: y - height / 2, width, height, rx: 10 };
      return svg("rect", { class: "concentrator-box", "data-ring": "", ...at });
    });
    this.group = svg("g", { class: "commands", "aria-hidden": "true" }, ...boxes, this.ways, this.fans);
  }

  update(time: number): void {
    const attempts = this.trace.attemptsAt(Math.floor(time));
    const few = attempts.length <= FEW;
    this.group.classList.toggle("many", !few);
    let [ways, fans, used] = ["", "", 0];
    for (const attempt of attempts.slice(0, MOST)) {
      const ramp = this.ramps.get(attempt.line.issuer);
      const way = wayOf(attempt, time, this.local);
      if (ramp === undefined) {
        continue;
      }
      if (way.stage === "snoop" || way.stage === "responses") {
        fans += few ? this.fan(way, way.stage === "snoop", ramp, this.local < this.lasts(attempt)) : "";
        continue;
      }
      const points = this.way(ramp, way.stage);
      this.draw(used++, attempt, way, along(points, way.stage === "response" ? 1 - way.part : way.part));
      ways += few && way.stage !== "retry" ? pathOf(points) : "";
    }
    set(this.ways, "d", ways);
    set(this.fans, "d", fans);
    for (const { group } of this.marks.slice(used)) {
      show(group, false);
      group.removeAttribute("data-line");
    }
  }

  private draw(nth: number, { line, round }: Attempt, { stage }: Way, [x, y]: Point): void {
    const mark = this.marks[nth] ?? this.make();
    const again = round.response === "retry" && (stage === "response" || stage === "retry");
    const responds = stage === "response" || stage === "retry";
    show(mark.group, true);
    set(mark.group, "class", `command ${again ? "again" : responds ? "answered" : ""}`);
    set(mark.group, "data-line", line.id);
    set(mark.group, "data-issuer", line.issuer);
    set(mark.group, "data-stage", stage);
    set(mark.group, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    set(mark.sign, "d", responds ? DISC : DIAMOND);
    say(mark.words, again ? "Retry" : "");
    say(mark.title, `${line.issuer}: ${line.kind}${line.target ? `, ${line.target}` : ""}: ${TITLES[stage]}`);
  }

  private make(): Mark {
    const [title, sign, words] = [svg("title"), svg("path"), svg("text", { x: 9, y: 4 })];
    // Lights with the rings: a mark is on its way between them.
    const group = svg("g", { "data-ring": "" }, title, sign, words);
    this.group.append(group);
    const mark = { group, sign, words, title };
    this.marks.push(mark);
    return mark;
  }

  private lasts({ round }: Attempt): number {
    return round.respondedAt - round.orderedAt;
  }

  private get box(): { width: number; height: number } {
    const { middle, standing } = this.geometry.metrics;
    const [long, short] = [430, Math.min(middle - 14, 78)];
    return standing ? { width: short, height: long } : { width: long, height: short };
  }

  /** The points from a unit to the edge of its chip's concentrator, or from there to the middle of both chips. */
  private way(ramp: number, stage: Stage): Point[] {
    const { geometry, trace } = this;
    const chip = Math.floor(ramp / trace.elementsPerChip);
    if (stage === "both chips") {
      const centres = Array.from({ length: trace.chips }, (_, nth) => geometry.centre(nth));
      const [own, other] = [centres[chip] as Point, centres[1 - chip] as Point];
      return [own, other, own];
    }
    const frame = geometry.frames[ramp];
    const start = frame?.at(0, 12) ?? [0, 0];
    return stage === "retry" ? [start, start] : [start, this.edge(chip, start)];
  }

  private edge(chip: number, [x, y]: Point): Point {
    const [cx, cy] = this.geometry.centre(chip);
    const { width, height } = this.box;
    const near = (value: number, centre: number, size: number) =>
      Math.min(Math.max(value, centre - size / 2), centre + size / 2);
    return [near(x, cx, width - 24), near(y, cy, height)];
  }

  /** Lines from the concentrator to all units of one chip, or of both, as far as the snoop or the responses are. */
  private fan({ part }: Way, outwards: boolean, ramp: number, both: boolean): string {
    const per = this.trace.elementsPerChip;
    const own = Math.floor(ramp / per);
    return this.geometry.frames
      .filter((_, unit) => both || Math.floor(unit / per) === own)
      .map((frame, unit) => {
        const end = frame.at(0, 12);
        const edge = this.edge(both ? Math.floor(unit / per) : own, end);
        const points = outwards ? [edge, end] : [end, edge];
        return pathOf([along(points, Math.max(part - 0.35, 0)), along(points, part)]);
      })
      .join("");
  }
}

const TITLES: Record<Stage, string> = {
  sent: "the command is on its way to the address concentrator",
  "both chips": "the command is being put into one order for both chips",
  snoop: "all units look for the line",
  responses: "all units respond",
  response: "the combined response returns",
  retry: "waits to be sent again",
};

/** The point at a part of a path whose pieces take equally long. */
function along(points: readonly Point[], part: number): Point {
  const at = Math.min(Math.max(part, 0), 1) * (points.length - 1);
  const nth = Math.min(Math.floor(at), points.length - 2);
  const [[ax, ay], [bx, by]] = [points[nth] as Point, points[nth + 1] as Point];
  return [ax + (at - nth) * (bx - ax), ay + (at - nth) * (by - ay)];
}
