/** The `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header-07). */
import type { Context } from 'hono';
import type { Exchange } from '../http/context.ts';
import { IDEMPOTENCY_HEADER } from '../http/exchange.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import type { Idempotency } from '../model/precondition.ts';
import type { Keys } from '../port/port.ts';
import { sentence } from '../texts/phrase.ts';
import { headerProblem, type Problem } from '../texts/problem.ts';
import { sha256 } from './body/file-digest.ts';

/**
 * @param c is the context of the app that has mounted the gateway, where there is one
 * @returns the id of the client that sent a request; `undefined` where it was not identified
 */
export type ClientIdOf = (c: Context) => string | undefined;

/** A String of RFC 8941 §3.3.3. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
/** The same without quotation marks, which many clients send instead. */
const BARE = /^[!#-+\--:<-[\]-~]+$/;

/** The most characters of a key. */
const LONGEST = 255;

const keyIn = (header: string): string | undefined => {
  const key = BARE.test(header) ? header : QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, '$1');
  return key === undefined || key === '' || key.length > LONGEST ? undefined : key;
};

/**
 * @returns the key of a request; `undefined` where it has none
 * @throws Problem `invalid-header`
 */
export const idempotencyKeyIn = (headers: Headers): string | undefined => {
  const header = headers.get(IDEMPOTENCY_HEADER);
  if (header === null) return undefined;
  const key = keyIn(header);
  if (key !== undefined) return key;
  const detail = sentence('idempotency-key-invalid', { header: IDEMPOTENCY_HEADER, max: LONGEST });
  throw headerProblem(IDEMPOTENCY_HEADER, 'invalid-header', detail, { value: header });
};

export const idempotencyMismatch = (): Problem => {
  const detail = sentence('idempotency-mismatch', { header: IDEMPOTENCY_HEADER });
  return headerProblem(IDEMPOTENCY_HEADER, 'idempotency-mismatch', detail);
};

/**
 * @returns a text that identifies the content of a request to create an item: it is the same in every language and for every
 *   order of members
 * @param cells as they were sent, without a key that the service assigned
 */
export const itemPayload = (
  { name, fields }: Pick<Collection, 'name' | 'fields'>,
  parents: Keys,
  cells: readonly (Cell | undefined)[],
): string => {
  const sent = fields.flatMap((field, at) => ((cells[at] ?? null) === null ? [] : [[field.name, cells[at]]]));
  return JSON.stringify([name, parents, sent]);
};

/**
 * @returns what stands for a client that nobody identifies: two that send the same credentials are one
 * @throws Problem `invalid-header` where it sends none, because its key would be everybody's
 */
function credentialsIn(headers: Headers): string {
  const sent = [headers.get('authorization'), headers.get('cookie')];
  if (sent.some((each) => each !== null)) return JSON.stringify(sent);
  const detail = sentence('idempotency-key-anonymous', { header: IDEMPOTENCY_HEADER });
  throw headerProblem(IDEMPOTENCY_HEADER, 'invalid-header', detail);
}

/**
 * Reads the key of a request.
 *
 * @param options.clientIdOf identifies clients, of whom all that it does not know are one; without it a key counts per credentials
 * @returns a function from a payload to the idempotency record; `undefined` if the request has no key
 * @throws Problem `invalid-header`
 */
export function readIdempotency(
  c: Exchange,
  { idempotencyTtl, clientIdOf }: { readonly idempotencyTtl: number; readonly clientIdOf?: ClientIdOf },
): ((payload: string) => Idempotency) | undefined {
  const { headers } = c.req.raw;
  const key = idempotencyKeyIn(headers);
  if (key === undefined) return undefined;
  // No client's id contains a line break.
  const client = clientIdOf ? (clientIdOf(c.env?.mountedBy ?? c) ?? '') : credentialsIn(headers);
  const received = Date.now();
  return (payload) => ({
    key: sha256(`${client}\n${key}`),
    payload: sha256(payload),
    received,
    expires: received + idempotencyTtl,
  });
}
