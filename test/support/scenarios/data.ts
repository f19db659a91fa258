import type { Resource } from '../language/translate.ts';
import { cars, create, oils, type Step } from './scenario.ts';

/** No value here may hold a word of any language's table: it would be told as one of another language. */

export const c3 = {
  identifier: 'c3-2010',
  brand: 'Citroën',
  model: 'C3',
  year: 2010,
  doors: 5,
  enginePower: 75,
  version: '1.4 HDi',
  clima: true,
  ac: true,
  fuel: 'Diésel',
} as const satisfies Resource;

/** A key that only percent-encoding can carry, and half of the fields missing. */
export const xsara = {
  identifier: 'Xsara/95 ñ?',
  brand: 'CITROEN',
  model: 'Xsara',
  year: 1998,
  doors: 3,
  ac: false,
} as const satisfies Resource;

export const ibiza = {
  identifier: 'seat-ibiza-1',
  brand: 'Seat',
  model: 'Ibiza',
  year: 2008,
  doors: 5,
  enginePower: 105,
  version: '1.9 TDI Sport',
  clima: true,
  ac: false,
  fuel: 'Diésel',
} as const satisfies Resource;

export const leon = {
  identifier: 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  brand: 'Seat',
  model: 'León',
  year: 2008,
  doors: 5,
  enginePower: 150,
  clima: false,
  fuel: '',
} as const satisfies Resource;

/** Nothing but what is required. */
export const zoe = { identifier: 'zoe', brand: 'Renault', model: 'Zoé' } as const satisfies Resource;

export const fleet: readonly Resource[] = [c3, xsara, ibiza, leon, zoe];

export const light = { type: '5W-30', otherInfo: 'Castrol, 100 % synthetic' } as const satisfies Resource;
export const heavy = { type: '10W/40', otherInfo: 'ÉLF' } as const satisfies Resource;
export const plain = { type: 'Nº 1' } as const satisfies Resource;
export const mild = { type: '5w-20', otherInfo: 'elf' } as const satisfies Resource;

export const shelf: readonly Resource[] = [light, heavy, plain, mild];

const numbers = Array.from({ length: 45 }, (_, at) => String(at + 1).padStart(2, '0'));
/** More than two pages of the default size. */
export const many: readonly Resource[] = numbers.map((number) => ({
  identifier: `n-${number}`,
  brand: Number(number) % 2 === 0 ? 'Kia' : 'Škoda',
  model: `M${number}`,
}));
export const manyOils: readonly Resource[] = numbers.map((number) => ({ type: `Z${number}` }));

export const givenCars = (resources: readonly Resource[]): readonly Step[] =>
  resources.map((each) => create(cars(), each));
export const givenOils = (resources: readonly Resource[]): readonly Step[] => [
  create(cars(), ibiza),
  ...resources.map((each) => create(oils(ibiza.identifier), each)),
];
