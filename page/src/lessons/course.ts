/** The lesson that is taken: its step, what the page shows for it, and the reader's answer. */

import type { Experiment } from "../experiment.ts";
import type { Player } from "../player.ts";
import { runOf, type Scene } from "../scene.ts";
import { Signal } from "../signal.ts";
import type { ShownLesson } from "../surface.ts";
import type { Viewer } from "../viewer.ts";
import type { Lesson, Question, Step, Time, View } from "./format.ts";
import { sceneOf } from "./lesson.ts";
import type { Partners } from "./partners.ts";
import { agrees, quantityOf, type Value } from "./quantities.ts";
import type { Spotlight } from "./spotlight.ts";

/** Without a speed of its own, a stretch of time takes about this long. */
const STRETCH_SECONDS = 6;

/** The choice of somebody who only wants to see the answer. */
const SHOWN = -1;

/** Where a reader is: a lesson, a step from 0 on, and the choice made there: -1 if the answer was only shown. */
export interface Progress {
  lesson: Lesson;
  step: number;
  choice: number | null;
}

export interface CheckedClaim {
  name: string;
  value: Value;
  holds: boolean;
}

export class Course {
  progress: Progress | null = null;
  /** Sent when the step, the choice, or a value that the step shows has changed. */
  readonly changes = new Signal();
  /** Whether the page shows the run of the step. */
  settled = false;
  /** The run with which the step begins. */
  begins: Scene | null = null;
  /** For each value that the reader has tried in this step, what the panel shows. */
  readonly tried = new Map<string, Value[]>();
  private at = 0;
  private until: number | null = null;
  /** Where the clock of the step comes to rest. */
  private rest = 0;
  private shows = 0;
  private readonly calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(
    readonly lessons: readonly Lesson[],
    private readonly base: Scene,
    private readonly experiment: Experiment,
    private readonly viewer: Viewer,
    private readonly player: Player,
    private readonly spotlight: Spotlight,
    private readonly partners: Partners,
  ) {
    viewer.moved.listen(() => this.stopInTime());
    experiment.measures.listen(() => this.progress && this.changes.send());
  }

  get step(): Step | null {
    return this.progress?.lesson.steps[this.progress.step] ?? null;
  }

  /** Whether the step has a question that is still open. */
  get asks(): boolean {
    return this.step?.question !== undefined && this.progress?.choice === null;
  }

  /** What the step shows now: its own view, or the one of its answer. */
  get view(): View | null {
    const { step, progress } = this;
    return step && { ...step, ...(progress?.choice === null ? {} : step.question?.then) };
  }

  /** The bus cycle at which the view begins. */
  get begin(): number {
    return (this.viewer.trace?.triggeredAt ?? 0) + this.at;
  }

  /** The lesson after this one; null after the last. */
  get next(): Lesson | null {
    return (this.progress && this.lessons[this.lessons.indexOf(this.progress.lesson) + 1]) ?? null;
  }

  /** Whether the reader has changed the run of the step. */
  get changed(): boolean {
    return this.settled && this.begins !== null && runOf(this.experiment.scene) !== runOf(this.begins);
  }

  /** The title of a lesson, with its number if it is one of the page's own. */
  name(lesson: Lesson): string {
    const number = this.lessons.indexOf(lesson) + 1;
    return number > 0 ? `Lesson ${number} · ${lesson.title}` : lesson.title;
  }

  /** Shows a step. A step outside the lesson becomes the first or the last one, and an unknown choice none. */
  async go(lesson: Lesson, step: number, wanted: number | null = null): Promise<boolean> {
    const within = Math.min(Math.max(step, 0), lesson.steps.length - 1);
    const question = lesson.steps[within]?.question;
    const choice = question && (wanted === SHOWN || question.choices[wanted ?? SHOWN]) ? wanted : null;
    const turn = ++this.shows;
    this.settled = false;
    this.progress = { lesson, step: within, choice };
    document.body.classList.add("in-lesson");
    this.changes.send();
    return this.show(this.view as View, turn);
  }

  /** Goes on, to the next lesson after the last step, or back. */
  turnPage(steps: number): void {
    const { progress } = this;
    if (progress && progress.step + steps >= progress.lesson.steps.length) {
      if (this.next) {
        this.go(this.next, 0);
      }
    } else if (progress) {
      this.go(progress.lesson, progress.step + steps);
    }
  }

  /** Goes on as a lecture does: from a question to its answer, and from there to the next step; or the same way back. */
  turn(forwards: boolean): void {
    const { progress, step } = this;
    if (progress && step?.question && this.asks === forwards) {
      this.go(progress.lesson, progress.step, forwards ? SHOWN : null);
    } else {
      this.turnPage(forwards ? 1 : -1);
    }
  }

