import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createApp } from '../../../src/app.ts';
import { catalogue } from '../../../src/catalogue.ts';
import { loadLocales } from '../../../src/locale/load.ts';
import { openStore } from '../../../src/open-store.ts';
import type { Store } from '../../../src/store/port.ts';
import { newDatabase } from '../database/database.ts';
import { checkFor } from '../documents/check.ts';
import { localesFolder } from './app.ts';

/** The words of both trees, typed out: code that translated them could find no wrong one. */
export const en = {
  tag: 'en',
  cars: '/api/cars',
  oils: 'oils',
  identifier: 'identifier',
  brand: 'brand',
  model: 'model',
  year: 'year',
  doors: 'doors',
  enginePower: 'enginePower',
  version: 'version',
  clima: 'clima',
  ac: 'ac',
  fuel: 'fuel',
  type: 'type',
  otherInfo: 'otherInfo',
  sort_by: 'sort_by',
  order: 'order',
  asc: 'asc',
  desc: 'desc',
  number_of_elements: 'number_of_elements',
  page: 'page',
} as const;

export const es = {
  tag: 'es',
  cars: '/api/coches',
  oils: 'aceites',
  identifier: 'identificador',
  brand: 'marca',
  model: 'modelo',
  year: 'anio',
  doors: 'puertas',
  enginePower: 'cilindrada',
  version: 'version',
  clima: 'climatizador',
  ac: 'ac',
  fuel: 'fuel',
  type: 'tipo',
  otherInfo: 'otros_datos',
  sort_by: 'ordenar_por',
  order: 'orden',
  asc: 'ascendente',
  desc: 'descendente',
  number_of_elements: 'numero_de_elementos',
  page: 'pagina',
} as const;

export const trees = [en, es] as const;

interface BareApp {
  /** Sends a target as it is: no URL is parsed on the way, so that nothing of it is normalised. */
  readonly request: (target: string, init?: RequestInit) => Promise<Response>;
  readonly store: Store;
  readonly faults: readonly unknown[];
  readonly close: () => Promise<void>;
}

interface BareOptions {
  readonly bodyLimit?: number;
  /** Puts something else in place of a store's methods. */
  readonly spoil?: (store: Store) => Partial<Store>;
}

/** Cars of a list that is sent at once. */
const SHORT = 100;

/** The service without a socket, its answers unread. */
export const openBare = async ({ bodyLimit = 1_048_576, spoil = () => ({}) }: BareOptions = {}): Promise<BareApp> => {
  const faults: unknown[] = [];
  const { url, drop } = await newDatabase();
  const store = await openStore(url, catalogue);
  const app = createApp({
    catalogue,
    locales: loadLocales(catalogue, localesFolder, 'en'),
    defaultLanguage: 'en',
    store: { ...store, ...spoil(store) },
    assignKey: randomUUID,
    bodyLimit,
    onFault: (error) => faults.push(error),
  });
  const check = checkFor(app, catalogue, localesFolder);
  const request: BareApp['request'] = async (target, init) => {
    const answer = await app.request('http://localhost/', init, { incoming: { url: target } as IncomingMessage });
    const { status, headers } = answer;
    // Reading a copy of a long list would read the list.
    const isShort = Number(headers.get('x-total-count') ?? 0) <= SHORT;
    const text = isShort ? await answer.clone().text() : undefined;
    await check({ method: init?.method ?? 'GET', target, status, headers, text });
    return answer;
  };
  const close = async (): Promise<void> => {
    await store.close();
    await drop();
  };
  return { request, store, faults, close };
};

/** A value in a test's name. */
export const short = (text: string): string => (text.length > 30 ? `${text.slice(0, 30)}… (${text.length})` : text);

/** Spells a text as JSON. */
export const quoted = (text: string): string => JSON.stringify(text);
