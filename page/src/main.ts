/** Assembles the page from its parts. */

import { Address } from "./address.ts";
import { Beside } from "./beside.ts";
import { Dragging } from "./controls/dragging.ts";
import { ExperimentForm, explained, functionInWords, parametersInWords } from "./controls/form.ts";
import { PlacementControls } from "./controls/placement.ts";
import { RunLine } from "./controls/run-line.ts";
import { drawScenes } from "./controls/scene-list.ts";
import { SideBySide } from "./controls/side-by-side.ts";
import { Take } from "./controls/take.ts";
import { Transport } from "./controls/transport.ts";
import { WhatIf } from "./controls/what-if.ts";
import { own, say, show } from "./dom.ts";
import { Experiment } from "./experiment.ts";
import { listenToKeys } from "./keyboard.ts";
import { Lessons } from "./lessons/index.ts";
import { Opening } from "./opening.ts";
import { BandwidthPanel } from "./panels/bandwidth.ts";
import { drawFirstLook } from "./panels/first.ts";
import { drawLegend } from "./panels/legend.ts";
import { LifePanel } from "./panels/life.ts";
import { ProgramPanel } from "./panels/program.ts";
import { drawBreakdown, drawChange, drawTotals } from "./panels/totals.ts";
import { WaitsPanel } from "./panels/waits.ts";
import { Player } from "./player.ts";
import { Presenter } from "./presenter.ts";
import { complete, embedded, runOf, type Scene, toHash } from "./scene.ts";
import { FIRST, scenes } from "./scenes.ts";
import type { Signal } from "./signal.ts";
import { Simulator, unpack } from "./simulator.ts";
import { Stage } from "./stage.ts";
import { drawn, type Surface, shown } from "./surface.ts";
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
const base =
  given?.lesson || given?.lessons ? { ...FIRST, lesson: given.lesson, lessons: given.lessons } : (given ?? FIRST);
const recorded = base.trace !== undefined;
document.body.classList.toggle("recorded", recorded);

const module = recorded ? new Promise<WebAssembly.Module>(() => {}) : unpack();
const script = own("worker", HTMLScriptElement).textContent ?? "";
const simulator = () => new Simulator(module, script);
const viewer = new Viewer();
const player = new Player(viewer);
const experiment = new Experiment(base, viewer, simulator(), simulator());
const address = new Address(experiment, viewer, base);
const opening = new Opening(viewer, player, experiment);
const beside = new Beside(viewer, experiment, simulator(), simulator());

/**
 * Runs a scene that somebody chose. Another run opens where it is steady, or at the bus cycle of the step in a lesson. A
 * scene that is not one of the examples loses its title and key.
 */
async function run(scene: Scene): Promise<boolean> {
  viewer.play(false);
  if (lessons.course.progress) {
    return lessons.course.change(scene);
  }
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
const places = { room: own("picture", HTMLElement), live: own("live", HTMLElement), begins: "" };
const stage = new Stage(places, viewer, experiment, waits, recorded ? null : (root) => dragging.attach(root));
const bandwidth = new BandwidthPanel(own("bandwidth", HTMLElement), viewer, experiment);
new LifePanel(own("life", HTMLElement), viewer);
new ProgramPanel(viewer);
new Transport(viewer, player, experiment);
new RunLine(experiment, opening);
new ExperimentForm(experiment, run);
new WhatIf(experiment, run);
drawScenes(experiment, run);
const lessons = new Lessons(base, experiment, viewer, player);
const placesBeside = {
  room: own("picture-beside", HTMLElement),
  live: own("live-beside", HTMLElement),
  begins: "Beside it: ",
};
new Stage(placesBeside, beside.viewer, beside.experiment, null, null);
const other = new BandwidthPanel(own("bandwidth-beside", HTMLElement), beside.viewer, beside.experiment, (time) =>
  beside.go(time),
);
const sideBySide = new SideBySide(
  beside,
  experiment,
  viewer,
  [bandwidth, other],
  () => lessons.course.progress === null,
);
address.lessons = lessons;
address.beside = beside;
lessons.course.changes.listen(() => {
  if (lessons.course.progress) {
    beside.close();
  }
  address.write();
});
for (const signal of [beside.changes, beside.experiment.opens, beside.viewer.selected] as Signal<unknown>[]) {
  signal.listen(() => address.later());
}

function drawNumbers(): void {
  if (viewer.trace) {
    drawTotals(own("totals", HTMLElement), experiment, viewer.trace);
    drawChange(own("change", HTMLElement), experiment);
    drawBreakdown(own("breakdown", HTMLElement), experiment);
  }
}

function drawLead(): void {
  const { scene, about } = experiment;
  const known = scenes.find(({ key }) => key === scene.key);
  own("lead", HTMLElement).replaceChildren(...withTerms(known?.text ?? explained(scene, about)));
}

viewer.traced.listen((trace) => {
  drawLegend(own("legend", HTMLElement), trace);
  drawFirstLook(trace);
});
experiment.learns.listen(drawLead);
experiment.measures.listen(drawNumbers);
experiment.opens.listen((scene) => {
  const title = scene.title ?? functionInWords(scene);
  document.body.classList.toggle("no-threads", experiment.opened?.placement.length === 0);
  const words = parametersInWords(scene);
  say(own("title", HTMLElement), title);
  drawLead();
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
const presenter = new Presenter(() => stage.redraw());
listenToKeys(viewer, player, opening, sideBySide, presenter);
// On a small screen, the open form would hide the rest of the page.
own("experiment", HTMLDetailsElement).open = matchMedia("(min-width: 820px) and (min-height: 500px)").matches;

const ready = (async () => {
  const asked = location.hash.length < 2 && base.lessons ? "#lessons" : location.hash;
  if (await lessons.follow(asked)) {
    return;
  }
  const second = address.readBeside();
  const first = experiment.run(address.read());
  const both = second && beside.open(second, first);
  if (!(await first) && !viewer.trace) {
    // If the simulator refuses the link's scene, show the refusal beside the default scene.
    const why = own("status", HTMLElement).textContent ?? "";
    await experiment.run(complete(base));
    experiment.says.send({ text: why, refused: true });
  }
  opening.opened();
  await both;
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
  beside: () => {
    const scene = beside.scene();
    return scene && { scene: { ...scene, at: beside.viewer.at }, drawn: drawn(own("picture-beside", HTMLElement)) };
  },
  lesson: () => lessons.course.state(),
  timings: () => experiment.timings,
};
