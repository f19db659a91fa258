import { describe, expect, test } from 'vitest';
import type { StoredApiKey } from '../../../src/store/clients.ts';
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
    test('come back as they were stored, oldest first', async () => {
      const { apiKeys: keys } = store();
      expect(await keys.all()).toEqual([]);
      await keys.add(KEY);
      await keys.add(OLDER);
      expect(await keys.all()).toEqual([OLDER, KEY]);
    });

    test('are removed once', async () => {
      const { apiKeys: keys } = store();
      await keys.add(KEY);
      await keys.add(OLDER);
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
