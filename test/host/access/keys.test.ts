import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { readCredential } from '../../../src/host/access/client.ts';
import { createKeyIdentifier, findKeyId, makeKey, matchesHash } from '../../../src/host/access/keys.ts';
import type { ApiKeyStore, StoredApiKey } from '../../../src/store/clients.ts';

const wanted = { name: 'Shop', scopes: ['read'], created: 1, expires: undefined } as const;

test('a key can be recognised, and only its SHA-256 is stored', () => {
  const { key, stored } = makeKey(wanted);
  expect(key).toMatch(/^cardealer_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}$/);
  expect(stored).toEqual({ ...wanted, id: key.slice(10, 20), hash: createHash('sha256').update(key).digest('hex') });
  expect(findKeyId(key)).toBe(stored.id);
  const hash = Buffer.from(stored.hash, 'hex');
  expect(matchesHash(hash, key)).toBe(true);
  expect(matchesHash(hash, `${key.slice(0, -1)}!`)).toBe(false);
  expect(matchesHash(Buffer.of(), key)).toBe(false);
});

test('no two keys are alike', () => {
  const keys = Array.from({ length: 100 }, () => makeKey(wanted).key);
  expect(new Set(keys.flatMap((key) => [key.slice(10, 20), key.slice(21)])).size).toBe(200);
});

test.each([
  [{ authorization: 'Bearer abc' }, 'abc'],
  [{ authorization: 'bearer   a.b-c_d~e+f/g==' }, 'a.b-c_d~e+f/g=='],
  [{ 'x-api-key': 'abc' }, 'abc'],
  [{ authorization: 'Bearer one', 'x-api-key': 'two' }, 'one'],
  [{ authorization: 'Basic dTpw', 'x-api-key': 'two' }, 'two'],
  [{ authorization: 'Basic dTpw' }, undefined],
  [{ authorization: 'Bearer' }, undefined],
  [{ authorization: 'Bearer a b' }, undefined],
  [{ authorization: 'abc' }, undefined],
  [{}, undefined],
])('the credential in %j', (headers, credential) => expect(readCredential(headers)).toBe(credential));

describe('a ring of keys', () => {
  const storeOf = (all: () => readonly StoredApiKey[] | Promise<readonly StoredApiKey[]>): ApiKeyStore => ({
    all: vi.fn(all),
    add: () => {},
    remove: () => false,
  });

  test('knows the key itself and nothing like it', async () => {
    const { key, stored } = makeKey(wanted);
    const identify = createKeyIdentifier(storeOf(() => [stored]));
    expect(await identify(key)).toEqual({ id: stored.id, name: 'Shop', scopes: ['read'] });
    const another = makeKey(wanted).key;
    const others = [
      '',
      'x',
      key.slice(0, -1),
      `${key}x`,
      key.toLowerCase(),
      another,
      key.slice(0, 21) + another.slice(21),
    ];
    for (const other of others) expect([other, await identify(other)]).toEqual([other, undefined]);
  });

  test('knows a key until its end', async () => {
    const { key, stored } = makeKey({ ...wanted, expires: 1_000 });
    let now = 999;
    const identify = createKeyIdentifier(
      storeOf(() => [stored]),
      () => now,
    );
    expect(await identify(key)).toBeDefined();
    now = 1_000;
    expect(await identify(key)).toBeUndefined();
  });

  test('reads the keys once for all who ask at the same time, and not for what is no key', async () => {
    const { key, stored } = makeKey(wanted);
    const keys = storeOf(async () => [stored]);
    const identify = createKeyIdentifier(keys);
    await identify('no key');
    expect(keys.all).not.toHaveBeenCalled();
    await Promise.all([identify(key), identify(key), identify(key)]);
    await identify(key);
    expect(keys.all).toHaveBeenCalledTimes(1);
  });

  test('lets nobody pass while the keys cannot be read, and recovers', async () => {
    const { key, stored } = makeKey(wanted);
    let isDown = true;
    const identify = createKeyIdentifier(
      storeOf(async () => {
        if (isDown) throw new Error('down');
        return [stored];
      }),
    );
    await expect((async () => identify(key))()).rejects.toThrow('down');
    isDown = false;
    expect(await identify(key)).toBeDefined();
  });
});
