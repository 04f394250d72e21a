/** The displayed run: requests runs from the simulator and keeps the last run that was not refused. */

import type { About, Breakdown, MachineFacts, Opened, Placed, Result, StartUp } from "./answers.ts";
import { type Change, changeBetween, type Measured, type Setup } from "./change.ts";
import { type MachineChoice, type Request, runOf, type Scene } from "./scene.ts";
import { Signal } from "./signal.ts";
import { Refusal, type Simulator, Superseded } from "./simulator.ts";
import { Trace } from "./trace.ts";
import type { Viewer } from "./viewer.ts";

/** Time limit of a whole measurement: a million iterations on sixteen SPEs would take hours. */
const PATIENCE_MS = 60_000;
const ONE_DMA = new Set(["dmaget", "dmaput", "dmalistget", "dmalistput"]);

/** All that is known of a run, so that it can be shown again without a simulation. */
export type Known = { scene: Scene; trace: Trace } & Pick<
  Experiment,
  "about" | "facts" | "opened" | "result" | "breakdown" | "startUp" | "tooLong" | "settled"
>;

export interface Trial {
  now: Result;
  other: Result;
}

export class Experiment {
  about: About | null = null;
  facts: MachineFacts | null = null;
  opened: Opened | null = null;
  result: Result | null = null;
  breakdown: Breakdown | null = null;
  /** Null until the end of start-up has been searched. */
  startUp: StartUp | null = null;
  change: Change | null = null;
  /** Whether the whole measurement was stopped at its time limit. */
  tooLong = false;
  /** Whether the end of start-up has been searched, or cannot be. */
  settled = false;
  /** Milliseconds spent on simulating the last window, and on drawing it. */
  timings = { simulated: 0, drawn: 0 };

  /** Sent when another run, or another window of a run, is shown. */
  readonly opens = new Signal<Scene>();
  readonly measures = new Signal();
  readonly learns = new Signal();
  /** Sent when the end of start-up has been searched. */
  readonly settles = new Signal();
  /** Progress, or the reason for a refusal; the text is empty when all work is done. */
  readonly says = new Signal<{ text: string; refused: boolean }>();

  private measured: Measured | null = null;
  /** The running measurement of the whole run; resolves when it ends or reaches its time limit. */
  private measuring: Promise<void> = Promise.resolve();
  /** The run of the simulator's open session. */
  private session: string | null = null;
  private turn = 0;

  constructor(
    public scene: Scene,
    private readonly viewer: Viewer,
    private readonly windows: Simulator,
    private readonly measurements: Simulator,
  ) {}

  /** Whether a window is being simulated. */
  get busy(): boolean {
    return this.windows.busy;
  }

  /** Shows a scene. If the simulator refuses it, returns false and keeps the last scene. */
  async run(scene: Scene): Promise<boolean> {
    const turn = ++this.turn;
    if (scene.trace) {
      this.scene = scene;
      this.viewer.show(new Trace(scene.trace, placementIn(scene)), scene.at, scene.line);
      this.opens.send(scene);
      return true;
    }
    this.windows.drop();
    this.session = null;
    return this.trying(turn, async () => {
      const { machine, request } = scene;
      const another = this.opened === null || runOf(scene) !== runOf(this.scene);
      const opened = await this.windows.ask("open", { machine, request });
      await this.window(scene, opened, turn);
      await this.learn(scene, turn);
      if (another) {
        this.measuring = this.measure(scene);
      }
    });
  }

  /** The run that is shown, at its bus cycle; null before there is one. */
  known(): Known | null {
    const { viewer, about, facts, opened, result, breakdown, startUp, tooLong, settled } = this;
    const scene = { ...this.scene, at: viewer.at, line: viewer.selection.line };
    return (
      viewer.trace && { scene, trace: viewer.trace, about, facts, opened, result, breakdown, startUp, tooLong, settled }
    );
  }

  /** Shows a known run, and measures what is not known of it. */
  showKnown({ scene, trace, ...facts }: Known): void {
    this.stop();
    Object.assign(this, facts);
    this.scene = scene;
    this.change = null;
    this.measured = this.current;
    this.viewer.show(trace, scene.at, scene.line);
    this.opens.send(scene);
    this.learns.send();
    this.measures.send();
    if (!this.settled || (ONE_DMA.has(scene.request.function) && !this.breakdown)) {
      this.measuring = this.measure(scene);
    }
  }

  /** Stops all that is simulated. */
  stop(): void {
    this.turn++;
    this.session = null;
    this.windows.drop();
    this.measurements.drop();
  }

  /** The measurement of the run that is shown; null until it ends. */
  get current(): Measured | null {
    const { setup, result } = this;
    return result && setup && { ...setup, result };
  }

  get setup(): Setup | null {
    const { scene, facts, opened, result } = this;
    return opened && { scene, facts, opened, result };
  }

  /** Shows the next or the previous window of the same run. */
  async turnPage(forwards: boolean): Promise<boolean> {
    const { scene } = this;
    return this.turnTo(Math.max(0, scene.skip + (forwards ? scene.window : -scene.window)));
  }

  /** Shows another window of the same run, at its start or where a window opens. */
  async turnTo(skip: number, at: number | null = skip): Promise<boolean> {
    return this.turnIf(() => true, skip, at, false);
  }

