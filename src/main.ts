/** The process: settings → tables → store → app → serve → drain. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { nanoid } from 'nanoid';
import { createApp } from './app.ts';
import { catalogue } from './catalogue.ts';
import { ConfigError, readConfig } from './config.ts';
import { serverFor } from './http/server.ts';
import { ROOT } from './http/tree.ts';
import { LocaleError } from './locale/check.ts';
import { loadLocales } from './locale/load.ts';
import { createLog, type Log } from './log.ts';
import { openStore } from './store/open.ts';

/** Milliseconds for what is in flight when the process is told to stop; the contract allows 10 s in all. */
const DRAIN = 8_000;

const listen = (server: ReturnType<typeof serverFor>, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });

const start = async (): Promise<void> => {
  const config = readConfig();
  const log = createLog(config.LOG_LEVEL);
  const locales = loadLocales(catalogue, config.LOCALES_DIR, config.DEFAULT_LANGUAGE);
  const store = await openStore(config.DATABASE_URL, catalogue);
  const app = createApp({
    catalogue,
    locales,
    defaultLanguage: config.DEFAULT_LANGUAGE,
    store,
    assignKey: config.IDENTIFIERS === 'uuid' ? randomUUID : () => nanoid(),
    bodyLimit: config.BODY_LIMIT,
    onFault: (error, requestId) => log.error(`request ${requestId} failed`, error),
  });
  const server = serverFor(app);
  const { port } = await listen(server, config.PORT, config.HOST);
  const origin = `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`;
  const [root] = catalogue;
  const trees = locales.map(({ tag, table }) => `${origin}${ROOT}/${table.paths[root?.name ?? '']} (${tag})`);
  log.info(`serving ${trees.join(', ')}`);
  stopOnSignals(server, log, async () => store.close());
};

/** Stops accepting, lets what is in flight finish, closes the database, and exits 0. */
const stopOnSignals = (server: ReturnType<typeof serverFor>, log: Log, close: () => Promise<void>): void => {
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info(`stopping on ${signal}`);
    const late = setTimeout(() => server.closeAllConnections(), DRAIN);
    server.close(async () => {
      clearTimeout(late);
      await close();
      log.info('stopped');
      process.exit(0);
    });
    server.closeIdleConnections();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
};

try {
  await start();
} catch (error) {
  const faults =
    error instanceof ConfigError || error instanceof LocaleError ? error.faults : [(error as Error).message];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exit(1);
}
