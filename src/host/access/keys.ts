/** Keys of clients: how they are made, and how clients are identified by them. */
import { hash, timingSafeEqual } from 'node:crypto';
import { customAlphabet } from 'nanoid';
import type { ApiKeyStore, StoredApiKey } from '../../store/clients.ts';
import type { Identify } from './client.ts';

/** A key is `cardealer_<id>_<secret>`, so that scanners of source code and logs recognise it. */
const KEY = /^cardealer_([0-9A-Za-z]{10})_[0-9A-Za-z]{32}$/;
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** @returns what identifies a key, or a hook, to people */
export const createId = customAlphabet(LETTERS, 10);
/** A secret has 190 bits, too many to guess: a fast hash is enough. */
const createSecret = customAlphabet(LETTERS, 32);
/** Milliseconds for which keys are cached, so that a new or revoked key takes effect in every process within a second. */
const MAX_AGE = 500;

function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

export function findKeyId(text: string): string | undefined {
  return KEY.exec(text)?.[1];
}

export function makeKey(options: Omit<StoredApiKey, 'id' | 'hash'>): {
  readonly key: string;
  readonly stored: StoredApiKey;
} {
  const id = createId();
  const key = `cardealer_${id}_${createSecret()}`;
  return { key, stored: { id, hash: hashKey(key).toString('hex'), ...options } };
}

export function matchesHash(stored: Buffer, key: string): boolean {
  const actual = hashKey(key);
  return stored.length === actual.length && timingSafeEqual(stored, actual);
}

/** Reads the keys of the store all together, and again with the first request that needs them after they have become stale. */
class KeyCache {
  readonly #store: ApiKeyStore;
  #keys: Promise<ReadonlyMap<string, StoredApiKey>> | undefined;
  #readAt = 0;

  constructor(store: ApiKeyStore) {
    this.#store = store;
  }

  async find(id: string): Promise<StoredApiKey | undefined> {
    if (!this.#keys || performance.now() - this.#readAt >= MAX_AGE) this.#keys = this.#read();
    return (await this.#keys).get(id);
  }

  async #read(): Promise<ReadonlyMap<string, StoredApiKey>> {
    const startedAt = performance.now();
    // Requests that arrive meanwhile wait for the same keys.
    this.#readAt = Number.POSITIVE_INFINITY;
    try {
      const stored = await this.#store.all();
      this.#readAt = startedAt;
      return new Map(stored.map((key) => [key.id, key]));
    } catch (error) {
      this.#keys = undefined;
      throw error;
    }
  }
}

export function createKeyIdentifier(store: ApiKeyStore, now: () => number = Date.now): Identify {
  const cache = new KeyCache(store);
  return async (credential) => {
    const id = findKeyId(credential);
    const key = id === undefined ? undefined : await cache.find(id);
    if (!key || !matchesHash(Buffer.from(key.hash, 'hex'), credential)) return undefined;
    const { name, scopes, expires = Number.POSITIVE_INFINITY } = key;
    return expires > now() ? { id: key.id, name, scopes } : undefined;
  };
}
