/**
 * Moves a thread to another SPE in one of three ways: by dragging; by a click on the thread and a click on the SPE; or
 * with Enter, the arrow keys and Enter again.
 */

import type { Viewer } from "../viewer.ts";

/** Pixels that a pointer must move before a press becomes a drag. */
const CLICK = 4;

interface Held {
  thread: number;
  badge: SVGGElement;
  pointer: { id: number; x: number; y: number; ghost: SVGGElement | null } | null;
  target: SVGGElement | null;
}

export class Dragging {
  private held: Held | null = null;
  private root: SVGSVGElement | null = null;

  constructor(
    viewer: Viewer,
    private readonly move: (thread: number, spe: number) => void,
    private readonly announce: (text: string) => void,
  ) {
    viewer.traced.listen(() => this.drop(null));
  }

  attach(root: SVGSVGElement): void {
    this.root = root;
    root.addEventListener("pointerdown", (event) => this.press(event));
    root.addEventListener("pointermove", (event) => this.drag(event));
    root.addEventListener("pointerup", (event) => this.release(event));
    root.addEventListener("pointercancel", () => this.drop(null));
    root.addEventListener("keydown", (event) => this.key(event));
  }

  private press(event: PointerEvent): void {
    const target = event.target as Element;
    // A finger is wider than a badge, so it may press anywhere on the SPE but on its queues.
    const touched = event.pointerType === "touch" && !target.closest(".queues") ? target.closest(".spe") : null;
    const badge =
      target.closest<SVGGElement>(".thread") ?? touched?.querySelector<SVGGElement>(".thread:not([style*=none])");
    if (this.held && !this.held.pointer) {
      this.drop(this.speUnder(event));
    } else if (badge) {
      this.hold(badge, { id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null });
      event.preventDefault();
    }
  }

  private drag(event: PointerEvent): void {
    const pointer = this.held?.pointer;
    if (!this.held || pointer?.id !== event.pointerId || !this.root) {
      return;
    }
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
    if (!pointer.ghost) {
      if (Math.hypot(dx, dy) < CLICK) {
        return;
      }
      pointer.ghost = this.held.badge.cloneNode(true) as SVGGElement;
      pointer.ghost.classList.add("ghost");
      this.root.setPointerCapture(event.pointerId);
      this.root.append(pointer.ghost);
    }
    const scale = this.root.getScreenCTM()?.a ?? 1;
    pointer.ghost.setAttribute("transform", `translate(${dx / scale} ${dy / scale})`);
    this.aim(this.speUnder(event));
  }

  private release(event: PointerEvent): void {
    const pointer = this.held?.pointer;
    if (!this.held || pointer?.id !== event.pointerId) {
      return;
    }
    if (pointer.ghost) {
      this.drop(this.speUnder(event));
    } else {
      // A click selects the thread; the next click chooses an SPE for it.
      this.held.pointer = null;
    }
  }

  private key(event: KeyboardEvent): void {
    const badge = (event.target as Element).closest<SVGGElement>(".thread");
    const enter = event.key === "Enter" || event.key === " ";
    if (!this.held) {
      if (badge && enter) {
        this.hold(badge, null);
        event.preventDefault();
        event.stopPropagation();
      }
      return;
    }
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (enter) {
      this.drop(this.held.target);
    } else if (event.key === "Escape") {
      this.drop(null);
    } else if (step !== undefined) {
      this.aimBeside(step);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private hold(badge: SVGGElement, pointer: Held["pointer"]): void {
    this.held = { thread: Number(badge.dataset.thread), badge, pointer, target: null };
    this.root?.classList.add("holding");
    badge.classList.add("held");
    this.aim(badge.closest<SVGGElement>(".spe"));
    this.announce(
      `Thread ${this.held.thread} is picked up. Arrow keys choose an SPE, Enter puts the thread there, Escape cancels.`,
    );
  }

  private drop(target: SVGGElement | null): void {
    const { held } = this;
    if (!held) {
      return;
    }
    this.aim(null);
    held.pointer?.ghost?.remove();
    held.badge.classList.remove("held");
    this.root?.classList.remove("holding");
    this.held = null;
    const spe = target?.dataset.spe;
    if (spe !== undefined) {
      this.move(held.thread, Number(spe));
    }
  }

  private aim(target: SVGGElement | null): void {
    if (this.held && this.held.target !== target) {
      this.held.target?.classList.remove("target");
      target?.classList.add("target");
      this.held.target = target;
    }
  }

  private aimBeside(step: number): void {
    const all = [...(this.root?.querySelectorAll<SVGGElement>(".spe:not(.unusable)") ?? [])];
    const now = this.held?.target ? all.indexOf(this.held.target) : 0;
    const next = all[(now + step + all.length) % all.length] ?? null;
    this.aim(next);
    const there = next?.querySelector(".thread")?.textContent;
    this.announce(`${next?.dataset.element}${there ? `, with ${there}` : ", no thread"}`);
  }

  /** The SPE of this picture under the pointer, even while the pointer is captured. */
  private speUnder(event: PointerEvent): SVGGElement | null {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const spe = under?.closest<SVGGElement>(".spe:not(.unusable)") ?? null;
    return this.root?.contains(spe) ? spe : null;
  }
}
