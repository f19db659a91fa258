import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import type { Document } from '../../support/documents/documents.ts';
import { servedDocuments } from '../../support/documents/served.ts';

const { send } = useApp();

const KEYS: Readonly<Record<string, string>> = { code: 'internal', language: 'es' };

/** Every path of every language's document, with keys that lead to something and with such as lead nowhere. */
const paths = [
  ...new Set(
    [...(await servedDocuments()).values()].flatMap(({ paths }: Document) =>
      Object.keys(paths).flatMap((template) =>
        ['a', 'none'].map((key) => template.replaceAll(/\{(\w+)\}/g, (_, name: string) => KEYS[name] ?? key)),
      ),
    ),
  ),
  '/',
  '/docs/',
  '/docs/docs.css',
  '/api/problems/none',
  '/api/locales/xx',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'];
/** Bodies that are accepted, and one that never is. */
const bodies = ['{}', '{', '{"brand":"Seat","model":"Ibiza"}', '{"marca":"Seat","modelo":"Ibiza"}', '{"tipo":"b"}'];
const wishes = ['*/*', 'application/json', 'text/html'];

test.each(paths)('%s varies by Accept wherever that can make it 406', async (path) => {
  await send('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza' });
  await send('POST', '/api/cars/a/oils', { type: 'a' });
  for (const method of METHODS) {
    const sent = /^P[^U]|PUT/.test(method) ? bodies : [undefined];
    const refused = await send(method, path, sent[0], { accept: 'image/png' });
    if (refused.status !== 406) continue;
    expect([method, refused.headers.get('vary')]).toEqual([method, expect.stringMatching(/\bAccept\b(?!-)/)]);
    for (const query of ['', '?x=1', '?lang=es']) {
      for (const body of sent) {
        for (const accept of wishes) {
          const { status, headers } = await send(method, path + query, body, { accept });
          expect([method, query, status, headers.get('vary')]).toEqual([
            method,
            query,
            status,
            expect.stringMatching(/\bAccept\b(?!-)/),
          ]);
        }
      }
    }
  }
});