  /** Takes a choice of the step's question; the first one counts. */
  choose(choice: number): void {
    const { progress, step } = this;
    if (progress && this.asks && step?.question?.choices[choice]) {
      this.go(progress.lesson, progress.step, choice);
    }
  }

  /** Shows another run in the same step, at the step's bus cycle. */
  async change({ machine, request }: Scene): Promise<boolean> {
    const { shows, begins } = this;
    const ran = begins && (await this.experiment.run({ ...begins, machine, request, at: this.at }));
    if (!ran || shows !== this.shows) {
      return false;
    }
    this.play(this.view as View, this.calm.matches);
    this.changes.send();
    return true;
  }

  /** Shows the run again with which the step begins. */
  restore(): void {
    const { progress } = this;
    if (progress) {
      this.go(progress.lesson, progress.step, progress.choice);
    }
  }

  leave(): void {
    this.shows++;
    this.progress = null;
    this.begins = null;
    this.until = null;
    document.body.classList.remove("in-lesson");
    this.spotlight.show([], false);
    this.partners.show([]);
    this.changes.send();
  }

  /** Plays the stretch of this step from its beginning. */
  replay(): void {
    if (this.view) {
      this.play(this.view, false);
    }
  }

  /** The value of a quantity at the step's bus cycle; null while it is unknown. */
  value(name: string, at = this.at): Value {
    const { trace } = this.viewer;
    return trace && this.settled ? quantityOf(name, trace, at, this.experiment.result) : null;
  }

  /** The value that the picture shows when the step has been played. */
  valueAtRest(name: string): Value {
    return this.value(name, this.rest);
  }

  /** The claims of the step, compared with its run; none once another run or moment is shown. */
  claims(): CheckedClaim[] {
    if (this.changed || (this.progress?.choice !== null && this.step?.question?.then)) {
      return [];
    }
    return Object.entries(this.step?.claims ?? {}).map(([name, expected]) => {
      const value = this.value(name);
      return { name, value, holds: agrees(value, expected) };
    });
  }

  /** The state of the lesson, for tests and other programs; null outside lessons. */
  state(): ShownLesson | null {
    const { progress, step, settled } = this;
    const right = step?.question ? this.right(step.question) : null;
    const tried = Object.fromEntries(this.tried);
    return progress && { ...progress, lesson: progress.lesson.key, settled, right, claims: this.claims(), tried };
  }

  /** The number of the right choice; null while the run has no answer. */
  right({ answer, choices }: Question): number | null {
    const value = this.value(answer);
    const found = choices.findIndex((choice) => agrees(value, choice.is));
    return found < 0 ? null : found;
  }

  private async show(view: View, turn: number): Promise<boolean> {
    const { experiment, viewer, progress } = this;
    if (!progress) {
      return false;
    }
    viewer.play(false);
    const scene = sceneOf(progress.lesson, view, this.base);
    const shown = experiment.scene;
    const there = runOf(scene) === runOf(shown) && scene.skip === shown.skip && scene.window === shown.window;
    if (!(there && viewer.trace) && !(await experiment.run(scene))) {
      return false;
    }
    if (turn !== this.shows) {
      return false;
    }
    this.begins = scene;
    viewer.select({});
    this.spotlight.show(view.highlight ?? [], view.zoom ?? false);
    this.partners.show(view.pairs ?? []);
    this.play(view, this.calm.matches);
    this.settled = true;
    this.changes.send();
    return true;
  }

  /** Goes to the beginning of a view, and plays its stretch unless the reader prefers less motion. */
  private play(view: View, still: boolean): void {
    const { viewer, player } = this;
    const origin = viewer.trace?.triggeredAt ?? 0;
    this.at = this.time(view.at ?? 0);
    this.until = null;
    this.rest = this.at;
    viewer.play(false);
    viewer.go(origin + this.at);
    if (view.until !== undefined && !still) {
      this.rest = this.until = this.time(view.until);
      player.speed = view.speed ?? Math.max(2, (this.until - this.at) / STRETCH_SECONDS);
      viewer.play(true);
    }
  }

  private stopInTime(): void {
    const { viewer, until } = this;
    if (until !== null && viewer.playing && viewer.time >= (viewer.trace?.triggeredAt ?? 0) + until) {
      this.until = null;
      viewer.play(false);
      viewer.go((viewer.trace?.triggeredAt ?? 0) + until);
    }
  }

  private time(time: Time): number {
    const { trace } = this.viewer;
    return typeof time === "number" || !trace ? Number(time) : Number(quantityOf(time, trace, 0, null) ?? 0);
  }
}
