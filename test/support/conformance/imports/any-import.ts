import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../../src/gateway/model/field.ts';
import type { ImportReport, ItemChange, OnDuplicate } from '../../../../src/gateway/model/import.ts';
import type { RowOutcome } from '../../../../src/gateway/model/report.ts';
import type { Store } from '../../../../src/store/store.ts';
import { runsOf } from '../../database/database.ts';
import { summarize } from '../../database/reads.ts';
import { cars, cellsListed, createCar, queryOf, readList } from '../fixtures.ts';
import { importLines, type Line } from './import-rows.ts';

type Cells = Map<string, readonly Cell[]>;

const names = cars.fields.map(({ name }) => name);
const cellsOf = (line: Line): readonly (Cell | undefined)[] => names.map((name) => line[name]);

interface Expected {
  readonly kind: string;
  readonly report: ImportReport;
  readonly rejected: readonly string[];
  readonly cars: Cells;
}

interface Asked {
  readonly onDuplicate: OnDuplicate;
  readonly isLenient: boolean;
  readonly isCheck: boolean;
  readonly deletionShare: number;
}

/** The rules in plain words: a map of cells by their key, in the order of creation. */
const plainImport = (before: Cells, lines: readonly Line[], asked: Asked): Expected => {
  const items: Cells = new Map(before);
  const report = { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, rejected: 0, cleared: 0 };
  /** The row that counts for each key, what was done with it and how many values it clears. */
  const uses = new Map<string, readonly [row: number, done: RowOutcome, cleared: number]>();
  const rejected: string[] = [];
  const merges = asked.onDuplicate === 'merge' || asked.onDuplicate === 'replace-all';
  const take = (line: Line, number: number): RowOutcome => {
    const reject = (...reasons: readonly string[]): 'rejected' => {
      rejected.push(...reasons.map((reason) => `${number}: ${reason}`));
      return 'rejected';
    };
    const key = String(line.identifier);
    const use = uses.get(key);
    const old = (merges ? before : items).get(key);
    const done = (kind: 'created' | 'updated' | 'unchanged', cleared = 0): RowOutcome => {
      report.cleared += cleared - (use?.[2] ?? 0);
      if (use) {
        report[use[1]] -= 1;
        report.skipped += 1;
      }
      uses.set(key, [number, kind, cleared]);
      return kind;
    };
    if (typeof line.year === 'string') return reject('invalid-value');
    if (merges && old) {
      const now = cellsOf(line).map((cell, at) => (cell === undefined ? (old[at] ?? null) : cell));
      items.set(key, now);
      const cleared = now.filter((cell, at) => cell === null && old[at] !== null).length;
      return done(now.every((cell, at) => cell === old[at]) ? 'unchanged' : 'updated', cleared);
    }
    const missing = ['brand', 'model'].filter((name) => (line[name] ?? null) === null);
    if (missing.length > 0) return reject(...missing.map((name) => `missing-field ${name}`));
    if (use && asked.onDuplicate === 'error') return reject(`already-exists ${key} in row ${use[0]}`);
    if (old) return asked.onDuplicate === 'ignore' ? 'skipped' : reject(`already-exists ${key}`);
    items.set(
      key,
      cellsOf(line).map((cell) => cell ?? null),
    );
    return done('created');
  };
  for (const [at, line] of lines.entries()) report[take(line, at + 2)] += 1;
  if (rejected.length > 0 && !asked.isLenient && !asked.isCheck)
    return { kind: 'rejected-rows', report, rejected, cars: before };
  if (asked.onDuplicate === 'replace-all') {
    const named = new Set(lines.map(({ identifier }) => identifier));
    const lacking = [...before.keys()].filter((key) => !named.has(key));
    report.deleted = lacking.length;
    if (lacking.length > before.size * asked.deletionShare)
      return { kind: 'too-many-deletions', report, rejected, cars: before };
    for (const key of lacking) items.delete(key);
  }
  return asked.isCheck
    ? { kind: 'checked', report, rejected, cars: before }
    : { kind: 'imported', report, rejected, cars: items };
};

const line: fc.Arbitrary<Line> = fc.record(
  {
    identifier: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    brand: fc.constantFrom('Seat', 'SEAT', 'Citroën'),
    model: fc.constantFrom('Ibiza', 'C4', null),
    year: fc.constantFrom(2001, 2002, null, 'MMI'),
    version: fc.constantFrom('1.9 TDI', '', null),
  },
  { requiredKeys: ['identifier'] },
);
const full = line.map((each) => ({ ...each, brand: each.brand ?? 'Fiat', model: each.model ?? 'Tipo' }));

