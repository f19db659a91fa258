import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { MaybePromise } from '../../util/maybe-promise.ts';

/** Who sends a request. */
export interface Client {
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Remembers the client of each request for the log and for idempotency keys. */
export type KnownClients = ReturnType<typeof knownClients>;

export const knownClients = () => {
  const clients = new WeakMap<object, Client>();
  return {
    add: (incoming: IncomingMessage, client: Client): void => void clients.set(incoming, client),
    idOf: (incoming: object): string | undefined => clients.get(incoming)?.id,
    nameOf: (incoming: IncomingMessage): string | undefined => clients.get(incoming)?.name,
  };
};

/** @returns the client that a credential belongs to; `undefined` where it is unknown, expired or revoked */
export type Identify = (credential: string) => MaybePromise<Client | undefined>;

/** RFC 6750 §2.1 */
const BEARER = /^Bearer +([\w\-.~+/]+=*)$/i;

/** @returns the key or token of a request; any other scheme of `Authorization` is ignored, because it may be meant for a proxy */
export const credentialIn = (headers: IncomingHttpHeaders): string | undefined => {
  const { authorization, 'x-api-key': key } = headers;
  return BEARER.exec(authorization ?? '')?.[1] ?? (typeof key === 'string' ? key : undefined);
};
