/** Assembles the page from its parts. */

import { Address } from "./address.ts";
import { Dragging } from "./controls/dragging.ts";
import { ExperimentForm, functionInWords, parametersInWords } from "./controls/form.ts";
import { PlacementControls } from "./controls/placement.ts";
import { RunLine } from "./controls/run-line.ts";
import { drawScenes } from "./controls/scene-list.ts";
import { Take } from "./controls/take.ts";
import { Transport } from "./controls/transport.ts";
import { WhatIf } from "./controls/what-if.ts";
import { own, say, show } from "./dom.ts";
import { Experiment } from "./experiment.ts";
import { listenToKeys } from "./keyboard.ts";
import { Lessons } from "./lessons/index.ts";
import { Opening } from "./opening.ts";
import { BandwidthPanel } from "./panels/bandwidth.ts";
import { drawLegend } from "./panels/legend.ts";
import { LifePanel } from "./panels/life.ts";
import { drawBreakdown, drawChange, drawTotals } from "./panels/totals.ts";
import { WaitsPanel } from "./panels/waits.ts";
import { Player } from "./player.ts";
import { complete, embedded, runOf, type Scene, toHash } from "./scene.ts";
import { FIRST, scenes } from "./scenes.ts";
import { Simulator, unpack } from "./simulator.ts";
import { Stage } from "./stage.ts";
import { type Surface, shown } from "./surface.ts";
import { startTerms, withTerms } from "./terms.ts";
import { startTheme } from "./theme.ts";
import { Viewer } from "./viewer.ts";

declare global {
  interface Window {
    cellstats: Surface;
  }
}

startTheme(own("theme", HTMLButtonElement));
startTerms();
const given = embedded();
const base = given?.lesson ? { ...FIRST, lesson: given.lesson } : (given ?? FIRST);
const recorded = base.trace !== undefined;
document.body.classList.toggle("recorded", recorded);

const module = recorded ? new Promise<WebAssembly.Module>(() => {}) : unpack();
const script = own("worker", HTMLScriptElement).textContent ?? "";
const viewer = new Viewer();
const player = new Player(viewer);
const experiment = new Experiment(base, viewer, new Simulator(module, script), new Simulator(module, script));
const address = new Address(experiment, viewer, base);
const opening = new Opening(viewer, player, experiment);

/**
 * Runs a scene that somebody chose. Another run opens where it is steady. A scene that is not one of the examples loses
 * its title and key.
 */
async function run(scene: Scene): Promise<boolean> {
  viewer.play(false);
  const known = scenes.find(({ key }) => key === scene.key);
  const listed = known !== undefined && runOf(known) === runOf(scene);
  const same = runOf(scene) === runOf(experiment.scene);
  const where = same ? { at: viewer.at } : { at: null, skip: 0 };
  const own = listed ? scene : { ...scene, title: undefined, key: null, line: null };
  const done = await experiment.run({ ...own, ...where });
  if (done) {
    address.write();
  }
  return done;
}

const placement = new PlacementControls(experiment, run);
const waits = new WaitsPanel(own("waits", HTMLElement), own("on-rings", HTMLElement), (line) =>
  viewer.select({ line }),
);
const dragging = new Dragging(
  viewer,
  (thread, spe) => placement.move(thread, spe),
  (text) => stage.announce(text),
);
const stage = new Stage(viewer, experiment, waits, !recorded, (root) => {
  if (!recorded) {
    dragging.attach(root);
  }
});
const bandwidth = new BandwidthPanel(own("bandwidth", HTMLElement), viewer, experiment);
new LifePanel(own("life", HTMLElement), viewer);
new Transport(viewer, player, experiment);
new RunLine(experiment, opening);
new ExperimentForm(experiment, run);
new WhatIf(experiment, run);
drawScenes(experiment, run);
const lessons = new Lessons(base, experiment, viewer, player, run);
address.lessons = lessons;
lessons.course.changes.listen(() => address.write());

function drawNumbers(): void {
  if (viewer.trace) {
    drawTotals(own("totals", HTMLElement), experiment, viewer.trace);
    drawChange(own("change", HTMLElement), experiment);
    drawBreakdown(own("breakdown", HTMLElement), experiment);
  }
}

viewer.traced.listen((trace) => {
  bandwidth.draw(trace);
  drawLegend(own("legend", HTMLElement), trace);
});
experiment.measures.listen(drawNumbers);
experiment.learns.listen(() => viewer.trace && bandwidth.draw(viewer.trace));
experiment.settles.listen(() => viewer.trace && bandwidth.draw(viewer.trace));
experiment.opens.listen((scene) => {
  const known = scenes.find(({ key }) => key === scene.key);
  const title = scene.title ?? functionInWords(scene);
  document.body.classList.toggle("no-threads", experiment.opened?.placement.length === 0);
  const words = parametersInWords(scene);
  say(own("title", HTMLElement), title);
  own("lead", HTMLElement).replaceChildren(...withTerms(known?.text ?? words));
  say(own("summary", HTMLElement), `${functionInWords(scene)}${words && `: ${words}`}`);
  document.title = `${title}: the rings at work`;
  drawNumbers();
});
experiment.says.listen(({ text, refused }) => {
  const status = own("status", HTMLElement);
  say(status, text);
  status.classList.toggle("refused", refused);
});

const help = own("help", HTMLDialogElement);
own("help-open", HTMLButtonElement).addEventListener("click", () => {
  help.showModal();
  // Otherwise the first link of the help has the focus, and the help begins there.
  own("help-title", HTMLElement).focus();
});
own("details", HTMLButtonElement).addEventListener("click", ({ currentTarget }) => {
  const details = document.body.classList.toggle("details");
  (currentTarget as HTMLButtonElement).setAttribute("aria-pressed", String(details));
});
own("print", HTMLButtonElement).addEventListener("click", () => print());
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll<HTMLDetailsElement>("details.fold")) {
    folded.open = true;
  }
  const { scene } = experiment;
  // A printed page must not reveal a local path.
  const link = location.protocol === "file:" ? toHash(address.scene()) : address.link;
  say(own("printed", HTMLElement), `${functionInWords(scene)}: ${parametersInWords(scene)}. ${link}`);
});
// A frame with content from another page (about:srcdoc) has no address to share.
show(own("link", HTMLButtonElement), location.protocol !== "about:");
show(own("copy-frame", HTMLButtonElement), location.protocol !== "about:");
new Take(address, experiment, viewer, player, () => own("title", HTMLElement).textContent ?? "");
listenToKeys(viewer, player, opening, help);
// On a small screen, the open form would hide the rest of the page.
own("experiment", HTMLDetailsElement).open = matchMedia("(min-width: 820px) and (min-height: 500px)").matches;

const ready = (async () => {
  if (await lessons.follow(location.hash)) {
    return;
  }
  if (!(await experiment.run(address.read())) && !viewer.trace) {
    // If the simulator refuses the link's scene, show the refusal beside the default scene.
    const why = own("status", HTMLElement).textContent ?? "";
    await experiment.run(complete(base));
    experiment.says.send({ text: why, refused: true });
  }
  opening.opened();
  address.write();
})();

window.cellstats = {
  ready,
  state: () => address.scene(),
  go: (at) => {
    viewer.play(false);
    viewer.go((viewer.trace?.triggeredAt ?? 0) + at);
  },
  run,
  shown: () => shown(document),
  lesson: () => lessons.course.state(),
  timings: () => experiment.timings,
};
