/** Published numbers and the experiments that they belong to. */

export interface Published {
  machine: string;
  function: string;
  /** Required values of the experiment's parameters; an array lists alternatives. */
  where: Record<string, unknown>;
  quantity: "bandwidth" | "latency";
  /** GB/s or ns; a pair is a range. */
  value: number | readonly [number, number];
  says: string;
  source: string;
}

const KISTLER = "Kistler et al., IEEE Micro 26(3), 2006";
const CHEN = "Chen et al., IBM J. Res. Dev. 51(5), 2007";
const PS3 = "Abellán et al., PDP 2008";
const BLADE = "Abellán et al., ICCS 2008";
const JIMENEZ = "Jiménez-González et al., ISPASS 2007";

const EIGHT = { spes: 8, size: 16384 };
/** The evaluation board's default placement: the operating system numbers the SPEs along the ring. */
const BY_DEFAULT = { ...EIGHT, placement: [0, 2, 4, 6, 7, 5, 3, 1] };

function published(
  machine: string,
  name: string,
  where: Record<string, unknown>,
  quantity: Published["quantity"],
  value: Published["value"],
  says: string,
  source: string,
): Published {
  return { machine, function: name, where, quantity, value, says, source };
}

/** The pairs in the table of Chen et al.; all threads send and receive at the same time. */
const PAIRS: readonly (readonly [placement: readonly number[], gb: number, says: string])[] = [
  [[1, 3, 5, 7, 0, 2, 4, 6], 186, "pairs of neighbours"],
  [[0, 4, 1, 5, 2, 6, 3, 7], 197, "pairs two positions apart"],
  [[0, 1, 2, 3, 4, 5, 6, 7], 197, "pairs three and five hops apart"],
  [[0, 3, 1, 2, 4, 7, 5, 6], 197, "pairs four hops apart"],
  [[0, 7, 1, 6, 2, 5, 3, 4], 78, "pairs on opposite sides of the ring"],
  [[0, 5, 1, 4, 2, 7, 3, 6], 95, "pairs five hops apart"],
];

const NUMBERS: readonly Published[] = [
  published("eval-board", "complement", EIGHT, "bandwidth", 200, "a little under 200 GB/s", `${KISTLER}, Figure 6b`),
  published("eval-board", "uniform", EIGHT, "bandwidth", 80, "random targets", `${KISTLER}, Figure 6b`),
  published(
    "eval-board",
    "hotspot",
    { size: 16384, op: "get", target: "memory", spes: [2, 3, 4, 5, 6, 7, 8] },
    "bandwidth",
    25.6,
    "the memory's bandwidth, reached by two or more SPEs",
    `${KISTLER}, Figure 6a`,
  ),
  ...["couples", "cycle"].map((name) =>
    published(
      "eval-board",
      name,
      BY_DEFAULT,
      "bandwidth",
      [80, 200],
      "the range of static patterns",
      `${KISTLER}, Figure 6b`,
    ),
  ),
  ...PAIRS.map(([placement, gb, says]) =>
    published("eval-board", "pairwise", { spes: 8, placement }, "bandwidth", gb, says, CHEN),
  ),
  published(
    "eval-board",
    "dmaput",
    { spes: 1, size: [16, 32, 64, 128], batch: 1, spe_to_spe: false },
    "latency",
    91,
    "a put of at most one line to memory",
    `${KISTLER}, Figure 4a`,
  ),
  published("ps3", "mailbox", { spe_to_spe: true }, "latency", 160, "a message between SPEs and its reply", PS3),
  published("ps3", "signal", { spe_to_spe: true }, "latency", 160, "a signal between SPEs and its reply", PS3),
  published(
    "ps3",
    "mailbox",
    { spe_to_spe: false, ppe: "mmio" },
    "latency",
    362,
    "a message between PPE and SPE and its reply, through registers",
    PS3,
  ),
  published("ps3", "fetchadd", { private: true }, "latency", 135, "for any number of SPEs", PS3),
  published("ps3", "fetchadd", { private: false, spes: 6 }, "latency", 1000, "up to 1 µs with six SPEs", PS3),
  published("qs20", "fetchadd", { private: false, spes: 16 }, "latency", 7500, "up to 7.5 µs with 16 SPEs", BLADE),
  published("qs20", "mailbox", { spe_to_spe: true, placement: [0, 8] }, "latency", 589.9, "from chip to chip", BLADE),
  published("qs20", "mailbox", { spe_to_spe: true, placement: [0, 1] }, "latency", 158.1, "on one chip", BLADE),
  published(
    "blade-2100",
    "couples",
    { spes: 2, size: 16384 },
    "bandwidth",
    33.6,
    "almost the peak of a couple",
    JIMENEZ,
  ),
  published(
    "blade-2100",
    "couples",
    { spes: 8, size: 16384, placement: "random" },
    "bandwidth",
    95,
    "the average of ten placements",
    JIMENEZ,
  ),
  published("blade-2100", "cycle", EIGHT, "bandwidth", 70, "a cycle of eight SPEs", JIMENEZ),
];

/** The published number for an experiment with these parameters on this unchanged machine; null if there is none. */
export function publishedOf(
  machine: string | undefined,
  name: string,
  parameters: Record<string, unknown>,
): Published | null {
  const fits = (is: unknown, wanted: unknown) => {
    const [one, other] = [JSON.stringify(is), JSON.stringify(wanted)];
    return one === other || (Array.isArray(wanted) && !Array.isArray(is) && wanted.includes(is));
  };
  return (
    NUMBERS.find(
      (number) =>
        number.machine === machine &&
        number.function === name &&
        Object.entries(number.where).every(([key, wanted]) => fits(parameters[key], wanted)),
    ) ?? null
  );
}
