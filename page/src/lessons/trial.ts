/** What the reader of a step moves: a slider over the values, or the threads in the picture. The answer follows. */

import { valueName } from "../change.ts";
import { html, say } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import { parameterOf, parse } from "../parameters.ts";
import { runOf, type Scene } from "../scene.ts";
import { Signal } from "../signal.ts";
import { size } from "../words.ts";
import type { Course } from "./course.ts";
import type { Try } from "./format.ts";
import { type Value, valueInWords } from "./quantities.ts";

const PLACEMENT = "placement";
const OF_MACHINE = "value.";
/** Who has tried so many values has seen enough to be told. */
const ENOUGH = 3;

export class Trial {
  /** Sent when the reader is told the answer. */
  readonly changes = new Signal();
  /** Whether the reader has been told. */
  told = false;
  private of = "";
  private redraw: () => void = () => undefined;
  /** The value that the reader wants to see next. */
  private wanted: string | null = null;
  private busy = false;

  constructor(
    private readonly course: Course,
    private readonly experiment: Experiment,
  ) {
    // Before the panel draws.
    course.changes.listen(() => this.learn());
  }

  /** Shows what has been learned since the last time. */
  update(): void {
    this.redraw();
  }

  /** Draws all anew, for another step. */
  draw(given: Try, words: (text: string) => (Node | string)[]): HTMLElement {
    const numbers = html("output", { class: "tried-now" });
    const because = html("p", { class: "because", role: "status" });
    const tell = html("button", { type: "button", class: "tell" }, "Tell me");
    tell.addEventListener("click", () => {
      this.told = true;
      this.changes.send();
    });
    const slider = given.values ? this.slider(given, given.values.map(String)) : null;
    this.redraw = () => {
      slider?.update();
      numbers.replaceChildren(...this.numbers(given));
      tell.hidden = this.told;
      because.hidden = !this.told;
      if (this.told && because.childNodes.length === 0) {
        because.replaceChildren(...words(given.because));
        // Nothing moves under a finger that holds the slider.
        if (!slider?.node.querySelector(":active")) {
          because.scrollIntoView({ block: "nearest" });
        }
      }
    };
    this.redraw();
    const ask = html("p", { class: "ask" }, ...words(given.ask));
    return html("div", { class: "try" }, ask, slider?.name ?? null, numbers, slider?.node ?? null, tell, because);
  }

  private numbers(given: Try): (Node | string)[] {
    const now = this.values(given);
    const first = [...this.course.tried.values()][0];
    const before = given.change === PLACEMENT && this.course.changed && first;
    return given.shows.map((name, nth) => {
      const words = html("b", {}, valueInWords(name, now[nth] ?? null));
      const was = before ? ` (at first ${valueInWords(name, first?.[nth] ?? null)})` : "";
      return html("span", {}, `${quantityInWords(name)} `, words, was);
    });
  }

  /** A slider, with a bar above each position: empty until the reader has been there. */
  private slider(given: Try, values: readonly string[]): { name: Node; node: Element; update: () => void } {
    const { change, shows } = given;
    const label = given.label ?? parameterOf(change)?.label ?? valueName(change);
    const id = "try-slider";
    const most = values.length - 1;
    const input = html("input", { id, type: "range", min: 0, max: most, step: 1, "aria-describedby": "try-value" });
    const value = html("span", { id: "try-value" });
    const bars = values.map((text) => html("i", { title: this.inWords(change, text) }));
    const marks = values.map((text) => html("span", {}, text));
    const chart = { class: "bars", "aria-hidden": "true" };
    input.addEventListener("input", () => {
      say(value, this.inWords(change, values[input.valueAsNumber] ?? ""));
      this.want(given, values[input.valueAsNumber] ?? "");
    });
    input.addEventListener("change", () => {
      input.closest(".try")?.querySelector(".because")?.scrollIntoView({ block: "nearest" });
    });
    const update = () => {
      const { tried } = this.course;
      const numbers = values.map((text) => tried.get(text)?.[0]);
      const scale = Math.max(...numbers.map((number) => Number(number ?? 0))) || 1;
      const at = this.wanted ?? this.current(given) ?? values[input.valueAsNumber];
      const now = Math.max(0, values.indexOf(at ?? ""));
      input.valueAsNumber = now;
      say(value, this.inWords(change, values[now] ?? ""));
      bars.forEach((bar, nth) => {
        const number = numbers[nth];
        bar.classList.toggle("tried", number !== undefined);
        bar.classList.toggle("now", nth === now);
        bar.style.blockSize = number === undefined ? "" : `${(100 * Number(number)) / scale}%`;
        const text = values[nth] ?? "";
        bar.title = `${this.inWords(change, text)}: ${valueInWords(shows[0] ?? "", number ?? null)}`;
      });
    };
    const name = html("label", { for: id }, `${label}: `, value);
    const node = html(
      "div",
      { class: "try-slider", style: `--count: ${values.length}` },
      html("div", chart, ...bars),
      input,
      html("div", { ...chart, class: "marks" }, ...marks),
    );
    return { name, node, update };
  }

