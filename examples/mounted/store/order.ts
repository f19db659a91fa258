/** The order of a list's items, as databases have it. */
import type { Value } from 'car-dealer-catalogue/model/field';
import { type Query, readSorts, type Sort, sortValue } from 'car-dealer-catalogue/model/query';
import type { Item } from './items.ts';

/** By code points, as databases compare UTF-8. */
const compareTexts = (one: string, other: string): number => {
  for (let at = 0; ; ) {
    const [left = -1, right = -1] = [one.codePointAt(at), other.codePointAt(at)];
    if (left !== right || left === -1) return left - right;
    at += left > 0xffff ? 2 : 1;
  }
};

export const compareValues = (one: Value, other: Value): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : compareTexts(String(one), String(other));

type Order = (one: Item, other: Item) => number;

const byCreation: Order = (one, other) => one.created - other.created;
const turned = (order: Order, { direction }: Pick<Sort, 'direction'>): Order =>
  direction === 'desc' ? (one, other) => order(other, one) : order;

/** Items that lack the value come last, whatever the direction. */
const byField = (sort: Sort): Order => {
  const sorted = (item: Item): Value => sortValue(sort.field, item.value(sort.field)) ?? 0;
  const byValue = turned((one, other) => compareValues(sorted(one), sorted(other)), sort);
  return (one, other) => {
    const lack = Number(one.value(sort.field) === null) - Number(other.value(sort.field) === null);
    if (lack !== 0) return lack;
    return one.value(sort.field) === null ? 0 : byValue(one, other);
  };
};

/** Items that lack the last value that is sorted by are in the order of their creation, whatever the direction. */
const lastOrder = (sort: Sort): Order => {
  const created = turned(byCreation, sort);
  return (one, other) => (one.value(sort.field) === null ? byCreation(one, other) : created(one, other));
};

/** @param rank of a search; the best first, where nothing else is asked for */
export const orderOf = (query: Query, rank: (item: Item) => number): Order => {
  const sorts = readSorts(query);
  const last = sorts.at(-1);
  const [direction] = query.order;
  const orders = last
    ? [...sorts.map(byField), lastOrder(last)]
    : direction
      ? [turned(byCreation, { direction })]
      : [(one: Item, other: Item) => rank(one) - rank(other), byCreation];
  return (one, other) => {
    for (const order of orders) {
      const difference = order(one, other);
      if (difference !== 0) return difference;
    }
    return 0;
  };
};
