import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import manifest from '../../../package.json' with { type: 'json' };
import { createGateway } from '../../gateway/app.ts';
import type { OnChange } from '../../gateway/collections/resource.ts';
import type { AddressOf } from '../../gateway/http/context.ts';
import { ROOT } from '../../gateway/http/urls.ts';
import { currentWord } from '../../gateway/locale/history.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Problem } from '../../gateway/texts/problem.ts';
import { changeAt } from '../../store/change-set.ts';
import { ImportQueue } from '../../store/imports/import-rows.ts';
import type { Store } from '../../store/store.ts';
import { isLoopback } from '../access/browsers.ts';
import {
  createAccountReader,
  createAddressReader,
  createLoggedAddressReader,
  createRangeTest,
  type KnownClients,
} from '../access/client.ts';
import { createPolicies } from '../access/policies.ts';
import { createFaultReporter, createRefusalReporter, type Log } from '../log/log.ts';
import type { Meters } from '../metrics/metrics.ts';
import { createObserver } from '../server/observer.ts';
import { listen, Server } from '../server/server.ts';
import type { Config } from '../settings/config.ts';
import { loadChosenLocales } from '../tables/load.ts';
import { startHooks } from './hooks.ts';
import { createKeyAssigner, openConfiguredStore } from './open-store.ts';

/** Milliseconds in which the database must be closed: the process ends within 10 s of the signal. */
const CLOSING = 1_500;
/** The part of all connections that streams of events may take, so that other requests get one, too. */
const STREAMS = 0.75;
/** Milliseconds between two times that old deletions are forgotten. */
const FORGETTING = 60_000;

export function warnOfAccess({ ACCESS, HOST }: Config, log: Log): void {
  if (ACCESS !== 'open' || isLoopback(HOST)) return;
  log.warn(`HOST=${HOST} ACCESS=open: whoever reaches the service may write; ACCESS=write asks for a key`);
}

function createChangeReporter(
  { change: log }: Log,
  clients: KnownClients,
  readAddress: AddressOf,
): OnChange | undefined {
  if (!log) return undefined;
  return (change, { id: requestId, traceId }, incoming) => {
    const client = incoming && clients.get(incoming);
    const address = incoming && readAddress(incoming);
    log({ ...change, requestId, traceId, clientId: client?.id, client: client?.name, address });
  };
}

async function openMeasuredStore(catalogue: Catalogue, config: Config, log: Log, meters?: Meters): Promise<Store> {
  const store = await openConfiguredStore(config, catalogue, {
    report: log.warn,
    cacheBytes: config.CACHE_LIMIT,
    onCommit: meters && ((count, milliseconds) => meters.onCommit(count, milliseconds)),
  });
  const counted = meters?.countLists(store) ?? store;
  const queue = new ImportQueue(config.CLIENT_SHARE / 100);
  return { ...counted, importRows: queue.wrap(counted.importRows) };
}

/** Forgets deletions little by little; if a step fails, the next one does it. */
async function forgetOldDeletions(store: Store, { CHANGES_TTL }: Config): Promise<void> {
  await Promise.resolve(store.forgetDeletions(changeAt(Date.now() - CHANGES_TTL * 1_000))).catch(() => {});
}

async function closeInTime(store: Store, log: Log): Promise<void> {
  const late = sleep(CLOSING, true, { ref: false });
  const isLate = await Promise.race([Promise.resolve(store.close()).then(() => false), late]);
  if (isLate) log.warn('the database was not closed in time');
}

/** @returns the path of the first collection in the language of a tree */
function findFirstPath([first]: Catalogue, { table }: Locale): string {
  return `${ROOT}/${encodeURIComponent(currentWord(table.paths[first?.name ?? ''] ?? ''))}`;
}

