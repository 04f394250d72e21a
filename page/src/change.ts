/** The effect of a change of the experiment on its result. */

import type { MachineFacts, Opened, Result } from "./answers.ts";
import { parameterOf } from "./parameters.ts";
import type { Scene } from "./scene.ts";
import { figure, time } from "./words.ts";

/** What a run was asked to do, with the defaults that the simulator filled in. */
export interface Setup {
  scene: Scene;
  facts: MachineFacts | null;
  opened: Opened;
  /** Null until the run is measured. */
  result: Result | null;
}

export interface Measured extends Setup {
  result: Result;
}

export interface Change {
  what: string;
  before: string;
  after: string;
  /** Change in per cent, with its sign. */
  percent: string;
  /** Null if the result is unchanged. */
  better: boolean | null;
}

/** Null if the two measurements are not versions of one experiment. */
export function changeBetween(before: Measured, after: Measured): Change | null {
  if (before.scene.request.function !== after.scene.request.function) {
    return null;
  }
  const [one, other] = [quantity(before.result), quantity(after.result)];
  const what = differences(before, after).map(inWords).join(", ");
  if (one.isBandwidth !== other.isBandwidth || what === "") {
    return null;
  }
  const percent = (other.value / one.value - 1) * 100;
  return {
    what,
    before: one.text,
    after: other.text,
    percent: Math.abs(percent) < 0.05 ? "unchanged" : signed(percent),
    better: Math.abs(percent) < 0.05 ? null : other.isBandwidth === percent > 0,
  };
}

function signed(percent: number): string {
  const digits = Math.abs(percent) < 10 ? 1 : 0;
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent).toFixed(digits)} %`;
}

/** By what results are compared: latency from the offer at a rate, or bandwidth, or latency if no data move. */
export function quantity({ bandwidth_gb_s, latency_ns, offered_load, dma_latency }: Result): {
  value: number;
  text: string;
  isBandwidth: boolean;
} {
  if (offered_load && dma_latency) {
    return { value: dma_latency.mean_ns, text: `${time(dma_latency.mean_ns)} from the offer`, isBandwidth: false };
  }
  return bandwidth_gb_s === null
    ? { value: latency_ns, text: time(latency_ns), isBandwidth: false }
    : { value: bandwidth_gb_s, text: `${figure(bandwidth_gb_s)} GB/s`, isBandwidth: true };
}

/** A value that two scenes do not share. `name` is a word of the form, or the key of a machine's value. */
export interface Difference {
  kind: "machine" | "FUNCTION" | "value" | "parameter" | "placement";
  name: string;
  before: unknown;
  after: unknown;
}

/** All differences between two scenes, parameters with their defaults filled in. */
export function differences(before: Setup, after: Setup): Difference[] {
  const found: Difference[] = [];
  const add = (kind: Difference["kind"], name: string, was: unknown, is: unknown) => {
    if (JSON.stringify(was) !== JSON.stringify(is)) {
      found.push({ kind, name, before: was, after: is });
    }
  };
  const [one, other] = [before.scene, after.scene];
  add("machine", "machine", machineName(before), machineName(after));
  for (const key of Object.keys({ ...one.machine.values, ...other.machine.values })) {
    add("value", key, machineValue(key, before), machineValue(key, after));
  }
  add("FUNCTION", "FUNCTION", one.request.function, other.request.function);
  const [old, now] = [parametersOf(before), parametersOf(after)];
  for (const name of Object.keys(now)) {
    // The default number of iterations follows from the other parameters.
    const byDefault = name === "iterations" && (one.request[name] ?? other.request[name] ?? null) === null;
    if (name in old && name !== "placement" && !byDefault) {
      add("parameter", name, old[name], now[name]);
    }
  }
  const [from, to] = [before.opened.placement, after.opened.placement];
  if (!samePlacement(from, to)) {
    add("placement", "placement", from, to);
  }
  return found;
}

/** The parameters of a run; only its result contains a default size. */
function parametersOf({ opened, result }: Setup): Record<string, unknown> {
  const { parameters } = opened;
  return "size" in parameters ? { ...parameters, size: parameters.size ?? result?.size_bytes ?? null } : parameters;
}

/** Whether the threads that both placements have are on the same SPEs. */
function samePlacement(one: readonly number[], other: readonly number[]): boolean {
  return one.every((spe, thread) => thread >= other.length || spe === other[thread]);
}

function machineName({ scene }: Setup): string {
  return scene.machine.name ?? scene.machine.origin ?? "a machine of your own";
}

function machineValue(key: string, { facts }: Setup): unknown {
  return facts?.values.find((value) => value.key === key)?.value;
}

/** The name of a machine's value, without its section. */
export function valueName(key: string): string {
  return key.split(".").pop()?.replaceAll("_", " ") ?? key;
}

function inWords({ kind, name, before, after }: Difference): string {
  if (kind === "placement") {
    return moves(before as number[], after as number[]).join(", ");
  }
  const label = kind === "value" ? valueName(name) : (parameterOf(name)?.label ?? name);
  const versions =
    typeof before === "object" && typeof after === "object" ? "" : ` ${before ?? "none"} → ${after ?? "none"}`;
  return label + versions;
}

/** Names the threads that moved if there are at most two. */
function moves(before: readonly number[], after: readonly number[]): string[] {
  const moved = after.flatMap((spe, thread) => (spe === before[thread] ? [] : [{ thread, spe }]));
  if (moved.length > 2 || before.length !== after.length) {
    return ["new placement"];
  }
  return moved.map(({ thread, spe }) => `thread ${thread} from SPE${before[thread]} to SPE${spe}`);
}
