/** The whole picture, made once for a trace and then updated for each bus cycle. */

import { svg } from "../dom.ts";
import { Geometry, metrics } from "../geometry.ts";
import type { Capacities } from "../machine.ts";
import { type Moment, momentOf } from "../moment.ts";
import type { Trace } from "../trace.ts";
import { Commands } from "./commands.ts";
import { Concentrator } from "./concentrator.ts";
import { ElementBox } from "./element.ts";
import { Letters } from "./letters.ts";
import { Link } from "./link.ts";
import { arrowheads, Bands, drawNumbers, drawTracks } from "./rings.ts";

export interface PictureChoices {
  /** Begins the ids within the picture, which are unique on the page. */
  name: string;
  narrow: boolean;
  capacities: Capacities;
  /** The SPEs that programs may use; null if unknown. */
  usable: readonly number[] | null;
  /** Whether threads can be moved to other SPEs. */
  movable: boolean;
}

export class Picture {
  readonly root: SVGSVGElement;
  readonly geometry: Geometry;
  private readonly boxes: ElementBox[];
  private readonly bands: Bands;
  private readonly link: Link | null;
  private readonly concentrator: Concentrator;
  private readonly commands: Commands;
  private readonly letters: Letters;

  constructor(
    private readonly trace: Trace,
    private readonly choices: PictureChoices,
  ) {
    const measures = metrics(trace.chips, choices.narrow);
    const geometry = new Geometry(measures, trace.elementsPerChip, trace.chips, trace.ringsPerChip);
    this.geometry = geometry;
    const first = momentOf(trace, trace.from);
    this.boxes = first.elements.map((moment) => {
      return new ElementBox(moment.ramp, trace, geometry, moment, choices);
    });
    this.bands = new Bands(trace, geometry, choices.name);
    this.link = trace.chips === 2 ? new Link(trace, geometry) : null;
    this.concentrator = new Concentrator(trace, geometry);
    this.letters = new Letters(trace, geometry);
    this.commands = new Commands(
      trace,
      geometry,
      trace.chips > 1 ? choices.capacities.responseCycles : Number.POSITIVE_INFINITY,
    );
    this.root = svg(
      "svg",
      {
        viewBox: `0 0 ${geometry.width} ${geometry.height}`,
        "data-size": `${geometry.width} ${geometry.height}`,
        role: "group",
        "aria-label": "The elements and the rings",
      },
      arrowheads(trace, choices.name),
      drawTracks(trace, geometry),
      this.concentrator.group,
      this.link?.group ?? null,
      svg("g", {}, ...this.boxes.map((box) => box.ramps)),
      this.bands.group,
      drawNumbers(trace, geometry),
      this.commands.group,
      svg("g", {}, ...this.boxes.map((box) => box.group)),
      this.letters.group,
    );
  }

  /** time: the bus cycle of the moment, or a fraction of a cycle later during playback. */
  update(moment: Moment, time: number, selected: number | null): void {
    const line = this.trace.line(selected);
    const { usable } = this.choices;
    moment.elements.forEach((element, ramp) => {
      const may = usable === null || (element.spe !== null && usable.includes(element.spe.spe));
      this.boxes[ramp]?.update(element, time, line, may);
    });
    this.bands.update(moment.bands, time, selected);
    this.link?.update(moment.crossing, time);
    this.concentrator.update(moment.cycle);
    this.commands.update(time);
    this.letters.update(time);
  }
}
