import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapStore } from '../../../examples/mounted/store/map-store.ts';
import { bilingual } from '../../../src/gateway/bilingual.ts';
import { openApp } from '../app/app.ts';
import { onServer } from '../database/database.ts';
import type { WhenOver } from '../process/folder.ts';
import { everyKind, everyKindTables } from './every-kind.ts';

export interface Opened {
  /** Sends a text as CSV, any other body as JSON. */
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ) => Promise<{ readonly status: number; readonly json: any; readonly change: string | null }>;
  /** Deletes all boats and ports: to open another app takes longer than most tests. */
  readonly empty: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const opened = (
  request: (target: string, init: RequestInit) => Promise<Response>,
  close: () => Promise<void>,
): Opened => {
  const send: Opened['send'] = async (method, path, body, headers = {}) => {
    const type = typeof body === 'string' ? 'text/csv' : 'application/json';
    const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const init = {
      method,
      headers: { 'content-type': type, ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    };
    const answer = await request(path, init);
    const text = await answer.text();
    const json = text === '' ? undefined : JSON.parse(text);
    return { status: answer.status, json, change: answer.headers.get('x-change') };
  };
  const empty = async () => {
    for (const list of ['boats', 'ports'])
      await send('POST', `/api/imports/${list}`, [], { prefer: 'resolution=replace-all; allow-deletions' });
  };
  return { send, empty, close };
};

/** @returns opens a catalogue with every kind of field in the database of the run, and once in a store over a `Map` */
export const everyKindApps = (
  whenOver: WhenOver,
): readonly (readonly [name: string, open: () => Promise<Opened>])[] => {
  const locales = everyKindTables(whenOver);
  const inDatabase = async () => {
    const app = await openApp({ catalogue: everyKind, locales });
    return opened(app.request, app.close);
  };
  const inMap = async () => {
    const [en, es] = ['en', 'es'].map((tag) => JSON.parse(readFileSync(join(locales, `${tag}.json`), 'utf8')));
    const app = bilingual({ catalogue: everyKind, tables: { en, es }, store: mapStore(everyKind) });
    return opened(
      async (target, init) => app.request(`http://localhost${target}`, init),
      async () => {},
    );
  };
  return [['database', inDatabase], ...(onServer ? [] : [['map', inMap] as const])];
};
