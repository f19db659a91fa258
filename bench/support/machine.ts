import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../..', import.meta.url));
export const here = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

const has = (command: string): boolean => spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;

/** Two cores are needed, or the load would take its time from the server. */
const canPin = has('taskset') && availableParallelism() > 1;

/** Keeps this process, which also makes load, away from the servers' core. @throws Error where wrk is missing */
export const prepare = (): void => {
  if (!has('wrk')) throw new Error('npm run bench needs wrk (Debian: apt-get install wrk)');
  if (canPin) execFileSync('taskset', ['-acp', '1', String(process.pid)], { stdio: 'ignore' });
};

const CORES = { server: '0', load: '1', any: `0-${availableParallelism() - 1}` } as const;
export type Role = keyof typeof CORES;

/** @returns the command line that keeps the servers on one core and the load on another, where that can be done */
export const pinned = (role: Role, command: string, args: readonly string[]): readonly [string, readonly string[]] =>
  canPin ? ['taskset', ['-c', CORES[role], command, ...args]] : [command, args];

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html; what follows the name, which may contain spaces. */
const statsOf = (pid: number): readonly Stat[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const times = fields.slice(11, 15).map(Number);
    return [{ pid, parent: Number(fields[1]), ticks: times.reduce((sum, each) => sum + each, 0) }];
  } catch {
    return [];
  }
};

const treeOf = (root: number): readonly Stat[] => {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? statsOf(Number(name)) : []));
  const below = (pid: number): readonly Stat[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return [...all.filter(({ pid }) => pid === root), ...below(root)];
};

const TICKS_A_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** @returns microseconds, user and system, that a process and all below it have used; ended children included */
export const cpuTime = (pid: number): number =>
  treeOf(pid).reduce((sum, { ticks }) => sum + ticks, 0) * (1_000_000 / TICKS_A_SECOND);

/** @returns microseconds that the threads of a process have used, more exactly than `cpuTime` tells (schedstat counts nanoseconds) */
export const threadTime = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds = ''] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(nanoseconds) / 1_000;
  }, 0);

/** @returns MiB that a process and all below it have (`VmRSS`), or ever had (`VmHWM`) */
export const memory = (root: number, name: 'VmRSS' | 'VmHWM'): number => {
  const of = (pid: number): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  return treeOf(root).reduce((sum, { pid }) => sum + of(pid), 0) / 1024;
};

const commit = (): string =>
  execFileSync('git', ['describe', '--always', '--dirty'], { cwd: project, encoding: 'utf8' }).trim();

/** What a reader needs to do it again. */
export const preface = (): readonly string[] => [
  `- ${new Date().toISOString()}, Node.js ${process.version}, SQLite ${process.versions.sqlite}, Linux ${release()}`,
  `- ${cpus()[0]?.model.trim()} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  `- ${canPin ? 'servers on core 0, one at a time; load on core 1' : 'NOT pinned: no taskset, or one core only'}`,
  `- this service at ${commit()}; peers: ${JSON.stringify(JSON.parse(readFileSync(here('package.json'), 'utf8')).dependencies)}`,
  '',
];
