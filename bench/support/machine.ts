import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../..', import.meta.url));
export const here = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

const has = (command: string): boolean => spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;

/** Two cores are needed, or the load would take its time from the server. */
const canPin = has('taskset') && availableParallelism() > 1;

/** Keeps this process, which makes the load, away from the servers' core. */
export const prepare = (): void => {
  if (canPin) execFileSync('taskset', ['-acp', '1', String(process.pid)], { stdio: 'ignore' });
};

const CORES = { server: '0', any: `0-${availableParallelism() - 1}` } as const;
export type Role = keyof typeof CORES;

/** @returns the command line that keeps a process on its core, where that can be done */
export const pinned = (role: Role, command: string, args: readonly string[]): readonly [string, readonly string[]] =>
  canPin ? ['taskset', ['-c', CORES[role], command, ...args]] : [command, args];

const TICKS_A_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

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

/** @returns a process and all below it */
const treeOf = (pid: number): readonly number[] => [
  pid,
  ...threadsOf(pid)
    .flatMap((thread) => textOf(pid, 'task', thread, 'children').split(' ').filter(Boolean))
    .flatMap((child) => treeOf(Number(child))),
];

/** schedstat counts nanoseconds; where Linux was built without it, there are ticks of some ten milliseconds. */
const usedByThread = (pid: number, thread: string): number => {
  const exact = textOf(pid, 'task', thread, 'schedstat');
  if (exact) return Number.parseInt(exact, 10) / 1_000;
  const stat = textOf(pid, 'task', thread, 'stat');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11);
  return ((Number(user) + Number(system)) * 1e6) / TICKS_A_SECOND;
};

/** Microseconds by process. */
type Used = ReadonlyMap<number, number>;

/** @returns what the threads of a process and of all below it have used; without a process, nothing */
export const usedBy = (root: number | undefined): Used => {
  const all = root === undefined ? [] : treeOf(root);
  return new Map(all.map((pid) => [pid, threadsOf(pid).reduce((sum, thread) => sum + usedByThread(pid, thread), 0)]));
};

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
  `- ${cpus()[0]?.model.trim()} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  `- ${canPin ? 'servers on core 0, load on core 1, where nothing else is said' : 'NOT pinned: no taskset, or one core only'}`,
  `- this service at ${commit()}; peers: ${JSON.stringify(JSON.parse(readFileSync(here('package.json'), 'utf8')).dependencies)}`,
  '',
];
