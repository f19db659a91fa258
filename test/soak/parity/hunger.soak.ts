/** Every operation of the documents in both languages, by generated requests, valid and invalid: none fails, and each answer is as documented. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fetch } from '../../../packages/parity/src/kit/dictionary.ts';
import { run } from '../../../packages/parity/src/run.ts';
import { openCatalogue } from '../../../packages/parity/src/trees/catalogue.ts';
import { Reader } from '../../../packages/parity/src/trees/document.ts';
import { openApp } from '../../support/app/app.ts';
import { bodiesFor } from '../../support/documents/from-schema.ts';
import { createItems } from '../../support/parity/run-parity.ts';

const ORIGIN = 'http://catalogue.test';
/** Requests of a run, of which a half write. */
const REQUESTS = 10_000;
const TYPES: Readonly<Record<string, string>> = { PATCH: 'application/merge-patch+json' };

let app: Awaited<ReturnType<typeof openApp>>;
const failed: string[] = [];
let count = 0;

const get: Fetch = async (url, init) => {
  count += 1;
  const target = url.replace(ORIGIN, '');
  const answer = await app.request(target, init);
  if (answer.status >= 500) failed.push(`${init?.method ?? 'GET'} ${target} ${init?.body ?? ''} → ${answer.status}`);
  return answer;
};

beforeAll(async () => {
  app = await openApp();
  const cars = ['Seat', 'Citroën', 'Ávila, S. A.', 'BMW'].map((brand, at) => {
    return ['/api/cars', { identifier: `k/${at}`, brand, model: `M${at}`, year: 2000 + at, clima: at > 1 }] as const;
  });
  await createItems(get, [...cars, ['/api/cars/k%2F0/oils', { type: '5W-30' }]]);
});
afterAll(() => app.close());

test('what reads', async () => {
  const { subjects } = await openCatalogue({ origin: ORIGIN, get });
  const seed = fc.sample(fc.nat(), 1)[0] ?? 1;
  for (const subject of subjects) {
    // A case is three requests.
    const result = await run(subject, { seed, cases: Math.ceil(REQUESTS / 6), time: 10 * 60_000, writes: true });
    expect([seed, result.findings.map(({ cause }) => cause)]).toEqual([seed, []]);
  }
  expect(count).toBeGreaterThan(REQUESTS / 2);
  expect(failed).toEqual([]);
  expect(app.faults).toEqual([]);
});

test('what writes', async () => {
  const requests: fc.Arbitrary<readonly [method: string, path: string, type: string, body: unknown]>[] = [];
  for (const tag of ['en', 'es']) {
    const document = await (await app.request(`/api/openapi.${tag}.json`)).json();
    const reader = new Reader(document);
    for (const operation of reader.operations) {
      const { method, template } = operation;
      const body = reader.findJson(operation);
      if (method === 'GET') continue;
      const keys = fc.constantFrom('k%2F0', 'k%2F1', '5W-30', 'none', '%20', 'a');
      const paths = keys.map((key) => template.replaceAll(/\{[^}]*\}/g, key));
      const members = Object.entries(reader.properties(body?.schema));
      const properties = Object.fromEntries(members.map(([name, value]) => [name, reader.resolve(value)]));
      const bodies = bodiesFor({ properties, required: reader.required(body?.schema) });
      const types = fc.constantFrom('application/json', TYPES[method] ?? 'application/json', 'text/csv', 'text/plain');
      requests.push(fc.tuple(fc.constant(method), paths, types, body ? bodies : fc.constant(undefined)));
    }
  }
  const property = fc.asyncProperty(fc.oneof(...requests), async ([method, path, type, body]) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
    await get(path, { method, ...content });
    expect(failed).toEqual([]);
    expect(app.faults).toEqual([]);
  });
  await fc.assert(property, { numRuns: REQUESTS / 2 });
});
