import type { ApiKeyStore, StoredApiKey } from '../../store/clients.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
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
export const keyRing = ({ all }: ApiKeyStore, now: () => number = Date.now): Identify => {
  let known: MaybePromise<KeysById> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  const current = (): MaybePromise<KeysById> => {
    if (known instanceof Promise || performance.now() - readAt < MAX_AGE) return known;
    const begun = performance.now();
    const keys = andThen(all(), (found): KeysById => new Map(found.map((key) => [key.id, knownKey(key)])));
    [known, readAt] = [keys, begun];
    // Whoever waits for keys that cannot be read fails, and whoever comes then reads again.
    if (keys instanceof Promise) {
      keys.then(
        (read) => {
          known = read;
        },
        () => {
          [known, readAt] = [new Map(), Number.NEGATIVE_INFINITY];
        },
      );
    }
    return keys;
  };
  return (credential): MaybePromise<Client | undefined> => {
    const id = keyIdIn(credential);
    if (id === undefined) return undefined;
    return andThen(current(), (keys) => {
      const key = keys.get(id);
      if (!key || !matchesHash(key.hash, credential)) return undefined;
      return key.expires <= now() ? undefined : key.client;
    });
  };
};
