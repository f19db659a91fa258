/** The machine: its cores, the files of a run, what processes use, and what a reader needs to know of it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../..', import.meta.url));
export const here = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** For the files of this run, removed at its end. */
export const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));

/** Two are needed, or the load would take its time from the server. */
export const CORES = { server: '0', load: '1', any: `0-${availableParallelism() - 1}` } as const;
export type Role = keyof typeof CORES;

/** Keeps this process, which makes the load, on some cores. */
export const pinLoad = (role: Role): void => {
  execFileSync('taskset', ['-acp', CORES[role], String(process.pid)], { stdio: 'ignore' });
};

/** Of a process or a thread that has ended, nothing. */
const readOr = <T>(nothing: T, read: () => T): T => {
  try {
    return read();
  } catch {
    return nothing;
  }
};
const textOf = (file: string): string => readOr('', () => readFileSync(`/proc/${file}`, 'utf8'));

/** @returns a process and all below it, which their first threads have started */
const treeOf = (pid: number): readonly number[] => {
  const children = textOf(`${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => treeOf(Number(child)))];
};

/** @returns microseconds that the threads of a process have used, which Linux counts in nanoseconds */
const usedBy = (pid: number): number => {
  const threads = readOr([], () => readdirSync(`/proc/${pid}/task`));
  const used = threads.map((thread) => Number.parseInt(textOf(`${pid}/task/${thread}/schedstat`), 10) || 0);
  return used.reduce((sum, each) => sum + each, 0) / 1_000;
};

/**
 * @param root a process; without one, nothing is used
 * @returns tells the microseconds that it and all below it have used since, without those of processes that have ended
 */
export const cpuTimer = (root: number | undefined): (() => number) => {
  const pids = (): readonly number[] => (root === undefined ? [] : treeOf(root));
  const before = new Map(pids().map((pid) => [pid, usedBy(pid)]));
  return () => pids().reduce((sum, pid) => sum + usedBy(pid) - (before.get(pid) ?? 0), 0);
};

/** @returns MiB that a process and all below it have (`VmRSS`), or ever had (`VmHWM`) */
export const memory = (root: number, name: 'VmRSS' | 'VmHWM'): number => {
  const of = (pid: number): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(textOf(`${pid}/status`))?.[1] ?? 0);
  return treeOf(root).reduce((sum, pid) => sum + of(pid), 0) / 1024;
};

const commit = (): string =>
  execFileSync('git', ['describe', '--always', '--dirty'], { cwd: project, encoding: 'utf8' }).trim();

/** What a reader needs to do it again. */
export const preface = (): string => `\
- ${new Date().toISOString()}, Node.js ${process.version}, SQLite ${process.versions.sqlite}, Linux ${release()}
- ${cpus()[0]?.model.trim()} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB, databases in ${tmpdir()}
- servers on core 0, load and PostgreSQL on core 1
- this service at ${commit()}; peers: ${JSON.stringify(JSON.parse(readFileSync(here('package.json'), 'utf8')).dependencies)}
`;
