/** Two runs compared in one sentence: what differs between them, and by how much their results differ. */

import { type Difference, differences, type Measured, quantity, type Setup, valueName } from "./change.ts";
import { parameterOf, write } from "./parameters.ts";

/** Flags in words, if they are set and if not. */
const FLAGS: Record<string, readonly [string, string]> = {
  spe_to_spe: ["between SPEs", "between SPEs and memory or the PPE"],
  private: ["with private buffers", "with shared buffers"],
};

/** What `one` measured, and how much more or less that is than what `other` measured. */
export function comparison(one: Measured, other: Measured): string {
  const found = differences(other, one);
  if (found.length === 0) {
    return "Both runs are the same. Change the first one: in the form, or by dragging a thread.";
  }
  const [here, there] = [found.map((each) => phrase(each, each.after)), found.map((each) => phrase(each, each.before))];
  const [now, then] = [quantity(one.result), quantity(other.result)];
  const starts = `${capital(here.join(", "))}, ${says(now)}`;
  if (now.isBandwidth !== then.isBandwidth) {
    return `${starts}; ${there.join(", ")}, ${says(then)}.`;
  }
  const percent = (now.value / then.value - 1) * 100;
  if (Math.abs(percent) < 0.05) {
    return `${starts}, the same as ${there.join(", ")}.`;
  }
  return `${starts}, ${difference(percent)} than ${then.text} ${there.join(", ")}.`;
}

/** What distinguishes each of two runs from the other one, in a few words. */
export function captions(one: Setup, other: Setup): [string, string] {
  const found = differences(other, one);
  const all = (side: "before" | "after") => found.map((each) => phrase(each, each[side])).join(", ");
  return [all("after"), all("before")];
}

function says({ text, isBandwidth }: ReturnType<typeof quantity>): string {
  return isBandwidth ? `it moves ${text}` : `an operation takes ${text}`;
}

function difference(percent: number): string {
  const digits = Math.abs(percent) < 10 ? 1 : 0;
  const number = Math.abs(percent).toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${number} % ${percent < 0 ? "less" : "more"}`;
}

function phrase({ kind, name }: Difference, value: unknown): string {
  switch (kind) {
    case "machine":
      return `on ${value}`;
    case "FUNCTION":
      return `as ${value}`;
    case "placement":
      return `placed on SPEs ${(value as number[]).join(",")}`;
    case "value":
      return `with ${valueName(name)} ${value}`;
    default:
      return withParameter(name, value);
  }
}

function withParameter(name: string, value: unknown): string {
  const parameter = parameterOf(name);
  const [on, off] = FLAGS[name] ?? [];
  if (on && off) {
    return value === true ? on : off;
  }
  if (name === "spes") {
    return `with ${value} ${value === 1 ? "SPE" : "SPEs"}`;
  }
  const label = parameter?.label ?? name;
  if (value === null || value === undefined) {
    return `with ${label} by default`;
  }
  return `with ${label} ${parameter?.kind === "pattern" ? patternName(value) : write(parameter, value)}`;
}

function patternName(pattern: unknown): string {
  return (pattern as { name?: string }).name ?? "of its own";
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
