/** Assembles the lessons: list, panel, keys and address. */

import { html, own, show } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import { hasKeys } from "../keyboard.ts";
import type { Player } from "../player.ts";
import { isPresenting } from "../presenter.ts";
import type { Scene } from "../scene.ts";
import type { Viewer } from "../viewer.ts";
import { Course, type Progress } from "./course.ts";
import { lessonsOf } from "./lesson.ts";
import { LifeBar } from "./life-bar.ts";
import { LessonPanel } from "./panel.ts";
import { Partners } from "./partners.ts";
import { Puzzle } from "./puzzle.ts";
import { Spotlight } from "./spotlight.ts";
import { Trial } from "./trial.ts";

export class Lessons {
  readonly course: Course;
  private readonly list = own("lessons", HTMLDialogElement);

  constructor(
    private readonly base: Scene,
    experiment: Experiment,
    viewer: Viewer,
    player: Player,
  ) {
    const recorded = base.trace !== undefined;
    const lessons = recorded ? [] : lessonsOf(base);
    const marks = [new Spotlight(viewer), new Partners(viewer)] as const;
    this.course = new Course(lessons, base, experiment, viewer, player, ...marks);
    new LifeBar(this.course, viewer);
    new LessonPanel(this.course, new Puzzle(this.course, experiment), new Trial(this.course, experiment));
    this.draw();
    const opener = own("lessons-open", HTMLButtonElement);
    show(opener, !recorded);
    opener.addEventListener("click", () => this.list.showModal());
    addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  /** The lesson's part of the address; null outside lessons. */
  hash(): string | null {
    const { progress } = this.course;
    if (!progress) {
      return null;
    }
    const text = new URLSearchParams({ lesson: progress.lesson.key, step: String(progress.step + 1) });
    if (progress.choice !== null) {
      text.set("answer", String(progress.choice + 1));
    }
    return `#${text}`;
  }

  /** Shows the lesson that an address asks for; false if it asks for none. `#lessons` opens the list. */
  async follow(hash: string): Promise<boolean> {
    if (hash === "#lessons") {
      location.replace("#");
      this.list.showModal();
    }
    const wanted = this.read(hash);
    if (!wanted) {
      if (this.course.progress) {
        this.course.leave();
      }
      return false;
    }
    return this.course.go(wanted.lesson, wanted.step, wanted.choice);
  }

  private read(hash: string): Progress | null {
    const text = new URLSearchParams(hash.slice(1));
    const own = hash.length < 2 ? this.base.lesson : undefined;
    const key = text.get("lesson");
    const lesson = own ?? this.course.lessons.find((each) => each.key === key);
    const answer = Number(text.get("answer") ?? Number.NaN);
    const step = Number(text.get("step") ?? 1) - 1;
    const choice = Number.isInteger(answer) && answer >= 0 ? answer - 1 : null;
    return lesson ? { lesson, step: Number.isInteger(step) ? step : 0, choice } : null;
  }

  private draw(): void {
    const cards = this.course.lessons.map((lesson) => {
      const steps = html("small", {}, `${lesson.steps.length} steps`);
      const card = html(
        "button",
        { type: "button", class: "lesson-card", "data-lesson": lesson.key },
        html("b", {}, this.course.name(lesson)),
        steps,
      );
      card.append(html("span", {}, lesson.about));
      card.addEventListener("click", () => {
        this.list.close();
        this.course.go(lesson, 0);
      });
      return html("li", {}, card);
    });
    own("lesson-list", HTMLElement).replaceChildren(...cards);
  }

  /** In a lesson, the arrows turn its pages, digits choose, and the page's other keys keep their meaning. */
  private key(event: KeyboardEvent): void {
    const { course } = this;
    const { key, target } = event;
    const busy = event.ctrlKey || event.metaKey || event.altKey || hasKeys(target, key);
    const holds = document.querySelector(".holding") !== null || document.querySelector("dialog[open]") !== null;
    if (!course.progress || busy || holds) {
      return;
    }
    const turn = (forwards: boolean) => (isPresenting() ? course.turn(forwards) : course.turnPage(forwards ? 1 : -1));
    const does: Record<string, () => void> = {
      ArrowRight: () => turn(true),
      ArrowLeft: () => turn(false),
      // The keys of a clicker.
      ...(isPresenting() && { PageDown: () => turn(true), PageUp: () => turn(false) }),
      r: () => course.replay(),
      // The presenter's mode ends before the lesson does.
      ...(!isPresenting() && { Escape: () => course.leave() }),
    };
    const act = /^[1-9]$/.test(key) ? () => course.choose(Number(key) - 1) : event.shiftKey ? null : does[key];
    if (act) {
      event.preventDefault();
      event.stopImmediatePropagation();
      act();
    }
  }
}
