/** Which thread is on which SPE: by name, by chance, by search; by hand it is in the picture. */

import { html, own, say } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import type { Scene } from "../scene.ts";
import { count } from "../words.ts";

export class PlacementControls {
  private readonly choice = own("affinity", HTMLSelectElement);
  private readonly words = own("placement-words", HTMLElement);

  constructor(
    private readonly experiment: Experiment,
    private readonly run: (scene: Scene) => Promise<boolean>,
  ) {
    experiment.learns.listen(() => this.draw());
    this.choice.addEventListener("change", () => this.choose(this.choice.value));
    own("find-placement", HTMLButtonElement).addEventListener("click", () => this.find());
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

  private async find(): Promise<void> {
    const found = await this.experiment.place();
    if (!found) {
      return;
    }
    const { placement, bus_cycles: after, bus_cycles_now: now } = found;
    const cycles = (number: number) => count(Math.round(number), "bus cycle");
    if (after >= now) {
      this.experiment.says.send({ text: "The communication model finds no better placement.", refused: false });
      return;
    }
    await this.place(placement);
    const expects = `The communication model expects ${cycles(after)} for this window’s traffic, and ${cycles(now)} before.`;
    this.experiment.says.send({ text: expects, refused: false });
  }

  private place(placement: readonly number[] | string | null): Promise<boolean> {
    const { scene } = this.experiment;
    return this.run({ ...scene, request: { ...scene.request, placement: placement ?? undefined } });
  }
}
