import { deepEqual } from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import { BRANDS, brandAt, type Car, carAt } from './records.ts';
import { get } from './servers.ts';
import { itemPath, type Words } from './workloads.ts';

const ITEMS = 50;

/**
 * Compares items from everywhere in the catalogue, and the total of a list, with what they must be: a fast wrong response is
 * none.
 *
 * @throws Error for the first response that differs
 */
export const spotCheck = async (origin: string, words: Words, cars: number): Promise<void> => {
  for (let at = 0; at < ITEMS; at++) {
    const car = carAt(Math.floor((at * cars) / ITEMS));
    const found = (await json(await get(origin + itemPath(words, car)))) as Car;
    // Names differ by language, values do not.
    deepEqual(Object.values(found), Object.values(car));
  }
  const { collection, brand, size, page } = words;
  const response = await get(`${origin}${collection}?${brand}=${BRANDS[0]}&${size}=${ITEMS}&${page}=1`);
  const { length } = (await json(response)) as readonly unknown[];
  let total = 0;
  for (let number = 0; number < cars; number++) if (brandAt(number) === BRANDS[0]) total++;
  deepEqual([length, Number(response.headers['x-total-count'])], [Math.min(ITEMS, total), total]);
};
