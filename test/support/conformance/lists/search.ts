import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../../../../packages/vocabularies/src/words.ts';
import { findRank, searchTerms } from '../../../../src/gateway/model/search.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { CellRecord } from '../../database/cells.ts';
import { runsOf } from '../../database/database.ts';
import { summarize } from '../../database/reads.ts';
import {
  cars,
  carsListed,
  createCar,
  createOil,
  type ListRequest,
  oils,
  queryOf,
  readList,
  remove,
  update,
} from '../fixtures.ts';

const LONG = 'x'.repeat(70);

/** In the order of creation. */
const stock: readonly (readonly [key: string, values: CellRecord])[] = [
  ['golf', { brand: 'Volkswagen', model: 'Golf', version: '1.9 TDI Ibiza', fuel: 'Diésel', year: 2004 }],
  ['ibiza', { brand: 'Seat', model: 'Ibiza', version: '1.9 TDI Sport', fuel: 'Diésel', year: 2006 }],
  ['ibizan', { brand: 'Seat', model: 'Ibizán', version: 'TDIx', year: 2005 }],
  ['c4', { brand: 'CITROËN', model: 'C4', version: '«Sport»–1.6\u00a0HDi', fuel: 'gasóleo' }],
  ['xsara', { brand: 'citroe\u0308n', model: 'Xsara', version: `汽车 ß 🚗 ${LONG}y` }],
  ['bare', { brand: 'Ávila', model: '500' }],
];

const searches: readonly (readonly [what: string, asked: ListRequest, keys: readonly string[]])[] = [
  ['two words, wherever they are', { search: 'tdi ibiza' }, ['golf', 'ibiza', 'ibizan']],
  ['a word of a text that every car has before others', { search: 'ibiza' }, ['ibiza', 'golf', 'ibizan']],
  ['beginnings', { search: 'ib td' }, ['golf', 'ibiza', 'ibizan']],
  ['beginnings in texts that every car has before others', { search: 'ib' }, ['ibiza', 'ibizan', 'golf']],
  ['whatever the case and accents', { search: 'citroen SPORT' }, ['c4']],
  ['decomposed accents', { search: 'Citroe\u0308n' }, ['c4', 'xsara']],
  ['words between all kinds of punctuation', { search: '«1,6»…hdi' }, ['c4']],
  ['a word in no other script', { search: '汽车 SS' }, ['xsara']],
  ['a sign of many bytes', { search: '🚗' }, ['xsara']],
  ['a long word by its beginning', { search: `${LONG}zzz` }, ['xsara']],
  ['no part of a word', { search: 'biza' }, []],
  ['no beginning that is too long', { search: 'ibizanos' }, []],
  ['no words of two cars', { search: 'golf seat' }, []],
  ['one word twice', { search: 'ibiza Ibíza' }, ['ibiza', 'golf', 'ibizan']],
  ['what a query language means something by', { search: '"tdi" OR -ibiza NOT * ^' }, []],
  ['a column of the index', { search: '_model:ibiza' }, []],
  ['an operator as a word', { search: 'and' }, []],
  ['quotes of every kind', { search: `'ibiza' "tdi" \\ :* & | !` }, ['golf', 'ibiza', 'ibizan']],
  ['what cannot be stored', { search: 'ibiza\0tdi\ufffe' }, ['golf', 'ibiza', 'ibizan']],
  ['what a filter leaves', { search: 'tdi', filters: { brand: ['seat'] } }, ['ibiza', 'ibizan']],
  ['what a range leaves', { search: 'tdi', from: { year: 2005 }, to: { year: 2005 } }, ['ibizan']],
  ['in another order', { search: 'tdi', sort: 'year', order: 'desc' }, ['ibiza', 'ibizan', 'golf']],
  ['in the order of creation', { search: 'ib', order: 'asc' }, ['golf', 'ibiza', 'ibizan']],
  ['against the order of creation', { search: 'ib', order: 'desc' }, ['ibizan', 'ibiza', 'golf']],
  ['with missing values last', { search: 's', sort: 'year' }, ['ibizan', 'ibiza', 'c4', 'xsara']],
  ['the second page', { search: 'ib', size: 2, page: 2 }, ['golf']],
  ['nothing beyond the end', { search: 'ib', size: 2, page: 3 }, []],
];

