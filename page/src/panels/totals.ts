/** Results of this window, of the whole measurement, of a paper, and of the experiment before the last change. */

import type { Result, StartUp } from "../answers.ts";
import { bandwidthOf } from "../bandwidth.ts";
import { html } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import { termOf } from "../glossary.ts";
import { type Published, publishedOf, table1 } from "../published.ts";
import { termButton } from "../terms.ts";
import type { Trace } from "../trace.ts";
import { figure, time } from "../words.ts";

/** Deviation from the whole measurement, in per cent, from which on the page says that the window differs. */
const DIFFERS = 5;
/** Ratio of the slowest SPE's latency to the fastest's, from which on the page says that SPEs finish unevenly. */
const UNEVEN = 1.1;

export function drawTotals(room: HTMLElement, experiment: Experiment, trace: Trace): void {
  const { result, scene } = experiment;
  const figures: Node[] = [];
  const notes: (Node | string)[] = [];
  const add = (name: string, value: string) => {
    figures.push(html("div", {}, html("dt", {}, termOf(name) ? termButton(name) : name), html("dd", {}, value)));
  };
  const here = bandwidthOf(trace, 1).mean;
  const now = `${figure(here)} GB/s`;
  const whole = result && quantityInWords(result);
  if (!scene.trace && !result) {
    add("whole measurement", experiment.tooLong ? "over a minute" : "…");
  } else if (result) {
    const { bandwidth_gb_s: bandwidth, latency_ns: latency, offered_load: load, dma_latency: dma } = result;
    if (load && dma) {
      add("offered", `${figure(load.offered_gb_s)} GB/s`);
      add("accepted", whole ?? "");
      add("latency from the offer", time(dma.mean_ns));
      notes.push(...underLoad(load, dma));
    } else {
      add("whole measurement", whole ?? "");
    }
    if (!load && bandwidth !== null) {
      notes.push(`Latency ${time(latency)} on average, ${spread(result.latency_ns_min, result.latency_ns_max)}. `);
    }
  }
  if (now === whole) {
    // The same number twice would look like two results.
    notes.unshift("This window moves as much. ");
  } else {
    add("this window", now);
  }
  notes.unshift(...startUpNotes(experiment, here));
  const number = publishedFor(experiment);
  if (number) {
    add("published", published(number));
    notes.push(html("span", {}, `Published: ${number.says} (${number.source})`));
  }
  room.replaceChildren(html("dl", {}, ...figures), html("p", { class: "note" }, ...notes));
}

function quantityInWords({ bandwidth_gb_s: bandwidth, latency_ns: latency }: Result): string {
  return bandwidth === null ? time(latency) : `${figure(bandwidth)} GB/s`;
}

/** Of DMAs that are offered at a rate: the slowest, and whether the machine keeps up. */
function underLoad(
  { saturated }: NonNullable<Result["offered_load"]>,
  { p99_ns }: NonNullable<Result["dma_latency"]>,
): (Node | string)[] {
  const slowest = `1 % of the DMAs take over ${time(p99_ns)} from their offers. `;
  const grows = html("b", { class: "differs" }, "Saturated: the queues grow for as long as the load lasts. ");
  return saturated ? [slowest, grows] : [slowest];
}

/** Where start-up ended, and whether this window has the bandwidth of the whole measurement. */
function startUpNotes({ startUp, result, scene }: Experiment, here: number): (Node | string)[] {
  const notes: (Node | string)[] = [];
  // What the PPE's caches serve does not use the rings.
  const whole = result?.placement.length ? result.bandwidth_gb_s : null;
  const percent = whole ? Math.round((here / whole - 1) * 100) : 0;
  if (Math.abs(percent) >= DIFFERS) {
    const than = `${Math.abs(percent)} % ${percent < 0 ? "less" : "more"} than the whole measurement`;
    const { latency_ns_min: least, latency_ns_max: most } = result as Result;
    const starts = startUp?.ended_at && scene.skip < startUp.ended_at;
    const ends = percent > 0 && most > UNEVEN * least;
    const why = starts
      ? ": it is part of the start-up. "
      : ends
        ? ": SPEs that finish first leave the rest of the run to slower ones. "
        : ". ";
    notes.push(html("b", { class: "differs" }, `This window moves ${than}${why}`));
  }
  if (startUp) {
    notes.push(termButton("Start-up", "start-up"), ` ${startUpWords(startUp)} `);
  }
  return notes;
}

function startUpWords({ ended_at, searched_bus_cycles, run_ended }: StartUp): string {
  const cycles = (at: number) => at.toLocaleString("en");
  if (ended_at !== null) {
    return ended_at === 0
      ? "takes less than a window: the run is steady from its first window on."
      : `ended at bus cycle ${cycles(ended_at)}.`;
  }
  return run_ended
    ? "cannot be told from the rest: the run ends before it is steady."
    : `has not ended by bus cycle ${cycles(searched_bus_cycles)}: no part up to there keeps the bandwidth of the whole run.`;
}

