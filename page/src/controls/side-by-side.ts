/** The controls of two runs side by side: the button that keeps a run, what each picture shows, and the comparison. */

import type { Beside } from "../beside.ts";
import { captions, comparison } from "../comparison.ts";
import { own, say, set } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import type { BandwidthPanel } from "../panels/bandwidth.ts";
import type { Viewer } from "../viewer.ts";

export class SideBySide {
  private readonly button = own("beside", HTMLButtonElement);

  constructor(
    private readonly beside: Beside,
    private readonly experiment: Experiment,
    private readonly viewer: Viewer,
    private readonly diagrams: readonly [BandwidthPanel, BandwidthPanel],
    /** Whether a run may be put beside now: not in a lesson. */
    private readonly may: () => boolean,
  ) {
    this.button.addEventListener("click", () => this.toggle());
    own("beside-swap", HTMLButtonElement).addEventListener("click", () => beside.swap());
    own("beside-close", HTMLButtonElement).addEventListener("click", () => {
      beside.close();
      this.button.focus();
    });
    beside.changes.listen(() => this.draw());
    for (const each of [experiment, beside.experiment]) {
      each.opens.listen(() => this.compare());
      each.learns.listen(() => this.compare());
      each.measures.listen(() => this.compare());
    }
    viewer.moved.listen(() => this.sayCycles());
    beside.viewer.moved.listen(() => this.sayCycles());
  }

  toggle(): void {
    if (this.beside.isOpen) {
      this.beside.close();
    } else if (this.may()) {
      this.beside.keep();
    }
  }

  /** Clears the selection in the picture beside. */
  clear(): void {
    this.beside.viewer.select({});
  }

  private draw(): void {
    const { isOpen } = this.beside;
    document.body.classList.toggle("side-by-side", isOpen);
    set(this.button, "aria-pressed", String(isOpen));
    const [one, other] = this.diagrams;
    [one.partner, other.partner] = isOpen ? [other, one] : [null, null];
    one.draw();
    this.compare();
    this.sayCycles();
  }

  private compare(): void {
    const [one, other] = [this.experiment, this.beside.experiment];
    if (!this.beside.isOpen) {
      return;
    }
    const [here, there] = one.setup && other.setup ? captions(one.setup, other.setup) : ["", ""];
    say(own("shown-differs", HTMLElement), here);
    say(own("beside-differs", HTMLElement), there);
    const room = own("comparison", HTMLElement);
    const slow = one.tooLong || other.tooLong;
    const waiting = slow ? "One of the two measurements takes over a minute: no numbers to compare." : "Measuring…";
    say(room, one.current && other.current ? comparison(one.current, other.current) : waiting);
  }

  private sayCycles(): void {
    if (this.beside.isOpen) {
      say(own("shown-cycle", HTMLElement), `bus cycle ${this.viewer.at.toLocaleString("en")}`);
      say(own("beside-cycle", HTMLElement), `bus cycle ${this.beside.viewer.at.toLocaleString("en")}`);
    }
  }
}
