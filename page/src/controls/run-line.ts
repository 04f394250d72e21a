/** The run as a line below the window's slider: its start-up, and where the window is. A click goes there. */

import { own, say } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import type { Opening } from "../opening.ts";

/** Windows that the line shows beyond the end of start-up. */
const BEYOND = 4;

export class RunLine {
  private readonly line = own("run-line", HTMLElement);
  private readonly button = own("to-start-up", HTMLButtonElement);
  /** Bus cycles of the whole line. */
  private length = 1;

  constructor(
    private readonly experiment: Experiment,
    opening: Opening,
  ) {
    experiment.opens.listen(() => this.draw());
    experiment.measures.listen(() => this.draw());
    this.button.addEventListener("click", () => opening.switch());
    this.line.addEventListener("click", ({ clientX }) => {
      const box = this.line.getBoundingClientRect();
      const { window } = experiment.scene;
      const at = ((clientX - box.left) / box.width) * this.length;
      experiment.turnTo(Math.max(0, Math.floor(at / window) * window));
    });
  }

  private draw(): void {
    const { startUp, scene } = this.experiment;
    const ended = startUp?.ended_at ?? 0;
    this.line.hidden = ended === 0;
    this.button.hidden = ended === 0;
    this.length = Math.max(ended + BEYOND * scene.window, scene.skip + scene.window);
    const part = (cycles: number) => `${((100 * cycles) / this.length).toFixed(2)}%`;
    this.line.style.setProperty("--start-up", part(ended));
    this.line.style.setProperty("--from", part(scene.skip));
    this.line.style.setProperty("--window", part(scene.window));
    say(this.button, scene.skip < ended ? "steady part" : "start-up");
  }
}
