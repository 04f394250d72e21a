/** Advances the time during playback. */

import type { Viewer } from "./viewer.ts";

/** Playback speeds in bus cycles per second. */
export const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export class Player {
  speed = 5;
  /** Shows whole bus cycles only, for people who prefer reduced motion. */
  private readonly calm = matchMedia("(prefers-reduced-motion: reduce)");
  private last: number | null = null;
  private exact = 0;
  /** Bus cycles until playback pauses by itself. */
  private left = Number.POSITIVE_INFINITY;

  constructor(private readonly viewer: Viewer) {
    viewer.played.listen(() => {
      if (viewer.playing) {
        this.begin();
      }
    });
  }

  toggle(): void {
    this.viewer.play(!this.viewer.playing);
  }

  /** Plays this many bus cycles, and then pauses. */
  playFor(cycles: number): void {
    this.viewer.play(true);
    this.left = cycles;
  }

  private begin(): void {
    this.left = Number.POSITIVE_INFINITY;
    const { trace, time } = this.viewer;
    // If playback starts at the end, it restarts from the beginning.
    this.exact = trace && time >= trace.to - 1 ? trace.from : time;
    this.last = null;
    requestAnimationFrame(this.frame);
  }

  private readonly frame = (now: number): void => {
    const { viewer } = this;
    if (!viewer.playing || !viewer.trace) {
      return;
    }
    // If something else, such as the slider, changed the time, continue from the new time.
    if (this.last !== null && viewer.time !== this.shown) {
      this.exact = viewer.time;
    }
    const played = this.last === null ? 0 : ((now - this.last) / 1000) * this.speed;
    this.exact += played;
    this.left -= played;
    this.last = now;
    if (this.shown !== viewer.time) {
      viewer.go(this.shown);
    }
    if (this.exact >= viewer.trace.to - 1 || this.left <= 0) {
      viewer.play(false);
      return;
    }
    requestAnimationFrame(this.frame);
  };

  private get shown(): number {
    const last = (this.viewer.trace?.to ?? 1) - 1;
    return Math.min(this.calm.matches ? Math.floor(this.exact) : this.exact, last);
  }
}
