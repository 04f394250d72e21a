/**
 * The page's interface to the simulator. The page has two simulators, each in its own Worker: one for windows of a run
 * and one for whole measurements, so that measurements never delay the picture.
 */

import type { Questions } from "./answers.ts";
import { type Ask, start } from "./engine.ts";

/** The simulator refused a request; the message gives the reason in one line. */
export class Refusal extends Error {}
/** The request was dropped before it was answered. */
export class Superseded extends Error {}

type Reply = { ready: true } | { answer: string } | { failure: string };

interface Waiting {
  request: string;
  resolve(answer: string): void;
  reject(error: Error): void;
}

/** One simulator. It answers one request at a time. */
export class Simulator {
  private worker: Worker | null = null;
  private local: Promise<Ask> | null = null;
  private ready = false;
  private readonly waiting: Waiting[] = [];

  constructor(
    private readonly module: Promise<WebAssembly.Module>,
    private readonly script: string,
  ) {}

  get busy(): boolean {
    return this.waiting.length > 0;
  }

  async ask<Name extends keyof Questions>(
    name: Name,
    what: Questions[Name]["with"],
  ): Promise<Questions[Name]["answer"]> {
    const request = JSON.stringify({ ask: name, ...what });
    const text = await new Promise<string>((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      if (this.waiting.length === 1) {
        this.begin();
      }
    });
    const answer = JSON.parse(text);
    if (typeof answer.error === "string") {
      throw new Refusal(answer.error);
    }
    return answer;
  }

  /** Drops all requests and terminates the Worker, if there is one. */
  drop(): void {
    const dropped = this.waiting.splice(0);
    if (dropped.length > 0) {
      this.worker?.terminate();
      this.worker = null;
      this.ready = false;
    }
    for (const { reject } of dropped) {
      reject(new Superseded());
    }
  }

  private begin(): void {
    const first = this.waiting[0];
    if (!first) {
      return;
    }
    if (this.local) {
      this.answerHere(this.local);
    } else if (this.ready) {
      this.worker?.postMessage({ request: first.request });
    } else if (!this.worker) {
      this.hire();
    }
  }

  private hire(): void {
    try {
      const url = URL.createObjectURL(new Blob([this.script], { type: "text/javascript" }));
      const worker = new Worker(url);
      this.worker = worker;
      worker.onmessage = ({ data }: MessageEvent<Reply>) => this.hear(worker, data);
      worker.onerror = () => this.workHere(worker);
      worker.onmessageerror = () => this.workHere(worker);
      this.module.then(
        (module) => worker.postMessage({ module }),
        (error) => this.end(String(error)),
      );
    } catch {
      // A page in some frames cannot start Workers.
      this.workHere(this.worker);
    }
  }

  private hear(worker: Worker, reply: Reply): void {
    if (worker !== this.worker) {
      return;
    }
    if ("ready" in reply) {
      this.ready = true;
      this.begin();
    } else if ("answer" in reply) {
      this.waiting.shift()?.resolve(reply.answer);
      this.begin();
    } else {
      this.end(reply.failure);
    }
  }

  /** Discards a simulator that failed; the next request starts a new one. */
  private end(failure: string): void {
    this.worker?.terminate();
    this.worker = null;
    this.local = null;
    this.ready = false;
    this.waiting.shift()?.reject(new Refusal(`the simulator stopped: ${failure}`));
    this.begin();
  }

  private workHere(worker: Worker | null): void {
    if (worker === this.worker && !this.ready) {
      worker?.terminate();
      this.worker = null;
      this.local = this.module.then(start);
      this.answerHere(this.local);
    }
  }

  private answerHere(local: Promise<Ask>): void {
    // This pause gives the browser time to draw the page first.
    setTimeout(async () => {
      const first = this.waiting[0];
      try {
        const answer = first && (await local)(first.request);
        if (first && answer !== undefined && this.waiting[0] === first) {
          this.waiting.shift();
          first.resolve(answer);
          this.begin();
        }
      } catch (error) {
        this.end(String(error));
      }
    }, 20);
  }
}

/** Unpacks the simulator that the page carries. */
export async function unpack(): Promise<WebAssembly.Module> {
  const text = document.getElementById("simulator")?.textContent ?? "";
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  // Compilation overlaps with unpacking.
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: { "Content-Type": "application/wasm" } }));
}
