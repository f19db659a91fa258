import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getValues } from '../../../src/gateway/locale/language.ts';
import { collection, defineCatalogue } from '../../../src/gateway/model/catalogue.ts';
import { decimal, integer, key } from '../../../src/gateway/model/fields.ts';
import type { ValueWords } from '../../../src/gateway/model/kinds/kind.ts';
import { createMeasure, findUnit, knownUnits } from '../../../src/gateway/model/units.ts';

test.each([
  [{ min: 0, max: 10_000, unit: 'CV' }, 'kW', 1, 105, 772],
  [{ min: 0, max: 10_000, unit: 'CV' }, 'HP', 1, 105, 1_036],
  [{ min: 0, max: 2_000_000, unit: 'km' }, 'mi', 1, 48_200, 299_501],
  [{ min: 0, max: 5_000, unit: 'kW' }, 'CV', 0, 77, 105],
  [{ min: 0, max: 5_000, scale: 1, unit: 'kW' }, 'CV', 1, 772, 1_050],
] as const)('%j in %s has %i decimals', (field, unit, scale, cell, shown) => {
  const measure = createMeasure(field, unit);
  expect([measure?.scale, measure?.show(cell)]).toEqual([scale, shown]);
});

test('a number comes back, and with one decimal fewer some number does not', () => {
  const cars = { min: 0, max: 10_000, unit: 'CV' };
  const measure = createMeasure(cars, 'kW');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), (cell) => {
      expect(measure?.nearest((measure?.show(cell) ?? 0) / 10)).toBe(cell);
    }),
  );
  const whole = Array.from({ length: 100 }, (_, cell) => Math.round(cell * 0.735_498_75));
  expect(new Set(whole).size).toBeLessThan(100);
});

test('units are known by their dimension, in any case', () => {
  expect([knownUnits({ unit: 'CV' }), knownUnits({ unit: 'mi' }), knownUnits({ unit: 'EUR' }), knownUnits({})]).toEqual(
    [['kW', 'CV', 'HP'], ['km', 'mi'], [], []],
  );
  expect([findUnit({ unit: 'CV' }, ' kw '), findUnit({ unit: 'CV' }, 'km')]).toEqual(['kW', undefined]);
});

test('a field whose numbers do not all come back cannot be made', () => {
  expect(() => integer({ min: 9_007_199_254_740_000, max: 9_007_199_254_740_991, unit: 'km' })).toThrow(/come back/);
  expect(() => decimal({ scale: 2, min: 0, max: 100, unit: 'kW' })).not.toThrow();
});

test('an end of a range finds what is written as that value or beyond it', () => {
  const [cars] = defineCatalogue(
    collection('cars', { plate: key(), power: integer({ min: 0, max: 300, unit: 'CV' }) }),
  );
  const field = cars?.fields[1];
  if (!cars || !field) throw new TypeError('no field');
  const choices = {
    known: [],
    word: String,
    value: () => undefined,
    inFile: () => undefined,
    suggest: () => undefined,
  };
  const words: ValueWords = {
    ...{ flags: new Map(), everyFlag: new Map(), knownFlags: '', isDayFirst: false, zone: 'UTC', choices },
    ...{ decimal: '.', hasChosenDecimal: false, measure: createMeasure(field, 'kW') },
  };
  const { filter, toJson } = getValues({ valueWords: () => words }, cars, field);
  const cells = Array.from({ length: 301 }, (_, cell) => cell);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 22_000 }), fc.constantFrom('from', 'to'), (hundredths, end) => {
      const value = hundredths / 100;
      const limit = Number(filter.parseEnd?.(String(value), end));
      const meant = cells.filter((cell) =>
        end === 'from' ? Number(toJson(cell)) >= value : Number(toJson(cell)) <= value,
      );
      expect(cells.filter((cell) => (end === 'from' ? cell >= limit : cell <= limit))).toEqual(meant);
    }),
  );
});
