/** Made-up cars, the same for everybody and for every run: a car is a function of its number. */

const MODELS: readonly (readonly [brand: string, ...models: string[]])[] = `
Seat Ibiza León Toledo Arosa|Citroën C3 C4 Saxo Xsara|Renault Clio Mégane Twingo Scénic|Škoda Fabia Octavia Superb Kodiaq
Opel Astra Corsa Vectra Zafira|Fiat Panda Punto Tipo Bravo|Ford Fiesta Focus Mondeo Ka|Volkswagen Golf Passat Polo Touareg
Peugeot 206 307 508 3008|Toyota Yaris Corolla Auris RAV4|BMW 318d 520i X3 Z4|Audi A3 A4 Q5 TT
Mercedes A150 C220 E250 Vito|Volvo S40 V60 XC60 C30|Nissan Micra Qashqai Juke Almera|Hyundai i20 i30 Tucson Getz
Kia Ceed Picanto Río Sportage|Mazda 2 3 6 CX-5|Honda Civic Jazz Accord CR-V|Dacia Duster Sandero Logan Lodgy`
  .trim()
  .split(/[|\n]/)
  .map((line) => line.split(' ') as [string, ...string[]]);
export const BRANDS: readonly string[] = MODELS.map(([brand]) => brand);
const ENGINES = ['1.2 12V', '1.4 TSI', '1.6 HDi', '1.9 TDI', '2.0 CDTi', '2.2 dCi'];
const TRIMS = ['Reference', 'Style', 'Sport', 'Confort', 'Edición 25'];
const FUELS = ['Diésel', 'Gasolina', 'Híbrido', 'GLP'];

/** Spreads numbers (MurmurHash3's finish), so that neighbours differ; the same on every machine. */
export const scatter = (number: number): number => {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
};

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

export const identifierAt = (number: number): string => `car-${number}`;

/** @returns the car of that number; one in eight lacks its optional members */
export const carAt = (number: number) => {
  const bits = scatter(number + 1);
  const [brand, ...models] = pick(MODELS, bits);
  const isFull = bits % 8 !== 0;
  return {
    identifier: identifierAt(number),
    brand,
    model: pick(models, bits >>> 5),
    year: 1990 + ((bits >>> 8) % 30),
    ...(isFull ? { doors: 2 + ((bits >>> 13) % 4), enginePower: 60 + ((bits >>> 15) % 240) } : {}),
    version: `${pick(ENGINES, bits >>> 20)} ${pick(TRIMS, bits >>> 23)}`,
    ...(isFull ? { clima: (bits >>> 25) % 2 === 1 } : {}),
    ac: (bits >>> 26) % 3 > 0,
    fuel: pick(FUELS, bits >>> 28),
  };
};

export type Car = ReturnType<typeof carAt>;

/** @returns the first cars, in order */
export const carsUpTo = (count: number): readonly Car[] => Array.from({ length: count }, (_, number) => carAt(number));
