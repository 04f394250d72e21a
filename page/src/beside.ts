/**
 * A second run beside the one that the controls change. Both have one clock: bus cycles since the start of their
 * windows, which begin equally long after the trigger, or after the end of start-up where both runs are steady.
 */

import { Experiment } from "./experiment.ts";
import { runOf, type Scene } from "./scene.ts";
import { Signal } from "./signal.ts";
import type { Simulator } from "./simulator.ts";
import { Viewer } from "./viewer.ts";

export class Beside {
  readonly viewer = new Viewer();
  readonly experiment: Experiment;
  isOpen = false;
  /** Sent when a run is put beside, or taken away. */
  readonly changes = new Signal();
  /** The scene that was asked for, until it is shown. */
  private wanted: Scene | null = null;

  constructor(
    private readonly clock: Viewer,
    private readonly shown: Experiment,
    windows: Simulator,
    measurements: Simulator,
  ) {
    this.experiment = new Experiment(shown.scene, this.viewer, windows, measurements);
    clock.moved.listen(() => this.keepTime());
    this.viewer.traced.listen(() => this.keepTime());
    for (const signal of [shown.opens, shown.settles, this.experiment.settles] as Signal<unknown>[]) {
      signal.listen(() => this.keepWindow());
    }
    this.experiment.says.listen(({ text, refused }) => refused && this.refuse(text));
  }

  /** Keeps the run that is shown, so that the next one is shown beside it. */
  keep(): void {
    const known = this.shown.known();
    if (known && !known.scene.trace) {
      this.isOpen = true;
      this.experiment.showKnown(known);
      this.changes.send();
    }
  }

  /** Puts a scene beside, once `first` is done. If the simulator refuses the scene, the page says why. */
  async open(scene: Scene, first: Promise<unknown> = Promise.resolve()): Promise<void> {
    this.isOpen = true;
    const wanted = { ...scene, at: null };
    this.wanted = wanted;
    this.changes.send();
    await first;
    if (this.wanted === wanted && (await this.experiment.run(wanted))) {
      this.wanted = null;
      this.changes.send();
    }
  }

  close(): void {
    if (this.isOpen) {
      this.isOpen = false;
      this.wanted = null;
      this.experiment.stop();
      this.changes.send();
    }
  }

  /** Exchanges the two runs: the controls change the other one from now on. */
  swap(): void {
    const [one, other] = [this.shown.known(), this.experiment.known()];
    if (this.isOpen && one && other) {
      this.experiment.showKnown(one);
      this.shown.showKnown(other);
      this.changes.send();
    }
  }

  /** The scene beside, with its selected line; null if there is none. Its bus cycle follows from the clock. */
  scene(): Scene | null {
    const scene = this.wanted ?? { ...this.experiment.scene, line: this.viewer.selection.line };
    return this.isOpen ? { ...scene, at: null } : null;
  }

  /** Shows what a URL asks for. */
  async follow(scene: Scene | null): Promise<void> {
    const now = this.scene();
    if (!scene) {
      this.close();
    } else if (now && runOf(now) === runOf(scene) && now.skip === scene.skip) {
      this.viewer.select({ line: scene.line });
    } else {
      await this.open(scene);
    }
  }

  /** Moves the clock to a bus cycle of the run beside. */
  go(time: number): void {
    this.clock.go(time + this.offset(this.clock) - this.offset(this.viewer));
  }

  private refuse(why: string): void {
    if (this.wanted) {
      this.close();
    }
    this.shown.says.send({ text: `the run beside: ${why}`, refused: true });
  }

  private keepTime(): void {
    if (this.isOpen && this.clock.trace) {
      this.viewer.go(this.clock.time + this.offset(this.viewer) - this.offset(this.clock));
    }
  }

  private offset({ trace }: Viewer): number {
    return trace?.from ?? 0;
  }

  private keepWindow(): void {
    const { experiment, shown } = this;
    const known = this.isOpen && !this.wanted && experiment.settled && shown.settled;
    if (known && experiment.scene.skip !== this.skip) {
      experiment.turnTo(this.skip);
    }
  }

  /** Where the window of the run beside begins, in bus cycles since its trigger. */
  private get skip(): number {
    const { skip } = this.shown.scene;
    const ended = this.shown.startUp?.ended_at ?? null;
    const other = this.experiment.startUp?.ended_at ?? null;
    return ended === null || other === null || skip < ended ? skip : other + skip - ended;
  }
}
