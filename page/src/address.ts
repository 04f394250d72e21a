/** Synchronizes the URL and the page, in both directions. */

import type { Experiment } from "./experiment.ts";
import { besideIn, fromHash, runOf, type Scene, toHash } from "./scene.ts";
import { scenes } from "./scenes.ts";
import type { Viewer } from "./viewer.ts";

/** Pause between two changes of the URL, because browsers limit their rate. */
const PAUSE_MS = 400;

/** The part of the page that has its own addresses while a lesson is taken. */
interface Lessons {
  hash(): string | null;
  follow(hash: string): Promise<boolean>;
}

/** The run that is shown beside. */
interface Beside {
  scene(): Scene | null;
  follow(scene: Scene | null): Promise<void>;
}

export class Address {
  lessons: Lessons | null = null;
  beside: Beside | null = null;
  private due: ReturnType<typeof setTimeout> | null = null;
  private shown = "";
  /** The run of the current entry of the history. */
  private run: string | null = null;
  /** Entries of the history that are being shown. */
  private following = 0;

  constructor(
    private readonly experiment: Experiment,
    private readonly viewer: Viewer,
    private readonly base: Scene,
  ) {
    viewer.moved.listen(() => this.later());
    viewer.selected.listen(() => this.later());
    addEventListener("popstate", () => this.follow());
    addEventListener("hashchange", () => this.follow());
  }

  /** The scene that the URL asks for. */
  read(): Scene {
    return sceneIn(location.hash, this.base);
  }

  /** The scene that the URL asks for beside, from the values in which it differs; null if it asks for none. */
  readBeside(): Scene | null {
    const text = this.base.trace ? null : besideIn(location.hash);
    return text === null ? null : sceneIn(text, this.read());
  }

  /** The current scene, with the bus cycle and the selection. */
  scene(): Scene {
    const { scene } = this.experiment;
    return { ...scene, at: this.viewer.at, line: this.viewer.selection.line };
  }

  /** A link to the current scene: of the hosted page if this page says where that is. */
  get link(): string {
    return (this.hosted ?? this.page) + this.hash;
  }

  private get hash(): string {
    return this.lessons?.hash() ?? toHash(this.scene(), this.beside?.scene());
  }

  /** The address of a frame: for a file without a hosted page, relative to the page that shows the frame. */
  get frameLink(): string {
    const page = this.isLocal ? (this.page.split("/").pop() ?? "") : (this.hosted ?? this.page);
    return page + this.hash;
  }

  /** Whether links lead to a file of this computer. */
  get isLocal(): boolean {
    return location.protocol === "file:" && this.hosted === null;
  }

  private get page(): string {
    return location.href.split("#")[0] ?? "";
  }

  /** Where the page is hosted, if it says so. A page with its own machine or recording is not there. */
  private get hosted(): string | null {
    const { trace, machine } = this.experiment.scene;
    const link = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
    return link && !trace && !machine.toml ? link.href : null;
  }

  /** Writes the URL soon. */
  later(): void {
    this.due ??= setTimeout(() => {
      this.due = null;
      this.write();
    }, PAUSE_MS);
  }

  /**
   * Writes the URL. Another run, or another step of a lesson, is added to the history: the browser's back button returns
   * to the previous one.
   */
  write(): void {
    const { hash } = this;
    const run = this.lessons?.hash() ?? this.runs(this.scene(), this.beside?.scene() ?? null);
    // What the URL asks for must be shown before the URL says what is shown.
    if (hash === this.shown || this.following > 0 || !this.viewer.trace) {
      return;
    }
    const how = this.run === null || this.run === run ? "replaceState" : "pushState";
    this.shown = hash;
    this.run = run;
    try {
      history[how](null, "", hash);
    } catch {
      // A page in a frame without its own address has no history; `link` still works.
    }
  }

  /** Identifies the runs that are shown. */
  private runs(scene: Scene, beside: Scene | null): string {
    return runOf(scene) + (beside ? runOf(beside) : "");
  }

  private async follow(): Promise<void> {
    const { hash } = location;
    if (hash === this.shown) {
      return;
    }
    this.shown = hash;
    // The step that is shown next is already in the history.
    this.run = null;
    if (await this.lessons?.follow(hash)) {
      return;
    }
    const wanted = this.read();
    const beside = this.readBeside();
    this.run = this.runs(wanted, beside);
    this.following++;
    const done = await this.show(wanted);
    // Meanwhile another entry may have been asked for.
    if (this.shown === hash) {
      await this.beside?.follow(beside);
    }
    this.following--;
    if (done) {
      this.write();
    }
  }

  /** Shows a scene; false if the simulator refuses it. */
  private async show(wanted: Scene): Promise<boolean> {
    const { scene } = this.experiment;
    const { trace } = this.viewer;
    const there = runOf(wanted) === runOf(scene) && wanted.skip === scene.skip && wanted.window === scene.window;
    if (!there || !trace) {
      return this.experiment.run(wanted);
    }
    this.viewer.go(trace.triggeredAt + (wanted.at ?? this.viewer.at));
    this.viewer.select({ line: wanted.line });
    return true;
  }
}

function sceneIn(hash: string, base: Scene): Scene {
  const key = new URLSearchParams(hash.slice(1)).get("scene");
  const named = key === null ? null : (scenes.find((scene) => scene.key === key) ?? null);
  return fromHash(hash, base.trace ? base : (named ?? base));
}
