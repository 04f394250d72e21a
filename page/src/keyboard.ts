/** Keyboard shortcuts of the page, unless the focused element uses the key itself. */

import type { SideBySide } from "./controls/side-by-side.ts";
import { own } from "./dom.ts";
import type { Opening } from "./opening.ts";
import type { Player } from "./player.ts";
import { isPresenting, type Presenter } from "./presenter.ts";
import type { Viewer } from "./viewer.ts";

export function listenToKeys(
  viewer: Viewer,
  player: Player,
  opening: Opening,
  sideBySide: SideBySide,
  presenter: Presenter,
): void {
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    " ": () => player.toggle(),
    ArrowRight: ({ shiftKey }) => viewer.step(shiftKey ? 10 : 1),
    ArrowLeft: ({ shiftKey }) => viewer.step(shiftKey ? -10 : -1),
    Home: () => viewer.step(Number.NEGATIVE_INFINITY),
    End: () => viewer.step(Number.POSITIVE_INFINITY),
    n: () => viewer.nextGrant(),
    s: () => opening.switch(),
    b: () => sideBySide.toggle(),
    p: () => presenter.toggle(),
    "?": () => own("help-open", HTMLButtonElement).click(),
    Escape: () => {
      if (isPresenting()) {
        presenter.toggle();
        return;
      }
      viewer.select({});
      sideBySide.clear();
    },
  };
  addEventListener("keydown", (event) => {
    const { target, key } = event;
    // Escape closes an open dialog.
    const inDialog = document.querySelector("dialog[open]") !== null;
    if (event.ctrlKey || event.metaKey || event.altKey || inDialog || hasKeys(target, key)) {
      return;
    }
    const does = keys[key];
    if (does) {
      event.preventDefault();
      does(event);
    }
  });
}

/** Whether the focused element uses a key itself. */
export function hasKeys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) {
    return false;
  }
  const field = target.closest("input, select, textarea");
  if (field) {
    return !(field instanceof HTMLInputElement && field.type === "checkbox" && key !== " ");
  }
  return key === " " && target.closest("button, summary, a, [role=button]") !== null;
}
