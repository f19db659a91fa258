/** What was taken for a difference, and is none; and what findings say of a key. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { command } from '../../packages/parity/src/command.ts';
import { type AnyRequest, ask, describeDifferences } from '../../packages/parity/src/kit/every-language.ts';
import { run } from '../../packages/parity/src/run.ts';
import type { KnownClients } from '../../src/host/access/client.ts';
import { createKeyIdentifier, makeKey } from '../../src/host/access/keys.ts';
import { createAccessGate } from '../../src/host/access/policies.ts';
import { openApp } from '../support/app/app.ts';
import { openServer } from '../support/app/server.ts';
import { allTags, folderWith } from '../support/language/new-languages.ts';
import { openGarage } from '../support/parity/garage.ts';

const headers = { 'content-type': 'application/json' };

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
    for (const [url, body] of items) await app.request(url, { method: 'POST', headers, body: JSON.stringify(body) });
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
    for (const [url, body] of items) await garage.send(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await garage.send('/api/cars')).headers.get('x-total-count')).toBe(`${30 + words.length}`);
    const { findings } = await run(await garage.open(), { seed: 7, cases: 150, time: 60_000 });
    expect(findings.map(({ cause, mismatch }) => [cause, mismatch.differences])).toEqual([]);
  });
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
    for (const identifier of ['a', 'b/ñ', 'c'])
      await fetch(`${server.origin}/api/cars`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${key}` },
        body: JSON.stringify({ identifier, brand: 'Seat', model: identifier }),
      });
    return { origin: server.origin, key };
  };

  test('says “<key>” and «<clave>» in refusals, which is one', async () => {
    const { origin, key } = await open();
    const spoken = await ask(origin, { GET: '/api/cars' });
    expect([spoken.map(({ answer }) => answer.status), describeDifferences(spoken)]).toEqual([[401, 401], '']);
    const printed: string[] = [];
    const code = await command([origin, '--key', key, '--seed', '7', '--cases', '150'], (text) => printed.push(text));
    expect(printed.join('\n')).toMatch(/^statuses: .*401 [1-9]/m);
    expect([code, printed.join('\n')]).toEqual([0, expect.stringContaining(' 0 different ')]);
  });

  test('has commands with a variable instead of the key, and of every header that is given', async () => {
    const { origin, key } = await open();
    const printed: string[] = [];
    const get = async (url: string, init?: RequestInit): Promise<Response> => {
      const answer = await fetch(url, init);
      if (!url.includes('/api/coches') || !answer.ok) return answer;
      return new Response((await answer.text()).replaceAll('"Seat"', '"Seta"'), answer);
    };
    const args = [origin, '--key', key, '--header', 'X-Tenant: secret-tenant', '--seed', '7', '--cases', '80'];
    expect(await command(args, (text) => printed.push(text), get)).toBe(1);
    expect(printed.join('\n')).toContain(
      `curl -i -H "authorization: Bearer $KEY" -H "x-tenant: $X_TENANT" '${origin}/api/co`,
    );
    expect(printed.join('\n')).not.toMatch(new RegExp(`${key}|secret-tenant`));
  });
});
