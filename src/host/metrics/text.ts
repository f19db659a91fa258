/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
import type { Family, Labels, Sample } from './family.ts';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escapedHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapedLabel = (text: string): string => escapedHelp(text).replaceAll('"', '\\"');

const labelText = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapedLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
};

/** @returns a number as Go parses it */
const numberText = (value: number): string => {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
};

const lineOf = (name: string, { suffix, labels, value }: Sample): string =>
  `${name}${suffix}${labelText(labels)} ${numberText(value)}\n`;

const familyText = ({ name, help, type, samples }: Family): string =>
  `# HELP ${name} ${escapedHelp(help)}\n# TYPE ${name} ${type}\n${samples.map((each) => lineOf(name, each)).join('')}`;

/** @returns all families as Prometheus reads them; one without samples is left out */
export const metricsText = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(familyText)
    .join('');
