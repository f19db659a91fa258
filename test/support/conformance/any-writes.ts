import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Collection } from '../../../src/gateway/model/catalogue.ts';
import type { Precondition } from '../../../src/gateway/model/precondition.ts';
import type { Intent, Outcome, Row } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { type CellRecord, toCells, toChanges } from '../database/cells.ts';
import { runsOf } from '../database/database.ts';
import { getItem } from '../database/reads.ts';
import { cars, keyOf, type ListRequest, oils, readList } from './fixtures.ts';
import { deletedSince } from './forgetting.ts';
import { plainList } from './lists/plain-lists.ts';

/** Few of each, so that writes meet. */
const KEYS = ['á', '"{}\\,', 'NULL'];
const TYPES = ["10W'40", '汽🚗'];

/** What a client knows of an item: its revision before the batch, another one, or that it is there. */
const conditions: Readonly<Record<string, (revision: number) => Precondition>> = {
  none: () => ({ match: undefined, noneMatch: undefined }),
  there: () => ({ match: '*', noneMatch: undefined }),
  'as known': (revision) => ({ match: [revision], noneMatch: undefined }),
  'not as known': (revision) => ({ match: undefined, noneMatch: [revision] }),
  'one of others': () => ({ match: [1, 2, 3], noneMatch: undefined }),
};

interface Asked {
  readonly kind: Intent['kind'];
  readonly of: Collection;
  readonly keys: readonly string[];
  readonly values: CellRecord;
  readonly condition: string;
}

const shared = {
  kind: fc.constantFrom('create', 'create', 'update', 'remove'),
  condition: fc.constantFrom('none', ...Object.keys(conditions)),
} as const;
const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({
    ...shared,
    of: fc.constant(cars),
    keys: fc.tuple(fc.constantFrom(...KEYS)),
    values: fc.record<CellRecord>(
      {
        brand: fc.constantFrom('Seat', 'SEAT', 'Škoda \\ "x"'),
        model: fc.constantFrom('Ibiza', '{1,2}'),
        year: fc.constantFrom(null, 1999, 2008),
        doors: fc.constantFrom(null, 0, 5),
        clima: fc.constantFrom(null, 0, 1),
      },
      { requiredKeys: ['brand', 'model'] },
    ),
  }),
  fc.record({
    ...shared,
    of: fc.constant(oils),
    keys: fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...TYPES)),
    values: fc.record<CellRecord>({ otherInfo: fc.constantFrom(null, 'x', '') }),
  }),
);

/** Items by their keys as JSON, in the order of creation. */
type Items = Map<string, Row>;
const idOf = (keys: readonly string[]): string => JSON.stringify(keys);

const intentOf = (items: Items, { kind, of, keys, values, condition }: Asked): Intent => {
  const collection = of.name;
  const precondition = conditions[condition]?.(items.get(idOf(keys))?.[0] ?? 0);
  if (kind === 'update') return { kind, collection, keys, changes: toChanges(of, values), precondition };
  if (kind === 'remove') return { kind, collection, keys, precondition };
  const cells = toCells(of, { ...values, [of.fields[0]?.name ?? '']: keys.at(-1) });
  return { kind, collection, parents: keys.slice(0, -1), cells };
};

const covers = (known: '*' | readonly number[], revision: number) => known === '*' || known.includes(revision);

/** The rules in plain words. @param change the number that the store has given. @returns what must become of an intent */
const plainOutcome = (items: Items, { of, keys }: Asked, intent: Intent, change: number): Outcome => {
  const id = idOf(keys);
  const row = items.get(id);
  if (keys.length > 1 && !items.has(idOf(keys.slice(0, 1)))) return { kind: 'missing', collection: cars.name };
  const write = (...cells: Row): Outcome => {
    items.set(id, cells);
    return { kind: 'written', row: cells };
  };
  if (intent.kind === 'create') return row ? { kind: 'already-exists' } : write(change, ...intent.cells);
  if (!row) return { kind: 'missing', collection: of.name };
  const [revision, ...cells] = row;
  const { match = '*', noneMatch = [] } = intent.precondition ?? {};
  if (!covers(match, revision)) return { kind: 'precondition-failed', condition: 'match' };
  if (covers(noneMatch, revision)) return { kind: 'precondition-failed', condition: 'noneMatch' };
  if (intent.kind === 'remove') {
    // With what is nested in it.
    for (const each of [...items.keys()]) if (each.startsWith(id.slice(0, -1))) items.delete(each);
    return { kind: 'removed', change };
  }
  const { changes } = intent;
  const now = cells.map((cell, at) => (changes[at] === undefined ? cell : changes[at]));
  if (now.every((cell, at) => cell === cells[at])) return { kind: 'written', row, isUnchanged: true };
  return write(change, ...now);
};

const numberOf = (outcome: Outcome): number => {
  if (outcome.kind === 'written') return outcome.row[0];
  return outcome.kind === 'removed' ? outcome.change : 0;
};

const lists: readonly ListRequest[] = [
  { order: 'desc' },
  { filters: { brand: ['seat'] } },
  { from: { year: 2000 }, sort: 'doors,brand', order: 'desc' },
];

/** Whatever is written in whatever batches, each intent has the outcome of the plain rules, and lists and items are as they leave them. */
export const anyWrites =
  (runs: number) =>
  (store: () => Store): void => {
    describe('any writes', () => {
      test('do what the plain rules say, one after the other', async () => {
        const items: Items = new Map();
        const rowsOf = (...parents: readonly string[]): readonly Row[] =>
          [...items].flatMap(([id, row]) => {
            const keys: readonly string[] = JSON.parse(id);
            return idOf(keys.slice(0, -1)) === idOf(parents) ? [row] : [];
          });
        let change = (await readList(store(), cars, []))?.change ?? 0;
        await fc.assert(
          fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 40 }), async (batch) => {
            const [before, known] = [change, rowsOf()];
            const intents = batch.map((each) => intentOf(items, each));
            const outcomes = await Promise.all(intents.map((intent) => store().write(intent)));
            for (const [at, outcome] of outcomes.entries()) {
              const [one, intent] = [batch[at] as Asked, intents[at] as Intent];
              const number = numberOf(outcome);
              expect([one, outcome]).toEqual([one, plainOutcome(items, one, intent, number)]);
              if (number === 0 || ('isUnchanged' in outcome && outcome.isUnchanged)) continue;
              expect(number).toBeGreaterThan(change);
              change = number;
            }
            const rows = rowsOf();
            expect(await readList(store(), cars, [])).toEqual({ total: rows.length, change, rows });
            for (const each of lists) {
              const listed = await readList(store(), cars, [], each);
              expect([each, listed?.rows]).toEqual([each, plainList(cars, rows, each)]);
            }
            for (const key of KEYS) {
              expect(await getItem(store(), cars, [key])).toEqual(items.get(idOf([key])));
              expect((await readList(store(), oils, [key]))?.rows).toEqual(
                items.has(idOf([key])) ? rowsOf(key) : undefined,
              );
              for (const type of TYPES) {
                expect(await getItem(store(), oils, [key, type])).toEqual(items.get(idOf([key, type])));
              }
            }
            const gone = known.map(keyOf).filter((key) => !items.has(idOf([key])));
            expect(await deletedSince(store(), before)).toEqual(expect.arrayContaining(gone));
          }),
          { numRuns: runsOf(runs) },
        );
      });
    });
  };
