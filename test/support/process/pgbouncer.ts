import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identity } from '../database/postgres-server.ts';
import { temporaryFolder, type WhenOver } from './folder.ts';
import { freePort } from './free-port.ts';
import { launch } from './service.ts';

/** Debian puts it where only root looks. */
const command = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => spawnSync(name, ['-V']).error === undefined);

/** Why pgbouncer cannot be tested here; `undefined` where it can. Where everything must be tested, its tests run and fail. */
export const noPgbouncer = command === undefined && !process.env.CI ? 'pgbouncer is not installed' : undefined;

/** What a pooler's connections are given for. */
export type PoolMode = 'session' | 'transaction' | 'statement';

const written = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n');

/**
 * Starts a pooler in front of a server.
 *
 * @param url of a database there
 * @param connections that it has to the server, for each database
 * @returns the address of the same database through it
 */
export const startPgbouncer = async (
  url: string,
  { mode = 'transaction', connections = 4 }: { readonly mode?: PoolMode; readonly connections?: number } = {},
  whenOver?: WhenOver,
): Promise<string> => {
  const { hostname, port, username } = new URL(url);
  const listen_port = await freePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: connections,
    server_idle_timeout: 5,
    // What other programs send when they connect; with these left out, they take effect nowhere.
    ignore_startup_parameters: 'statement_timeout,idle_in_transaction_session_timeout,extra_float_digits',
  };
  const folder = temporaryFolder(whenOver);
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const server = `* = host=${hostname} port=${port} user=${username}`;
  writeFileSync(file, `[databases]\n${server}\n[pgbouncer]\n${written(settings)}\n`);
  const { wrote } = launch({ command: command ?? 'pgbouncer', args: [file], cwd: folder, identity, whenOver });
  await wrote(/process up/);
  const through = new URL(url);
  through.port = String(listen_port);
  return through.href;
};
