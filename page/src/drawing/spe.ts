/** The contents of an SPE's box: its thread, the state of its SPU, and the queues of its MFC. */

import { say, set, show, svg } from "../dom.ts";
import type { Frame } from "../geometry.ts";
import type { Capacities } from "../machine.ts";
import type { ElementMoment, SpeMoment } from "../moment.ts";
import { labelOf, placeOf } from "../positions.ts";
import { waitsFor, waitsSentence } from "../words.ts";
import { Cells } from "./cells.ts";

/** Signs for the state of an SPU: a triangle, two bars, an empty square. */
const SIGNS = { runs: "M0 0L9 5L0 10Z", waits: "M0 0H3V10H0ZM6 0H9V10H6Z", none: "M0 1H8V9H0ZM2 3V7H6V3Z" };

/** What large type leaves out. */
const WAITS_FOR = "waits for ";
/** The state of an SPE whose thread has no program; also the name of the term. */
const PASSIVE = "passive";

export class SpeRows {
  readonly group: SVGGElement;
  private readonly badge: SVGGElement;
  private readonly thread: SVGTextElement;
  private readonly number: SVGTSpanElement;
  private readonly pill: SVGRectElement;
  private readonly state: SVGGElement;
  private readonly sign: SVGPathElement;
  private readonly waits: SVGTSpanElement;
  private readonly words: SVGTSpanElement;
  private readonly sentence: SVGTitleElement;
  private readonly spuQueue: Cells;
  private readonly proxyQueue: Cells;
  private readonly proxies: SVGGElement;
  private readonly queueTitle = svg("title");

  constructor(
    private readonly frame: Frame,
    capacities: Capacities,
    movable: boolean,
  ) {
    const { x, y, width } = frame;
    this.number = svg("tspan");
    this.thread = svg(
      "text",
      { x: x + width - 12, y: y + 19.5, "text-anchor": "end" },
      svg("tspan", { class: "word" }, "thread "),
      this.number,
    );
    this.pill = svg("rect", { y: y + 6, height: 19, rx: 9.5 });
    const button = movable ? { tabindex: 0, role: "button" } : {};
    this.badge = svg("g", { class: "thread", ...button }, this.pill, this.thread);

    this.sign = svg("path", { transform: `translate(${x + 8.5} ${y + 31})` });
    this.waits = svg("tspan", { class: "word" });
    this.words = svg("tspan");
    const words = svg("text", { x: x + 21, y: y + 40 }, this.waits, this.words);
    this.sentence = svg("title");
    this.state = svg("g", { class: "state" }, this.sentence, this.sign, words);

    const label = 40;
    const pitch = (width - 18 - label) / capacities.spuQueue;
    const row = (queue: string, capacity: number, middle: number) => {
      const start = [x + 9 + label, y + middle] as const;
      return new Cells(queue, { start, towards: [1, 0], pitch, gap: 1.2, thickness: 10, capacity });
    };
    this.spuQueue = row("mfc", capacities.spuQueue, 56);
    this.proxyQueue = row("proxy", capacities.proxyQueue, 73);
    this.proxies = svg(
      "g",
      {},
      svg("text", { x: x + 9, y: y + 77, "data-term": "proxy" }, "proxy"),
      this.proxyQueue.group,
    );
    const queues = svg(
      "g",
      { class: "queues" },
      this.queueTitle,
      svg("rect", { class: "touch", x: x + 4, y: y + 47, width: width - 8, height: 36 }),
      svg("text", { x: x + 9, y: y + 60, "data-term": "MFC" }, "MFC"),
      this.spuQueue.group,
      this.proxies,
    );
    this.group = svg("g", {}, this.badge, this.state, queues);
  }

  update({ spe }: ElementMoment, usable: boolean): void {
    if (!spe) {
      return;
    }
    this.nameThread(spe);
    const words = this.stateWords(spe, usable);
    const waits = spe.stall && words.startsWith(WAITS_FOR) ? WAITS_FOR : "";
    say(this.waits, waits);
    say(this.words, words.slice(waits.length));
    const ended =
      "No program runs here now: it has ended or has not begun, or other SPEs only read and write this local store.";
    const none = spe.state === "none" && spe.thread !== null ? ended : words;
    const place = spe.instruction ? ` Its program is at ${placeOf(spe.instruction)}.` : "";
    say(this.sentence, (spe.stall ? waitsSentence(spe.stall.channel) : none) + place);
    set(this.sign, "d", SIGNS[spe.state]);
    set(this.state, "class", `state ${spe.state}`);
    set(this.state, "data-channel", spe.stall?.channel ?? "");
    const unstalled = words === PASSIVE ? PASSIVE : "SPU";
    set(this.state, "data-term", spe.stall ? WAITS_FOR + waitsFor(spe.stall.channel) : unstalled);
    this.spuQueue.fill(spe.commands.length);
    this.proxyQueue.fill(spe.proxies.length);
    set(this.proxies, "class", spe.proxies.length > 0 ? "" : "rarely");
    const [commands, proxies] = [spe.commands.length, spe.proxies.length];
    say(this.queueTitle, `MFC of SPE${spe.spe}: ${commands} commands in its SPU queue, ${proxies} in its proxy queue`);
  }

  private nameThread({ spe, thread }: SpeMoment): void {
    show(this.badge, thread !== null);
    const name = `thread ${thread}`;
    if (thread === null || this.thread.textContent === name) {
      return;
    }
    say(this.number, String(thread));
    const width = name.length * (this.frame.width < 120 ? 6.5 : 7.9) + 9;
    set(this.pill, "x", this.frame.x + this.frame.width - 6 - width);
    set(this.pill, "width", width);
    set(this.badge, "data-thread", thread);
    set(this.badge, "aria-label", `${name}, on SPE${spe}`);
  }

  private stateWords({ state, stall, thread, instruction }: SpeMoment, usable: boolean): string {
    if (stall) {
      return this.frame.width < 120 ? waitsFor(stall.channel) : `${WAITS_FOR}${waitsFor(stall.channel)}`;
    }
    if (state === "runs") {
      const label = instruction && labelOf(instruction);
      return label === null ? "SPU runs" : this.frame.width < 120 ? label : `runs ${label}`;
    }
    return thread !== null ? PASSIVE : usable ? "no thread" : "not usable";
  }
}
