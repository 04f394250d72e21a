/** Chooses the SPE of each thread: by name, at random or by search. People can move threads manually in the picture. */

import { quantity } from "../change.ts";
import { html, own, say, show } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import { runOf, type Scene } from "../scene.ts";

export class PlacementControls {
  private readonly choice = own("affinity", HTMLSelectElement);
  private readonly words = own("placement-words", HTMLElement);
  private readonly undo = own("undo-placement", HTMLButtonElement);
  /** The scene before the last change of its placement, and the run after that change. */
  private last: { before: Scene; run: string } | null = null;

  constructor(
    private readonly experiment: Experiment,
    private readonly run: (scene: Scene) => Promise<boolean>,
  ) {
    experiment.learns.listen(() => this.draw());
    this.choice.addEventListener("change", () => this.choose(this.choice.value));
    own("find-placement", HTMLButtonElement).addEventListener("click", () => this.find());
    show(this.undo, false);
    this.undo.addEventListener("click", () => this.last && this.run(this.last.before));
    experiment.opens.listen((scene) => show(this.undo, this.last?.run === runOf(scene)));
  }

  /** Moves a thread to an SPE; a thread already on that SPE moves to the first thread's old SPE. */
  move(thread: number, spe: number): void {
    const placement = [...(this.experiment.opened?.placement ?? [])];
    const [from, other] = [placement[thread], placement.indexOf(spe)];
    if (from === undefined || from === spe) {
      return;
    }
    if (other >= 0) {
      placement[other] = from;
    }
    placement[thread] = spe;
    this.place(placement);
  }

  private draw(): void {
    const { about, opened, scene } = this.experiment;
    const names = ["default order", ...(about?.affinities ?? []), "random", "by hand"];
    this.choice.replaceChildren(...names.map((name) => html("option", { value: name }, name)));
    const given = scene.request.placement;
    this.choice.value =
      given === undefined || given === null ? "default order" : given === "random" ? given : "by hand";
    this.nameIt();
    say(this.words, opened?.placement.map((spe, thread) => `${thread} → SPE${spe}`).join("  ") ?? "");
  }

  /** If a manual placement equals a named placement, shows its name. */
  private async nameIt(): Promise<void> {
    const { opened, about, scene } = this.experiment;
    if (this.choice.value !== "by hand") {
      return;
    }
    for (const name of about?.affinities ?? []) {
      const named = await this.experiment.affinity(name);
      if (scene === this.experiment.scene && String(named) === String(opened?.placement)) {
        this.choice.value = name;
        return;
      }
    }
  }

  private async choose(name: string): Promise<void> {
    if (name === "default order") {
      this.place(null);
    } else if (name === "random") {
      this.place(name);
    } else if (name !== "by hand") {
      this.place(await this.experiment.affinity(name));
    }
  }

  /** The communication model proposes a placement. A simulation checks it, because the model is simplified. */
  private async find(): Promise<void> {
    const found = await this.experiment.place();
    if (!found) {
      return;
    }
    const say = (text: string) => this.experiment.says.send({ text, refused: false });
    if (found.bus_cycles >= found.bus_cycles_now) {
      say("The communication model finds no better placement.");
      return;
    }
    const trial = await this.experiment.trial(found.placement);
    if (trial === "too long") {
      say("The simulation of the proposed placement takes over a minute, so the current placement stays.");
    } else if (trial) {
      const [now, other] = [quantity(trial.now), quantity(trial.other)];
      // Compare the rounded numbers that the page shows.
      const better = other.text !== now.text && other.value > now.value === other.isBandwidth;
      if (better && (await this.place(found.placement))) {
        say(`In simulation the new placement has ${other.text}; the previous one had ${now.text}.`);
      } else if (!better) {
        say(`In simulation the proposed placement has ${other.text}, so the current one, with ${now.text}, stays.`);
      }
    }
  }

  private async place(placement: readonly number[] | string | null): Promise<boolean> {
    const { scene } = this.experiment;
    const placed = { ...scene, request: { ...scene.request, placement: placement ?? undefined } };
    this.last = { before: scene, run: runOf(placed) };
    return this.run(placed);
  }
}
