/** APIs of others, each on a port of its own until a file's tests are over, before which the gateway is put. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { bilingual } from '../../../src/gateway/bilingual.ts';
import type { Env } from '../../../src/gateway/http/context.ts';
import { collectionOf } from '../../../src/gateway/model/catalogue.ts';
import { openSqlite } from '../../../src/store/sqlite/store.ts';
import type { MappingFile } from '../../../src/store/upstream/mapping/mapping.ts';
import { upstream } from '../../../src/store/upstream/upstream.ts';
import { catalogue } from '../cars/catalogue.ts';
import { tableOf } from '../language/locale-folder.ts';
import { postgrestStandIn, type Table } from './postgrest.ts';

const cars = collectionOf(catalogue, 'cars');
const [en, es] = [tableOf('en'), tableOf('es')];
const require = createRequire(import.meta.url);

/** What is in a peer, by the names that it has there. */
export interface Content {
  readonly cars: readonly Readonly<Record<string, unknown>>[];
  readonly oils: readonly Readonly<Record<string, unknown>>[];
}

/** An API with cars and oils in it, and what `upstream.json` says of it. */
interface Peer {
  readonly listener: RequestListener;
  readonly mapping: MappingFile;
}

const FLAT: MappingFile['collections'] = {
  cars: { fields: { identifier: 'id' } },
  oils: { path: '/oils', parent: 'carId', id: 'id' },
};

/** A copy, which the peer changes. */
const copied = (content: Content) => structuredClone(content) as { cars: object[]; oils: object[] };

const jsonServer = async (content: Content): Promise<Peer> => {
  const { create, router, defaults, bodyParser } = require('json-server');
  const app = create();
  app.use(bodyParser);
  app.use(defaults({ logger: false }));
  app.use(router(copied(content)));
  return { listener: app, mapping: { preset: 'json-server', collections: FLAT } };
};

const jsonServer1 = async (content: Content): Promise<Peer> => {
  // Its package has no types, and no entry but a command.
  const { createApp } = require('json-server-1/lib/app.js');
  const app = createApp({ data: copied(content), write: async () => {} });
  return { listener: app.handler.bind(app), mapping: { preset: 'json-server-1', collections: FLAT } };
};

/** Another instance of this service, that speaks Spanish only. */
const spanish = async (content: Content): Promise<Peer> => {
  const store = await openSqlite(':memory:', catalogue);
  const app = bilingual({ catalogue, tables: { es }, store });
  const send = async (
    path: string,
    words: Readonly<Record<string, string>>,
    { id, carId, ...item }: Record<string, unknown>,
  ) => {
    const sent = path === '/api/coches' ? { identifier: id, ...item } : item;
    const body = Object.fromEntries(Object.entries(sent).map(([name, value]) => [words[name] ?? name, value]));
    const headers = { 'content-type': 'application/json' };
    await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  for (const car of content.cars) await send('/api/coches', es.fields.cars, car);
  for (const oil of content.oils) {
    await send(`/api/coches/${encodeURIComponent(String(oil.carId))}/aceites`, es.fields.oils, oil);
  }
  return {
    listener: getRequestListener(app.fetch),
    mapping: {
      preset: 'this',
      words: { ...es.parameters, ...es.suffixes, ...es.members, ...es.values },
      collections: {
        cars: { path: '/api/coches', fields: es.fields.cars },
        oils: { path: '/api/coches/{cars}/aceites', fields: es.fields.oils },
      },
    },
  };
};

const CELLS = cars.fields.filter(({ isKey }) => !isKey).map(({ name }) => name);

const postgrest = async (content: Content): Promise<Peer> => {
  const tables: Readonly<Record<string, Table>> = {
    cars: { columns: ['id', ...CELLS, 'seq'], key: ['id'], rows: [] },
    oils: { columns: ['id', 'carId', 'type', 'otherInfo', 'seq'], key: ['carId', 'type'], rows: [] },
  };
  for (const [name, items] of Object.entries(content)) {
    const { columns = [], rows } = tables[name] ?? {};
    const lacking = Object.fromEntries(columns.map((column) => [column, null]));
    rows?.push(...items.map((item: object, at: number) => ({ ...lacking, ...item, seq: at })));
  }
  return {
    listener: postgrestStandIn(tables),
    mapping: {
      preset: 'postgrest',
      collections: { cars: { ...FLAT.cars, order: 'seq' }, oils: { path: '/oils', parent: 'carId', order: 'seq' } },
    },
  };
};

export const peers = {
  'json-server 0.17': jsonServer,
  'json-server 1.0': jsonServer1,
  'a stand-in for PostgREST': postgrest,
  'this service, in Spanish': spanish,
};

/** @returns the address at which a listener is, until a test or a file is over */
export const listening = async (
  listener: RequestListener,
  whenOver: (end: () => void) => void = onTestFinished,
): Promise<string> => {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** @returns the gateway before an API, in both languages, and the causes of its faults */
export const gatewayBefore = (
  url: string,
  mapping: MappingFile,
): { readonly app: Hono<Env>; readonly faults: string[] } => {
  const faults: string[] = [];
  const onFault = (error: unknown) => void faults.push(String(error instanceof Error ? error.message : error));
  const store = upstream(url, mapping, catalogue);
  return { app: bilingual({ catalogue, tables: { en, es }, store, onFault }), faults };
};
