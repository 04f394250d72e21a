/** The presenter's mode: a picture and a lesson that fill the screen, in type that is legible in a lecture hall. */

import { own } from "./dom.ts";

const NAME = "presenting";

export function isPresenting(): boolean {
  return document.body.classList.contains(NAME);
}

export class Presenter {
  private readonly button = own("present", HTMLButtonElement);

  /** changed: called when the mode begins or ends. */
  constructor(private readonly changed: () => void) {
    this.button.addEventListener("click", () => this.toggle());
    // Esc ends a browser's full screen without telling the page which key it was.
    addEventListener("fullscreenchange", () => document.fullscreenElement ?? this.show(false));
  }

  toggle(): void {
    const begins = !isPresenting();
    // A browser or a frame may refuse the full screen; then the mode fills the window.
    const done = begins
      ? document.documentElement.requestFullscreen?.()
      : document.fullscreenElement && document.exitFullscreen();
    Promise.resolve(done).catch(() => {});
    this.show(begins);
  }

  private show(on: boolean): void {
    if (on !== isPresenting()) {
      document.body.classList.toggle(NAME, on);
      this.button.setAttribute("aria-pressed", String(on));
      this.changed();
    }
  }
}
