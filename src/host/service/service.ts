import type { IncomingMessage } from 'node:http';
import manifest from '../../../package.json' with { type: 'json' };
import { createGateway } from '../../gateway/app.ts';
import type { OnChange } from '../../gateway/collections/resource.ts';
import type { AddressOf } from '../../gateway/http/context.ts';
import { ROOT } from '../../gateway/http/urls.ts';
import { wordOf } from '../../gateway/locale/history.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Problem } from '../../gateway/texts/problem.ts';
import { changeAt } from '../../store/change-set.ts';
import { importQueue, withImportQueue } from '../../store/imports/queue.ts';
import type { Store } from '../../store/store.ts';
import { finishWithin } from '../../util/finish-within.ts';
import { addressReader, inRanges, loggedAddressOf } from '../access/address.ts';
import { isLoopback } from '../access/browsers.ts';
import { type KnownClients, knownClients } from '../access/client.ts';
import type { Log } from '../log/log.ts';
import { faultReport, refusalReport } from '../log/reports.ts';
import type { Meters } from '../metrics/metrics.ts';
import { Observer } from '../server/observer.ts';
import { Server } from '../server/server.ts';
import type { Config } from '../settings/config.ts';
import { isServer } from '../settings/database-url.ts';
import { localesOf, partsLeftOut } from '../tables/load.ts';
import { createPolicies } from './access-policy.ts';
import { keyAssigner } from './assign-key.ts';
import { startHooks } from './hook-thread.ts';
import { listen } from './listen.ts';
import { mostConnections } from './most-connections.ts';
import { openStoreOf } from './open-store.ts';

export interface Service {
  /** `http://host:port`. */
  readonly origin: string;
  /** The address of each tree, by language tag. */
  readonly trees: ReadonlyMap<string, string>;
  /** Reads what is measured, as Prometheus does; `undefined` where nothing is. */
  readonly metrics: (() => Promise<string>) | undefined;
  /**
   * Takes over secrets and the settings of tokens, and reads keys again.
   *
   * @throws Unavailable where the database cannot be reached by them; the old ones are kept then
   */
  readonly reload: (changed: Config) => Promise<void>;
  /** Stops accepting, lets what is in flight finish, and closes the database. */
  readonly stop: () => Promise<void>;
}

/** Milliseconds in which the database must be closed: the process ends within 10 s of the signal. */
const CLOSING = 1_500;
/** Milliseconds between two times that old deletions are forgotten. */
const FORGETTING = 60_000;

/** @throws LocaleError */
function readLocales(catalogue: Catalogue, config: Config, log: Log): readonly Locale[] {
  const locales = localesOf(catalogue, config, log.warn);
  for (const line of partsLeftOut(locales, config.DEFAULT_LANGUAGE)) log.info(line);
  return locales;
}

/** Logs what an operator may not know about who may do what, and how often. */
export function warnOfAccess({ ACCESS, HOST, RATE_LIMIT, DATABASE_URL }: Config, log: Log): void {
  if (RATE_LIMIT !== undefined && isServer(DATABASE_URL)) {
    log.info(
      `RATE_LIMIT=${RATE_LIMIT}: each instance counts for itself, so a client may send as many requests to every one of them`,
    );
  }
  if (ACCESS !== 'open' || isLoopback(HOST)) return;
  log.warn(`HOST=${HOST} ACCESS=open: whoever reaches the service may write; ACCESS=write asks for a key`);
}

/** @returns a function that logs each change with who made it; `undefined` if changes are not logged */
function reportChanges({ change: log }: Log, clients: KnownClients, addressOf: AddressOf): OnChange | undefined {
  return (
    log &&
    ((change, { id: requestId, traceId }, incoming) =>
      log({
        ...change,
        requestId,
        traceId,
        clientId: incoming && clients.idOf(incoming),
        client: incoming && clients.nameOf(incoming),
        address: incoming && addressOf(incoming),
      }))
  );
}

/** Forgets deletions that are older than the setting, little by little. If a step fails, the next one does it. */
function startForgetting(store: Store, { CHANGES_TTL }: Config): NodeJS.Timeout {
  return setInterval(async () => {
    await Promise.resolve(store.forgetDeletions(changeAt(Date.now() - CHANGES_TTL * 1_000))).catch(() => {});
  }, FORGETTING).unref();
}

