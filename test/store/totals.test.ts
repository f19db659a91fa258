import { expect, test } from 'vitest';
import { collectionOf } from '../../src/gateway/model/catalogue.ts';
import { type CountStore, valueCounter } from '../../src/store/totals.ts';
import { catalogue } from '../support/cars/catalogue.ts';

const cars = collectionOf(catalogue, 'cars');
const rows = 100_000;

/** A store that sums nothing up, and how much it has. */
const keptIn = (all: Parameters<CountStore['add']>[]) => ({
  add: (...count: Parameters<CountStore['add']>) => void all.push(count),
  sums: () => all,
});

/** @returns how many rows have a value */
const totalsIn = (counter: ReturnType<typeof valueCounter>) => {
  const totals = new Map<string, number>();
  for (const [field, value, by] of counter.totals()) {
    const name = `${field} ${value}`;
    totals.set(name, (totals.get(name) ?? 0) + by);
  }
  return (name: string) => totals.get(name);
};

test('what is counted in memory does not grow with the values of a file, and nothing is lost', () => {
  const stored: Parameters<CountStore['add']>[] = [];
  const counter = valueCounter(cars, keptIn(stored));
  for (let at = 0; at < rows; at++) counter.count([`c-${at}`, `Brand ${at}`, at % 2 ? 'Ibiza' : 'C4', 2008], 1);
  counter.count(['c-7', 'Brand 7', 'Ibiza', 2008], -1);
  expect(rows - stored.length).toBeLessThan(5_000);
  const totals = totalsIn(counter);
  expect(['brand brand 8', '=brand=brand 8 Brand 8', 'brand brand 7', 'brand brand 99999'].map(totals)).toEqual([
    1, 1, 0, 1,
  ]);
  expect(['model c4', '=model=ibiza Ibiza', 'year 2008', '+brand ', ' '].map(totals)).toEqual([
    50_000, 49_999, 99_999, 99_999, 99_999,
  ]);
});
