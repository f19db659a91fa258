/** Reads what Prometheus reads, and takes nothing that it may take but the format does not have. */

interface ReadSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One family of a text of metrics. */
interface ReadFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly ReadSample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const FAMILY = new RegExp(
  `^# HELP (?<name>${NAME}) (?<help>[^\\n]+)\\n# TYPE \\k<name> (?<type>counter|gauge|histogram)\\n(?<lines>(?:[^#\\n][^\\n]*\\n)*)\\n?`,
);
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"';
const LINE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (-?\\d[\\d.]*(?:e[+-]\\d+)?|[+-]Inf|Nan)$`);

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));

const labelsIn = (text: string): Readonly<Record<string, string>> => {
  const pairs = [...text.matchAll(/([^=,]+)="((?:[^"\\]|\\.)*)",?/g)];
  const names = pairs.map(([, name]) => name);
  if (new Set(names).size < names.length) throw new Error(`a label twice: ${text}`);
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, unescaped(value)]));
};

const sampleIn = (line: string): ReadSample => {
  const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? [];
  if (name === '') throw new Error(`no sample: ${line}`);
  return { name, labels: labelsIn(labels), value: Number(value.replace('Inf', 'Infinity')) };
};

/** Buckets in order, each with all that is in those before it, and the last with all that was counted. */
const checkHistogram = ({ name, samples }: ReadFamily): void => {
  const series = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  for (const [labels, own] of series) {
    const buckets = own.filter((each) => each.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels: { le = '' } }) => Number(le.replace('Inf', 'Infinity')));
    const counts = buckets.map(({ value }) => value);
    const [count] = own.filter((each) => each.name === `${name}_count`);
    const isAscending = (values: readonly number[], isStrict: boolean): boolean =>
      values.every((value, at) => at === 0 || value > (values[at - 1] ?? 0) || (!isStrict && value === values[at - 1]));
    const isSound =
      own.length === buckets.length + 2 &&
      own.some((each) => each.name === `${name}_sum`) &&
      bounds.at(-1) === Infinity &&
      counts.at(-1) === count?.value &&
      isAscending(bounds, true) &&
      isAscending(counts, false);
    if (!isSound) throw new Error(`no histogram: ${name} ${labels}`);
  }
};

const checkFamily = (family: ReadFamily): void => {
  const { name, type, samples } = family;
  const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  const names = suffixes.map((suffix) => name + suffix);
  const strange = samples.find((each) => !names.includes(each.name));
  if (strange) throw new Error(`${strange.name} in ${name}`);
  if (type === 'counter' && !name.endsWith('_total')) throw new Error(`a counter without _total: ${name}`);
  const series = samples.map(({ name: own, labels }) => `${own} ${JSON.stringify(Object.entries(labels).toSorted())}`);
  if (new Set(series).size < series.length) throw new Error(`a series of ${name} twice`);
  if (type === 'histogram') checkHistogram(family);
};

/** @throws Error that says what is not right */
export const parseMetrics = (text: string): ReadonlyMap<string, ReadFamily> => {
  const families = new Map<string, ReadFamily>();
  for (let rest = text; rest !== ''; ) {
    const found = FAMILY.exec(rest);
    const { name = '', help = '', type = '', lines = '' } = found?.groups ?? {};
    if (!found || families.has(name)) throw new Error(`no family, or one twice: ${rest.slice(0, 200)}`);
    const family = { name, type, help, samples: lines.split('\n').filter(Boolean).map(sampleIn) };
    checkFamily(family);
    families.set(name, family);
    rest = rest.slice(found[0].length);
  }
  return families;
};

type ReadValue = (name: string, labels?: Readonly<Record<string, string>>) => number;

/** @returns tells the sum of all samples of a name that have these labels, among others; 0 where there is none */
export const valuesIn = (text: string): ReadValue => {
  const samples = [...parseMetrics(text).values()].flatMap((family) => family.samples);
  return (name, labels = {}) =>
    samples
      .filter(
        (each) => each.name === name && Object.entries(labels).every(([label, value]) => each.labels[label] === value),
      )
      .reduce((sum, { value }) => sum + value, 0);
};