/** The published number for this experiment; null on a changed machine or at a rate, which no paper measured. */
function publishedFor({ scene, opened, result }: Experiment): Published | null {
  if (!opened || result?.offered_load || Object.keys(scene.machine.values ?? {}).length > 0) {
    return null;
  }
  // A default size is contained only in the result.
  const size = opened.parameters.size ?? result?.size_bytes;
  return publishedOf({ ...opened.parameters, size, machine: scene.machine.name, function: scene.request.function });
}

/** Shows the effect of the last change until the next change. */
export function drawChange(room: HTMLElement, { change, result, scene }: Experiment): void {
  room.classList.toggle("pending", !result && !scene.trace);
  if (!result) {
    return;
  }
  if (!change) {
    const value = quantityInWords(result);
    const hint =
      result.placement.length > 0
        ? " Drag a thread to another SPE to see the effect here."
        : " Only the PPE runs a program; no SPE takes part. Lines that its caches hold do not use the rings.";
    room.replaceChildren(html("b", {}, value), html("span", { class: "hint" }, hint));
    return;
  }
  const { what, before, after, percent, better } = change;
  const sign = better === null ? "" : better ? "better" : "worse";
  room.replaceChildren(`${what}: ${before} → `, html("b", {}, after), " ", html("b", { class: sign }, percent));
}

function spread(least: number, most: number): string {
  const [one, other] = [time(least), time(most)];
  return one === other ? "equal for all SPEs" : `${one} to ${other} depending on the SPE`;
}

function published({ value, quantity }: Published): string {
  const one = (number: number) => (quantity === "latency_ns" ? time(number) : `${figure(number)} GB/s`);
  return typeof value === "number" ? one(value) : `${value[0]} to ${one(value[1])}`;
}

const COMPONENTS: Record<string, string> = {
  dma_issue: "DMA issue: the SPU writes the channels",
  dma_to_eib: "DMA to EIB: the MFC starts the command",
  list_element_fetch: "list element fetch",
  coherence_protocol: "coherence protocol: order and response",
  data_transfer: "data transfer: source, ring, local store",
  completion: "completion: the SPU sees the status",
};

const TABLE_1 =
  `Table 1 is from Kistler et al. (2006): a put between two local stores. Its total includes ` +
  `${table1.list_element_fetch} cycles for the fetch of a list element.`;
const NO_TABLE = "The published breakdown (Kistler et al. 2006, Table 1) is of a put between two local stores.";

/** The components of one DMA's latency; for a put between local stores, beside Table 1 of Kistler et al. */
export function drawBreakdown(room: HTMLElement, { breakdown, scene }: Experiment): void {
  if (!breakdown) {
    room.replaceChildren();
    return;
  }
  // Table 1 of Kistler et al. is about a put between two local stores, and about no other DMA.
  const { request } = scene;
  const comparable = request.function.endsWith("put") && request.spe_to_spe === true;
  const total = breakdown.components.reduce((sum, { spu_cycles }) => sum + spu_cycles, 0);
  const nanoseconds = (cycles: number) => (breakdown.spu_hz ? figure((cycles / breakdown.spu_hz) * 1e9) : "");
  const row = (name: string, cycles: number, published: string) =>
    html(
      "tr",
      {},
      html("td", {}, name, bar(cycles / total)),
      html("td", {}, String(Math.round(cycles))),
      html("td", {}, nanoseconds(cycles)),
      comparable ? html("td", {}, published) : null,
    );
  const publishedTotal = Object.values(table1).reduce((sum, cycles) => sum + cycles);
  const rows = breakdown.components.map(({ component, spu_cycles }) => {
    // The paper counts the completion as part of the data transfer.
    const published = component === "completion" ? `in the ${table1.data_transfer}` : (table1[component] ?? "");
    return row(COMPONENTS[component] ?? component.replaceAll("_", " "), spu_cycles, String(published));
  });
  const heads = ["component", "SPU cycles", "ns", ...(comparable ? ["Table 1"] : [])].map((name) =>
    html("th", { scope: "col" }, name),
  );
  room.replaceChildren(
    html("h2", {}, "Latency of one DMA"),
    html(
      "table",
      { class: "breakdown" },
      html("thead", {}, html("tr", {}, ...heads)),
      html("tbody", {}, ...rows, row("total", total, String(publishedTotal))),
    ),
    html("p", { class: "note" }, `One ${request.function}, alone on the machine. ${comparable ? TABLE_1 : NO_TABLE}`),
  );
}

function bar(part: number): HTMLElement {
  return html("span", { class: "bar", style: `inline-size: ${(part * 100).toFixed(1)}%` });
}
