import { describe, expect, test } from 'vitest';
import type { HookState, StoredApiKey, StoredHook } from '../../../src/store/clients.ts';
import type { Store } from '../../../src/store/store.ts';

const KEY: StoredApiKey = {
  id: 'b',
  name: 'Señor O’Hara "; DROP TABLE cars',
  hash: 'a'.repeat(64),
  scopes: ['read', 'write'],
  created: 2_000_000_000_001,
  expires: 2_100_000_000_002,
};
const OLDER: StoredApiKey = { ...KEY, id: 'a', scopes: ['read'], created: 1, expires: undefined };

/** The keys of clients. */
export const clientKeys = (store: () => Store): void => {
  describe('keys of clients', () => {
    test('come back as they were stored, oldest first, and are removed once', async () => {
      const { apiKeys: keys } = store();
      expect(await keys.all()).toEqual([]);
      await keys.add(KEY);
      await keys.add(OLDER);
      expect(await keys.all()).toEqual([OLDER, KEY]);
      expect([await keys.remove('b'), await keys.remove('b'), await keys.remove('c')]).toEqual([true, false, false]);
      expect(await keys.all()).toEqual([OLDER]);
    });

    test('have an id each', async () => {
      const { apiKeys: keys } = store();
      await keys.add(KEY);
      await expect((async () => keys.add({ ...OLDER, id: KEY.id }))()).rejects.toThrow();
      expect(await keys.all()).toEqual([KEY]);
    });
  });
};

export const HOOK: StoredHook = {
  id: 'b',
  url: 'https://shop.example/in?a=b',
  list: '/api/coches?marca=Citro%C3%ABn',
  language: 'es',
  collection: 'cars',
  secret: 'whsec_QUJD',
  created: 2_000_000_000_001,
  state: { position: '0', failures: 0, next: 0, isSuspended: false },
};
export const LATER: HookState = {
  position: '0',
  batch: { id: 'msg_1', body: '{"data":[{"modelo":"León 🚗"}]}', position: '5z' },
  failures: 3,
  since: 2_000_000_000_002,
  fault: 'HTTP 500',
  next: 2_000_000_000_003,
  isSuspended: true,
};

/** Where changes are sent. */
export const clientHooks = (store: () => Store): void => {
  describe('hooks', () => {
    test('come back as they were stored, oldest first, and are removed once', async () => {
      const { hooks } = store();
      const older = { ...HOOK, id: 'c', created: 1, state: LATER };
      await hooks.add(HOOK);
      await hooks.add(older);
      expect(await hooks.all()).toEqual([older, HOOK]);
      expect([await hooks.remove('b'), await hooks.remove('b'), await hooks.remove('c')]).toEqual([true, false, true]);
      expect(await hooks.all()).toEqual([]);
    });

    test('one holder at a time has one, until its time is over; a state is saved in the place of the one that it follows', async () => {
      const { hooks } = store();
      await hooks.add(HOOK);
      expect(await hooks.take('b', 'me', 100, 200)).toEqual(HOOK);
      expect(await hooks.take('b', 'you', 200, 300)).toBeUndefined();
      expect(await hooks.save('b', LATER, HOOK.state)).toBe(false);
      expect(await hooks.save('b', HOOK.state, LATER)).toBe(true);
      expect(await hooks.take('b', 'me', 150, 250)).toEqual({ ...HOOK, state: LATER });
      expect(await hooks.take('b', 'you', 251, 300)).toEqual({ ...HOOK, state: LATER });
      expect(await hooks.save('b', HOOK.state, LATER)).toBe(false);
      expect(await hooks.save('x', HOOK.state, LATER)).toBe(false);
      expect(await hooks.take('x', 'me', 0, 1)).toBeUndefined();
      await hooks.remove('b');
    });
  });
};
