import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../../src/gateway/model/field.ts';
import type { Idempotency } from '../../../../src/gateway/model/precondition.ts';
import type { Store } from '../../../../src/store/store.ts';
import { toChanges } from '../../database/cells.ts';
import { getItem, summarize } from '../../database/reads.ts';
import { cars, carsListed, cellsListed, createCar, createOil, oils, queryOf } from '../fixtures.ts';
import { type ImportRequest, importLines, type Line, outcomeText } from './import-rows.ts';

const seat = (identifier: string, more: Line = {}): Line => ({ identifier, brand: 'Seat', model: 'Ibiza', ...more });

const changeOf = async (store: Store): Promise<number> => {
  const found = await summarize(store, cars, [], queryOf(cars, {}));
  return found?.change ?? 0;
};

interface Case {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly asked?: ImportRequest;
  readonly said: string;
  readonly rejected?: readonly string[];
  /** Keys afterwards. */
  readonly cars: readonly string[];
}

/** What any import (`any-import.ts`) has not, each on a catalogue with the cars a, b, c, d and e of 2008. */
const cases: readonly Case[] = [
  {
    title: 'new rows are stored in their order, and one without a key gets one',
    lines: [seat('z'), { brand: 'Seat', model: 'León' }, seat('y')],
    said: 'imported, created 3',
    cars: ['a', 'b', 'c', 'd', 'e', 'z', 'key-1', 'y'],
  },
  {
    title: 'every error of every row is told, in the order of the rows',
    lines: [seat('b'), { identifier: 'z', year: 'MMVIII' }, seat('z'), { identifier: 'y' }, seat('z')],
    said: 'rejected-rows, created 1, rejected 4',
    rejected: [
      ...['2: already-exists b', '3: invalid-value', '5: missing-field brand', '5: missing-field model'],
      '6: already-exists z in row 4',
    ],
    cars: ['a', 'b', 'c', 'd', 'e'],
  },
  {
    title: 'a row that is replaced is told with the row that counts in the end',
    lines: [seat('b', { year: 1 }), seat('b', { year: 2 }), seat('b', { year: 3 })],
    asked: { onDuplicate: 'merge' },
    said: 'imported, updated 1, skipped 2, row 2 as 4 b, row 3 as 4 b',
    cars: ['a', 'b', 'c', 'd', 'e'],
  },
  {
    title: 'all may be deleted where that is allowed',
    lines: [],
    asked: { onDuplicate: 'replace-all', deletionShare: undefined },
    said: 'imported, deleted 5',
    cars: [],
  },
  {
    title: 'where the key of a rejected row cannot be read, its item is whichever the file lacks, and none is deleted',
    lines: [{ year: 'MMVIII' }, ...['b', 'c', 'd', 'e'].map((key) => seat(key))],
    asked: { onDuplicate: 'replace-all', isLenient: true },
    said: 'imported, unchanged 4, rejected 1',
    rejected: ['2: invalid-value'],
    cars: ['a', 'b', 'c', 'd', 'e'],
  },
];

const cellsIn = async (store: Store): Promise<readonly (readonly Cell[])[]> => {
  const found = (await cellsListed(store, cars, [])) as { readonly rows: readonly (readonly Cell[])[] };
  return found.rows;
};

const REQUEST: Idempotency = { key: 'k', payload: 'p', receivedAt: 2e12, expires: 2e12 + 1 };

