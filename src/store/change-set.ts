import type { Collection } from '../gateway/model/catalogue.ts';
import type { Cell } from '../gateway/model/field.ts';
import type { Idempotency } from '../gateway/model/precondition.ts';
import type { Row } from '../gateway/port/port.ts';

/** Change numbers count from here, in `TICKS` a millisecond: 2^53 of them last until the year 3140. */
const EPOCH = Date.UTC(2025, 0);
const TICKS = 256;

/** Milliseconds without a change after which the gap in numbers is stored; one before the first commit of a process always is. No restore or promotion is faster, so that a position in a gap is one of lost changes. */
export const MIN_GAP = 2_000;

export function changeAt(time: number): number {
  return (time - EPOCH) * TICKS;
}

/** The changes of one transaction: assigns their numbers, and has its records. Numbers follow the clock, so that a database that was restored, or promoted without the last commits, assigns none twice. */
export class ChangeSet {
  readonly last: number;
  readonly #least: number;
  readonly #minGap: number;
  readonly #records = new Map<string, NewRecord>();
  #change: number;

  constructor(last: number, now = Date.now(), minGap = MIN_GAP) {
    this.last = last;
    this.#change = last;
    this.#least = changeAt(now);
    this.#minGap = minGap;
  }

  readonly nextChange = (): number => {
    this.#change = Math.max(this.#change + 1, this.#least);
    return this.#change;
  };

  readonly lastChange = (): number | undefined => (this.#change === this.last ? undefined : this.#change);

  readonly gapMarker = (): number | undefined => {
    const end = this.#least - 1;
    return this.#change !== this.last && end - this.last > this.#minGap * TICKS ? end : undefined;
  };

  readonly addRecord = (record: NewRecord): void => void this.#records.set(record.key, record);
  readonly findRecord = (key: string): NewRecord | undefined => this.#records.get(key);
  readonly records = (): readonly NewRecord[] => [...this.#records.values()];
}

export interface NewRecord extends Idempotency {
  readonly result: string;
}

export type IdempotencyRecord = Omit<NewRecord, 'receivedAt'>;

export type FindRecord = (key: string) => IdempotencyRecord | undefined;

/** @returns the result of an earlier request with the same idempotency key, unless that has expired; `isSame` if its content was the same */
export function findEarlier(
  { key, payload, receivedAt }: Idempotency,
  ...places: readonly FindRecord[]
): { readonly isSame: boolean; readonly result: string } | undefined {
  const records = places.map((find) => find(key));
  const record = records.find((candidate) => candidate && candidate.expires > receivedAt);
  return record && { isSame: record.payload === payload, result: record.result };
}

/** Writes cells by the names of their fields, because a record may be older than the catalogue that reads it. */
export function writeRow({ fields }: Collection, [revision, ...cells]: Row): string {
  return JSON.stringify([revision, Object.fromEntries(fields.map(({ name }, at) => [name, cells[at] ?? undefined]))]);
}

export function readRow({ fields }: Collection, result: string): Row {
  const [revision, cells] = JSON.parse(result) as readonly [number, Readonly<Record<string, Cell>>];
  return [revision, ...fields.map(({ name }) => cells[name] ?? null)];
}
