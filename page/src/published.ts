/** Published numbers and the experiments that they belong to. */

export interface Published {
  /** Required values of the experiment's parameters, FUNCTION and machine; an array lists alternatives. */
  where: Record<string, unknown>;
  quantity: "bandwidth_gb_s" | "latency_ns";
  /** A pair is a range. */
  value: number | readonly [number, number];
  says: string;
  source: string;
}

// The build makes both of published.toml and of the papers' claims.
declare const PUBLISHED: readonly Published[];
declare const TABLE_1: Readonly<Record<string, number>>;

/** SPU cycles of the components in Table 1 of Kistler et al. */
export const table1 = TABLE_1;

/** The published number for an experiment; null if there is none. */
export function publishedOf(experiment: Record<string, unknown>): Published | null {
  const fits = (is: unknown, wanted: unknown) => {
    const [one, other] = [JSON.stringify(is), JSON.stringify(wanted)];
    return one === other || (Array.isArray(wanted) && !Array.isArray(is) && wanted.includes(is));
  };
  return (
    PUBLISHED.find(({ where }) =>
      Object.entries(where).every(([key, wanted]) => fits(experiment[key] ?? "", wanted)),
    ) ?? null
  );
}