/** @returns the store, whose imports wait in a queue */
async function openMeasuredStore(
  catalogue: Catalogue,
  config: Config,
  log: Log,
  meter: Meters['store'] | undefined,
): Promise<Store> {
  const all = await openStoreOf(config, catalogue, {
    report: log.warn,
    cacheBytes: config.CACHE_LIMIT,
    onCommit: meter?.onCommit,
  });
  const opened = meter ? meter.measured(all) : all;
  const queue = importQueue(config.CLIENT_SHARE / 100);
  return { ...opened, importRows: withImportQueue(opened.importRows, queue) };
}

/**
 * Starts the whole service: tables → store → app → server.
 *
 * @throws LocaleError, DatabaseError or FaultsError where it cannot start, with nothing left open
 */
export const startService = async (catalogue: Catalogue, config: Config, log: Log): Promise<Service> => {
  const locales = readLocales(catalogue, config, log);
  // Loaded here, because most services are not measured.
  const meters =
    config.METRICS_PORT === undefined
      ? undefined
      : (await import('../metrics/metrics.ts')).createMeters(manifest.version, locales);
  const store = await openMeasuredStore(catalogue, config, log, meters?.store);
  const forgetting = startForgetting(store, config);
  const hooks = startHooks(store, catalogue, config, log);
  warnOfAccess(config, log);
  const { TRUSTED_PROXIES: proxies } = config;
  const addressOf = addressReader(proxies.length > 0 ? inRanges(proxies) : undefined);
  const clients = knownClients();
  const loggedAddress = loggedAddressOf(config.LOG_ADDRESSES, addressOf);
  let isStopping = false;
  const { policies, mayRead, reload } = createPolicies(config, store, addressOf, clients);
  const observer =
    log.request || meters
      ? new Observer({
          log: log.request,
          meter: meters?.requests,
          matchRoute: (target) => gateway.findRoute(target),
          clientName: clients.nameOf,
          readAddress: loggedAddress,
        })
      : undefined;
  const gateway = createGateway({
    catalogue,
    locales,
    defaultLanguage: config.DEFAULT_LANGUAGE,
    store,
    isStopping: () => isStopping,
    assignKey: keyAssigner(config.IDENTIFIERS),
    bodyLimit: config.BODY_LIMIT,
    importLimit: config.IMPORT_LIMIT,
    deletionShare: config.DELETION_SHARE,
    access: config.ACCESS,
    idempotencyTtl: config.IDEMPOTENCY_TTL * 1_000,
    addressOf,
    clientIdOf: ({ env }) => env?.incoming && clients.idOf(env.incoming),
    clientStreams: config.KEY_STREAMS,
    mayRead,
    countHooks: store.hooks.count,
    onChange: config.LOG_CHANGES === 'on' ? reportChanges(log, clients, loggedAddress) : undefined,
    onFault: faultReport(log),
    onForeignWords:
      observer &&
      (({ tree, languages: foreign, incoming }) => {
        meters?.refuseWords(tree, foreign);
        if (incoming && foreign[0] !== undefined) observer.onForeignWords(incoming, foreign[0]);
      }),
    onFormerWord: meters?.useFormer,
  });
  try {
    const reportRefusal = refusalReport(log);
    const onRefusal = ({ detail: { phrase: reason } }: Problem, incoming: IncomingMessage): void => {
      meters?.refuse(reason);
      reportRefusal(reason, loggedAddress(incoming), clients.nameOf(incoming));
    };
    const server = new Server(gateway, {
      headersTimeout: config.HEADERS_TIMEOUT,
      requestTimeout: config.REQUEST_TIMEOUT,
      idleTimeout: config.IDLE_TIMEOUT,
      maxConnections: mostConnections(config, log),
      observer,
      policies,
      onRefusal,
    });
    const origin = await listen(server.http, { host: config.HOST, port: config.PORT });
    const [top] = catalogue;
    return {
      origin,
      trees: new Map(
        locales.map(({ tag, table }) => [
          tag,
          `${origin}${ROOT}/${encodeURIComponent(wordOf(table.paths[top?.name ?? ''] ?? ''))}`,
        ]),
      ),
      metrics: meters?.reader(() => server.connections, store, catalogue, config.BACKUP_DIR),
      reload: async (changed) => {
        await store.changeUrl?.(changed.DATABASE_URL);
        reload?.(changed);
        await hooks.restart();
      },
      stop: async () => {
        isStopping = true;
        clearInterval(forgetting);
        // At once: whatever hooks wait for holds up neither the listener nor those who are still answered.
        await Promise.all([server.stop(config.STOP_DELAY, config.STOP_TIMEOUT), hooks.stop()]);
        if (!(await finishWithin(store.close(), CLOSING))) log.warn('the database was not closed in time');
      },
    };
  } catch (error) {
    clearInterval(forgetting);
    await hooks.stop();
    await store.close();
    throw error;
  }
};
