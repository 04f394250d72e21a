/** The experiment as a form: machine, FUNCTION, and only the parameters that the FUNCTION takes. */

import type { About } from "../answers.ts";
import { html, own } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import { PARAMETERS, type Parameter, parameterOf, parse, write } from "../parameters.ts";
import type { Request, Scene } from "../scene.ts";
import { scenes } from "../scenes.ts";
import { termButton } from "../terms.ts";

/** Parameters that only exist on two chips. */
const OF_TWO_CHIPS = new Set(["cells", "memory"]);
/** The picture places threads; the other three change no number that the page shows. */
const WITHOUT_FIELD = new Set(["placement", "histogram", "settle", "fast_forward"]);
/** Shown with them if DMAs are offered at a rate. */
const OF_LOAD = ["rate", "injection"];
/** Fields that need letters and signs, which a keyboard of digits lacks. */
const TEXTUAL: ReadonlySet<Parameter["kind"]> = new Set(["word", "word or number", "rate"]);
/** The most used fields, in their order; a click shows the other fields. */
const FIRST = ["spes", "size", "op", "target", "spe_to_spe", "private"];

export class ExperimentForm {
  private readonly machine = own("machine", HTMLSelectElement);
  private readonly name = own("function", HTMLSelectElement);
  private readonly fields = own("fields", HTMLElement);
  private readonly more = own("more-fields", HTMLElement);
  /** The machine and FUNCTION that the fields were made for. */
  private made = "";

