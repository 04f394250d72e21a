/** The simulator's answers. */

import type { MachineChoice, Request } from "./scene.ts";

export interface About {
  version: string;
  machines: { name: string; description: string; chips: number; spes: number[] }[];
  functions: { title: string; functions: { name: string; text: string; parameters: string[] }[] }[];
  affinities: string[];
}

export interface MachineValue {
  key: string;
  value: unknown;
  unit: string;
  basis: string;
  range: [number, number] | null;
  source: string;
  meaning: string;
}

export interface MachineFacts {
  name: string;
  description: string;
  chips: number;
  spes: number[];
  bus_hz: number;
  values: MachineValue[];
}

export interface Opened {
  placement: number[];
  parameters: Record<string, unknown>;
}

export interface Result {
  bandwidth_gb_s: number | null;
  latency_ns: number;
  latency_ns_min: number;
  latency_ns_max: number;
  spes: number;
  placement: number[];
  simulated_ns: number;
  size_bytes: number | null;
  recipe?: { parameters: Record<string, unknown> };
  /** Only with a rate. */
  offered_load?: { offered_gb_s: number; saturated: boolean };
  dma_latency: { mean_ns: number; p99_ns: number } | null;
}

export interface Breakdown {
  components: { component: string; spu_cycles: number }[];
  spu_hz?: number;
}

export interface Placed {
  placement: number[];
  bus_cycles: number;
  bus_cycles_now: number;
}

/** Where a run's start-up ends, in bus cycles since the first measured DMA. */
export interface StartUp {
  /** Null if no part that was searched is steady. */
  ended_at: number | null;
  searched_bus_cycles: number;
  run_ended: boolean;
}

/** Each request and the type of its answer. */
export interface Questions {
  about: { with: object; answer: About };
  machine: { with: { machine: MachineChoice }; answer: MachineFacts };
  open: { with: { machine: MachineChoice; request: Request }; answer: Opened };
  window: { with: { skip: number; bus_cycles: number }; answer: Record<string, unknown> };
  measure: { with: { machine: MachineChoice; request: Request }; answer: Result };
  breakdown: { with: { machine: MachineChoice; request: Request }; answer: Breakdown };
  start_up: {
    with: { machine: MachineChoice; request: Request; whole_gb_s: number | null };
    answer: StartUp;
  };
  affinity: { with: { machine: MachineChoice; name: string; threads: number }; answer: { placement: number[] } };
  place: { with: object; answer: Placed };
}
