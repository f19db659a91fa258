import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import { clientAddress } from './address.ts';

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Remembers the client of each request for the log, for idempotency keys and for shares. */
export type KnownClients = WeakMap<IncomingMessage, Client>;

/** @returns by what a client is counted: by its key, else by the address of its request */
export function countedAs(client: Client | undefined, address = ''): string {
  return client ? `key ${client.id}` : clientAddress(address);
}

/** @returns the client that a credential belongs to; `undefined` if it is unknown, expired or revoked */
export type Identify = (credential: string) => MaybePromise<Client | undefined>;

/** RFC 6750 §2.1 */
const BEARER = /^Bearer +([\w\-.~+/]+=*)$/i;

/** @returns the key or token of a request; any other scheme of `Authorization` is ignored, because it may be meant for a proxy */
export function readCredential({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1] ?? (typeof key === 'string' ? key : undefined);
}