  constructor(
    private readonly experiment: Experiment,
    private readonly run: (scene: Scene) => void,
  ) {
    experiment.learns.listen(() => this.draw());
    experiment.measures.listen(() => this.hintSize());
    this.machine.addEventListener("change", () => this.changeMachine());
    this.name.addEventListener("change", () => this.changeFunction());
    own("form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
  }

  private draw(): void {
    const { about, scene, opened } = this.experiment;
    if (!about || !opened) {
      return;
    }
    if (this.machine.options.length === 0) {
      this.machine.append(...about.machines.map(({ name, description }) => option(name, name, description)));
      this.name.append(...about.functions.map(({ title, functions }) => group(title, functions)));
    }
    const named = about.machines.some(({ name }) => name === scene.machine.name);
    const own = scene.machine.origin ?? "a file";
    if (!named && this.machine.querySelector('[value=""]') === null) {
      this.machine.append(option("", own, "the machine file of this page"));
    }
    this.machine.value = named ? (scene.machine.name ?? "") : "";
    this.name.value = scene.request.function;
    this.drawFields();
  }

  private drawFields(): void {
    const { scene } = this.experiment;
    const loaded = (scene.request.rate ?? null) !== null;
    const key = `${scene.machine.name} ${scene.request.function} ${loaded}`;
    const wanted = this.parametersOf(scene);
    if (key !== this.made) {
      this.made = key;
      const first = (loaded ? [...FIRST, ...OF_LOAD] : FIRST).flatMap(
        (name) => wanted.find((parameter) => parameter.name === name) ?? [],
      );
      this.fields.replaceChildren(...first.map((parameter) => this.field(parameter)));
      const more = wanted.filter((parameter) => !first.includes(parameter));
      this.more.replaceChildren(...more.map((parameter) => this.field(parameter)));
    }
    for (const parameter of wanted) {
      this.fill(parameter);
    }
  }

  private parametersOf({ request }: Scene): Parameter[] {
    const { about, facts } = this.experiment;
    const all = about?.functions.flatMap(({ functions }) => functions) ?? [];
    const taken = new Set(all.find(({ name }) => name === request.function)?.parameters);
    const chips = facts?.chips ?? 1;
    return PARAMETERS.filter(({ name }) => {
      return taken.has(name) && !WITHOUT_FIELD.has(name) && (chips > 1 || !OF_TWO_CHIPS.has(name));
    });
  }

  private field(parameter: Parameter): HTMLLabelElement {
    const { name, label, kind, hint, choices } = parameter;
    const id = `field-${name}`;
    const input =
      choices.length > 0
        ? html("select", { id }, ...selectable(parameter).map(([value, words]) => option(value, words, "")))
        : kind === "pattern"
          ? html("textarea", { id, rows: 3, spellcheck: "false" })
          : kind === "switch"
            ? html("input", { id, type: "checkbox" })
            : html("input", { id, type: "text", inputmode: TEXTUAL.has(kind) ? "text" : "numeric", size: 6 });
    input.addEventListener("change", () => this.change(parameter, textOf(input)));
    const words = html("span", {}, termButton(label, `--${name}`));
    return html("label", { class: `field ${kind}`, for: id, title: hint }, words, input);
  }

  private fill(parameter: Parameter): void {
    const { opened, scene } = this.experiment;
    const { name } = parameter;
    const input = document.getElementById(`field-${name}`);
    const value = opened?.parameters[name] ?? scene.request[name] ?? null;
    if (input instanceof HTMLInputElement && input.type === "checkbox") {
      input.checked = value === true;
    } else if (
      input instanceof HTMLInputElement ||
      input instanceof HTMLSelectElement ||
      input instanceof HTMLTextAreaElement
    ) {
      input.value = value === null ? "" : write(parameter, value);
      input.disabled = name === "injection" && (opened?.parameters.rate ?? null) === null;
    }
  }

  /** Shows the default size as the placeholder of the empty field. */
  private hintSize(): void {
    const field = document.getElementById("field-size");
    const size = this.experiment.result?.size_bytes;
    if (field instanceof HTMLInputElement && size) {
      field.placeholder = write(parameterOf("size"), size);
    }
  }

  private change(parameter: Parameter, text: string): void {
    const { scene } = this.experiment;
    const request: Request = { ...scene.request };
    const value = text === "" ? null : parse(parameter, text);
    if (value === null || value === false) {
      delete request[parameter.name];
    } else {
      request[parameter.name] = value;
    }
    if (request.rate === undefined) {
      // Without a rate, nothing is offered.
      delete request.injection;
    }
    if (["spes", "cells", "pattern"].includes(parameter.name)) {
      // A manual placement applies only to the threads of the previous experiment.
      delete request.placement;
    }
    this.run({ ...scene, request });
  }

  private changeMachine(): void {
    const { scene, about } = this.experiment;
    const { placement: _, ...request } = scene.request;
    const most = about?.machines.find(({ name }) => name === this.machine.value)?.spes.length ?? 0;
    if (typeof request.spes === "number") {
      request.spes = Math.min(request.spes, most);
    }
    this.run({ ...scene, machine: { name: this.machine.value }, request: request as Request });
  }

  private changeFunction(): void {
    const { scene } = this.experiment;
    const request: Request = { function: this.name.value };
    if (this.name.value === "exchange") {
      const example = scenes.find(({ request }) => request.function === "exchange");
      Object.assign(request, example?.request, { placement: undefined });
    }
    this.run({ ...scene, request });
  }
}

function group(label: string, functions: readonly { name: string; text: string }[]): HTMLOptGroupElement {
  return html("optgroup", { label }, ...functions.map(({ name, text }) => option(name, name, text)));
}

function option(value: string, words: string, title: string): HTMLOptionElement {
  return html("option", { value, title }, words);
}

/** Where words may be numbers, the machine decides by default. */
function selectable({ kind, choices }: Parameter): Parameter["choices"] {
  return kind === "word or number" ? [["", "by default"], ...choices] : choices;
}

function textOf(input: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): string {
  return input instanceof HTMLInputElement && input.type === "checkbox" ? String(input.checked) : input.value;
}

export function functionInWords({ machine, request }: Scene): string {
  return `${request.function} on ${machine.name ?? machine.origin ?? "a custom machine"}`;
}

/** What a scene's experiment does, and on which machine, for readers who know neither name. */
export function explained(scene: Scene, about: About | null): string {
  const { machine, request } = scene;
  const all = about?.functions.flatMap(({ functions }) => functions) ?? [];
  const does = all.find(({ name }) => name === request.function)?.text;
  const is = about?.machines.find(({ name }) => name === machine.name)?.description;
  const sentences = [does && `${request.function}: ${does}`, is && `${machine.name}: ${is}`, parametersInWords(scene)];
  return sentences.filter((sentence) => sentence).join(". ");
}

/** The parameters of a scene in one line. */
export function parametersInWords({ request }: Scene): string {
  const named = Object.entries(request).filter(
    ([name, value]) => name !== "function" && name !== "pattern" && value !== null && value !== undefined,
  );
  const words = named.map(([name, value]) => {
    const label = parameterOf(name)?.label ?? name;
    return value === true ? label : `${label} ${write(parameterOf(name), value)}`;
  });
  return words.join(", ");
}