const asked: fc.Arbitrary<Asked> = fc.record({
  onDuplicate: fc.constantFrom('error', 'ignore', 'merge', 'replace-all'),
  isLenient: fc.boolean(),
  isCheck: fc.boolean(),
  deletionShare: fc.constantFrom(0.2, 0.5, 1),
});

/** Whatever is imported, it is done as the plain rules say, and takes a change number for each item that it changes. */
export const anyImport =
  (runs: number) =>
  (store: () => Store): void => {
    describe('any import', () => {
      test('does what the plain rules say', async () => {
        for (const key of ['c', 'a']) await createCar(store(), key, { year: 2001 });
        let items: Cells = new Map((await cellsIn(store())).map((cells) => [String(cells[0]), cells]));
        const file = fc.array(fc.oneof(full, full, line), { maxLength: 8 });
        await fc.assert(
          fc.asyncProperty(file, asked, fc.integer({ min: 1, max: 4 }), async (lines, options, chunk) => {
            const before = await readList(store(), cars, []);
            const expected = plainImport(items, lines, options);
            const { outcome, rejected, changes } = await importLines(store(), lines, { ...options, chunk });
            expect({ rejected, ...outcome }).toMatchObject({
              kind: expected.kind,
              report: expected.report,
              rejected: expected.rejected,
            });
            const isDone = outcome.kind === 'imported' || outcome.kind === 'checked';
            const would = isDone
              ? plainImport(items, lines, { ...options, isCheck: false, isLenient: true }).cars
              : items;
            expect(changes.map(({ row: _, ...each }) => each).sort(byKey)).toEqual(differences(items, would));
            for (const { row, after } of changes) {
              if (row !== null) expect((lines[row - 2] as Line).identifier).toBe(after?.[0]);
            }
            items = expected.cars;
            expect(await cellsIn(store())).toEqual([...items.values()]);

            const after = await readList(store(), cars, []);
            const { created, updated, deleted } = expected.report;
            const taken = outcome.kind === 'imported' ? created + updated + deleted : 0;
            expect((after?.change ?? 0) > (before?.change ?? 0)).toBe(taken > 0);
            const kept = new Set(before?.rows.map(([revision]) => revision));
            const unchanged = after?.rows.filter(([revision]) => kept.has(revision)).length ?? 0;
            if (taken === 0) expect(after).toEqual(before);
            // A row that is changed and changed back has another revision, too.
            else expect(unchanged).toBeLessThanOrEqual(items.size - changedIn(before?.rows ?? [], items));
            expect(after?.total).toBe(items.size);
            for (const [filter, count] of [
              [{ filters: { brand: ['seat'] } }, countOf(items, 1, /^seat$/i)],
              [{ filters: { year: [2001] } }, countOf(items, 3, /^2001$/)],
              [{ search: 'tdi' }, countOf(items, 6, /TDI/)],
            ] as const) {
              expect((await summarize(store(), cars, [], queryOf(cars, filter)))?.total).toBe(count);
            }
          }),
          { numRuns: runsOf(runs) },
        );
      });
    });
  };

const cellsIn = async (store: Store): Promise<readonly (readonly Cell[])[]> => {
  const found = (await cellsListed(store, cars, [])) as { readonly rows: readonly (readonly Cell[])[] };
  return found.rows;
};
const countOf = (items: Cells, at: number, pattern: RegExp): number =>
  [...items.values()].filter((cells) => pattern.test(String(cells[at] ?? ''))).length;

type Difference = Pick<ItemChange, 'before' | 'after'>;
const keyOf = ({ before, after }: Difference): string => String((after ?? before)?.[0]);
const byKey = (one: Difference, other: Difference): number => (keyOf(one) < keyOf(other) ? -1 : 1);

/** What differs between two states of a list, in the order of the keys. */
const differences = (before: Cells, after: Cells): readonly Difference[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ before: before.get(key), after: after.get(key) }))
    .filter((each) => JSON.stringify(each.before) !== JSON.stringify(each.after))
    .sort(byKey);

/** How many of the items are new, or have other cells than before. */
const changedIn = (before: readonly (readonly Cell[])[], items: Cells): number => {
  const old = new Map(before.map(([, ...cells]) => [String(cells[0]), JSON.stringify(cells)]));
  return [...items].filter(([key, cells]) => old.get(key) !== JSON.stringify(cells)).length;
};
