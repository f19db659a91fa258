/** A folder of copies, whose names have their times; any other file in it is nobody's business. */
import { readdirSync } from 'node:fs';

const COPY = /^catalogue-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.(?:db|dump)$/;

/** @returns milliseconds since 1970; `undefined` if it is not the name of a copy */
function readTime(name: string): number | undefined {
  const [year, month, ...rest] = (COPY.exec(name) ?? []).slice(1).map(Number);
  return year && month && Date.UTC(year, month - 1, ...rest);
}

export function nameCopy(time: Date): string {
  return `catalogue-${time.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.db`;
}

const DAY = 86_400_000;
/** The first of January 1970 was a Thursday; weeks begin with Monday, days and weeks in UTC. */
const MONDAY = 3;
const PERIODS: readonly (readonly [most: number, period: (time: number) => number])[] = [
  [7, (time) => Math.floor(time / DAY)],
  [4, (time) => Math.floor((time / DAY + MONDAY) / 7)],
];

/** @returns those copies that are neither the last one of one of the last seven days, nor of one of the last four weeks, that have any */
export function listSuperfluous(names: readonly string[]): readonly string[] {
  const copies = names.flatMap((name) => {
    const time = readTime(name);
    return time === undefined ? [] : [{ name, time }];
  });
  copies.sort((a, b) => a.time - b.time);
  const needed = PERIODS.flatMap(([most, period]) =>
    [...new Map(copies.map(({ name, time }) => [period(time), name])).values()].slice(-most),
  );
  return copies.map(({ name }) => name).filter((name) => !needed.includes(name));
}

/** @returns the time of the newest copy, in seconds since 1970; 0 if there is none, or the folder cannot be read */
export function readLastCopyTime(folder: string): number {
  try {
    return Math.max(0, ...readdirSync(folder).map((name) => readTime(name) ?? 0)) / 1_000;
  } catch {
    return 0;
  }
}