/** @throws LocaleError, DatabaseError or FaultsError if it cannot start, with nothing left open */
export async function startService(catalogue: Catalogue, config: Config, log: Log) {
  const locales = loadChosenLocales(catalogue, config, { warn: log.warn, inform: log.info });
  // They are loaded here, because most services are not measured.
  const metrics = config.METRICS_PORT === undefined ? undefined : await import('../metrics/metrics.ts');
  const meters = metrics && new metrics.Meters(manifest.version, locales);
  const store = await openMeasuredStore(catalogue, config, log, meters);
  const forgetTimer = setInterval(forgetOldDeletions, FORGETTING, store, config).unref();
  const stopHooks = startHooks(store, catalogue, locales, config, log);
  warnOfAccess(config, log);
  const readAddress = createAddressReader(createRangeTest(config.TRUSTED_PROXIES));
  const readLoggedAddress = createLoggedAddressReader(config.LOG_ADDRESSES, readAddress);
  const clients: KnownClients = new WeakMap();
  const maxConnections = limitConnections(config, log);
  const { policies, mayRead } = createPolicies(config, store, readAddress, clients);
  let isStopping = false;
  const gateway = createGateway({
    catalogue,
    locales,
    defaultLanguage: config.DEFAULT_LANGUAGE,
    store,
    isStopping: () => isStopping,
    assignKey: createKeyAssigner(config.IDENTIFIERS),
    bodyLimit: config.BODY_LIMIT,
    importLimit: config.IMPORT_LIMIT,
    deletionShare: config.DELETION_SHARE,
    profiles: config.PROFILES_DIR,
    access: config.ACCESS,
    idempotencyTtl: config.IDEMPOTENCY_TTL * 1_000,
    readClient: createAccountReader(clients, readAddress),
    clientIdOf: ({ env }) => env?.incoming && clients.get(env.incoming)?.id,
    streamLimits: { all: Math.max(1, Math.floor(STREAMS * maxConnections)), client: config.KEY_STREAMS },
    mayRead,
    countHooks: store.hooks.count,
    onChange: config.LOG_CHANGES === 'on' ? createChangeReporter(log, clients, readLoggedAddress) : undefined,
    onFault: createFaultReporter(log),
    onFormerWord: meters && ((former) => meters.useFormer(former)),
  });
  const clientName = (incoming: IncomingMessage): string | undefined => clients.get(incoming)?.name;
  const reportRefusal = createRefusalReporter(log);
  const observed = {
    log: log.request,
    meter: meters,
    matchRoute: gateway.findRoute,
    clientName,
    readAddress: readLoggedAddress,
  };
  const server = new Server(gateway, {
    headersTimeout: config.HEADERS_TIMEOUT,
    requestTimeout: config.REQUEST_TIMEOUT,
    idleTimeout: config.IDLE_TIMEOUT,
    maxConnections,
    observe: log.request || meters ? createObserver(observed) : undefined,
    policies,
    onRefusal: ({ detail: { phrase: reason } }: Problem, incoming: IncomingMessage) => {
      meters?.refuse(reason);
      reportRefusal(reason, readLoggedAddress(incoming), clientName(incoming));
    },
  });
  const stopWork = async (): Promise<void> => {
    clearInterval(forgetTimer);
    await stopHooks();
  };
  try {
    const origin = await listen(server.http, config.HOST, config.PORT);
    return {
      origin,
      trees: new Map(locales.map((locale) => [locale.tag, origin + findFirstPath(catalogue, locale)])),
      metrics: meters && (() => meters.read(server.connections, store, catalogue, config.BACKUP_DIR)),
      stop: async (): Promise<void> => {
        isStopping = true;
        // Both stop at once: whatever hooks wait for holds up neither the listener nor the clients that are still answered.
        await Promise.all([server.stop(config.STOP_DELAY, config.STOP_TIMEOUT), stopWork()]);
        await closeInTime(store, log);
      },
    };
  } catch (error) {
    await stopWork();
    await store.close();
    throw error;
  }
}

/** The most files that a process opens beside its connections: databases, threads, rows of imports. */
const OTHER_FILES = 150;

function readMostFiles(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]) || Infinity;
  } catch {
    return Infinity;
  }
}

/** Leaves files for the rest of the process: without any, Node.js could not load code with the first import or document. */
export function limitConnections(
  { MAX_CONNECTIONS }: Pick<Config, 'MAX_CONNECTIONS'>,
  log: Pick<Log, 'warn'>,
  files = readMostFiles(),
): number {
  const most = files - Math.min(OTHER_FILES, Math.floor(files / 2));
  if (MAX_CONNECTIONS <= most) return MAX_CONNECTIONS;
  log.warn(
    `MAX_CONNECTIONS=${MAX_CONNECTIONS}: the process may open ${files} files, which is enough for ${most} connections; ulimit -Hn, or LimitNOFILE of systemd, allows more`,
  );
  return most;
}
