/** Shows the picture on the page, replaces it for each trace and screen format, and handles clicks. */

import { own, say } from "./dom.ts";
import { Picture } from "./drawing/picture.ts";
import type { Experiment } from "./experiment.ts";
import { capacities } from "./machine.ts";
import { momentOf } from "./moment.ts";
import type { WaitsPanel } from "./panels/waits.ts";
import { summaryOf } from "./summary.ts";
import type { Viewer } from "./viewer.ts";

/** Below this width in pixels, chips are drawn vertically. */
const NARROW = 620;
/** From this width on, the controls may stand above the picture; thumbs reach the lower end of a phone. */
const WIDE = 820;
const BAR_ABOVE = "bar-above";
/** Interval between updates of the lists beside the picture during playback. */
const LISTS_MS = 120;
/** Duration for which a bus cycle must be shown before screen readers announce it. */
const REST_MS = 700;

/** The element that contains the picture, and the one that screen readers say, with the words that it begins with. */
export interface Places {
  room: HTMLElement;
  live: HTMLElement;
  begins: string;
}

export class Stage {
  private picture: Picture | null = null;
  private narrow = false;
  private listsAt = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly places: Places,
    private readonly viewer: Viewer,
    private readonly experiment: Experiment,
    private readonly waits: WaitsPanel | null,
    /** Makes the threads of a new picture movable; null if they cannot move. */
    private readonly attach: ((root: SVGSVGElement) => void) | null,
  ) {
    viewer.traced.listen(() => this.draw());
    viewer.moved.listen(() => this.update());
    viewer.selected.listen(() => this.update());
    experiment.learns.listen(() => this.draw());
    const { room } = places;
    room.addEventListener("click", (event) => this.click(event.target as Element));
    new ResizeObserver(() => {
      if (room.clientWidth > 0 && this.stands !== this.narrow) {
        this.draw();
      }
    }).observe(room);
    // What stands above the picture leaves the rest of the screen to it.
    const others = new ResizeObserver(() => this.leaveRoom());
    for (const each of document.querySelectorAll("html, header, section.controls, .said")) {
      others.observe(each);
    }
  }

  private leaveRoom(): void {
    const { room } = this.places;
    if (room.clientWidth === 0) {
      return;
    }
    const [bar, { classList }] = [own("transport", HTMLElement).offsetHeight, document.body];
    const above = room.getBoundingClientRect().top + scrollY - (classList.contains(BAR_ABOVE) ? bar : 0);
    room.style.setProperty("--above", `${above}px`);
    // Below a picture that is higher than the rest of the screen, the controls would lie on it.
    const high = this.picture?.root.clientHeight ?? 0;
    classList.toggle(BAR_ABOVE, innerWidth >= WIDE && above + high + bar > innerHeight + 1);
  }

  /** Makes screen readers say a text immediately. */
  announce(text: string): void {
    clearTimeout(this.rest);
    say(this.places.live, text);
  }

  /** Draws the picture again, in a type that suits the page. */
  redraw(): void {
    this.draw();
  }

  /** Whether chips are drawn vertically. Beside the text of a lesson, two of them would be too small. */
  private get stands(): boolean {
    const isLow = document.body.classList.contains("in-lesson") && (this.viewer.trace?.chips ?? 1) > 1;
    return this.places.room.clientWidth < NARROW && !isLow;
  }

  private draw(): void {
    const { trace } = this.viewer;
    const { room } = this.places;
    if (!trace) {
      return;
    }
    this.narrow = this.stands;
    const { facts } = this.experiment;
    const focused = room.contains(document.activeElement) ? document.activeElement : null;
    const thread = focused?.getAttribute("data-thread");
    this.picture = new Picture(trace, {
      name: room.id,
      narrow: this.narrow,
      capacities: capacities(facts),
      usable: facts?.spes ?? null,
      movable: this.attach !== null,
    });
    room.classList.toggle("narrow", this.narrow);
    room.classList.toggle("two-chips", trace.chips > 1);
    this.attach?.(this.picture.root);
    room.style.setProperty("--aspect", String(this.picture.geometry.width / this.picture.geometry.height));
    room.replaceChildren(this.picture.root);
    this.leaveRoom();
    this.update();
    room.querySelector<SVGElement>(`.thread[data-thread="${thread}"]`)?.focus();
  }

  private update(): void {
    const { trace, cycle, time, selection, playing } = this.viewer;
    if (!trace || !this.picture) {
      return;
    }
    const moment = momentOf(trace, cycle);
    this.picture.update(moment, time, selection.line);
    const now = performance.now();
    if (!playing || now - this.listsAt > LISTS_MS) {
      this.listsAt = now;
      this.waits?.update(moment, trace, selection.line);
    }
    clearTimeout(this.rest);
    if (!playing) {
      this.rest = setTimeout(() => this.announce(this.places.begins + summaryOf(moment, trace)), REST_MS);
    }
  }

  private click(target: Element): void {
    const { trace, cycle } = this.viewer;
    const line = target.closest("[data-line]")?.getAttribute("data-line");
    const head = target.closest("[data-head]")?.getAttribute("data-head");
    const spe = target.closest("[data-spe]")?.getAttribute("data-spe");
    if (line ?? head) {
      this.viewer.select({ line: Number(line ?? head) });
    } else if (trace && spe && target.closest(".queues")) {
      const oldest = trace.commandsAt(cycle).find((command) => command.spe === Number(spe));
      if (oldest) {
        this.viewer.select({ command: oldest.id });
      }
    }
  }
}
