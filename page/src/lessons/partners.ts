/** Marks threads that belong together: their badges and lines have one colour, and a chord joins them. */

import { own, set, svg } from "../dom.ts";
import type { Viewer } from "../viewer.ts";

/** Colours of pairs in the style sheet. */
const COLOURS = 4;

export class Partners {
  private pairs: readonly (readonly [number, number])[] = [];
  private readonly room = own("picture", HTMLElement);

  constructor(viewer: Viewer) {
    viewer.moved.listen(() => this.mark());
    new MutationObserver(() => this.mark()).observe(this.room, { childList: true });
  }

  show(pairs: readonly (readonly [number, number])[]): void {
    this.pairs = pairs;
    this.mark();
  }

  private mark(): void {
    const root = this.room.querySelector<SVGSVGElement>(":scope > svg");
    if (!root || (this.pairs.length === 0 && !root.querySelector("[data-pair]"))) {
      return;
    }
    for (const each of root.querySelectorAll(".thread, .band")) {
      const thread = Number(each.getAttribute("data-thread") ?? -1);
      const pair = this.pairs.findIndex((both) => both.includes(thread));
      if (pair < 0) {
        each.removeAttribute("data-pair");
      } else {
        set(each, "data-pair", pair % COLOURS);
      }
    }
    this.join(root);
  }

  /** Draws the chords below everything else. */
  private join(root: SVGSVGElement): void {
    const boxes = new Map(
      [...root.querySelectorAll<SVGGraphicsElement>(".spe .thread:not(.ghost)")].flatMap((badge) => {
        const box = badge.closest(".spe")?.querySelector<SVGGraphicsElement>(".box")?.getBBox();
        return box ? [[Number(badge.getAttribute("data-thread") ?? -1), box] as const] : [];
      }),
    );
    const middle = (thread: number) => {
      const box = boxes.get(thread);
      return box && ([box.x + box.width / 2, box.y + box.height / 2] as const);
    };
    const chords = this.pairs.flatMap(([one, other], nth) => {
      const [from, to] = [middle(one), middle(other)];
      return from && to ? [{ d: `M${from}L${to}`, "data-pair": nth % COLOURS }] : [];
    });
    const group = root.querySelector(".partners") ?? svg("g", { class: "partners", "aria-hidden": "true" });
    const drawn = JSON.stringify(chords);
    if (group.getAttribute("data-drawn") !== drawn) {
      group.setAttribute("data-drawn", drawn);
      group.replaceChildren(...chords.map((chord) => svg("path", chord)));
      root.prepend(group);
    }
  }
}
