/** The life of the line, or of the system call, that a step speaks of, as a bar of time under the picture. */

import { html, own, say, show } from "../dom.ts";
import { lifeOfCall, lifeOfLine, type Phase } from "../life.ts";
import { type Call, type Line, NEVER } from "../records.ts";
import type { Trace } from "../trace.ts";
import type { Viewer } from "../viewer.ts";
import { count } from "../words.ts";
import type { Course } from "./course.ts";
import type { Step } from "./format.ts";

/** The phases in the words for which the bar has room. */
const SHORT: Record<Phase["kind"], string> = {
  queue: "queue",
  order: "order",
  retry: "retry",
  fetch: "data",
  wait: "on-ramp",
  ring: "ring",
  link: "link",
  deliver: "receive",
  complete: "finish",
  system: "system",
};
const NAMED = /\b(line|command) (\d+)\b/g;

export class LifeBar {
  private readonly room = own("life-bar", HTMLElement);
  private readonly cursor = html("i");
  private readonly now = html("span");
  private readonly title = html("b");
  private readonly bar = html("div");
  /** The lines that the step names or, if it names none, the one that its elements wait for. */
  private lines: Line[] = [];
  private subject: Line | Call | null = null;
  private phases: Phase[] = [];

  constructor(
    private readonly course: Course,
    private readonly viewer: Viewer,
  ) {
    this.room.append(html("p", {}, this.title, " ", this.now), this.bar);
    this.bar.addEventListener("click", ({ target }) => this.follow(target as Element));
    course.changes.listen(() => this.choose());
    viewer.moved.listen(() => this.update());
  }

  private choose(): void {
    const { view, settled, begin, asks } = this.course;
    const { trace } = this.viewer;
    // The lengths of its stages would answer some questions.
    this.room.classList.toggle("closed", asks);
    if (view && trace && settled) {
      const named = linesOf(view as Step, trace);
      const other = this.waitedFor(trace, begin);
      this.lines = named.length > 0 ? named : other ? [other] : [];
      this.subject = null;
      this.update();
    }
  }

  private update(): void {
    const { trace, time } = this.viewer;
    const subject = trace ? (this.callAt(trace, time) ?? this.lineAt(trace, time)) : null;
    show(this.room, subject !== null);
    if (!subject || !trace) {
      return;
    }
    if (subject !== this.subject) {
      this.subject = subject;
      this.draw(subject, trace);
    }
    const at = this.phases.findIndex(({ from, to }) => from <= time && time < to);
    const phase = this.phases[at];
    const lasts = phase && phase.to < NEVER ? ` of ${phase.to - phase.from}` : "";
    const words = phase ? `${phase.name}: cycle ${Math.floor(time) - phase.from + 1}${lasts}` : "";
    say(this.now, words || (time < (this.phases[0]?.from ?? 0) ? "has not begun" : "is over"));
    [...this.bar.children].forEach((each, nth) => {
      each.classList.toggle("now", nth === at);
    });
    this.cursor.style.insetInlineStart = `${this.percent(time, trace)}%`;
  }

  private callAt(trace: Trace, time: number): Call | null {
    const lit = this.course.view?.highlight;
    return trace.callsAt(Math.floor(time)).find(({ ppe }) => lit?.includes(ppe)) ?? null;
  }

  /** The line that the step names next; while none of those is under way, one that the step's elements wait for. */
  private lineAt(trace: Trace, time: number): Line | null {
    const line = this.lines.find(({ doneAt }) => time < doneAt) ?? this.lines.at(-1) ?? null;
    const isLive = line && (line.rounds[0]?.issuedAt ?? 0) <= time && time < line.doneAt;
    return isLive ? line : (this.waitedFor(trace, Math.floor(time)) ?? line);
  }

  private waitedFor(trace: Trace, cycle: number): Line | null {
    const lit = new Set(this.course.view?.highlight?.map((subject) => subject.split(" ")[0]));
    const all = ["SPEs", "elements", "threads"].some((group) => lit.has(group));
    return trace.underWayAt(cycle).find(({ issuer }) => all || lit.has(issuer)) ?? null;
  }

  private draw(subject: Line | Call, trace: Trace): void {
    const isLine = "issuer" in subject;
    this.phases = isLine ? lifeOfLine(subject, trace) : lifeOfCall(subject, trace);
    say(
      this.title,
      isLine ? `Line ${subject.id}, of ${subject.issuer}:` : `System call “${subject.name}” of ${subject.ppe}:`,
    );
    const parts = this.phases.map(({ kind, name, from, to }, nth) => {
      const cycles = Math.min(to, trace.to) - from;
      const words = `${name}: ${count(cycles, "cycle")}, from bus cycle ${from - trace.triggeredAt}`;
      const about = { type: "button", class: kind, title: words, "aria-label": words, "data-phase": nth } as const;
      const part = html("button", about, html("span", {}, `${SHORT[kind]} `), html("b", {}, String(cycles)));
      const start = this.percent(from, trace);
      part.style.insetInlineStart = `${start}%`;
      part.style.inlineSize = `${this.percent(to, trace) - start}%`;
      return part;
    });
    this.bar.replaceChildren(...parts, this.cursor);
  }

  private percent(time: number, trace: Trace): number {
    const from = this.phases[0]?.from ?? 0;
    const to = Math.min(this.phases.at(-1)?.to ?? 0, trace.to);
    return Math.min(Math.max(((time - from) / (to - from || 1)) * 100, 0), 100);
  }

  private follow(target: Element): void {
    const phase = this.phases[Number(target.closest("[data-phase]")?.getAttribute("data-phase") ?? -1)];
    if (phase) {
      this.viewer.play(false);
      this.viewer.go(phase.from);
    }
  }
}

/** The lines that a step names; those of its question only if there are no others. */
function linesOf({ question, ...view }: Step, trace: Trace): Line[] {
  const named = (about: unknown) =>
    [...(JSON.stringify(about) ?? "").matchAll(NAMED)]
      .map(([, what, number]) =>
        what === "line" ? trace.line(Number(number)) : (trace.command(Number(number))?.lines[0] ?? null),
      )
      .filter((line) => line !== null && line.onwardOf === null) as Line[];
  const own = named(view);
  const found = own.length > 0 ? own : named([question?.because, question?.answer]);
  return [...new Set(found)].sort((one, other) => one.id - other.id);
}
