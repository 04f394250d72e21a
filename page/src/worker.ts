/** A Worker for the simulator. It receives the module first, then one request at a time. */

import { type Ask, start } from "./engine.ts";

type Message = { module: WebAssembly.Module } | { request: string };

let ask: Promise<Ask> | null = null;

addEventListener("message", async ({ data }: MessageEvent<Message>) => {
  try {
    if ("module" in data) {
      ask = start(data.module);
      await ask;
      postMessage({ ready: true });
    } else if (ask) {
      const answerer = await ask;
      postMessage({ answer: answerer(data.request) });
    }
  } catch (error) {
    postMessage({ failure: String(error) });
  }
});
