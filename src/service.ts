import { addressReader, rangesOf } from './access/address.ts';
import { identifyBy, type KnownClients, knownClients } from './access/client.ts';
import { gate } from './access/gate.ts';
import { keyRing } from './access/key-ring.ts';
import { type LimitRequests, limitRequests } from './access/limit-requests.ts';
import { LimitedResponse } from './access/limited-response.ts';
import { tokenVerifier } from './access/tokens.ts';
import { createApp } from './app.ts';
import { keyAssigner } from './assign-key.ts';
import type { Config } from './config.ts';
import { faultReport } from './fault-report.ts';
import type { AddressOf } from './http/read/caller.ts';
import { browserPolicies, isLoopback } from './http/server/browsers.ts';
import type { Stage } from './http/server/pipeline.ts';
import { placeFinder } from './http/server/places.ts';
import type { Policy } from './http/server/refusal.ts';
import { requestLog } from './http/server/request-log.ts';
import { serverFor } from './http/server/server.ts';
import { ROOT } from './http/urls.ts';
import { listen } from './listen.ts';
import { loadLocales, partsLeftOut } from './locale/load.ts';
import type { Locale } from './locale/table.ts';
import type { Log } from './log.ts';
import type { Catalogue } from './model/catalogue.ts';
import { openStore, storeOptions } from './open-store.ts';
import { isServer } from './settings/database-url.ts';
import { inLine } from './store/imports/line.ts';
import type { Store } from './store/port.ts';

export interface Service {
  /** `http://host:port`. */
  readonly origin: string;
  /** The address of each tree, by language tag. */
  readonly trees: ReadonlyMap<string, string>;
  /** Stops accepting, lets what is in flight finish, and closes the database. */
  readonly stop: () => Promise<void>;
}

/** @returns counts the requests of each client, in memory or for all processes together; `undefined` where nobody is limited */
const limitOf = (config: Config, store: Store, addressOf: AddressOf): LimitRequests | undefined => {
  const { RATE_LIMIT: quota, RATE_WINDOW: window, RATE_LIMIT_STORE, DATABASE_URL } = config;
  if (quota === undefined) return undefined;
  const isShared = RATE_LIMIT_STORE === 'auto' ? isServer(DATABASE_URL) : RATE_LIMIT_STORE === 'database';
  return limitRequests({ quota, window }, addressOf, isShared ? store.takeQuota : undefined);
};

/** @returns knows clients by their keys, and by tokens where `OIDC_ISSUER` is set */
const identifierOf = (
  { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience = '', OIDC_SCOPE_CLAIM: scopeClaim }: Config,
  { keys }: Store,
) => identifyBy(keyRing(keys), issuer === undefined ? undefined : tokenVerifier({ issuer, audience, scopeClaim }));

/** What must let a request pass before anything answers it. */
const policiesOf = (config: Config, store: Store, addressOf: AddressOf, clients: KnownClients): readonly Policy[] => {
  const { HOST: listensOn, ALLOWED_HOSTS: allowedHosts, CORS_ORIGINS: allowedOrigins, ACCESS } = config;
  const browsers = browserPolicies({ listensOn, allowedHosts, allowedOrigins });
  const limit = limitOf(config, store, addressOf);
  if (ACCESS === 'open' && !limit) return browsers;
  return [...browsers, gate(ACCESS, identifierOf(config, store), limit, clients.add)];
};

/** What sees every request: the log, where it wants to know. */
const observersOf = (
  { request: tell }: Log,
  { routes }: ReturnType<typeof createApp>,
  catalogue: Catalogue,
  locales: readonly Locale[],
  clients: KnownClients,
): readonly Stage[] => {
  if (!tell) return [];
  const roots = catalogue.filter(({ parent }) => !parent);
  const languages = new Map(
    locales.flatMap(({ tag, table: { paths } }) =>
      roots.map(({ name }) => [encodeURIComponent(paths[name] ?? ''), tag] as const),
    ),
  );
  const languageIn = (pattern: string): string | undefined =>
    pattern.startsWith(`${ROOT}/`) ? languages.get(pattern.split('/')[2] ?? '') : undefined;
  // A bare `%` begins what nobody can ask for.
  const patterns = routes.map(({ path }) => path).filter((path) => !path.startsWith('/%'));
  return [requestLog({ tell, placeOf: placeFinder(patterns, languageIn), clientOf: clients.clientOf })];
};

/**
 * Starts the whole service: tables → store → app → server.
 *
 * @throws LocaleError, DatabaseError or ListenError where it cannot start, with nothing left open
 */
export const startService = async (catalogue: Catalogue, config: Config, log: Log): Promise<Service> => {
  const locales = loadLocales(catalogue, config.LOCALES_DIR, config.DEFAULT_LANGUAGE, log.warn);
  for (const line of partsLeftOut(locales, config.DEFAULT_LANGUAGE)) log.info(line);
  const opened = await openStore(config.DATABASE_URL, catalogue, { ...storeOptions(config), report: log.warn });
  const store = { ...opened, importRows: inLine(opened.importRows, config.CLIENT_SHARE / 100) };
  if (config.ACCESS === 'open' && !isLoopback(config.HOST)) {
    log.warn(`HOST=${config.HOST} ACCESS=open: whoever reaches the service may write; ACCESS=write asks for a key`);
  }
  const isProxy = rangesOf(config.TRUSTED_PROXIES);
  const addressOf = addressReader(config.TRUSTED_PROXIES.length > 0 ? isProxy : undefined);
  const clients = knownClients();
  let isStopping = false;
  const app = createApp({
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
    rowRoom: config.CACHE_LIMIT / 2,
    addressOf,
    clientOf: clients.idOf,
    onFault: faultReport(log),
  });
  try {
    const { server, stop } = serverFor(app, {
      headersTimeout: config.HEADERS_TIMEOUT,
      requestTimeout: config.REQUEST_TIMEOUT,
      idleTimeout: config.IDLE_TIMEOUT,
      maxConnections: config.MAX_CONNECTIONS,
      validator: store.validator,
      cacheRoom: config.CACHE_LIMIT / 2,
      clientConnections: config.CLIENT_CONNECTIONS,
      isProxy,
      responseClass: config.RATE_LIMIT === undefined ? undefined : LimitedResponse,
      observers: observersOf(log, app, catalogue, locales, clients),
      policies: policiesOf(config, store, addressOf, clients),
    });
    const origin = await listen(server, { host: config.HOST, port: config.PORT });
    const [top] = catalogue;
    const path = (paths: Readonly<Record<string, string>>) => encodeURIComponent(paths[top?.name ?? ''] ?? '');
    return {
      origin,
      trees: new Map(locales.map(({ tag, table }) => [tag, `${origin}${ROOT}/${path(table.paths)}`])),
      stop: async () => {
        isStopping = true;
        await stop(config.STOP_DELAY, config.STOP_TIMEOUT);
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
};
