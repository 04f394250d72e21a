/** The example scenes, as a list of buttons. */

import { html, own } from "../dom.ts";
import type { Experiment } from "../experiment.ts";
import type { Scene } from "../scene.ts";
import { scenes } from "../scenes.ts";

export function drawScenes(experiment: Experiment, run: (scene: Scene) => void): void {
  const room = own("scenes", HTMLElement);
  const buttons = scenes.map((scene) => {
    const button = html("button", { type: "button", title: scene.text, "data-scene": scene.key }, scene.title);
    button.addEventListener("click", () => run(scene));
    return button;
  });
  room.replaceChildren(...buttons.map((button) => html("li", {}, button)));
  experiment.opens.listen(({ key }) => {
    for (const button of buttons) {
      if (button.dataset.scene === key) {
        button.setAttribute("aria-current", "true");
        button.scrollIntoView({ block: "nearest", inline: "nearest" });
      } else {
        button.removeAttribute("aria-current");
      }
    }
  });
}
