/** The machine: its cores, what processes use of it, and what a reader needs to know of it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, tmpdir, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../..', import.meta.url));
export const here = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** Two cores are needed, or the load would take its time from the server. */
const canPin = spawnSync('taskset', ['--version']).error === undefined && availableParallelism() > 1;

const CORES = { server: '0', load: '1', any: `0-${availableParallelism() - 1}` } as const;
export type Role = keyof typeof CORES;

/** Keeps this process, which makes the load, on some cores. */
export const pinLoad = (role: Role): void => {
  if (canPin) execFileSync('taskset', ['-acp', CORES[role], String(process.pid)], { stdio: 'ignore' });
};

/** @returns the command line that keeps a process on its cores, where that can be done */
export const pinned = (role: Role, command: string, args: readonly string[]): readonly [string, readonly string[]] =>
  canPin ? ['taskset', ['-c', CORES[role], command, ...args]] : [command, args];

/** @returns what a file below /proc contains; of a process that has ended, nothing */
const textOf = (...path: readonly (string | number)[]): string => {
  try {
    return readFileSync(`/proc/${path.join('/')}`, 'utf8');
  } catch {
    return '';
  }
};

const threadsOf = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
};

/** @returns a process and all below it, which their first threads have started */
const treeOf = (pid: number): readonly number[] => {
  const children = textOf(pid, 'task', pid, 'children').split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => treeOf(Number(child)))];
};

/** @returns microseconds that the threads of a process have used, which Linux counts in nanoseconds */
const usedByOne = (pid: number): number =>
  threadsOf(pid).reduce(
    (sum, thread) => sum + (Number.parseInt(textOf(pid, 'task', thread, 'schedstat'), 10) || 0),
    0,
  ) / 1_000;

/** Microseconds by process. */
type Used = ReadonlyMap<number, number>;

/** @returns what a process and all below it have used; without a process, nothing */
export const usedBy = (root: number | undefined): Used =>
  new Map(root === undefined ? [] : treeOf(root).map((pid) => [pid, usedByOne(pid)]));

/** @returns microseconds since then, without those of processes that have ended */
export const usedSince = (before: Used, root: number | undefined): number =>
  usedBy(root)
    .entries()
    .reduce((sum, [pid, used]) => sum + used - (before.get(pid) ?? 0), 0);

/** @returns MiB that a process and all below it have (`VmRSS`), or ever had (`VmHWM`) */
export const memory = (root: number, name: 'VmRSS' | 'VmHWM'): number => {
  const of = (pid: number): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(textOf(pid, 'status'))?.[1] ?? 0);
  return treeOf(root).reduce((sum, pid) => sum + of(pid), 0) / 1024;
};

const commit = (): string =>
  execFileSync('git', ['describe', '--always', '--dirty'], { cwd: project, encoding: 'utf8' }).trim();

/** What a reader needs to do it again. */
export const preface = (): readonly string[] => [
  `- ${new Date().toISOString()}, Node.js ${process.version}, SQLite ${process.versions.sqlite}, Linux ${release()}`,
  `- ${cpus()[0]?.model.trim()} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB, databases in ${tmpdir()}`,
  `- ${canPin ? 'servers on core 0, load and PostgreSQL on core 1; with WORKERS, all on all cores' : 'NOT pinned: no taskset, or one core only'}`,
  `- this service at ${commit()}; peers: ${JSON.stringify(JSON.parse(readFileSync(here('package.json'), 'utf8')).dependencies)}`,
  '',
];
