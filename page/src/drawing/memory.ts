/** The contents of a memory controller's box: its channels, with the waiting reads and writes of each. */

import { say, set, svg } from "../dom.ts";
import type { Frame } from "../geometry.ts";
import type { ElementMoment, MemoryChannel } from "../moment.ts";
import type { Access } from "../records.ts";
import { Cells } from "./cells.ts";

const [FIRST, ROW] = [38, 28];
/** Most accesses of a channel that are drawn. */
const MOST = 24;
/** Distance of the drawn accesses from the words of their channel. */
const LANE = 15;

interface Channel {
  words: SVGTextElement;
  numbers: SVGTextElement;
  reads: Cells;
  writes: Cells;
  /** One dot for each access: reads move to the right, writes into the memory, to the left. */
  lane: SVGPathElement;
}

export class MemoryRows {
  readonly group = svg("g", { class: "memory" });
  private readonly channels: Channel[];
  private readonly frame: Frame;

  constructor(frame: Frame, channels: readonly MemoryChannel[], capacity: number) {
    const { x, y, width } = frame;
    this.frame = frame;
    this.group.append(svg("text", { class: "role", x: x + width - 9, y: y + 20, "text-anchor": "end" }, "memory"));
    this.channels = channels.map(({ channel }, row) => {
      const top = y + FIRST + row * ROW;
      const pitch = (width - 18) / capacity;
      const cells = (queue: string, middle: number) =>
        new Cells(`${queue} ${channel}`, {
          start: [x + 9, middle],
          towards: [1, 0],
          pitch,
          gap: Math.min(0.7, pitch / 3),
          thickness: 4,
          capacity,
        });
      const [reads, writes] = [cells("reads", top + 5), cells("writes", top + 10)];
      const words = svg("text", { class: "channel", x: x + 9, y: top });
      const numbers = svg("text", { class: "fine", x: x + width - 9, y: top, "text-anchor": "end" });
      const title = svg("title", {}, `Channel ${channel}: waiting reads, waiting writes, and accesses in progress`);
      const lane = svg("path", { class: "accesses", "data-channel-lane": channel });
      this.group.append(svg("g", {}, title, words, numbers, reads.group, writes.group, lane));
      return { words, numbers, reads, writes, lane };
    });
  }

  /** time: bus cycles; may lie between two. */
  update({ memory }: ElementMoment, time: number): void {
    memory.forEach(({ channel, busy, accesses, reads, writes }, row) => {
      const drawn = this.channels[row];
      if (drawn) {
        say(drawn.words, `ch ${channel}${busy ? ` ${busy}s` : ""}`);
        set(drawn.words, "class", busy ? "channel busy" : "channel");
        // A narrow box has no room for both words.
        const word = busy && this.frame.width < 120 ? "" : " wait";
        say(drawn.numbers, reads === null ? "" : `${reads + (writes ?? 0)}${word}`);
        drawn.reads.fill(reads ?? 0);
        drawn.writes.fill(writes ?? 0);
        set(
          drawn.lane,
          "d",
          accesses
            .slice(0, MOST)
            .map((access) => this.dot(access, row, time))
            .join(""),
        );
      }
    });
  }

  private dot({ write, from, to, dataAt }: Access, row: number, time: number): string {
    const { x, y, width } = this.frame;
    const part = Math.min((time - from) / (Math.max(to, dataAt) - from), 1);
    const along = x + 11 + (write ? 1 - part : part) * (width - 22);
    return `M${along.toFixed(1)} ${y + FIRST + row * ROW + LANE}h0`;
  }
}
