import { hash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createGateway } from '../../../src/gateway/app.ts';
import type { OnChange } from '../../../src/gateway/collections/resource.ts';
import type { Locale } from '../../../src/gateway/locale/table.ts';
import type { Access } from '../../../src/gateway/model/access.ts';
import type { Catalogue } from '../../../src/gateway/model/catalogue.ts';
import type { ClientIdOf } from '../../../src/gateway/read/conditions.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import { loadLocales } from '../../../src/host/tables/load.ts';
import type { Store } from '../../../src/store/store.ts';
import { catalogue as realCatalogue } from '../cars/catalogue.ts';
import { tablesOfTests } from '../cars/tables.ts';
import { databaseFor, newDatabase } from '../database/database.ts';
import { checkFor } from '../documents/check.ts';
import { oncePer } from '../language/once.ts';

/** The tables of the tests' catalogue. */
export const localesFolder = tablesOfTests;

/** A response, read whole. `json` is `undefined` where its content is none. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

/** Sends a body that is a string, or bytes, as it is, any other as JSON. */
export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<TestResponse>;

/** Sends a target as it is: no URL is parsed on the way, so that nothing of it is normalised. The response is unread. */
export type Request = (target: string, init?: RequestInit) => Promise<Response>;

/** Cars and oils to create before the tests: a list's path, and what is posted to it. */
type Given = readonly (readonly [path: string, body: object])[];

export interface TestOptions {
  readonly catalogue?: Catalogue;
  /** A folder of tables; by default the project's English and Spanish, whatever languages there are beside them. */
  readonly locales?: string;
  /** By default a new one, as `newDatabase` makes it. */
  readonly database?: string;
  /** By default all of it. */
  readonly clientShare?: number;
  /** For rows of a database in a file; by default none are cached. */
  readonly cacheBytes?: number;
  readonly defaultLanguage?: string;
  readonly assignKey?: () => string;
  readonly bodyLimit?: number;
  readonly importLimit?: number;
  readonly deletionShare?: number;
  readonly access?: Access;
  /** A folder of profiles of imports. */
  readonly profiles?: string;
  /** Milliseconds, by default a day. */
  readonly idempotencyTtl?: number;
  readonly clientIdOf?: ClientIdOf;
  /** Whether streams go on until they are left; otherwise they end as they begin. */
  readonly hasStreams?: boolean;
  readonly onChange?: OnChange;
  /** Puts something else in place of a store's methods. */
  readonly spoil?: (store: Store) => Partial<Store>;
}

type App = ReturnType<typeof createGateway>['app'];

const sendTo =
  (app: App, check: ReturnType<typeof checkFor>): Send =>
  async (method, path, body, headers = {}) => {
    const isReady = typeof body === 'string' || body === undefined || body instanceof Uint8Array;
    const payload = isReady ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body);
    const answer = await app.request(path, {
      method,
      headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await answer.text();
    const { status, headers: answered } = answer;
    await check({ method, target: path, status, headers: answered, text });
    const isJson = text !== '' && /[/+]json(?![\w-])/.test(answered.get('content-type') ?? '');
    return { status, headers: answered, text, json: isJson ? JSON.parse(text) : undefined };
  };

/** Cars of a list that is sent at once. */
const SHORT = 100;

const requestTo =
  (app: App, check: ReturnType<typeof checkFor>): Request =>
  async (target, init) => {
    const answer = await app.request('http://localhost/', init, { target });
    const { status, headers } = answer;
    // Reading a copy of a long list would read the list.
    const isShort = Number(headers.get('x-total-count') ?? 0) <= SHORT;
    const text = isShort ? await answer.clone().text() : undefined;
    await check({ method: init?.method ?? 'GET', target, status, headers, text });
    return answer;
  };

/** The languages whose words tests type out. */
const TYPED = ['en', 'es'];

/** Folders that contain the same are one, wherever they are. @returns what stands for the tables in one of them */
const contentOf = (folder: string): string => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort();
  return hash('sha256', files.map((file) => `${file}\n${readFileSync(join(folder, file), 'utf8')}\n`).join(''));
};

const loadedFor = oncePer((_: Catalogue) => new Map<string, readonly Locale[]>());

