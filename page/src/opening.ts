/**
 * How a run is seen first: where it is steady, and playing slowly, once, when the page opens. A run that was opened at
 * a bus cycle, or that somebody has already moved, stays where it is.
 */

import type { Experiment } from "./experiment.ts";
import type { Player } from "./player.ts";
import type { Viewer } from "./viewer.ts";

/** Bus cycles that the page plays by itself. */
const PLAYED = 100;

export class Opening {
  private plays = !matchMedia("(prefers-reduced-motion: reduce)").matches;

  constructor(
    private readonly viewer: Viewer,
    private readonly player: Player,
    private readonly experiment: Experiment,
  ) {
    experiment.settles.listen(() => this.settle());
    // Whoever has picked up a thread must not lose it.
    for (const event of ["pointerdown", "keydown"]) {
      addEventListener(event, () => viewer.touch(), { capture: true });
    }
  }

  /** The page has opened its first run. */
  opened(): void {
    this.plays &&= this.isOpen;
    if (this.experiment.scene.trace) {
      this.play();
    }
  }

  /** Shows the other side of the end of start-up. */
  async switch(): Promise<boolean> {
    const { startUp, scene } = this.experiment;
    const ended = startUp?.ended_at ?? 0;
    this.viewer.play(false);
    return scene.skip < ended ? this.experiment.turnTo(ended, null) : this.experiment.turnTo(0);
  }

  /** Whether the run is shown as it opened, and something moves. */
  private get isOpen(): boolean {
    const moves = this.viewer.trace?.middleGrant ?? null;
    return moves !== null && this.experiment.scene.at === null && this.viewer.untouched;
  }

  private async settle(): Promise<void> {
    const { startUp, scene } = this.experiment;
    // Another run may have been asked for meanwhile.
    if (startUp?.ended_at && scene.skip === 0 && this.isOpen && !this.experiment.busy) {
      // Whoever moves the clock meanwhile keeps the window.
      await this.experiment.turnIf(() => this.isOpen, startUp.ended_at, null);
    }
    this.play();
  }

  private play(): void {
    const now = this.plays && this.isOpen && document.querySelector("dialog[open]") === null;
    this.plays = false;
    if (now) {
      this.player.playFor(PLAYED);
    }
  }
}
