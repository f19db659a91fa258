import { json, text } from 'node:stream/consumers';
import { BRANDS, type Car, carAt } from './records.ts';
import { get } from './servers.ts';
import { itemPath, SPANISH, type Words } from './workloads.ts';

/** A car as a tree writes it; the Spanish words are typed out. */
const shapeIn = (words: Words, car: Car): object => {
  if (words !== SPANISH) return car;
  const { identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel } = car;
  const first = { identificador: identifier, marca: brand, modelo: model, anio: year, puertas: doors };
  return { ...first, cilindrada: enginePower, version, climatizador: clima, ac, fuel };
};

const totals = new Map<number, number>();
/** @returns how many of the cars have the first brand */
const totalOf = (cars: number): number => {
  let total = totals.get(cars) ?? 0;
  if (total === 0) for (let number = 0; number < cars; number++) if (carAt(number).brand === BRANDS[0]) total++;
  totals.set(cars, total);
  return total;
};

/**
 * Compares items from everywhere in the catalogue, and the total of a list, with what they must be: a fast wrong response is
 * none.
 *
 * @throws Error with the first response that differs
 */
export const spotCheck = async (words: Words, origin: string, cars: number): Promise<void> => {
  for (let at = 0; at < 50; at++) {
    const car = carAt(Math.floor((at * cars) / 50));
    const found = await text(await get(origin + itemPath(words, car)));
    if (found !== JSON.stringify(shapeIn(words, car))) throw new Error(`${origin}: ${found}`);
  }
  const total = totalOf(cars);
  const response = await get(
    `${origin}${words.collection}?${words.brand}=${BRANDS[0]}&${words.size}=50&${words.page}=1`,
  );
  const { length } = (await json(response)) as readonly unknown[];
  const counted = Number(response.headers['x-total-count']);
  if (length !== Math.min(50, total) || counted !== total) throw new Error(`${origin}: ${length} of ${counted}`);
};