/** Files of rows that are stored in one step. */
export const imports = (store: () => Store): void => {
  describe('of an import', () => {
    const stock = async (): Promise<void> => {
      for (const key of ['a', 'b', 'c', 'd', 'e']) await createCar(store(), key, { year: 2008 });
    };

    test.each(cases)('$title', async ({ lines, asked, said: expected, rejected = [], cars: keys }) => {
      await stock();
      const before = await changeOf(store());
      const done = await importLines(store(), lines, asked);
      expect([outcomeText(done), done.rejected]).toEqual([expected, rejected]);
      expect(await carsListed(store())).toEqual(keys);
      if (done.outcome.kind !== 'imported') expect(await changeOf(store())).toBe(before);
    });

    test('items of one parent are imported into it, and only those are replaced', async () => {
      for (const key of ['a', 'b']) await createCar(store(), key);
      for (const key of ['a', 'b']) await createOil(store(), key, 'old');
      const lines = [{ type: 'new', otherInfo: 'x' }];
      const asked: ImportRequest = { of: oils, parents: ['a'], onDuplicate: 'replace-all', deletionShare: undefined };
      expect(outcomeText(await importLines(store(), lines, asked))).toBe('imported, created 1, deleted 1');
      expect(await cellsListed(store(), oils, ['a'])).toEqual({ total: 1, rows: [['new', 'x']] });
      expect(await cellsListed(store(), oils, ['b'])).toEqual({ total: 1, rows: [['old', null]] });
      expect((await importLines(store(), lines, { ...asked, parents: ['none'] })).outcome).toEqual({
        kind: 'missing',
        collection: 'cars',
      });
    });

    test.each([
      ['the same, in their order', [['x', '1'], ['y']], 'oils unchanged 3', ['x 1', 'y']],
      ['others', [['z'], ['w']], 'oils created 2, oils unchanged 1, oils deleted 2', ['z', 'w']],
      ['another text', [['x', '2'], ['y']], 'oils updated 1, oils unchanged 2', ['x 2', 'y']],
      [
        ...(['one between them, after which all are new', [['x'], ['w'], ['y']]] as const),
        ...(['oils created 2, oils unchanged 2, oils deleted 1', ['x 1', 'w', 'y']] as const),
      ],
      ['another order', [['y'], ['x']], 'oils created 1, oils unchanged 2, oils deleted 1', ['y', 'x']],
      ['none', [], 'oils unchanged 1, oils deleted 2', []],
    ] as const)('rows replace the items that are nested in theirs by %s', async (_, some, text, expected) => {
      await importLines(store(), [seat('a'), seat('b')], { oils: { a: [['x', '1'], ['y']], b: [['z']] } });
      await createCar(store(), 'untouched');
      await createOil(store(), 'untouched', 'x');
      const before = await changeOf(store());
      const asked: ImportRequest = { onDuplicate: 'merge', oils: { a: some, b: [['z']] } };
      const said = `unchanged 2, ${text}`;
      const lines = [seat('a'), seat('b')];
      const checked = await importLines(store(), lines, { ...asked, isCheck: true });
      const done = await importLines(store(), lines, asked);
      expect([outcomeText(checked), outcomeText(done)]).toEqual([`checked, ${said}`, `imported, ${said}`]);
      const infos = async (key: string) => {
        const { rows } = (await cellsListed(store(), oils, [key])) as { readonly rows: readonly (readonly Cell[])[] };
        return rows.map((cells) => cells.filter((cell) => cell !== null).join(' '));
      };
      expect([await infos('a'), await infos('b'), await infos('untouched')]).toEqual([expected, ['z'], ['x']]);
      expect((await changeOf(store())) === before).toBe(text === 'oils unchanged 3');
    });

    test('nested items come with new ones, and only of rows that count', async () => {
      await createCar(store(), 'a');
      await createOil(store(), 'a', 'old');
      const lines = [seat('z'), { identifier: 'a', year: 'MMVIII' }, seat('z', { year: 2008 })];
      const asked: ImportRequest = { onDuplicate: 'merge', isLenient: true, oils: { z: [['x'], ['y']], a: [['x']] } };
      expect(outcomeText(await importLines(store(), lines, asked))).toBe(
        'imported, created 1, skipped 1, rejected 1, oils created 2, row 2 as 4 z',
      );
      expect(await cellsListed(store(), oils, ['z'])).toMatchObject({ total: 2 });
      expect(await cellsListed(store(), oils, ['a'])).toEqual({ total: 1, rows: [['old', null]] });
    });

    test('what is deleted takes its nested items with it', async () => {
      await createCar(store(), 'a');
      await createOil(store(), 'a', 'x');
      await importLines(store(), [seat('b')], { onDuplicate: 'replace-all', deletionShare: undefined });
      await createCar(store(), 'a');
      expect(await getItem(store(), oils, ['a', 'x'])).toBeUndefined();
    });

    describe('whose items others change while it arrives', () => {
      const write = (...[intent]: Parameters<Store['write']>) => store().write(intent);
      const count = async (asked: Parameters<typeof queryOf>[1]) =>
        (await summarize(store(), cars, [], queryOf(cars, asked)))?.total;

      test('its rows are applied to them as they are in the end', async () => {
        await stock();
        const meanwhile = async (): Promise<void> => {
          const changes = toChanges(cars, { doors: 3, fuel: 'Gasolina' });
          await write({ kind: 'update', collection: 'cars', keys: ['a'], changes });
          await write({ kind: 'remove', collection: 'cars', keys: ['b'] });
          await createCar(store(), 'z', { brand: 'Fiat', year: 1999 });
        };
        const lines = [seat('a', { year: 2010, brand: 'SEAT' }), seat('b', { year: 2008 }), seat('z'), meanwhile];
        const done = await importLines(store(), [...lines, seat('x')], { onDuplicate: 'merge', chunk: 1 });
        expect(outcomeText(done)).toBe('imported, created 2, updated 2');
        const rows = new Map((await cellsIn(store())).map((cells) => [cells[0], cells.slice(1, 5)]));
        expect([rows.get('a'), rows.get('z')?.slice(0, 3)]).toEqual([
          ['SEAT', 'Ibiza', 2010, 3],
          ['Seat', 'Ibiza', 1999],
        ]);
        expect(await count({ filters: { brand: ['seat'] } })).toBe(7);
        expect(await count({ filters: { brand: ['fiat'] } })).toBe(0);
        expect(await carsListed(store(), { search: 'gasolina' })).toEqual(['a']);
        const updates = [seat('a'), seat('y'), { ...seat('b'), identifier: undefined }];
        const asked = { onDuplicate: 'merge', rejectsMissing: true, isLenient: true } as const;
        const { rejected } = await importLines(store(), updates, asked);
        expect(rejected).toEqual(['3: not-found y', '4: missing-field identifier']);
      });

      test.each([
        ['changed', 'imported, created 4', 4],
        ['deleted', 'missing', 0],
        ['replaced', 'imported, created 4', 4],
      ])('a parent that is %s', async (what, outcome, left) => {
        await createCar(store(), 'a');
        const touch = async (): Promise<void> => {
          const changes = toChanges(cars, { doors: 3 });
          if (what === 'changed') await write({ kind: 'update', collection: 'cars', keys: ['a'], changes });
          else await write({ kind: 'remove', collection: 'cars', keys: ['a'] });
          if (what === 'replaced') await createCar(store(), 'a');
        };
        const types = ['1', '2', '3'].map((type) => ({ type }));
        const asked: ImportRequest = { of: oils, parents: ['a'], chunk: 1 };
        expect(outcomeText(await importLines(store(), [...types, touch, { type: '4' }], asked))).toBe(outcome);
        if (what === 'deleted') await createCar(store(), 'a');
        expect(await cellsListed(store(), oils, ['a'])).toMatchObject({ total: left });
      });
    });

    test('nothing is left of a file that breaks off', async () => {
      await stock();
      const broken = new RangeError('broken off');
      await expect(importLines(store(), [seat('x'), seat('y'), seat('z'), broken])).rejects.toBe(broken);
      expect(await carsListed(store())).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(outcomeText(await importLines(store(), [seat('x')]))).toBe('imported, created 1');
    });

    test('nothing is left of one whose client has gone away, while its rows are read or applied', async () => {
      for (const step of ['reading', 'applying'] as const) {
        const leaving = new AbortController();
        const lines = Array.from({ length: 3_000 }, (_, at) => seat(`${step}-${at}`));
        const asked: ImportRequest = {
          chunk: 100,
          signal: leaving.signal,
          onProgress: (now) => void (now === step && leaving.abort()),
        };
        const outcome = importLines(store(), lines, asked);
        // A store that applies all rows in one turn learns of it too late.
        const done = await outcome.catch((error: Error) => error);
        if (done instanceof Error) {
          expect(done).toMatchObject({ code: 'unavailable' });
          expect(await carsListed(store())).toEqual([]);
        } else expect([step, outcomeText(done)]).toEqual(['applying', 'imported, created 3000']);
      }
    });

    test('it is done once, however often it is sent with one idempotency key', async () => {
      const asked: ImportRequest = { isLenient: true, idempotency: () => REQUEST };
      const lines = [seat('ñ'), seat('ñ')];
      const first = await importLines(store(), lines, asked);
      const error = { code: 'already-exists', key: 'ñ', row: 2 };
      const reasons = [{ count: 1, rows: [{ row: 3, error }] }];
      expect(first.outcome).toMatchObject({
        kind: 'imported',
        report: { ...NOTHING, created: 1, rejected: 1, reasons },
      });
      const again = await importLines(store(), lines, asked);
      expect(again.outcome).toEqual({ ...first.outcome, change: undefined, isRepeated: true });
      const other = await importLines(store(), [seat('b')], {
        ...asked,
        idempotency: () => ({ ...REQUEST, payload: 'q' }),
      });
      expect(other.outcome).toEqual({ kind: 'idempotency-mismatch' });
      expect(await carsListed(store())).toEqual(['ñ']);
    });

    test('several at one time are done one after the other, beside single writes', async () => {
      const many = (name: string) => Array.from({ length: 700 }, (_, at) => seat(`${name}-${at}`));
      const [first, second] = await Promise.all([
        importLines(store(), [seat('both'), ...many('x')], { onDuplicate: 'merge', chunk: 100 }),
        importLines(store(), [seat('both'), ...many('y')], { onDuplicate: 'merge', chunk: 100 }),
        ...Array.from({ length: 50 }, (_, at) => createCar(store(), `single-${at}`)),
      ]);
      const both = [outcomeText(first), outcomeText(second)].toSorted();
      expect(both).toEqual(['imported, created 700, unchanged 1', 'imported, created 701']);
      expect((await summarize(store(), cars, [], queryOf(cars, {})))?.total).toBe(1_451);
    });
  });
};

const NOTHING = { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, rejected: 0, cleared: 0 };
