/** Units of quantities: a field is stored in one, and may be written and read in the others of its dimension. */
import type { Field } from './field.ts';

/** Each unit by how many of its dimension's first one it is: a metric horsepower is 75 kgf·m/s, a mechanical one 550 ft·lbf/s. */
const DIMENSIONS: readonly Readonly<Record<string, number>>[] = [
  { kW: 1, CV: 0.735_498_75, HP: 0.745_699_871_582_270_2 },
  { km: 1, mi: 1.609_344 },
];

const listFactors = (unit = ''): Readonly<Record<string, number>> =>
  DIMENSIONS.find((dimension) => Object.hasOwn(dimension, unit)) ?? {};

/** @returns the units in which the numbers of a field may be written, its own among them; none without a unit that is known */
export const knownUnits = ({ unit }: Pick<Field, 'unit'>): readonly string[] => Object.keys(listFactors(unit));

/** @returns the fields of a collection that have units */
export const quantities = ({ fields }: { readonly fields: readonly Field[] }): readonly Field[] =>
  fields.filter((field) => knownUnits(field).length > 0);

export const hasUnits = (collection: { readonly fields: readonly Field[] }): boolean =>
  quantities(collection).length > 0;

/** @returns the unit that somebody writes for the numbers of a field; case does not matter */
export const findUnit = (field: Pick<Field, 'unit'>, text: string): string | undefined =>
  knownUnits(field).find((unit) => unit.toLowerCase() === text.trim().toLowerCase());

type Quantity = Pick<Field, 'min' | 'max' | 'scale' | 'unit'>;

/** How a field's numbers are written in a unit other than that in which they are stored. */
export interface Measure {
  readonly unit: string;
  /** The fewest decimals with which every value of the field comes back. */
  readonly scale: number;
  /** @returns a stored value, a whole number of its last decimal, as one of the last decimal of this unit */
  readonly show: (cell: number) => number;
  /** @returns the stored value that is nearest to one of this unit, which is any number */
  readonly nearest: (value: number) => number;
}

/** More decimals would be digits of a conversion, not of a quantity. */
const MOST_DECIMALS = 6;

function measureWith({ scale: stored = 0, unit }: Quantity, other: string, scale: number): Measure {
  const { [unit ?? '']: own = 1, [other]: theirs = 1 } = listFactors(unit);
  const ratio = own / theirs / 10 ** stored;
  return {
    unit: other,
    scale,
    show: (cell) => Math.round(cell * ratio * 10 ** scale),
    nearest: (value) => Math.round(value / ratio),
  };
}

/** Looks at every value, until one does not come back. */
function isInvertible({ min, max, scale = 0 }: Quantity, { show, nearest, scale: shown }: Measure): boolean {
  const last = Math.round(max * 10 ** scale);
  for (let cell = Math.round(min * 10 ** scale); cell <= last; cell++) {
    if (nearest(show(cell) / 10 ** shown) !== cell) return false;
  }
  return true;
}

const scales = new Map<string, number>();

/** @returns how a field's numbers are written in another unit than its own. @throws TypeError if some number would not come back */
export function createMeasure(field: Quantity, unit: string): Measure | undefined {
  if (unit === field.unit) return undefined;
  const name = [field.unit, field.min, field.max, field.scale, unit].join();
  for (let scale = scales.get(name) ?? 0; scale <= MOST_DECIMALS; scale++) {
    const measure = measureWith(field, unit, scale);
    if (!scales.has(name) && !isInvertible(field, measure)) continue;
    scales.set(name, scale);
    return measure;
  }
  throw new TypeError(`${field.min} to ${field.max} ${field.unit} do not come back from ${unit}`);
}

/** Checks a field in every unit that is not its own. @throws TypeError if some number of its range would not come back */
export function checkUnits(field: Quantity): void {
  for (const unit of knownUnits(field)) createMeasure(field, unit);
}

/** @returns the sign of a currency (ISO 4217) in a language; any other unit as it is */
export function unitSign(unit: string, tag = 'en'): string {
  if (!/^[A-Z]{3}$/.test(unit)) return unit;
  const style = { style: 'currency', currency: unit, currencyDisplay: 'narrowSymbol' } as const;
  const parts = new Intl.NumberFormat(tag, style).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? unit;
}