/** Tables take longer to read and to check than most tests: the same ones are read once. */
const tablesOf = (catalogue: Catalogue, folder: string, content: string, defaultLanguage: string) => {
  const loaded = loadedFor(catalogue);
  const key = `${content} ${defaultLanguage}`;
  const all = loaded.get(key) ?? loadLocales(catalogue, folder, defaultLanguage);
  loaded.set(key, all);
  return all;
};

const ownContent = oncePer(contentOf);

/**
 * The whole service without a socket, on a database of its own. Every response is checked against its documents.
 * `faults` is what the log would hold.
 */
export const openApp = async (options: TestOptions = {}) => {
  const { catalogue = realCatalogue, locales, database, clientShare, cacheBytes } = options;
  const { access = 'open', defaultLanguage = 'en', assignKey = randomUUID, bodyLimit = 1_048_576 } = options;
  const { importLimit = 268_435_456, deletionShare = 20 } = options;
  const { idempotencyTtl = 86_400_000, clientIdOf = () => undefined } = options;
  const faults: unknown[] = [];
  const newOne = () => (catalogue === realCatalogue ? newDatabase(true) : databaseFor(catalogue));
  const { url, drop } = database === undefined ? await newOne() : { url: database, drop: undefined };
  const store = await openStore(url, catalogue, { clientShare, cacheBytes });
  const items = { ...store, ...options.spoil?.(store) };
  const content = locales === undefined ? ownContent(localesFolder) : contentOf(locales);
  const tables = tablesOf(catalogue, locales ?? localesFolder, content, defaultLanguage);
  const {
    app,
    end,
    refuse,
    findRoute: routeOf,
  } = createGateway({
    catalogue,
    locales: locales === undefined ? tables.filter(({ tag }) => TYPED.includes(tag)) : tables,
    defaultLanguage,
    access,
    store: items,
    assignKey,
    bodyLimit,
    importLimit,
    deletionShare,
    profiles: options.profiles,
    idempotencyTtl,
    clientIdOf,
    countHooks: store.hooks.count,
    onFault: (error) => faults.push(error),
    onChange: options.onChange,
  });
  // Their answers are read to the end.
  if (!options.hasStreams) end();
  const languages = locales === undefined ? TYPED.join() : content;
  const check = checkFor(app, catalogue, `${languages} ${access}`);
  const close = async (): Promise<void> => {
    await store.close();
    await drop?.();
  };
  return {
    app,
    end,
    refuse,
    routeOf,
    store,
    check,
    faults,
    send: sendTo(app, check),
    request: requestTo(app, check),
    close,
  };
};

const create = async (send: Send, given: Given): Promise<void> => {
  for (const [path, body] of given) {
    const { status, text } = await send('POST', path, body);
    if (status !== 201) throw new Error(`not created: ${text}`);
  }
};

/** Deletes every car, and with it its oils. */
const empty = async (send: Send): Promise<void> => {
  const { json } = await send('GET', '/api/cars');
  await Promise.all(
    json.map(({ identifier }: { identifier: string }) => send('DELETE', `/api/cars/${encodeURIComponent(identifier)}`)),
  );
};

interface Use extends TestOptions {
  readonly given?: Given;
}

const use = (options: Use) => {
  let opened: Awaited<ReturnType<typeof openApp>> | undefined;
  const app = () => {
    if (!opened) throw new TypeError('the app is open during tests only');
    return opened;
  };
  beforeAll(async () => {
    opened = await openApp(options);
  });
  afterAll(() => opened?.close());
  const send: Send = (...sent) => app().send(...sent);
  const request: Request = (...sent) => app().request(...sent);
  return {
    send,
    request,
    get faults() {
      return app().faults;
    },
  };
};

/** Opens an app for all tests of the file or the `describe` that this is called in. */
export const useApp = ({ given = [], ...options }: Use = {}) => {
  const app = use(options);
  beforeAll(() => create(app.send, given));
  return app;
};

/** Opens an app in which each test of the file or the `describe` finds what is given, and nothing else. */
export const useFreshApp = ({ given = [], ...options }: Use = {}) => {
  const app = use(options);
  beforeEach(async () => {
    await empty(app.send);
    await create(app.send, given);
  });
  return app;
};
