import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../../src/app.ts';
import { catalogue as realCatalogue } from '../../../src/catalogue.ts';
import { loadLocales } from '../../../src/locale/load.ts';
import type { Catalogue } from '../../../src/model/catalogue.ts';
import { openStore } from '../../../src/open-store.ts';
import { newDatabase } from '../database/database.ts';
import { checkFor } from '../documents/check.ts';

export const localesFolder = fileURLToPath(new URL('../../../locales', import.meta.url));

/** An answer, read whole. `json` is `undefined` where its content is none. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

interface TestApp {
  readonly send: Send;
  /** What the log would hold. */
  readonly faults: readonly unknown[];
  readonly close: () => Promise<void>;
}

export interface TestOptions {
  readonly catalogue?: Catalogue;
  readonly locales?: string;
  /** By default a new one, as `newDatabase` makes it. */
  readonly database?: string;
  /** Of a replica. */
  readonly readUrl?: string;
  readonly defaultLanguage?: string;
  readonly assignKey?: () => string;
  readonly bodyLimit?: number;
}

/** The app as it is served, on a database of its own; and a check of its answers against its documents. */
export const appFor = async (options: TestOptions = {}) => {
  const { catalogue = realCatalogue, locales = localesFolder, database } = options;
  const { defaultLanguage = 'en', assignKey = randomUUID, bodyLimit = 1_048_576 } = options;
  const faults: unknown[] = [];
  const { url, drop } = database === undefined ? await newDatabase() : { url: database, drop: undefined };
  const store = await openStore(url, catalogue, { readUrl: options.readUrl });
  const app = createApp({
    catalogue,
    locales: loadLocales(catalogue, locales, defaultLanguage),
    defaultLanguage,
    store,
    assignKey,
    bodyLimit,
    onFault: (error) => faults.push(error),
  });
  const close = async (): Promise<void> => {
    await store.close();
    await drop?.();
  };
  return { app, faults, check: checkFor(app, catalogue, locales), dataVersion: store.dataVersion, close };
};

/** The whole service without a socket. A body that is a string is sent as it is, any other as JSON. */
export const openApp = async (options: TestOptions = {}): Promise<TestApp> => {
  const { app, faults, check, close } = await appFor(options);
  const send: Send = async (method, path, body, headers = {}) => {
    const payload = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const answer = await app.request(path, {
      method,
      headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await answer.text();
    const { status, headers: answered } = answer;
    await check({ method, target: path, status, headers: answered, text });
    const isJson = text !== '' && /json/.test(answered.get('content-type') ?? '');
    return { status, headers: answered, text, json: isJson ? JSON.parse(text) : undefined };
  };
  return { send, faults, close };
};
