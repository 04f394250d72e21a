/** A puzzle: the reader places threads, and the simulator compares the placement with the best known one. */

import { html } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import { runOf } from "../scene.ts";
import { Signal } from "../signal.ts";
import { figure } from "../words.ts";
import type { Course } from "./course.ts";

export class Puzzle {
  readonly changes = new Signal();
  /** GB/s of the best known placement, and of the reader's best one. */
  private best: number | null = null;
  private reached = 0;
  private moves = 0;
  private of = "";
  private run = "";

  constructor(
    private readonly course: Course,
    private readonly experiment: Experiment,
  ) {
    course.changes.listen(() => this.begin());
    experiment.measures.listen(() => this.count());
  }

  draw(): Node[] {
    const now = this.experiment.result?.bandwidth_gb_s ?? null;
    const { best } = this;
    const score = now !== null && best !== null ? Math.round((now / best) * 100) : null;
    const meter = html("meter", { min: 0, max: 100, value: score ?? 0, "aria-label": "Score in per cent" });
    const number = (value: number | null) => (value === null ? "…" : `${figure(value)} GB/s`);
    const tried = `${this.moves} ${this.moves === 1 ? "move" : "moves"}`;
    const own = this.moves > 0 ? ` Your best so far: ${number(this.reached)} in ${tried}.` : "";
    const solve = html("button", { type: "button", class: "solve" }, "Show the best known");
    solve.addEventListener("click", () => this.solve());
    return [
      html(
        "p",
        { class: "score", role: "status" },
        html("b", {}, score === null ? "…" : `${score} %`),
        " of the best known",
      ),
      meter,
      html("p", { class: "note" }, `Now ${number(now)}; best known ${number(best)}.${own}`),
      solve,
    ];
  }

  /** Measures the best known placement when the step is shown first. */
  private async begin(): Promise<void> {
    const { progress, step } = this.course;
    const of = progress && step?.puzzle ? `${progress.lesson.key} ${progress.step}` : "";
    if (of === this.of || (of !== "" && !(this.course.settled && this.experiment.result))) {
      return;
    }
    this.of = of;
    if (of === "" || !step?.puzzle) {
      return;
    }
    [this.best, this.reached, this.moves] = [null, 0, 0];
    this.run = runOf(this.experiment.scene);
    const trial = await this.experiment.trial(step.puzzle.best);
    if (this.of === of && trial && trial !== "too long") {
      this.best = trial.other.bandwidth_gb_s;
      this.changes.send();
    }
  }

  private count(): void {
    const { result, scene } = this.experiment;
    const run = runOf(scene);
    if (this.of !== "" && result && run !== this.run) {
      this.run = run;
      this.moves += 1;
      this.reached = Math.max(this.reached, result.bandwidth_gb_s ?? 0);
      this.changes.send();
    }
  }

  private solve(): void {
    const { scene } = this.experiment;
    const best = this.course.step?.puzzle?.best;
    if (best) {
      this.course.change({ ...scene, request: { ...scene.request, placement: [...best] } });
    }
  }
}
