/** Playback controls: play, pause, steps, the slider over the window, the speed, and the current bus cycle. */

import { own, say, set } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import { type Player, SPEEDS } from "../player.ts";
import type { Viewer } from "../viewer.ts";
import { time } from "../words.ts";

const PLAY = "M5 3v14l12-7z";
const PAUSE = "M4 3h4v14H4zM12 3h4v14h-4z";

export class Transport {
  private readonly scrub = own("scrub", HTMLInputElement);
  private readonly play = own("play", HTMLButtonElement);
  private readonly speed = own("speed", HTMLInputElement);
  private readonly cycle = own("cycle", HTMLElement);
  private readonly nanoseconds = own("nanoseconds", HTMLElement);

  constructor(
    private readonly viewer: Viewer,
    private readonly player: Player,
    experiment: Experiment,
  ) {
    const press = (id: string, what: () => void) => own(id, HTMLButtonElement).addEventListener("click", what);
    press("play", () => player.toggle());
    press("back", () => viewer.step(-1));
    press("forward", () => viewer.step(1));
    press("to-start", () => viewer.step(Number.NEGATIVE_INFINITY));
    press("to-grant", () => viewer.nextGrant());
    press("next-window", () => experiment.turnPage(true));
    press("last-window", () => experiment.turnPage(false));
    this.scrub.addEventListener("input", () => viewer.go((viewer.trace?.triggeredAt ?? 0) + Number(this.scrub.value)));
    this.speed.max = String(SPEEDS.length - 1);
    this.speed.value = String(SPEEDS.indexOf(player.speed));
    this.speed.addEventListener("input", () => this.choose());
    this.choose();
    viewer.traced.listen(({ from, to, triggeredAt }) => {
      this.scrub.min = String(from - triggeredAt);
      this.scrub.max = String(to - 1 - triggeredAt);
      own("last-window", HTMLButtonElement).disabled = from <= triggeredAt;
    });
    viewer.moved.listen(() => this.update());
    viewer.played.listen(() => this.update());
  }

  private choose(): void {
    this.player.speed = SPEEDS[Number(this.speed.value)] ?? 10;
    const words = `${this.player.speed} ${this.player.speed === 1 ? "cycle" : "cycles"} per second`;
    say(own("speed-words", HTMLElement), words);
    set(this.speed, "aria-valuetext", words);
  }

  private update(): void {
    const { trace, at, playing } = this.viewer;
    if (!trace) {
      return;
    }
    const after = time(trace.nanoseconds(at));
    this.scrub.value = String(at);
    set(this.scrub, "aria-valuetext", `bus cycle ${at}`);
    say(this.cycle, at.toLocaleString("en"));
    say(this.nanoseconds, after);
    set(this.play, "aria-label", playing ? "Pause" : "Play");
    set(this.play, "title", playing ? "Pause (space)" : "Play (space)");
    set(this.play.querySelector("path") as SVGPathElement, "d", playing ? PAUSE : PLAY);
    this.play.classList.toggle("playing", playing);
  }
}
