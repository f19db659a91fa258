import type { ApiKeyStore, StoredApiKey } from '../../store/clients.ts';
import { keyIdIn, matchesHash } from './api-key.ts';
import type { Client, Identify } from './client.ts';

/** Milliseconds for which keys are cached, so that a new or revoked key takes effect in every process within a second. */
const MAX_AGE = 500;

interface KnownKey {
  readonly hash: Buffer;
  readonly expires: number;
  readonly client: Client;
}

type KeysById = ReadonlyMap<string, KnownKey>;

const knownKey = ({ id, name, scopes, hash, expires = Number.POSITIVE_INFINITY }: StoredApiKey): KnownKey => ({
  hash: Buffer.from(hash, 'hex'),
  expires,
  client: { id, name, scopes },
});

/**
 * Identifies clients by their keys. All keys are read together, and again by the first request that needs them after they have
 * become stale; a request fails where its keys cannot be read.
 *
 * @param now milliseconds since 1970
 */
export function keyRing({ all }: ApiKeyStore, now: () => number = Date.now): Identify {
  let keys: Promise<KeysById>;
  let readAt = Number.NEGATIVE_INFINITY;

  async function readKeys(): Promise<KeysById> {
    const begun = performance.now();
    // Requests that arrive meanwhile wait for the same keys.
    readAt = Number.POSITIVE_INFINITY;
    try {
      const stored = await all();
      readAt = begun;
      return new Map(stored.map((key) => [key.id, knownKey(key)]));
    } catch (error) {
      readAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }
  return async (credential) => {
    const id = keyIdIn(credential);
    if (id === undefined) return undefined;
    if (performance.now() - readAt >= MAX_AGE) keys = readKeys();
    const key = (await keys).get(id);
    if (!key || !matchesHash(key.hash, credential)) return undefined;
    return key.expires <= now() ? undefined : key.client;
  };
}
