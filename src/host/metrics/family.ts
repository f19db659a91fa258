/** A metric family, as plain data that can be sent to another process. */
export interface Family {
  /** https://prometheus.io/docs/practices/naming/ */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several processes are combined: their sum, or the greatest where all measure the same thing. */
  readonly aggregation: 'sum' | 'max';
  readonly samples: readonly Sample[];
}

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** The suffix of the family's name: `_bucket`, `_sum` or `_count` in a histogram, empty elsewhere. */
  readonly suffix: string;
  readonly labels: Labels;
  readonly value: number;
}

/** @returns the families of one process, as they are now */
export type Collect = () => Promise<readonly Family[]>;

const keyOf = ({ suffix, labels }: Sample): string => JSON.stringify([suffix, labels]);

const combine: Readonly<Record<Family['aggregation'], (one: number, other: number) => number>> = {
  sum: (one, other) => one + other,
  max: Math.max,
};

const combinedSamples = (families: readonly Family[], aggregation: Family['aggregation']): readonly Sample[] => {
  const samples = new Map<string, Sample>();
  for (const sample of families.flatMap((family) => family.samples)) {
    const key = keyOf(sample);
    const before = samples.get(key);
    samples.set(key, before ? { ...sample, value: combine[aggregation](before.value, sample.value) } : sample);
  }
  return [...samples.values()];
};

/** @returns the combined families of several processes, in the order of their first occurrence */
export const aggregated = (processes: readonly (readonly Family[])[]): readonly Family[] => {
  const byName = Map.groupBy(processes.flat(), ({ name }) => name);
  return [...byName.values()].flatMap((families) => {
    const [first] = families;
    return first ? [{ ...first, samples: combinedSamples(families, first.aggregation) }] : [];
  });
};

/** @returns the families of a process that must not decrease: those of an ended process are still added to the sum */
export const countersOf = (families: readonly Family[]): readonly Family[] =>
  families.filter(({ type, aggregation }) => type !== 'gauge' && aggregation === 'sum');

/** One value, or one for each set of labels. */
type Values = number | readonly (readonly [labels: Labels, value: number])[];

const ofValues =
  (type: 'counter' | 'gauge') =>
  (name: string, help: string, values: Values, aggregation: Family['aggregation'] = 'sum'): Family => {
    const labelled = typeof values === 'number' ? [[{}, values] as const] : values;
    return {
      name,
      help,
      type,
      aggregation,
      samples: labelled.map(([labels, value]) => ({ suffix: '', labels, value })),
    };
  };

/** A family whose values go up and down. */
export const gauge = ofValues('gauge');
/** A family whose values only go up. */
export const counter = ofValues('counter');

/** @param samples of one histogram, or of several with labels */
export const histogramFamily = (name: string, help: string, samples: readonly Sample[]): Family => ({
  name,
  help,
  type: 'histogram',
  aggregation: 'sum',
  samples,
});
