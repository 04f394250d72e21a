/** What people take along: links, a frame for their own page, pictures and films. */

import type { Address } from "../address.ts";
import { own, say } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import { alone, film, filmKind, pngFile, svgFile } from "../export.ts";
import type { Player } from "../player.ts";
import type { Viewer } from "../viewer.ts";

const FRAME_HEIGHT_PX = 900;
/** Bus cycles of a film. */
const FILMED = 100;
const LOCAL = "This page is a file on your computer: the link works only here. ";

export class Take {
  private filming = false;

  constructor(
    private readonly address: Address,
    private readonly experiment: Experiment,
    private readonly viewer: Viewer,
    private readonly player: Player,
    private readonly title: () => string,
  ) {
    const press = (id: string, what: (button: HTMLButtonElement) => void) => {
      const button = own(id, HTMLButtonElement);
      button.addEventListener("click", () => what(button));
    };
    press("link", (button) => this.copy(button, address.link, address.isLocal ? LOCAL : ""));
    press("copy-frame", (button) => {
      const beside = address.isLocal ? "Put this page beside the page that shows the frame. " : "";
      this.copy(button, this.frame(), beside);
    });
    press("save-svg", () => this.save(svgFile(this.picture()), "svg"));
    press("save-png", async () => this.save(await pngFile(this.picture()), "png"));
    press("save-film", (button) => this.film(button));
    own("save-film", HTMLButtonElement).disabled = filmKind() === null;
    const menu = own("take", HTMLDetailsElement);
    addEventListener("click", ({ target }) => {
      menu.open &&= target instanceof Node && menu.contains(target);
    });
  }

  private picture(): SVGSVGElement {
    const drawn = document.querySelector<SVGSVGElement>("#picture svg");
    if (!drawn) {
      throw new Error("the picture is not drawn yet");
    }
    return alone(drawn, `${this.title()}, bus cycle ${this.viewer.at.toLocaleString("en")}`);
  }

  private frame(): string {
    const text = (words: string) => words.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const { frameLink } = this.address;
    const size = `width="100%" height="${FRAME_HEIGHT_PX}"`;
    return `<iframe src="${text(frameLink)}" title="${text(this.title())}" ${size} loading="lazy"></iframe>`;
  }

  private async copy(button: HTMLButtonElement, text: string, note: string): Promise<void> {
    this.address.write();
    const words = button.textContent ?? "";
    try {
      await navigator.clipboard.writeText(text);
      say(button, "Copied");
      this.experiment.says.send({ text: note, refused: false });
    } catch {
      // Without permission to copy, show the text so that people can copy it themselves.
      prompt(`${note}To copy:`, text);
    }
    setTimeout(() => say(button, words), 1500);
  }

  private save(file: Blob, kind: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = `${this.experiment.scene.request.function.replaceAll(" ", "-")}-${this.viewer.at}.${kind}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  /** Plays and films the next bus cycles at the chosen speed. A second click, or a pause, ends the film. */
  private async film(button: HTMLButtonElement): Promise<void> {
    const kind = filmKind();
    if (this.filming || !kind) {
      this.viewer.play(false);
      return;
    }
    const words = button.textContent ?? "";
    this.filming = true;
    say(button, "Filming: stop");
    try {
      this.player.playFor(FILMED);
      const made = await film(
        () => this.picture(),
        kind,
        () => !this.viewer.playing,
      );
      this.save(made, made.type.endsWith("mp4") ? "mp4" : "webm");
    } finally {
      this.filming = false;
      say(button, words);
    }
  }
}
