/** Headers on which it depends whether a request is carried out: preconditions, and keys of idempotency. */

import type { Context } from 'hono';
import type { Exchange } from '../http/context.ts';
import { decodeChange } from '../http/exchange.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import type { Condition, Idempotency, Precondition } from '../model/precondition.ts';
import { comparedCell, keyId } from '../model/query.ts';
import type { Keys } from '../port/port.ts';
import { sentence } from '../texts/phrase.ts';
import { headerProblem, type Problem } from '../texts/problem.ts';
import { sha256 } from './body/file-digest.ts';

const SINCE = 'If-Unmodified-Since';
const HEADERS = { match: 'If-Match', noneMatch: 'If-None-Match' } as const satisfies Record<Condition, string>;

/** A parsed `If-Match` or `If-None-Match` (RFC 9110 §13.1): `*` for any item, or tags. */
type TagList = '*' | readonly { readonly weak: boolean; readonly opaque: string }[];

const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

const TAGS = /^[\t ,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\t ]*(?:,[\t ,]*|$))+$/;

/** @returns the tags of a header; none for a malformed one, so that it never matches by accident */
function parseTags(header: string | null): TagList | undefined {
  if (header === null) return undefined;
  if (header.trim() === '*') return '*';
  if (!TAGS.test(header)) return [];
  return [...header.matchAll(ENTITY_TAG)].map(([, weak, opaque = '']) => ({ weak: weak !== undefined, opaque }));
}

export function preconditionProblem(condition: Condition): Problem {
  const phrase = condition === 'match' ? 'precondition-failed' : 'precondition-excluded';
  return headerProblem(HEADERS[condition], 'precondition-failed', sentence(phrase, {}));
}

/** A tag of this service without its quotation marks. */
const BARE = /^[\w.-]+$/;

/** @throws Problem `invalid-header` if a write has a condition that cannot be evaluated */
export function checkConditions(headers: Headers): void {
  for (const header of Object.values(HEADERS)) {
    const value = headers.get(header);
    if (value === null || value.trim() === '*' || TAGS.test(value)) continue;
    const suggestion = BARE.test(value) ? `"${value}"` : undefined;
    throw headerProblem(header, 'invalid-header', sentence('entity-tags-invalid', { header }), { value, suggestion });
  }
  const since = headers.get(SINCE);
  // RFC 9110 §13.1.4: `If-Match` takes its place.
  if (since === null || headers.get(HEADERS.match) !== null) return;
  throw headerProblem(SINCE, 'invalid-header', sentence('no-dates', {}), { value: since, suggestion: HEADERS.match });
}

const readTagLists = (headers: Headers) => ({
  match: parseTags(headers.get(HEADERS.match)),
  noneMatch: parseTags(headers.get(HEADERS.noneMatch)),
});

/**
 * @returns whether the client already has a response with this tag, which is `undefined` if it must not be stored
 * @throws Problem `precondition-failed` if `If-Match` names another one, as it always does if the tag is weak
 */
export function isNotModified(headers: Headers, tag: string | undefined): boolean {
  const { match, noneMatch } = readTagLists(headers);
  if (match !== undefined && match !== '*' && !match.some(({ weak, opaque }) => !weak && `"${opaque}"` === tag)) {
    throw preconditionProblem('match');
  }
  if (tag === undefined || noneMatch === undefined) return false;
  const strong = tag.replace(/^W\//, '');
  return noneMatch === '*' || noneMatch.some(({ opaque }) => `"${opaque}"` === strong);
}

type MarkTest = (mark: string) => boolean;

/** @returns the revisions in tags; none for a tag of another representation, or of another service */
function revisions(list: TagList | undefined, isCounted: MarkTest): Precondition['match'] {
  if (list === undefined || list === '*') return list;
  return list.flatMap(({ opaque }) => {
    const [, digits = '', mark = ''] = /^([0-9a-z]+)\.(.*)$/.exec(opaque) ?? [];
    return (isCounted(mark) ? decodeChange(digits) : undefined) ?? [];
  });
}

/** @returns the preconditions of a write in terms of revisions. @param isCounted whether a tag with this mark counts */
export function readPrecondition(headers: Headers, isCounted: MarkTest): Precondition | undefined {
  const { match, noneMatch } = readTagLists(headers);
  if (match === undefined && noneMatch === undefined) return undefined;
  // A weak tag never matches strongly, as `If-Match` must.
  const strong = match === '*' ? match : match?.filter(({ weak }) => !weak);
  return { match: revisions(strong, isCounted), noneMatch: revisions(noneMatch, isCounted) };
}

// The `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header-07).

/** Identifies the client of a request. @param c is the context of the app that has mounted the gateway, if there is one */
export type ClientIdOf = (c: Context) => string | undefined;

/** A String of RFC 8941 §3.3.3. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
/** A key without quotation marks, as many clients send it. */
const UNQUOTED = /^[!#-+\--:<-[\]-~]+$/;

const LONGEST = 255;

export function readIdempotencyKey(headers: Headers): string | undefined {
  const header = headers.get('Idempotency-Key');
  if (header === null) return undefined;
  const key = UNQUOTED.test(header) ? header : QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, '$1');
  if (key && key.length <= LONGEST) return key;
  const detail = sentence('idempotency-key-invalid', { header: 'Idempotency-Key', max: LONGEST });
  throw headerProblem('Idempotency-Key', 'invalid-header', detail, { value: header });
}

export function mismatchProblem(): Problem {
  const detail = sentence('idempotency-mismatch', { header: 'Idempotency-Key' });
  return headerProblem('Idempotency-Key', 'idempotency-mismatch', detail);
}

/** @returns a text that identifies the content of a request to create an item, in every language and order of members */
export function describePayload(
  { name, fields, parent }: Pick<Collection, 'name' | 'fields'> & Partial<Pick<Collection, 'parent'>>,
  parents: Keys,
  cells: readonly (Cell | undefined)[],
): string {
  const sentCells = fields.flatMap((field, at) => {
    const cell = cells[at] ?? null;
    return cell === null ? [] : [[field.name, field.compact ? comparedCell(field, cell) : cell]];
  });
  return JSON.stringify([name, parents.map((key) => keyId(parent?.key ?? {}, key)), sentCells]);
}

/** @returns what stands for an unidentified client. @throws Problem `invalid-header` without credentials: its key would be everybody's */
function readCredentials(headers: Headers): string {
  const credentials = [headers.get('authorization'), headers.get('cookie')];
  if (credentials.some((header) => header !== null)) return JSON.stringify(credentials);
  const detail = sentence('idempotency-key-anonymous', { header: 'Idempotency-Key' });
  throw headerProblem('Idempotency-Key', 'invalid-header', detail);
}

/**
 * Reads the key of a request. Without `clientIdOf` a key counts per credentials; all clients that it does not know are one.
 *
 * @returns a function from a payload to the idempotency record; `undefined` if the request has no key
 */
export function readIdempotency(
  c: Exchange,
  { idempotencyTtl, clientIdOf }: { readonly idempotencyTtl: number; readonly clientIdOf?: ClientIdOf },
): ((payload: string) => Idempotency) | undefined {
  const { headers } = c.req.raw;
  const key = readIdempotencyKey(headers);
  if (key === undefined) return undefined;
  // No client's id contains a line break.
  const client = clientIdOf ? (clientIdOf(c.env?.mountedBy ?? c) ?? '') : readCredentials(headers);
  const receivedAt = Date.now();
  return (payload) => ({
    key: sha256(`${client}\n${key}`),
    payload: sha256(payload),
    receivedAt,
    expires: receivedAt + idempotencyTtl,
  });
}
