/** The panel of a lesson: the step's text, its question, its claims, and the way on. */

import { html, own } from "../dom.ts";
import type { CheckedClaim, Course, Progress } from "./course.ts";
import type { Further, Question, Step } from "./format.ts";
import type { Puzzle } from "./puzzle.ts";
import { valueInWords } from "./quantities.ts";
import type { Trial } from "./trial.ts";

export class LessonPanel {
  private readonly room = own("lesson", HTMLElement);
  private shown = "";

  constructor(
    private readonly course: Course,
    private readonly puzzle: Puzzle,
    private readonly trial: Trial,
  ) {
    course.changes.listen(() => this.draw());
    puzzle.changes.listen(() => this.draw());
    trial.changes.listen(() => this.draw());
  }

  private draw(): void {
    const { progress, step } = this.course;
    const key = progress ? `${progress.lesson.key} ${progress.step}` : "";
    const another = key !== this.shown;
    const claimsOpen = !another && this.room.querySelector("details")?.open === true;
    this.shown = key;
    if (!progress || !step) {
      this.room.replaceChildren();
      return;
    }
    const tail = [...this.changed(), ...this.claims(this.course.claims(), claimsOpen)];
    if (step.try && !another) {
      // The slider stays: somebody may be holding it.
      this.trial.update();
      this.room.querySelector(".lesson-next")?.classList.toggle("main", this.trial.told);
      for (const old of this.room.querySelectorAll(".claims, .changed")) {
        old.remove();
      }
      this.room.append(...tail);
      return;
    }
    this.room.replaceChildren(
      this.head(progress),
      html("h2", { tabindex: -1 }, step.title),
      html("p", { class: "lesson-text" }, ...this.words(step.text)),
      ...(step.question ? this.question(step.question, progress.choice) : []),
      ...(step.puzzle ? this.puzzle.draw() : []),
      ...(step.try ? [this.trial.draw(step.try, (text) => this.words(text))] : []),
      ...(step.further ? [html("ul", { class: "further" }, ...step.further.map(furtherOf))] : []),
      this.way(progress, step),
      ...tail,
    );
    if (another) {
      // Screen readers begin to read at the new step.
      this.room.querySelector("h2")?.focus({ preventScroll: true });
      this.room.scrollTop = 0;
    } else if (progress.choice !== null) {
      this.room.querySelector(".because")?.scrollIntoView({ block: "nearest" });
    }
  }

  private head({ lesson, step }: Progress): HTMLElement {
    const dots = lesson.steps.map(({ title }, nth) => {
      const label = `Step ${nth + 1}: ${title}`;
      const current = nth === step ? "step" : null;
      const dot = html("button", { type: "button", "aria-label": label, title: label, "aria-current": current });
      dot.addEventListener("click", () => this.course.go(lesson, nth));
      return html("li", { class: nth < step ? "past" : null }, dot);
    });
    const close = html("button", { type: "button", class: "lesson-close", title: "Leave the lesson (Esc)" }, "Leave");
    close.addEventListener("click", () => this.course.leave());
    return html(
      "div",
      { class: "lesson-head" },
      html("p", { class: "lesson-name" }, this.course.name(lesson)),
      close,
      html("ol", { class: "dots" }, ...dots),
    );
  }

  /** A text with *stressed* words, and with the values of the quantities that stand in braces. */
  private words(text: string): (Node | string)[] {
    const filled = text.replace(/\{([^{}]*)\}/g, (_, name) => valueInWords(name, this.course.valueAtRest(name)));
    return filled.split("*").map((part, nth) => (nth % 2 === 1 ? html("em", {}, part) : part));
  }

  private question(question: Question, choice: number | null): Node[] {
    const right = choice === null ? null : this.course.right(question);
    const buttons = question.choices.map(({ text }, nth) => {
      const mark = right === null ? "" : nth === right ? "right" : nth === choice ? "wrong" : "";
      const sign = { right: "✓ ", wrong: "✗ ", "": "" }[mark];
      const name = `choice ${mark} ${nth === choice ? "chosen" : ""}`;
      const words = [html("kbd", {}, String(nth + 1)), ` ${sign}${text}`];
      const button = html("button", { type: "button", class: name, disabled: choice !== null }, ...words);
      button.addEventListener("click", () => this.course.choose(nth));
      return html("li", {}, button);
    });
    const nodes: Node[] = [
      html("p", { class: "ask" }, ...this.words(question.ask)),
      html("ol", { class: "choices" }, ...buttons),
    ];
    if (choice !== null) {
      const judged = choice < 0 ? "" : right === choice ? "Yes. " : "Not quite. ";
      const verdict = right === null ? "The run is being measured…" : judged;
      const answer = html("b", {}, verdict);
      const because = right === null ? [] : this.words(question.because);
      nodes.push(html("p", { class: "because", role: "status" }, answer, ...because));
    }
    return nodes;
  }

  /** Once the reader has changed the run, what the step says of it is about another run. */
  private changed(): Node[] {
    if (!this.course.changed) {
      return [];
    }
    const back = html("button", { type: "button" }, "Begin again");
    back.addEventListener("click", () => this.course.restore());
    return [html("p", { class: "note changed" }, "You have changed the run of this step. ", back)];
  }

  private way({ lesson, step, choice }: Progress, { until, question, ...rest }: Step): HTMLElement {
    const { course } = this;
    const button = (text: string, title: string, what: () => void, name = "") => {
      const made = html("button", { type: "button", title, class: name }, text);
      made.addEventListener("click", what);
      return made;
    };
    const back = button("Back", "The previous step (left arrow)", () => course.turnPage(-1), "lesson-back");
    back.disabled = step === 0;
    const last = step === lesson.steps.length - 1;
    const open = course.asks || (rest.try !== undefined && !this.trial.told);
    const on = last ? (course.next ? "Next lesson" : "To the whole page") : "Next";
    const move = () => (last && !course.next ? course.leave() : course.turnPage(1));
    const plays = choice === null ? until !== undefined : (question?.then?.until ?? until) !== undefined;
    return html(
      "div",
      { class: "way" },
      back,
      plays ? button("Play again", "Play this stretch again (r)", () => course.replay()) : null,
      button(on, "The next step (right arrow)", move, `lesson-next ${open ? "" : "main"}`),
    );
  }

  private claims(claims: readonly CheckedClaim[], open: boolean): Node[] {
    if (claims.length === 0) {
      return [];
    }
    const hold = claims.filter(({ holds }) => holds).length;
    const all = hold === claims.length ? "" : `: ${hold} of ${claims.length} hold`;
    const rows = claims.map(({ name, value, holds }) => {
      const sign = value === null ? "…" : holds ? "✓" : "✗";
      return html("li", { class: holds ? "holds" : null }, `${sign} ${name}: ${valueInWords(name, value)}`);
    });
    const summary = html("summary", {}, `Facts of this step, checked in this run${all}`);
    return [html("details", { class: "claims", open }, summary, html("ul", {}, ...rows))];
  }
}

/** Only a page on a site has the guide and the report beside it. */
function furtherOf({ text, link, command }: Further): HTMLElement {
  const leads = link !== undefined && (/^https?:/.test(link) || location.protocol.startsWith("http"));
  const words = leads ? html("a", { href: link }, text) : html("span", {}, text);
  return html("li", {}, words, command === undefined ? null : html("code", {}, command));
}
