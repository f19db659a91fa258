/** The examples as two trees each, of which the second may have a fault. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { app as tasks, document as tasksDocument } from '../../../examples/around-hono/app.ts';
import { createApi } from '../../../examples/before-an-api/api.ts';
import type { Fetch } from '../../../packages/parity/src/kit/dictionary.ts';

import { Trees } from '../../../packages/parity/src/trees/trees.ts';
import { vocabularies } from '../../../packages/vocabularies/src/index.ts';
import { type Fault, through } from './proxy.ts';

export interface Example {
  readonly open: (fault?: Partial<Fault>) => Promise<Trees>;
  readonly close: () => Promise<unknown>;
}

const readJson = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../examples/${path}`, import.meta.url), 'utf8'));

const post = { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer let-me-in' } };

/** A task list, wrapped by the package `vocabularies`. */
export async function openTasks(): Promise<Example> {
  const [title, due] = ['Leche, pan', '2026-12-24'];
  for (const task of [{ title }, { title: 'Llamar', state: 'done' }, { title: 'Regalos «1»', due }, { title: 'title' }])
    await tasks.request('/tasks', { ...post, body: JSON.stringify(task) });
  const origin = 'http://tasks.test';
  const send: Fetch = async (url, init) => tasks.request(url, init);
  const open = (fault?: Partial<Fault>) => {
    const damaged = through(send, fault, /^\/tareas/);
    const get: Fetch = (url, init) => damaged(url.replace(origin, ''), init);
    const table = readJson('around-hono/es.json');
    return Trees.open({ bases: [origin, origin], document: tasksDocument, table, language: 'es', get });
  };
  return { open, close: async () => undefined };
}

/** An API of somebody else, before which the package stands. */
export async function openProducts(): Promise<Example> {
  const server = createApi().listen(0, '127.0.0.1');
  // A connection that waits on a busy machine stays open.
  server.keepAliveTimeout = 0;
  await new Promise((resolve) => server.once('listening', resolve));
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [document, es] = [readJson('before-an-api/openapi.json'), readJson('before-an-api/tables/es.json')];
  const kinds = ['ground_coffee', 'whole_beans', 'capsules'];
  for (const at of [1, 2, 3, 4, 5, 6]) {
    const product = { product_name: `Café, n.º ${at}`, product_kind: kinds[at % 3], price_per_kilo: 10.5 + at };
    await fetch(`${api}/products`, { ...post, body: JSON.stringify(product) });
  }
  const forward = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(api + pathname + search, request));
  };
  const translated = vocabularies({ fetch: forward }, { document, tables: { es }, onNotice: () => undefined });
  const before = 'http://products.test';
  const open = (fault?: Partial<Fault>) => {
    const send: Fetch = async (url, init) => translated.request(url, init);
    const damaged = through(send, fault, /^\/productos/);
    const get: Fetch = (url, init) =>
      url.startsWith(before) ? damaged(url.replace(before, ''), init) : fetch(url, init);
    const headers = { Authorization: 'Bearer let-me-in' };
    return Trees.open({ bases: [api, before], document, table: es, language: 'es', headers, get });
  };
  return { open, close: () => new Promise((resolve) => server.close(resolve)) };
}
