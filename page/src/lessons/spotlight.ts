/** Shows only what a step speaks of: everything else in the picture is dimmed, or out of view. */

import { own } from "../dom.ts";
import { isPresenting } from "../presenter.ts";
import type { Viewer } from "../viewer.ts";

/** Parts of an element, by the names that lessons use. */
const PARTS: Record<string, string> = {
  SPU: ".state",
  MFC: ".queues",
  thread: ".thread",
  "on-ramp": ".waiting, .notches",
};
const GROUPS: Record<string, string> = {
  SPEs: '.element.spe, .command[data-issuer^="SPE"]',
  elements: ".element, .command",
  threads: ".thread",
  rings: "[data-ring]",
  concentrator: ".concentrator, .concentrator-box, .command, .snoops",
  link: ".link",
};
/** The smallest part of a chip that a view shows, so that no view loses its surroundings. */
const LEAST = 0.42;
const MARGIN = 26;
/** A margin that contains the ways of lines round the nearer end of the rings. */
const ROUND_THE_END = 130;
/** Where the whole picture is drawn smaller than this, as on a phone, nobody can read it. */
const READABLE = 0.6;
/** Size of all text in the presenter's mode, in CSS pixels, and the largest one that boxes have room for, in units. */
const PRESENTED_PX = 18;
const ROOM_FOR = 16.5;
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
    // The room of a picture changes with the screen.
    new ResizeObserver(() => isPresenting() && this.show(this.subjects, this.zoom, false)).observe(
      own("picture", HTMLElement),
    );
  }

  /** Lights the subjects; without any, the whole picture. */
  show(subjects: readonly string[], zoom: boolean, smooth = true): void {
    this.subjects = subjects;
    this.zoom = zoom;
    this.light();
    const root = this.root;
    if (root) {
      const whole = wholeOf(root);
      const presenting = isPresenting();
      const readable = presenting ? PRESENTED_PX / ROOM_FOR : READABLE;
      const near = zoom ? MARGIN : subjects.length > 0 && scaleOf(root, whole) < readable ? ROUND_THE_END : null;
      const to = near === null ? whole : this.around(root, whole, near);
      // What nobody can read makes room for what then can be read.
      const scale = scaleOf(root, to);
      root.classList.toggle("small", scale < readable);
      root.classList.toggle("presented", presenting);
      root.classList.toggle("part", near !== null);
      root.style.setProperty("--type", `${PRESENTED_PX / scale}px`);
      root.style.setProperty("--larger", String(Math.max(1, PRESENTED_PX / scale / 11)));
      this.glide(root, to, smooth && !this.calm.matches);
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

  /** The part of the picture with all lit elements. Bands and rings reach too far. */
  private around(root: SVGSVGElement, whole: Frame, margin: number): Frame {
    const lit = this.lit(root).filter((each) => !each.matches("[data-ring], [data-line]"));
    const boxes = lit.map((each) => (each.closest(".element") ?? each) as SVGGraphicsElement).map((e) => e.getBBox());
    if (boxes.length === 0) {
      return whole;
    }
    const chips = root.querySelector(".link") ? 2 : 1;
    const stretch = (start: "x" | "y", size: "width" | "height", least: number): [number, number] => {
      const low = Math.min(...boxes.map((box) => box[start])) - margin;
      const high = Math.max(...boxes.map((box) => box[start] + box[size])) + margin;
      const length = Math.min(Math.max(high - low, least), whole[size]);
      return [Math.min(Math.max((low + high - length) / 2, 0), whole[size] - length), length];
    };
    const [x, width] = stretch("x", "width", LEAST * whole.width);
    const [y, height] = stretch("y", "height", (LEAST * whole.height) / chips);
    return { x, y, width, height };
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

function scaleOf(root: SVGSVGElement, whole: Frame): number {
  return Math.min(root.clientWidth / whole.width, root.clientHeight / whole.height);
}

function selectorOf(subject: string): string {
  const [head = "", rest = ""] = subject.split(/ (.*)/s);
  if (head === "line" || head === "ring") {
    return `[data-${head}="${rest}"]`;
  }
  const element = `.element[data-element="${head}"]`;
  const whole = `${element}, .command[data-issuer="${head}"], .letter`;
  return GROUPS[subject] ?? (rest === "" ? whole : `${element} :is(${PARTS[rest]})`);
}
