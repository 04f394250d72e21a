/** The contents of a memory controller's box: its channels, with the waiting reads and writes of each. */

import { say, set, svg } from "../dom.ts";
import type { Frame } from "../geometry.ts";
import type { ElementMoment, MemoryChannel } from "../moment.ts";
import { Cells } from "./cells.ts";

const ROW = 31;

interface Channel {
  words: SVGTextElement;
  numbers: SVGTextElement;
  reads: Cells;
  writes: Cells;
}

export class MemoryRows {
  readonly group = svg("g", { class: "memory" });
  private readonly channels: Channel[];

  constructor(frame: Frame, channels: readonly MemoryChannel[], capacity: number) {
    const { x, y, width } = frame;
    this.group.append(svg("text", { class: "role", x: x + width - 9, y: y + 20, "text-anchor": "end" }, "memory"));
    this.channels = channels.map(({ channel }, row) => {
      const top = y + 39 + row * ROW;
      const pitch = (width - 18) / capacity;
      const cells = (queue: string, middle: number) =>
        new Cells(`${queue} ${channel}`, {
          start: [x + 9, middle],
          towards: [1, 0],
          pitch,
          gap: Math.min(0.7, pitch / 3),
          thickness: 5,
          capacity,
        });
      const [reads, writes] = [cells("reads", top + 7), cells("writes", top + 14)];
      const words = svg("text", { class: "channel", x: x + 9, y: top });
      const numbers = svg("text", { class: "fine", x: x + width - 9, y: top, "text-anchor": "end" });
      const title = svg("title", {}, `Channel ${channel}: waiting reads above, waiting writes below`);
      this.group.append(svg("g", {}, title, words, numbers, reads.group, writes.group));
      return { words, numbers, reads, writes };
    });
  }

  update({ memory }: ElementMoment): void {
    memory.forEach(({ channel, busy, reads, writes }, row) => {
      const drawn = this.channels[row];
      if (drawn) {
        say(drawn.words, `ch ${channel}${busy ? ` ${busy}s` : ""}`);
        set(drawn.words, "class", busy ? "channel busy" : "channel");
        say(drawn.numbers, reads === null ? "" : `${reads + (writes ?? 0)} wait`);
        drawn.reads.fill(reads ?? 0);
        drawn.writes.fill(writes ?? 0);
      }
    });
  }
}
