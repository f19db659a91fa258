/** Requests that are carried out once, however often they are sent (`Idempotency-Key`). */
import type { Collection } from '../gateway/model/catalogue.ts';
import type { Cell } from '../gateway/model/field.ts';
import type { Idempotency } from '../gateway/model/precondition.ts';
import type { Row } from '../gateway/port/port.ts';

/** The record of a request, stored in the same transaction as its writes. */
export interface NewRecord extends Idempotency {
  /** JSON. */
  readonly result: string;
}

export type IdempotencyRecord = Omit<NewRecord, 'received'>;

/** @returns the record of a key, where there is one */
export type FindRecord = (key: string) => IdempotencyRecord | undefined;

/** The earlier request with the same key. */
type Known = { readonly isSame: true; readonly result: string } | { readonly isSame: false };

/** @returns `undefined` where the request is the first one with its key, or the key has expired */
export const findKnown = (
  { key, payload, received }: Idempotency,
  ...places: readonly FindRecord[]
): Known | undefined => {
  for (const find of places) {
    const record = find(key);
    if (!record || record.expires <= received) continue;
    return record.payload === payload ? { isSame: true, result: record.result } : { isSame: false };
  }
  return undefined;
};

/** By the names of the fields, because a record may be older than the catalogue. */
export const writeRow = ({ fields }: Collection, [revision, ...cells]: Row): string =>
  JSON.stringify([revision, Object.fromEntries(fields.map(({ name }, at) => [name, cells[at] ?? undefined]))]);

export const readRow = ({ fields }: Collection, result: string): Row => {
  const [revision, cells] = JSON.parse(result) as readonly [number, Readonly<Record<string, Cell>>];
  return [revision, ...fields.map(({ name }) => cells[name] ?? null)];
};
