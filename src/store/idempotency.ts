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

export type FindRecord = (key: string) => IdempotencyRecord | undefined;

/** @returns the earlier request with the same key; `undefined` if this is the first one, or the key has expired */
export function findKnown(
  { key, payload, received }: Idempotency,
  ...places: readonly FindRecord[]
): { readonly isSame: boolean; readonly result: string } | undefined {
  const records = places.map((find) => find(key));
  const record = records.find((each) => each && each.expires > received);
  return record && { isSame: record.payload === payload, result: record.result };
}

/** By the names of the fields, because a record may be older than the catalogue. */
export function writeRow({ fields }: Collection, [revision, ...cells]: Row): string {
  return JSON.stringify([revision, Object.fromEntries(fields.map(({ name }, at) => [name, cells[at] ?? undefined]))]);
}

export function readRow({ fields }: Collection, result: string): Row {
  const [revision, cells] = JSON.parse(result) as readonly [number, Readonly<Record<string, Cell>>];
  return [revision, ...fields.map(({ name }) => cells[name] ?? null)];
}