  /** Shows another window if it is still wanted then. Nobody asked for it, so the status line keeps a refusal. */
  async turnIf(wanted: () => boolean, skip: number, at: number | null, quiet = true): Promise<boolean> {
    const { scene, opened } = this;
    const next = { ...scene, skip, at, line: null };
    if (!opened || this.session !== runOf(scene)) {
      return this.run(next);
    }
    const turn = ++this.turn;
    return this.trying(turn, () => this.window(next, opened, turn, wanted), quiet);
  }

  /** The SPE of each thread under a named affinity; null if the affinity does not suit these threads. */
  async affinity(name: string): Promise<number[] | null> {
    const threads = this.opened?.placement.length ?? 0;
    const { machine } = this.scene;
    // Keep the status line, which may show another message.
    const quiet = true;
    return this.answer(async () => (await this.windows.ask("affinity", { machine, name, threads })).placement, quiet);
  }

  /** The best placement for the traffic of this window, according to the communication model. */
  async place(): Promise<Placed | null> {
    // A run that was refused has closed the session of the run that is shown.
    if (this.session !== runOf(this.scene) && !(await this.run({ ...this.scene, at: this.viewer.at }))) {
      return null;
    }
    return this.answer(() => this.windows.ask("place", {}));
  }

  /** Measures the whole run with this placement and another one; null if another run is shown meanwhile. */
  async trial(placement: readonly number[]): Promise<Trial | "too long" | null> {
    const { machine, request } = this.scene;
    return this.answer(async () => {
      await this.measuring;
      const now = this.result;
      const other = now && (await this.patiently({ machine, request: { ...request, placement } }));
      return now && other ? { now, other } : "too long";
    });
  }

  /** A whole measurement; null if it reaches its time limit. */
  private async patiently(what: { machine: MachineChoice; request: Request }): Promise<Result | null> {
    let tooLong = false;
    const patience = setTimeout(() => {
      tooLong = true;
      this.measurements.drop();
    }, PATIENCE_MS);
    try {
      return await this.measurements.ask("measure", what);
    } catch (error) {
      if (tooLong && error instanceof Superseded) {
        return null;
      }
      throw error;
    } finally {
      clearTimeout(patience);
    }
  }

  private async answer<T>(ask: () => Promise<T>, quiet = false): Promise<T | null> {
    let answer: T | null = null;
    const asked = async () => {
      answer = await ask();
    };
    await this.trying(this.turn, asked, quiet);
    return answer;
  }

  private async window(scene: Scene, opened: Opened, turn: number, wanted = () => true): Promise<void> {
    const begun = performance.now();
    const raw = await this.windows.ask("window", { skip: scene.skip, bus_cycles: scene.window });
    this.stillWanted(turn);
    if (!wanted()) {
      return;
    }
    const simulated = performance.now();
    const trace = new Trace(raw, opened.placement);
    this.session = runOf(scene);
    if (this.session !== runOf(this.scene)) {
      this.measurements.drop();
      this.forget();
    }
    this.scene = scene;
    this.opened = opened;
    this.viewer.show(trace, scene.at, scene.line);
    this.opens.send(scene);
    this.timings = { simulated: simulated - begun, drawn: performance.now() - simulated };
  }

  /** Fetches what the controls need, once the picture is drawn. */
  private async learn(scene: Scene, turn: number): Promise<void> {
    this.about ??= await this.windows.ask("about", {});
    const { values, ...machine } = scene.machine;
    const facts = await this.windows.ask("machine", { machine });
    this.stillWanted(turn);
    this.facts = {
      ...facts,
      values: facts.values.map((value) => ({ ...value, value: values?.[value.key] ?? value.value })),
    };
    this.learns.send();
  }

  private forget(): void {
    this.result = null;
    this.breakdown = null;
    this.startUp = null;
    this.tooLong = false;
    this.settled = false;
  }

  private async measure(scene: Scene): Promise<void> {
    const { machine, request } = scene;
    this.measures.send();
    try {
      const result = await this.patiently({ machine, request });
      if (!result) {
        this.tooLong = true;
        this.settled = true;
        this.measures.send();
        this.settles.send();
        return;
      }
      this.result = result;
      const now = this.current as Measured;
      this.change = this.measured && changeBetween(this.measured, now);
      this.measured = now;
      this.measures.send();
      const whole_gb_s = result.bandwidth_gb_s;
      if (result.placement.length > 0) {
        this.startUp = await this.measurements.ask("start_up", { machine, request, whole_gb_s });
        this.measures.send();
      }
      this.settled = true;
      this.settles.send();
      if (ONE_DMA.has(request.function)) {
        this.breakdown = await this.measurements.ask("breakdown", { machine, request });
        this.measures.send();
      }
    } catch (error) {
      // The window stays visible.
      this.settled ||= error instanceof Refusal;
      if (!(error instanceof Refusal) && !(error instanceof Superseded)) {
        throw error;
      }
    }
  }

  private async trying(turn: number, what: () => Promise<void>, quiet = false): Promise<boolean> {
    const says = (text: string) => quiet || this.says.send({ text, refused: false });
    says("Simulating…");
    try {
      await what();
      this.stillWanted(turn);
      says("");
      return true;
    } catch (error) {
      if (error instanceof Refusal) {
        this.says.send({ text: error.message, refused: true });
      } else if (!(error instanceof Superseded)) {
        throw error;
      }
      return false;
    }
  }

  private stillWanted(turn: number): void {
    if (turn !== this.turn) {
      throw new Superseded();
    }
  }
}

function placementIn({ request }: Scene): number[] | null {
  const placement = request?.placement;
  return Array.isArray(placement) ? placement : null;
}
