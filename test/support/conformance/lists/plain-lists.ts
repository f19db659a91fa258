import type { Collection } from '../../../../src/gateway/model/catalogue.ts';
import type { Cell } from '../../../../src/gateway/model/field.ts';
import { type Filter, foldCell } from '../../../../src/gateway/model/query.ts';
import type { Row } from '../../../../src/gateway/port/port.ts';
import { type ListRequest, queryOf } from '../fixtures.ts';

/** The rule of lists as a few lines over an array: what every store must come to. */

type Direction = 1 | -1;

const compare = (one: Cell, other: Cell): number => {
  const [a, b] = [foldCell(one), foldCell(other)];
  if (a === b) return 0;
  // A missing value is last, whatever the direction.
  if (a === null || b === null) return a === null ? Infinity : -Infinity;
  return a < b ? -1 : 1;
};

const passes: Readonly<Record<Filter['operator'], (difference: number) => boolean>> = {
  equals: (difference) => difference === 0,
  from: (difference) => difference >= 0,
  to: (difference) => difference <= 0,
};

/** @param rows in the order of creation */
export const plainList = (collection: Collection, rows: readonly Row[], asked: ListRequest): readonly Row[] => {
  const { filters, sort, order } = queryOf(collection, asked);
  const cellOf = (row: Row, field: (typeof sort)[number]): Cell => row[collection.fields.indexOf(field) + 1] ?? null;
  const directionAt = (at: number): Direction => (order[at] === 'desc' ? -1 : 1);

  const found = rows.filter((row) =>
    filters.every(({ field, operator, values }) => {
      const cell = cellOf(row, field);
      return cell !== null && values.some((value) => passes[operator](compare(cell, value)));
    }),
  );
  const created = new Map(found.map((row, at) => [row, at]));
  return found.toSorted((a, b) => {
    for (const [at, field] of sort.entries()) {
      const difference = compare(cellOf(a, field), cellOf(b, field));
      if (difference !== 0) return Number.isFinite(difference) ? difference * directionAt(at) : difference;
    }
    const last = sort.at(-1);
    // Those that lack the last field are in the order of creation, whatever its direction.
    const direction = last && cellOf(a, last) === null ? 1 : directionAt(Math.max(0, sort.length - 1));
    return ((created.get(a) ?? 0) - (created.get(b) ?? 0)) * direction;
  });
};
