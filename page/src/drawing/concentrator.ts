/** The address concentrator in the middle of the chip: the commands that it ordered most recently. */

import { say, set, svg } from "../dom.ts";
import type { Geometry } from "../geometry.ts";
import { countUpTo } from "../intervals.ts";
import type { Line, Round } from "../records.ts";
import { NEVER } from "../records.ts";
import type { Trace } from "../trace.ts";
import { count } from "../words.ts";

const ROWS = 3;
const LINE = 16.5;

const RESPONSES: Record<string, string> = {
  retry: "Retry: must be sent again",
  data: "data will follow",
  memory: "memory responds",
  done: "done",
};

interface Ordered {
  line: Line;
  round: Round;
}

/** Other kinds are about a line of memory that another unit may have. */
const TOWARDS: Record<string, string> = { read: "from", write: "to" };

export class Concentrator {
  readonly group: SVGGElement;
  private readonly rows: SVGTextElement[];
  private readonly ordered: Ordered[];
  private readonly times: number[];

  constructor(trace: Trace, geometry: Geometry) {
    const all = trace.lines.flatMap((line) => line.rounds.map((round) => ({ line, round })));
    this.ordered = all
      .filter(({ round }) => round.orderedAt < NEVER)
      .sort((one, other) => one.round.orderedAt - other.round.orderedAt);
    this.times = this.ordered.map(({ round }) => round.orderedAt);
    const [x, y] = geometry.centre(0);
    const rows = geometry.metrics.middle > 80 ? ROWS : 1;
    const top = y - (rows * LINE) / 2 + 2;
    const title = svg(
      "text",
      { class: "title", x, y: top, "text-anchor": "middle" },
      "address concentrator: commands in order",
    );
    this.rows = Array.from({ length: rows }, (_, row) =>
      svg("text", { class: "order", x, y: top + LINE * (row + 1), "text-anchor": "middle" }),
    );
    // Between the sides of a standing chip, there is room for vertical text only.
    const turn = geometry.metrics.standing ? `rotate(90 ${x} ${y})` : null;
    const text = svg("g", { transform: turn }, title, ...this.rows);
    this.group = svg("g", { class: "concentrator", "aria-hidden": "true" }, text);
  }

  update(cycle: number): void {
    const last = countUpTo(this.times, cycle) - 1;
    this.rows.forEach((row, nth) => {
      const ordered = this.ordered[last - nth];
      say(row, ordered ? this.words(ordered, cycle) : "");
      const retry = ordered?.round.response === "retry" && ordered.round.respondedAt <= cycle;
      set(row, "class", `order${retry ? " retry" : ""}${ordered?.round.orderedAt === cycle ? " now" : ""}`);
    });
  }

  private words({ line, round }: Ordered, cycle: number): string {
    const ago = cycle - round.orderedAt;
    const when = ago === 0 ? "now" : `${count(ago, "cycle")} ago`;
    const answer = round.respondedAt <= cycle ? ` → ${RESPONSES[round.response ?? ""] ?? round.response}` : "";
    const target = line.target ? ` ${TOWARDS[line.kind] ?? "of"} ${line.target}` : "";
    return `${when}: ${line.issuer} ${line.kind}${target}${answer}`;
  }
}
