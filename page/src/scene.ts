/** A scene: a machine, an experiment on it, a window of the run and a bus cycle in the window. URLs encode scenes. */

import type { Lesson } from "./lessons/format.ts";
import { parameterOf, parse, write } from "./parameters.ts";
import type { RawTrace } from "./trace.ts";

/** A machine by name or as the text of a file. `values` replace values of that machine. */
export interface MachineChoice {
  name?: string;
  toml?: string;
  origin?: string;
  values?: MachineValues;
}

/** Numbers, which sliders can change, and arrays, which only a link or the command can. */
export type MachineValues = Record<string, number | (number | string)[]>;

export type Request = { function: string } & Record<string, unknown>;

export interface Scene {
  title?: string;
  machine: MachineChoice;
  request: Request;
  /** Bus cycles since the trigger, the first measured DMA. */
  skip: number;
  window: number;
  at: number | null;
  /** The selected line. */
  line: number | null;
  /** Key of the example scene; null for any other scene. */
  key: string | null;
  /** A recorded trace, which the page shows without simulating. */
  trace?: RawTrace;
  /** A lesson that was written into the page. */
  lesson?: Lesson;
  /** The page opens with the list of its lessons. */
  lessons?: boolean;
}

export const WINDOW = 4000;

/** Fills in the fields that a scene may omit; a scene with a recorded trace omits most of them. */
export function complete(scene: Partial<Scene>): Scene {
  const machine = { name: String(scene.trace?.machine ?? "") };
  const request = { function: "a recorded run" };
  return { machine, request, skip: 0, window: WINDOW, at: null, line: null, key: null, ...scene };
}

/** The scene that was written into the page; null if there is none. */
export function embedded(): Scene | null {
  const text = document.getElementById("scene")?.textContent ?? "null";
  const scene = JSON.parse(text) as Partial<Scene> | null;
  return scene && complete(scene);
}

/** Keys of a URL that are not parameters of the request. */
const OWN = new Set(["machine", "scene", "skip", "window", "at", "line"]);
const VALUE = "value.";
/** Begins the keys of the run that is shown beside. */
const BESIDE = "beside.";

/**
 * Reads a scene from the text after `#` in a URL; missing values come from `base`. If `base` has a recorded trace, only
 * the bus cycle and the selected line come from the URL.
 */
export function fromHash(hash: string, base: Scene): Scene {
  const given = new URLSearchParams(entriesOf(hash).filter(([key]) => !key.startsWith(BESIDE)));
  const number = (key: string, otherwise: number | null) => {
    const text = given.get(key);
    return text === null || !Number.isFinite(Number(text)) ? otherwise : Number(text);
  };
  const run = base.trace ? base : experiment(given, base);
  // The bus cycle and the selected line of `base` are meaningless in a different run.
  const start = run === base ? base : { at: null, line: null };
  const where = { at: number("at", start.at), line: number("line", start.line) };
  if (base.trace) {
    return { ...base, ...where };
  }
  const skip = Math.max(0, number("skip", run === base ? base.skip : 0) ?? 0);
  const window = Math.max(1, number("window", base.window) ?? WINDOW);
  return { ...run, ...where, window, skip: reaching(where.at, skip, window, given.has("skip")) };
}

/** The part of a URL that describes the run beside, as a URL of its own; null if there is none. */
export function besideIn(hash: string): string | null {
  const given = entriesOf(hash).filter(([key]) => key.startsWith(BESIDE));
  const text = new URLSearchParams(given.map(([key, value]) => [key.slice(BESIDE.length), value]));
  return given.length > 0 ? `#${text}` : null;
}

function entriesOf(hash: string): [key: string, value: string][] {
  return [...new URLSearchParams(hash.replace(/^#/, ""))];
}

/** The window that contains a bus cycle, for links that name only the cycle. */
function reaching(at: number | null, skip: number, window: number, given: boolean): number {
  return given || at === null || at < skip + window ? skip : Math.floor(at / window) * window;
}

function experiment(given: URLSearchParams, base: Scene): Scene {
  const asked = [...given.keys()].filter((key) => !OWN.has(key) && !key.startsWith(VALUE));
  const values = [...given.entries()].filter(([key]) => key.startsWith(VALUE));
  const name = given.get("machine");
  if (asked.length === 0 && values.length === 0 && name === null) {
    return base;
  }
  const request: Record<string, unknown> = given.has("function") ? {} : { ...base.request };
  for (const key of asked) {
    request[key] = parse(parameterOf(key), given.get(key) ?? "");
  }
  const machine: MachineChoice = name === null ? { ...base.machine } : { name };
  machine.values = Object.fromEntries(values.map(([key, value]) => [key.slice(VALUE.length), machineValue(value)]));
  const found = { ...base, machine, request: request as Request };
  return runOf(found) === runOf(base) ? found : { ...found, title: undefined, key: null };
}

/** A number or an array; NaN, which every machine refuses, for any other text. */
function machineValue(text: string): number | (number | string)[] {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? value : Number(text);
  } catch {
    return Number.NaN;
  }
}

/** The text of a URL after `#` that shows this scene, and another one beside it. */
export function toHash(scene: Scene, beside: Scene | null = null): string {
  const text = new URLSearchParams();
  if (scene.key) {
    text.set("scene", scene.key);
  }
  if (!scene.trace) {
    if (scene.machine.name) {
      text.set("machine", scene.machine.name);
    }
    for (const [name, value] of Object.entries(scene.request)) {
      if (value !== null && value !== undefined) {
        text.set(name, write(parameterOf(name), value));
      }
    }
    for (const [key, value] of Object.entries(scene.machine.values ?? {})) {
      text.set(VALUE + key, JSON.stringify(value));
    }
    if (scene.skip > 0) {
      text.set("skip", String(scene.skip));
    }
    if (scene.window !== WINDOW) {
      text.set("window", String(scene.window));
    }
  }
  for (const key of ["at", "line"] as const) {
    if (scene[key] !== null) {
      text.set(key, String(scene[key]));
    }
  }
  for (const [key, value] of beside ? entriesOf(toHash(beside)) : []) {
    text.set(BESIDE + key, value);
  }
  return `#${text}`;
}

/** Identifies the run of a scene; scenes of one run may differ in window, bus cycle and selection. */
export function runOf({ machine, request }: Scene): string {
  const filled = Object.entries(request).filter(([, value]) => value !== null && value !== undefined);
  const values = Object.entries(machine.values ?? {}).sort();
  return JSON.stringify([machine.name, machine.toml, values, filled.sort()]);
}
