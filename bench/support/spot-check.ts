import { BRANDS, type Car, carAt } from './records.ts';
import { itemPath, SPANISH, type Words } from './workloads.ts';

/** A car as a tree writes it; the Spanish words are typed out. */
const shapeIn = (words: Words, car: Car): object => {
  if (words !== SPANISH) return car;
  const { identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel } = car;
  const first = { identificador: identifier, marca: brand, modelo: model, anio: year, puertas: doors };
  return { ...first, cilindrada: enginePower, version, climatizador: clima, ac, fuel };
};

/**
 * Compares items from everywhere in the catalogue, and the total of a list, with what they must be: a fast wrong answer is
 * none.
 *
 * @throws Error with the first response that differs
 */
export const spotCheck = async (words: Words, origin: string, cars: number): Promise<void> => {
  for (let at = 0; at < 50; at++) {
    const car = carAt(Math.floor((at * cars) / 50));
    const text = await (await fetch(origin + itemPath(words, car))).text();
    if (text !== JSON.stringify(shapeIn(words, car))) throw new Error(`${origin}: ${text}`);
  }
  const [brand = ''] = BRANDS;
  let total = 0;
  for (let number = 0; number < cars; number++) if (carAt(number).brand === brand) total++;
  const response = await fetch(`${origin}${words.collection}?${words.brand}=${brand}&${words.size}=50&${words.page}=1`);
  const { length } = (await response.json()) as readonly unknown[];
  const counted = Number(response.headers.get('x-total-count'));
  if (length !== Math.min(50, total) || counted !== total) throw new Error(`${origin}: ${length} of ${counted}`);
};
