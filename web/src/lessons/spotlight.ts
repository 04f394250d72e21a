/** Shows only what a step speaks of: everything else in the picture is dimmed, or out of view. */

import { own } from "../dom.ts";
import type { Viewer } from "../viewer.ts";

/** Parts of an element, by the names that lessons use. */
const PARTS: Record<string, string> = {
  SPU: ".state",
  MFC: ".queues",
  thread: ".thread",
  "on-ramp": ".waiting, .notches",
};
const GROUPS: Record<string, string> = {
  SPEs: ".element.spe",
  elements: ".element",
  threads: ".thread",
  rings: "[data-ring]",
  concentrator: ".concentrator",
  link: ".link",
};
/** The smallest part of a chip that a view shows, so that no view loses its surroundings. */
const LEAST = 0.42;
const MARGIN = 26;
const GLIDE_MS = 700;

interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Spotlight {
  private subjects: readonly string[] = [];
  private zoom = false;
  private frame: Frame | null = null;
  private gliding = 0;
  private readonly calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(viewer: Viewer) {
    viewer.moved.listen(() => this.light());
    // The stage replaces the picture for each run and each format of the screen.
    new MutationObserver(() => this.show(this.subjects, this.zoom, false)).observe(own("picture", HTMLElement), {
      childList: true,
    });
  }

  /** Lights the subjects; without any, the whole picture. */
  show(subjects: readonly string[], zoom: boolean, smooth = true): void {
    this.subjects = subjects;
    this.zoom = zoom;
    this.light();
    const root = this.root;
    if (root) {
      const whole = wholeOf(root);
      this.glide(root, zoom ? this.around(root, whole) : whole, smooth && !this.calm.matches);
    }
  }

  private get root(): SVGSVGElement | null {
    return document.querySelector<SVGSVGElement>("#picture > svg");
  }

  private light(): void {
    const root = this.root;
    root?.classList.toggle("spotlit", this.subjects.length > 0);
    if (!root) {
      return;
    }
    const lit = new Set(this.lit(root));
    for (const element of root.querySelectorAll("[data-lit]")) {
      if (!lit.has(element)) {
        element.removeAttribute("data-lit");
      }
    }
    for (const element of lit) {
      element.setAttribute("data-lit", "");
    }
  }

  private lit(root: SVGSVGElement): Element[] {
    return this.subjects.flatMap((subject) => [...root.querySelectorAll(selectorOf(subject))]);
  }

  /** The part of the picture with all lit elements, in the proportions of the picture. */
  private around(root: SVGSVGElement, whole: Frame): Frame {
    const lit = this.lit(root).filter((each) => !each.matches("[data-ring], [data-line]"));
    const boxes = lit.map((each) => (each.closest(".element") ?? each) as SVGGraphicsElement).map((e) => e.getBBox());
    if (boxes.length === 0) {
      return whole;
    }
    const left = Math.min(...boxes.map(({ x }) => x)) - MARGIN;
    const top = Math.min(...boxes.map(({ y }) => y)) - MARGIN;
    const right = Math.max(...boxes.map(({ x, width }) => x + width)) + MARGIN;
    const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + MARGIN;
    const least = root.querySelector(".link") ? LEAST / 1.6 : LEAST;
    const part = Math.max((right - left) / whole.width, (bottom - top) / whole.height, least);
    if (part >= 1) {
      return whole;
    }
    const [width, height] = [part * whole.width, part * whole.height];
    const within = (least: number, most: number) => Math.min(Math.max(least, 0), most);
    return {
      x: within((left + right - width) / 2, whole.width - width),
      y: within((top + bottom - height) / 2, whole.height - height),
      width,
      height,
    };
  }

  private glide(root: SVGSVGElement, to: Frame, smooth: boolean): void {
    const from = this.frame ?? wholeOf(root);
    const begun = performance.now();
    const turn = ++this.gliding;
    const step = (now: number) => {
      if (turn !== this.gliding || !root.isConnected) {
        return;
      }
      // On a busy computer, a frame may have begun before this call.
      const part = smooth ? Math.min(Math.max((now - begun) / GLIDE_MS, 0), 1) : 1;
      const eased = part * part * (3 - 2 * part);
      const at = (name: keyof Frame) => from[name] + eased * (to[name] - from[name]);
      this.frame = { x: at("x"), y: at("y"), width: at("width"), height: at("height") };
      root.setAttribute(
        "viewBox",
        Object.values(this.frame)
          .map((value) => value.toFixed(1))
          .join(" "),
      );
      if (part < 1) {
        requestAnimationFrame(step);
      }
    };
    step(begun);
  }
}

function wholeOf(root: SVGSVGElement): Frame {
  const [width = 0, height = 0] = (root.dataset.size ?? "").split(" ").map(Number);
  return { x: 0, y: 0, width, height };
}

function selectorOf(subject: string): string {
  const [head = "", rest = ""] = subject.split(/ (.*)/s);
  if (head === "line" || head === "ring") {
    return `[data-${head}="${rest}"]`;
  }
  const element = `.element[data-element="${head}"]`;
  return GROUPS[subject] ?? (rest === "" ? element : `${element} :is(${PARTS[rest]})`);
}
