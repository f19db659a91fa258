import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';

const has = (command: string): boolean => spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;

/** Two cores are needed, or the load would take its time from the server. */
const canPin = has('taskset') && availableParallelism() > 1;

/** @throws Error where the program that makes the load is missing */
export const requireWrk = (): void => {
  if (!has('wrk')) throw new Error('npm run bench needs wrk (Debian: apt-get install wrk)');
};

/** `any` shares the cores of both. */
export type Role = 'server' | 'load' | 'any';

const CORES: Readonly<Record<Role, string>> = { server: '0', load: '1', any: '0,1' };

/** @returns the command line that keeps the servers on one core and the load on another, where that can be done */
export const pinned = (role: Role, command: string, args: readonly string[]): readonly [string, readonly string[]] =>
  canPin ? ['taskset', ['-c', CORES[role], command, ...args]] : [command, args];

/** Keeps this process, which checks, away from the servers' core. */
export const pinSelf = (): void => {
  if (canPin) execFileSync('taskset', ['-acp', '1', String(process.pid)], { stdio: 'ignore' });
};

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html; what follows the name, which may hold spaces. */
const statOf = (pid: number): ProcessStat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15).map(Number);
    return { pid, parent: Number(fields[1]), ticks: utime + stime + cutime + cstime };
  } catch {
    return undefined;
  }
};

const treeOf = (root: number): readonly ProcessStat[] => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat !== undefined);
  const below = (pid: number): readonly ProcessStat[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return [...all.filter(({ pid }) => pid === root), ...below(root)];
};

const TICKS_A_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** @returns microseconds, user and system, that a process and all below it have used; ended children included */
export const cpuTime = (pid: number): number =>
  treeOf(pid).reduce((sum, { ticks }) => sum + ticks, 0) * (1_000_000 / TICKS_A_SECOND);

const kilobytes = (pid: number, name: string): number =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);

const megabytes = (pid: number, name: string): number =>
  treeOf(pid).reduce((sum, each) => sum + kilobytes(each.pid, name), 0) / 1024;

/** @returns MiB of memory that a process and all below it hold */
export const rss = (pid: number): number => megabytes(pid, 'VmRSS');
/** @returns the most that it ever was */
export const peakRss = (pid: number): number => megabytes(pid, 'VmHWM');

/** Lines about where the figures come from. */
export const describeMachine = (): readonly string[] => [
  `- ${new Date().toISOString()}, Node.js ${process.version}, SQLite ${process.versions.sqlite}, Linux ${release()}`,
  `- ${cpus()[0]?.model.trim()} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  `- ${canPin ? 'servers on core 0, one at a time; load on core 1' : 'NOT pinned: no taskset, or one core only'}`,
];