  /** Shows the run with a value; of several that are wanted meanwhile, only the last one. */
  private async want({ change }: Try, value: string): Promise<void> {
    this.wanted = value;
    if (this.busy) {
      return;
    }
    const { of, course } = this;
    this.busy = true;
    while (this.wanted !== null && of === this.of && course.begins) {
      const asked: string = this.wanted;
      await course.change(varied(course.begins, change, asked));
      if (this.wanted === asked) {
        this.wanted = null;
      }
    }
    this.busy = false;
  }

  /** Keeps what the panel shows of the run, by the value that the reader has chosen. */
  private learn(): void {
    const { course } = this;
    const { progress, step } = course;
    const of = progress && step?.try ? `${progress.lesson.key} ${progress.step}` : "";
    if (of !== this.of) {
      this.of = of;
      this.told = false;
      this.wanted = null;
      course.tried.clear();
    }
    const value = step?.try && course.settled ? this.current(step.try) : null;
    if (step?.try && value !== null) {
      const shown = this.values(step.try);
      if (shown.every((each) => each !== null)) {
        course.tried.set(value, shown);
      }
      this.told ||= course.tried.size >= Math.min(ENOUGH, step.try.values?.length ?? ENOUGH);
    }
  }

  private values({ shows }: Try): Value[] {
    return shows.map((name) => this.course.value(name));
  }

  /** The value with which the run is shown; null if the reader has changed something else. */
  private current({ change, values }: Try): string | null {
    const { scene, opened } = this.experiment;
    const { begins } = this.course;
    if (!begins) {
      return null;
    }
    if (change === PLACEMENT) {
      return opened?.placement.join(".") ?? null;
    }
    return values?.map(String).find((value) => runOf(varied(begins, change, value)) === runOf(scene)) ?? null;
  }

  private inWords(change: string, value: string): string {
    const parameter = parameterOf(change);
    const number = parse(parameter, value);
    if (parameter?.kind === "bytes" && typeof number === "number") {
      return size(number);
    }
    const key = change.replace(OF_MACHINE, "");
    const unit = this.experiment.facts?.values.find((each) => each.key === key)?.unit;
    return unit && unit !== "flag" ? `${value} ${unit}` : value;
  }
}

/** The scene with another value of one parameter, or of its machine. */
function varied(scene: Scene, change: string, value: string): Scene {
  if (change.startsWith(OF_MACHINE)) {
    const values = { ...scene.machine.values, [change.replace(OF_MACHINE, "")]: Number(value) };
    return { ...scene, machine: { ...scene.machine, values } };
  }
  return { ...scene, request: { ...scene.request, [change]: parse(parameterOf(change), value) } };
}

function quantityInWords(name: string): string {
  return name
    .replace(/^(run|window|(line|command) \d+) /, "")
    .replace(/_gb_s|_ns/, "")
    .replaceAll("_", " ");
}
