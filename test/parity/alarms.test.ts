/** What was taken for a difference, and is none; and what findings say of a key. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { check } from '../../packages/parity/src/check.ts';
import type { Fetch } from '../../packages/parity/src/kit/dictionary.ts';
import { type AnyRequest, ask } from '../../packages/parity/src/kit/every-language.ts';
import { describeDifferences } from '../../packages/parity/src/kit/same.ts';
import { run } from '../../packages/parity/src/run.ts';
import type { KnownClients } from '../../src/host/access/client.ts';
import { createKeyIdentifier, makeKey } from '../../src/host/access/keys.ts';
import { createAccessGate } from '../../src/host/access/policies.ts';
import { openApp } from '../support/app/app.ts';
import { openServer } from '../support/app/server.ts';
import { allTags, folderWith } from '../support/language/new-languages.ts';
import { openGarage } from '../support/parity/garage.ts';
import { createItems, runParity } from '../support/parity/run-parity.ts';

describe('keys that are words', () => {
  const words = ['cars', 'coches', 'automóveis', 'oils', 'aceites', 'marca'];
  const cars = words.map((identifier) => ['/api/cars', { identifier, brand: 'x', model: 'y' }] as const);
  const oils = words.flatMap((key) =>
    words.map((type) => [`/api/cars/${encodeURIComponent(key)}/oils`, { type }] as const),
  );
  const items = [...cars, ...oils];

  test('are the same in every language of the kit', async () => {
    const { app, close } = await openApp({ locales: folderWith(...allTags) });
    onTestFinished(() => close());
    await createItems(async (url, init) => app.request(url, init), items);
    const requests = words
      .map(encodeURIComponent)
      .flatMap((key): readonly AnyRequest[] => [
        { GET: `/api/coches/coches/aceites/${key}` },
        { GET: `/api/cars/none/oils/${key}` },
        { GET: `/api/cars/cars/${key}/cars` },
        { GET: `/api/cars/${key}/oils/${key}/${key}` },
        { DELETE: `/api/cars/${key}/oils/none` },
        { GET: `/api/cars?brand=${key}` },
        { POST: `/api/cars`, body: { identifier: decodeURIComponent(key), brand: 'x', model: 'y' } },
      ]);
    const differences = await Promise.all(requests.map(async (each) => describeDifferences(await ask(app, each))));
    expect(differences.filter((text) => text !== '')).toEqual([]);
  });

  test('are the same in both trees', async () => {
    const garage = await openGarage();
    onTestFinished(() => garage.close());
    await createItems(garage.send, items);
    expect((await garage.send('/api/cars')).headers.get('x-total-count')).toBe(`${30 + words.length}`);
    const { findings } = await run(await garage.open(), { seed: 7, cases: 150, time: 60_000 });
    expect(findings.map(({ cause, mismatch }) => [cause, mismatch.differences])).toEqual([]);
  });
});

test.each(['HEAD', 'GET', 'OPTIONS'])('%s of a file is the same in both trees', async (method) => {
  const garage = await openGarage();
  onTestFinished(() => garage.close());
  const trees = await garage.open();
  const [one, other] = trees.tags;
  const request = { kind: 'a file', method, url: '/api/exportaciones/coches?formato=csv' };
  expect(await check(trees, { request, one, other })).toMatchObject({ kind: 'same' });
});

describe('a service that needs keys', () => {
  const open = async () => {
    const clients: KnownClients = new WeakMap();
    const server = await openServer({
      access: 'all',
      clientIdOf: ({ env }) => clients.get(env.incoming)?.id,
      guards: ({ apiKeys }) => [createAccessGate('all', createKeyIdentifier(apiKeys), undefined, clients)],
    });
    onTestFinished(() => server.close());
    const { key, stored } = makeKey({ name: 'test', scopes: ['read', 'write'], created: 0, expires: undefined });
    await server.store.apiKeys.add(stored);
    const send: Fetch = (url, init) =>
      fetch(server.origin + url, { ...init, headers: { ...init?.headers, authorization: `Bearer ${key}` } });
    await createItems(
      send,
      ['a', 'b/ñ', 'c'].map((identifier) => ['/api/cars', { identifier, brand: 'Seat', model: identifier }] as const),
    );
    return { origin: server.origin, key };
  };

  test('says “<key>” and «<clave>» in refusals, which is one', async () => {
    const { origin, key } = await open();
    const answers = await ask(origin, { GET: '/api/cars' });
    expect([answers.map(({ answer }) => answer.status), describeDifferences(answers)]).toEqual([[401, 401], '']);
    const { code, text } = await runParity([origin, '--key', key, '--seed', '7', '--cases', '150']);
    expect(text).toMatch(/^statuses: .*401 [1-9]/m);
    expect([code, text]).toEqual([0, expect.stringContaining(' 0 different ')]);
  });

  test('has commands with a variable instead of the key, and of every header that is given', async () => {
    const { origin, key } = await open();
    const get: Fetch = async (url, init) => {
      const answer = await fetch(url, init);
      if (!url.includes('/api/coches') || !answer.ok) return answer;
      return new Response((await answer.text()).replaceAll('"Seat"', '"Seta"'), answer);
    };
    const args = [origin, '--key', key, '--header', 'X-Tenant: secret-tenant', '--seed', '7', '--cases', '80'];
    const { code, text } = await runParity(args, get);
    expect(code).toBe(1);
    expect(text).toContain(`curl -i -H "authorization: Bearer $KEY" -H "x-tenant: $X_TENANT" '${origin}/api/co`);
    expect(text).not.toMatch(new RegExp(`${key}|secret-tenant`));
  });
});
