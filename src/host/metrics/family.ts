/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */

/** A metric family. */
export interface Family {
  /** https://prometheus.io/docs/practices/naming/ */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** The series is the name and the labels, as Prometheus reads them. */
type Sample = readonly [series: string, value: number];

export type Labels = Readonly<Record<string, string>>;

/** @returns the families of one process, as they are now */
export type Collect = () => Promise<readonly Family[]>;

const escapedHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapedLabel = (text: string): string => escapedHelp(text).replaceAll('"', '\\"');

const seriesOf = (name: string, labels: Labels): string => {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapedLabel(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
};

/** One value, or one for each set of labels. */
type Values = number | readonly (readonly [labels: Labels, value: number])[];

const ofValues =
  (type: 'counter' | 'gauge') =>
  (name: string, help: string, values: Values): Family => {
    const labelled = typeof values === 'number' ? [[{}, values] as const] : values;
    return {
      name,
      help,
      type,
      samples: labelled.map(([labels, value]) => [seriesOf(name, labels), value]),
    };
  };

/** A family whose values go up and down. */
export const gauge = ofValues('gauge');
/** A family whose values only go up. */
export const counter = ofValues('counter');

/** Bounds, in seconds, for what takes from a tenth of a millisecond to ten seconds. */
const SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts values by size. */
export type Histogram = ReturnType<typeof histogram>;

/** @param bounds the greatest value of each bucket but the last, ascending */
export const histogram = (bounds: readonly number[] = SECONDS) => {
  /** Whole numbers up to 2^53. */
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe: (value: number): void => {
      let at = 0;
      while (at < bounds.length && value > (bounds[at] ?? 0)) at++;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += value;
    },
    samples: (name: string, labels: Labels): readonly Sample[] => {
      let total = 0;
      const buckets = [...counts].map((count, at): Sample => {
        total += count;
        const le = numberText(bounds[at] ?? Infinity);
        return [seriesOf(`${name}_bucket`, { ...labels, le }), total];
      });
      return [...buckets, [seriesOf(`${name}_sum`, labels), sum], [seriesOf(`${name}_count`, labels), total]];
    },
  };
};

/** @param histograms one, or several with labels */
export const histogramFamily = (
  name: string,
  help: string,
  histograms: Histogram | readonly (readonly [labels: Labels, histogram: Histogram])[],
): Family => {
  const labelled = 'observe' in histograms ? [[{}, histograms] as const] : histograms;
  const samples = labelled.flatMap(([labels, each]) => each.samples(name, labels));
  return { name, help, type: 'histogram', samples };
};

/** @returns a number as Go parses it */
const numberText = (value: number): string => {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
};

const familyText = ({ name, help, type, samples }: Family): string => {
  const lines = samples.map(([series, value]) => `${series} ${numberText(value)}\n`);
  return `# HELP ${name} ${escapedHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
};

/** @returns all families as Prometheus reads them; one without samples is left out */
export const metricsText = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(familyText)
    .join('');
