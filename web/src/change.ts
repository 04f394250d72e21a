/** The effect of a change of the experiment on its result. */

import type { MachineFacts, Opened, Result } from "./answers.ts";
import { parameterOf } from "./parameters.ts";
import type { Scene } from "./scene.ts";
import { figure, time } from "./words.ts";

export interface Measured {
  scene: Scene;
  facts: MachineFacts | null;
  opened: Opened;
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
  const what = differences(before, after);
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

/** The quantity by which results are compared: bandwidth, or latency if a result moves no data. */
export function quantity({ bandwidth_gb_s, latency_ns }: Result): {
  value: number;
  text: string;
  isBandwidth: boolean;
} {
  return bandwidth_gb_s === null
    ? { value: latency_ns, text: time(latency_ns), isBandwidth: false }
    : { value: bandwidth_gb_s, text: `${figure(bandwidth_gb_s)} GB/s`, isBandwidth: true };
}

function differences(before: Measured, after: Measured): string {
  const found: string[] = [];
  const [one, other] = [before.scene, after.scene];
  if (one.machine.name !== other.machine.name) {
    found.push(`machine ${one.machine.name} → ${other.machine.name}`);
  }
  const values = { ...one.machine.values, ...other.machine.values };
  for (const key of Object.keys(values)) {
    const [was, is] = [machineValue(key, before), machineValue(key, after)];
    if (was !== is) {
      found.push(`${key.split(".").pop()?.replaceAll("_", " ")} ${was} → ${is}`);
    }
  }
  const [old, now] = [before.opened.parameters, after.opened.parameters];
  for (const name of Object.keys(now)) {
    const same = JSON.stringify(old[name]) === JSON.stringify(now[name]);
    if (!same && name !== "placement" && name !== "iterations") {
      found.push(`${parameterOf(name)?.label ?? name}${versions(old[name], now[name])}`);
    }
  }
  return [...found, ...moves(before.opened.placement, after.opened.placement)].join(", ");
}

function machineValue(key: string, { facts }: Measured): unknown {
  return facts?.values.find((value) => value.key === key)?.value;
}

function versions(was: unknown, is: unknown): string {
  return typeof was === "object" && typeof is === "object" ? "" : ` ${was ?? "none"} → ${is ?? "none"}`;
}

/** Names the threads that moved if there are at most two. */
function moves(before: readonly number[], after: readonly number[]): string[] {
  if (before.length !== after.length) {
    return [];
  }
  const moved = after.flatMap((spe, thread) => (spe === before[thread] ? [] : [{ thread, spe }]));
  if (moved.length > 2) {
    return ["new placement"];
  }
  return moved.map(({ thread, spe }) => `thread ${thread} from SPE${before[thread]} to SPE${spe}`);
}
