import { deepEqual } from 'node:assert/strict';
import { BRANDS, carAt, carsUpTo } from './records.ts';
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
    const number = Math.floor((at * cars) / ITEMS);
    const found: unknown = await (await fetch(origin + itemPath(words, number))).json();
    // Names differ by language, values do not.
    deepEqual(Object.values(Object(found)), Object.values(carAt(number)));
  }
  const { cars: path, brand, number_of_elements: size, page } = words;
  const response = await fetch(`${origin}${path}?${brand}=${BRANDS[0]}&${size}=${ITEMS}&${page}=1`);
  const { length } = Object(await response.json());
  const total = carsUpTo(cars).filter((car) => car.brand === BRANDS[0]).length;
  deepEqual([length, Number(response.headers.get('x-total-count'))], [Math.min(ITEMS, total), total]);
};
