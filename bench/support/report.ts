import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from './machine.ts';
import { project } from './servers.ts';
import type { Spread } from './statistics.ts';

/** Lines of Markdown. */
export type Report = readonly string[];

/** Three digits are more than the noise allows. */
const digits = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(size >= 10 ? 1 : 2);
};

export const shown = ({ median, min, max }: Spread): string => `${digits(median)} [${digits(min)}–${digits(max)}]`;

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): Report => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line), ''];
};

/** What is to be reached: at least, or at most. */
export interface Limits {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** A figure that is to be reached. */
export interface Goal extends Limits {
  readonly name: string;
  readonly found: Spread;
  readonly unit: string;
}

/** Judged by the median; the range tells how sure that is. */
export const verdictOf = ({ median }: Spread, { atLeast, atMost }: Limits): string => {
  const isMet = median >= (atLeast ?? -Infinity) && median <= (atMost ?? Infinity);
  return `${atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`}: ${isMet ? 'met' : '**missed**'}`;
};

export const goalTable = (goals: readonly Goal[]): Report =>
  table(
    ['goal', 'found: median [range]', 'wanted'],
    goals.map(({ name, found, unit, ...limits }) => [
      name,
      `${shown(found)} ${unit}`,
      Object.keys(limits).length > 0 ? verdictOf(found, limits) : '',
    ]),
  );

const commit = (): string => {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim();
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', 'src') === '' ? '' : ' with changes');
  } catch {
    return 'unknown';
  }
};

const versions = (folder: string): string => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
};

/** What a reader needs to do it again. */
export const preface = (): Report => [
  ...describeMachine(),
  `- this service at ${commit()}, with ${versions(project)}`,
  `- peers: ${versions(join(project, 'bench'))}`,
  '',
];
