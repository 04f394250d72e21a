/** The contents of the PPE's box: its request on the bus, its system call, or how long there has been neither. */

import { say, set, svg } from "../dom.ts";
import type { Frame } from "../geometry.ts";
import { countUpTo } from "../intervals.ts";
import { NEVER } from "../records.ts";
import type { Trace } from "../trace.ts";

/** What the PPE's box says between requests; also the name of the term. */
const NO_REQUEST = "no request";

export class PpeRows {
  readonly group: SVGGElement;
  private readonly role: SVGTextElement;
  private readonly prefix = svg("tspan", { class: "word" });
  private readonly words = svg("tspan");
  private readonly line: SVGTextElement;
  private readonly bar = svg("rect", { class: "since", height: 6, rx: 3 });
  /** When each request is sent, and when the last one until then is complete. */
  private readonly sent: number[];
  private readonly done: number[];
  private readonly full: number;

  constructor(
    { x, y, width }: Frame,
    private readonly name: string,
    private readonly trace: Trace,
  ) {
    const lines = trace.lines.filter((line) => line.issuer === name && line.rounds[0]);
    lines.sort((one, other) => (one.rounds[0]?.issuedAt ?? 0) - (other.rounds[0]?.issuedAt ?? 0));
    this.sent = lines.map(({ rounds }) => rounds[0]?.issuedAt ?? NEVER);
    let latest = Number.NEGATIVE_INFINITY;
    this.done = lines.map(({ doneAt }) => {
      latest = Math.max(latest, doneAt);
      return latest;
    });
    this.full = width - 18;
    this.line = svg("text", { class: "state-words", x: x + 9, y: y + 60 }, this.prefix, this.words);
    set(this.bar, "x", x + 9);
    set(this.bar, "y", y + 69);
    this.role = svg("text", { class: "role", x: x + 9, y: y + 40 });
    this.group = svg("g", {}, this.role, this.line, this.bar);
  }

  update(time: number): void {
    const { from, to } = this.trace;
    const last = countUpTo(this.sent, time) - 1;
    const since = Math.max(this.done[last] ?? from, from);
    const next = Math.min(this.sent[last + 1] ?? to, to);
    const cycle = Math.floor(time);
    const quiet = this.sent.length > 0 && since <= time;
    const request = quiet ? null : this.trace.underWayAt(cycle).find(({ issuer }) => issuer === this.name);
    const call = this.trace.callsAt(cycle).find(({ ppe }) => ppe === this.name);
    const [begin, end] = call ? [call.from, Math.min(call.to, to)] : [since, next];
    const counted = quiet ? (cycle - since).toLocaleString("en") : "";
    say(this.role, call ? "in a system call" : "main processor");
    const idle = quiet && !call;
    say(this.prefix, idle ? `${NO_REQUEST}: ` : "");
    set(this.line, "data-term", idle ? NO_REQUEST : "PPE");
    say(this.words, request ? `${request.kind} ${request.target ?? ""}` : (call?.name ?? counted));
    set(this.bar, "width", call || quiet ? ((this.full * (time - begin)) / (end - begin || 1)).toFixed(1) : 0);
    this.bar.classList.toggle("system", call !== undefined);
  }
}
