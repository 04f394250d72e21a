/** What is measured: of the window, of the whole measurement, in a paper, and before the last change. */

import { bandwidthOf } from "../bandwidth.ts";
import { html } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import { type Published, publishedOf } from "../published.ts";
import type { Trace } from "../trace.ts";
import { count, figure, time } from "../words.ts";

export function drawTotals(room: HTMLElement, experiment: Experiment, trace: Trace): void {
  const { result, scene, opened } = experiment;
  const rows: Node[] = [];
  const add = (name: string, value: string, note = "") => {
    rows.push(html("dt", {}, name), html("dd", {}, html("b", {}, value), note && ` ${note}`));
  };
  const moved = bandwidthOf(trace, 1).mean;
  const [from, to] = [trace.from, trace.to].map((at) => at - trace.triggeredAt);
  add("on the rings, this window", `${figure(moved)} GB/s`, `bus cycles ${from} to ${to}`);
  if (!scene.trace) {
    const lasts = result ? `simulated: ${time(result.simulated_ns)}` : "";
    if (!result) {
      add("whole measurement", "measuring…");
    } else if (result.bandwidth_gb_s !== null) {
      add("whole measurement", `${figure(result.bandwidth_gb_s)} GB/s`, lasts);
      add("latency", time(result.latency_ns), `on average; ${spread(result.latency_ns_min, result.latency_ns_max)}`);
    } else {
      add("latency", time(result.latency_ns), `on average; ${lasts}`);
    }
    const asItIs = Object.keys(scene.machine.values ?? {}).length === 0;
    const number = opened && asItIs ? publishedOf(scene.machine.name, scene.request.function, opened.parameters) : null;
    if (number) {
      rows.push(
        html("dt", {}, "published"),
        html("dd", {}, html("b", {}, valueOf(number)), ` ${number.says}`, source(number)),
      );
    }
  }
  room.replaceChildren(html("dl", {}, ...rows));
}

/** Kept on show until the next change. */
export function drawChange(room: HTMLElement, { change }: Experiment): void {
  if (!change) {
    room.replaceChildren();
    return;
  }
  const { what, before, after, percent, better } = change;
  room.replaceChildren(
    html("span", { class: "what" }, what),
    html("span", { class: "numbers" }, before, " → ", html("b", {}, after)),
    html("b", { class: better ? "better" : "worse" }, percent),
  );
}

function spread(least: number, most: number): string {
  return `${time(least)} to ${time(most)} by SPE`;
}

function valueOf({ value, quantity }: Published): string {
  const one = (number: number) => (quantity === "latency" ? time(number) : `${figure(number)} GB/s`);
  return typeof value === "number" ? one(value) : `${value[0]} to ${one(value[1])}`;
}

function source(number: Published): HTMLElement {
  return html("small", {}, ` (${number.source})`);
}

const COMPONENTS: Record<string, [name: string, published: string]> = {
  dma_issue: ["DMA issue: the SPU writes the channels", "10"],
  dma_to_eib: ["DMA to EIB: the MFC takes the command up", "30"],
  list_element_fetch: ["fetch of a list element", "10"],
  coherence_protocol: ["coherence protocol: order and answer", "100"],
  data_transfer: ["data transfer: source, ring, local store", "140"],
  completion: ["completion: until the SPU knows", "with the transfer"],
};

/** Where the latency of one DMA goes, beside Table 1 of Kistler et al. */
export function drawBreakdown(room: HTMLElement, { breakdown, scene }: Experiment): void {
  if (!breakdown) {
    room.replaceChildren();
    return;
  }
  const total = breakdown.components.reduce((sum, { spu_cycles }) => sum + spu_cycles, 0);
  const nanoseconds = (cycles: number) => (breakdown.spu_hz ? figure((cycles / breakdown.spu_hz) * 1e9) : "");
  const row = (name: string, cycles: number, published: string) =>
    html(
      "tr",
      {},
      html("td", {}, name, bar(cycles / total)),
      html("td", {}, String(Math.round(cycles))),
      html("td", {}, nanoseconds(cycles)),
      html("td", {}, published),
    );
  const rows = breakdown.components.map(({ component, spu_cycles }) => {
    const [name, published] = COMPONENTS[component] ?? [component.replaceAll("_", " "), ""];
    return row(name, spu_cycles, published);
  });
  const heads = ["component", "SPU cycles", "ns", "Table 1"].map((name) => html("th", { scope: "col" }, name));
  room.replaceChildren(
    html("h2", {}, "One DMA, taken apart"),
    html(
      "table",
      { class: "breakdown" },
      html("thead", {}, html("tr", {}, ...heads)),
      html("tbody", {}, ...rows, row("total", total, "290")),
    ),
    html(
      "p",
      { class: "note" },
      `${count(1, scene.request.function)} as simulated, alone on the machine. Table 1 of Kistler et al. (2006) is a put ` +
        "between two local stores with one list element.",
    ),
  );
}

function bar(part: number): HTMLElement {
  return html("span", { class: "bar", style: `inline-size: ${(part * 100).toFixed(1)}%` });
}
