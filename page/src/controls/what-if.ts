/** Sliders that change values of the machine. */

import type { MachineValue } from "../answers.ts";
import { html, own, say, show } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import type { MachineValues, Scene } from "../scene.ts";

interface Slider {
  key: string;
  label: string;
  least: number;
  most: number;
}

/** Sliders and their ranges. The ranges exceed the uncertainty of the values, so that people can try any machine. */
const SLIDERS: readonly Slider[] = [
  { key: "eib.clockwise_rings", label: "clockwise rings", least: 1, most: 4 },
  { key: "eib.counterclockwise_rings", label: "counterclockwise rings", least: 1, most: 4 },
  { key: "eib.hop_bus_cycles", label: "time for one hop", least: 1, most: 4 },
  { key: "eib.ring_start_gap_bus_cycles", label: "start gap on one ring", least: 1, most: 16 },
  { key: "eib.direction_start_gap_bus_cycles", label: "start gap in one direction", least: 1, most: 16 },
  { key: "eib.home_ring_wait_bus_cycles", label: "wait for the home ring", least: 0, most: 64 },
  { key: "eib.halfway_clockwise_only", label: "half way round only clockwise", least: 0, most: 1 },
  { key: "eib.command_response_bus_cycles", label: "response time of commands", least: 10, most: 120 },
  { key: "mfc.outstanding_reads", label: "outstanding reads of each MFC", least: 1, most: 64 },
  { key: "mfc.outstanding_writes", label: "outstanding writes of each MFC", least: 1, most: 64 },
  { key: "mic.read_latency_bus_cycles", label: "memory read latency", least: 40, most: 400 },
  { key: "bif.lanes_from_chip_0", label: "lanes from chip 0 to chip 1", least: 1, most: 8 },
  { key: "bif.lanes_from_chip_1", label: "lanes from chip 1 to chip 0", least: 1, most: 8 },
];

export class WhatIf {
  private readonly room = own("sliders", HTMLElement);
  private readonly reset = own("reset-values", HTMLButtonElement);
  private readonly count = own("values-changed", HTMLElement);

  constructor(
    private readonly experiment: Experiment,
    private readonly run: (scene: Scene) => void,
  ) {
    experiment.learns.listen(() => this.draw());
    this.reset.addEventListener("click", () => this.change({}));
  }

  private draw(): void {
    const { facts, scene } = this.experiment;
    // If the machine comes from a file, users edit the file instead.
    show(own("what-if", HTMLElement), scene.machine.toml === undefined);
    const values = scene.machine.values ?? {};
    const changed = Object.keys(values).length;
    this.reset.disabled = changed === 0;
    say(this.count, changed > 0 ? ` (${changed} changed)` : "");
    const focused = document.activeElement?.id;
    const known = new Map(facts?.values.map((value) => [value.key, value]));
    const rows = SLIDERS.flatMap((slider) => {
      const value = known.get(slider.key);
      const matters = !slider.key.startsWith("bif.") || (facts?.chips ?? 1) > 1;
      return value && matters ? [this.row(slider, value, slider.key in values)] : [];
    });
    this.room.replaceChildren(...rows);
    if (focused) {
      this.room.querySelector<HTMLElement>(`#${CSS.escape(focused)}`)?.focus();
    }
  }

  private row({ key, label, least, most }: Slider, value: MachineValue, changed: boolean): HTMLElement {
    const id = `value-${key.replaceAll(".", "-")}`;
    const now = Number(value.value);
    const words = (number: number | string) =>
      value.unit === "flag" ? (Number(number) ? "yes" : "no") : `${number} ${value.unit}`;
    const output = html("output", { for: id }, words(now));
    const input = html("input", {
      id,
      type: "range",
      min: Math.min(least, now),
      max: Math.max(most, now),
      value: now,
      "aria-describedby": `${id}-about`,
    });
    input.addEventListener("input", () => say(output, words(input.value)));
    input.addEventListener("change", () => {
      this.change({ ...this.experiment.scene.machine.values, [key]: Number(input.value) });
    });
    const doubt = value.range ? `, between ${value.range[0]} and ${value.range[1]}` : "";
    const about = html(
      "small",
      { id: `${id}-about`, title: `${value.meaning} ${value.source}` },
      `${value.basis}${doubt}`,
    );
    const row = html("div", { class: changed ? "slider changed" : "slider" });
    row.append(html("label", { for: id }, label), output, input, about);
    return row;
  }

  private change(values: MachineValues): void {
    const { scene } = this.experiment;
    this.run({ ...scene, machine: { ...scene.machine, values } });
  }
}
