/** What the page shows: a machine, an experiment on it, a window of its run and a bus cycle of that; as a URL has it. */

import { parameterOf, parse, write } from "./parameters.ts";
import type { RawTrace } from "./trace.ts";

/** A machine by name or as the text of a file, and what is otherwise about it. */
export interface MachineChoice {
  name?: string;
  toml?: string;
  origin?: string;
  values?: Record<string, number>;
}

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
  /** Which one of the page's own scenes it is. */
  key: string | null;
  /** A recorded trace: nothing is simulated then. */
  trace?: RawTrace;
}

export const WINDOW = 4000;

/** A scene with all that may be left out; with a recorded trace that is nearly everything. */
export function complete(scene: Partial<Scene>): Scene {
  const machine = { name: String(scene.trace?.machine ?? "") };
  const request = { function: "a recorded run" };
  return { machine, request, skip: 0, window: WINDOW, at: null, line: null, key: null, ...scene };
}

/** The scene in the page, if whoever wrote it put one there. */
export function embedded(): Scene | null {
  const text = document.getElementById("scene")?.textContent ?? "null";
  const scene = JSON.parse(text) as Partial<Scene> | null;
  return scene && complete(scene);
}

/** Keys of a URL that are no parameters of the request. */
const OWN = new Set(["machine", "scene", "skip", "window", "at", "line"]);
const VALUE = "value.";

/**
 * What a URL's text after `#` says, on top of `base`. A recorded trace cannot be another run: only where one looks
 * is taken from the URL then.
 */
export function fromHash(hash: string, base: Scene): Scene {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (key: string, otherwise: number | null) => {
    const text = given.get(key);
    return text === null || !Number.isFinite(Number(text)) ? otherwise : Number(text);
  };
  const where = { at: number("at", base.at), line: number("line", base.line) };
  if (base.trace) {
    return { ...base, ...where };
  }
  const run = experiment(given, base);
  const skip = Math.max(0, number("skip", run === base ? base.skip : 0) ?? 0);
  const window = Math.max(1, number("window", base.window) ?? WINDOW);
  return { ...run, ...where, window, skip: reaching(where.at, skip, window, given.has("skip")) };
}

/** A link may name a bus cycle and leave the window to us. */
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
  machine.values = Object.fromEntries(values.map(([key, value]) => [key.slice(VALUE.length), Number(value)]));
  return { ...base, machine, request: request as Request, title: undefined, key: given.get("scene") };
}

/** The text of a URL after `#` that shows this scene to somebody else. */
export function toHash(scene: Scene): string {
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
      text.set(VALUE + key, String(value));
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
  return `#${text}`;
}

/** What makes two scenes the same run, whatever is looked at. */
export function runOf({ machine, request }: Scene): string {
  const filled = Object.entries(request).filter(([, value]) => value !== null && value !== undefined);
  const values = Object.entries(machine.values ?? {}).sort();
  return JSON.stringify([machine.name, machine.toml, values, filled.sort()]);
}
