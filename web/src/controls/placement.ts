/** Which thread is on which SPE: by name, by chance, by search; by hand it is in the picture. */

import { quantity } from "../change.ts";
import { html, own, say, show } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import { runOf, type Scene } from "../scene.ts";

export class PlacementControls {
  private readonly choice = own("affinity", HTMLSelectElement);
  private readonly words = own("placement-words", HTMLElement);
  private readonly undo = own("undo-placement", HTMLButtonElement);
  /** The scene before the last change of its placement, and the run that this made of it. */
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

  /** Moves a thread to an SPE; whoever is there takes its place. */
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
    const names = ["by default", ...(about?.affinities ?? []), "random", "by hand"];
    this.choice.replaceChildren(...names.map((name) => html("option", { value: name }, name)));
    const given = scene.request.placement;
    this.choice.value = given === undefined || given === null ? "by default" : given === "random" ? given : "by hand";
    this.nameIt();
    say(this.words, opened?.placement.map((spe, thread) => `${thread} → SPE${spe}`).join("  ") ?? "");
  }

  /** A placement by hand may be one that has a name. */
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
    if (name === "by default") {
      this.place(null);
    } else if (name === "random") {
      this.place(name);
    } else if (name !== "by hand") {
      this.place(await this.experiment.affinity(name));
    }
  }

  /** The model proposes, and a simulation decides: the model leaves things out. */
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
      say("A simulation of the placement that was found takes over a minute: the one that is there stays.");
    } else if (trial) {
      const [now, other] = [quantity(trial.now), quantity(trial.other)];
      // As far as the numbers tell that are shown.
      const better = other.text !== now.text && other.value > now.value === other.isBandwidth;
      if (better && (await this.place(found.placement))) {
        say(`By simulation the placement that was found has ${other.text}, and the one before ${now.text}.`);
      } else if (!better) {
        say(
          `By simulation the placement that the communication model finds has ${other.text}: this one, with ${now.text}, stays.`,
        );
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
