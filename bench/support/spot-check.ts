import type { Contender } from './peers.ts';
import { BRANDS, type Car, carAt } from './records.ts';
import { itemPath, SPANISH } from './workloads.ts';

const CHECKED = 50;

/** A car as a tree writes it; the Spanish words are typed out. */
const shapeIn = <D>({ words }: Contender<D>, car: Car): object =>
  words !== SPANISH
    ? car
    : {
        identificador: car.identifier,
        marca: car.brand,
        modelo: car.model,
        anio: car.year,
        puertas: car.doors,
        cilindrada: car.enginePower,
        version: car.version,
        climatizador: car.clima,
        ac: car.ac,
        fuel: car.fuel,
      };

/**
 * Compares items from everywhere in the catalogue, and the total of a list, with what they must be: a fast wrong answer is
 * none.
 *
 * @throws Error with the first response that differs
 */
export const spotCheck = async <D>(contender: Contender<D>, origin: string, cars: number): Promise<void> => {
  const { name, words } = contender;
  for (let at = 0; at < CHECKED; at++) {
    const car = carAt(Math.floor((at * cars) / CHECKED));
    const text = await (await fetch(origin + itemPath(words, car))).text();
    if (text !== JSON.stringify(shapeIn(contender, car))) throw new Error(`${name}: ${text}`);
  }
  const [brand = ''] = BRANDS;
  let total = 0;
  for (let number = 0; number < cars; number++) if (carAt(number).brand === brand) total++;
  const response = await fetch(`${origin}${words.collection}?${words.brand}=${brand}&${words.size}=50&${words.page}=1`);
  const list = (await response.json()) as readonly unknown[];
  const counted = Number(response.headers.get('x-total-count'));
  if (list.length !== Math.min(50, total) || counted !== total)
    throw new Error(`${name}: ${list.length} of ${counted}`);
};