/** Texts of few letters, so that words begin each other. */
const text = fc
  .array(fc.constantFrom('a', 'ab', 'abc', 'Á', 'b', 'ñ', 'ß', 'ss', '1', '12', ' ', '-', '.', '’', '\u3000'), {
    maxLength: 5,
  })
  .map((parts) => parts.join(''));
const values = fc.record({
  brand: text.map((each) => `x${each}`),
  model: text.map((each) => `${each} y`),
  version: fc.option(text),
  fuel: fc.option(text),
});
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');

/** What a search finds and in which order: a model that knows no SQL. */
const expected = (all: ReadonlyMap<string, CellRecord>, search: string): readonly string[] => {
  const folded = (...texts: readonly unknown[]): string => fold(texts.map((each) => each ?? '').join(' '));
  const found = [...all].map(([name, { brand, model, version, fuel }]) => ({
    name,
    rank: findRank(searchTerms(search), folded(brand, model), folded(name, version, fuel)),
  }));
  return found
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ name }) => name);
};

/** What words find. */
export const searchLists = (store: () => Store): void => {
  describe('a search', () => {
    test('finds words', async () => {
      for (const [name, cells] of stock) await createCar(store(), name, cells);
      for (const [what, asked, keys] of searches) {
        expect([what, await carsListed(store(), asked)]).toEqual([what, keys]);
        const { total } = (await readList(store(), cars, [], asked)) ?? {};
        if (asked.size === undefined) expect([what, total]).toEqual([what, keys.length]);
      }
      const grouped = await readList(store(), cars, [], { search: 'tdi', group: 'brand' });
      expect(grouped?.rows).toEqual([
        [0, 'Seat', 2],
        [0, 'Volkswagen', 1],
      ]);
    });

    test('finds words of items nested in one', async () => {
      await createCar(store(), 'a');
      await createCar(store(), 'b');
      await createOil(store(), 'a', 'ACEA', { otherInfo: 'like 5W' });
      await createOil(store(), 'a', '5W-30', { otherInfo: 'VW 504 00' });
      await createOil(store(), 'b', '5W-40');
      const found = async (search: string, asked: ListRequest = {}) =>
        (await readList(store(), oils, ['a'], { search, ...asked }))?.rows.map((row) => row[1]);
      expect(await found('5w')).toEqual(['5W-30', 'ACEA']);
      expect(await found('5W-30 vw')).toEqual(['5W-30']);
      expect(await found('5w', { sort: 'type', order: 'desc' })).toEqual(['ACEA', '5W-30']);
      expect(await found('40')).toEqual([]);
      expect(await readList(store(), oils, ['none'], { search: '5w' })).toBeUndefined();
    });

    test('finds what every write has left', async () => {
      const model = new Map<string, CellRecord>();
      const steps = fc.array(fc.tuple(key, fc.option(values)), { minLength: 1, maxLength: 8 });
      const wanted = text.filter((each) => searchTerms(each).length > 0);
      await fc.assert(
        fc.asyncProperty(steps, fc.array(wanted, { minLength: 1, maxLength: 4 }), async (all, asked) => {
          for (const [name, cells] of all) {
            if (!cells) await remove(store(), cars, [name]);
            else if (model.has(name)) await update(store(), cars, [name], cells);
            else await createCar(store(), name, cells);
            if (cells) model.set(name, cells);
            else model.delete(name);
          }
          for (const search of asked) {
            const keys = expected(model, search);
            expect([search, await carsListed(store(), { search })]).toEqual([search, keys]);
            expect((await summarize(store(), cars, [], queryOf(cars, { search })))?.total).toBe(keys.length);
          }
        }),
        { numRuns: runsOf(25, 10) },
      );
    });
  });
};
