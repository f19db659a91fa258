/** PostgREST (https://docs.postgrest.org/en/stable/references/api/tables_views.html). */
import { sortsOf } from '../../../gateway/model/query.ts';
import type { Condition, Dialect, Parameter } from './dialect.ts';

const quoted = (value: unknown): string => `"${String(value).replace(/["\\]/g, '\\$&')}"`;

const conditionOf = ({ name, operator, values }: Condition): Parameter => {
  if (operator === 'equals') return [name, `in.(${values.map(quoted).join(',')})`];
  return [name, `${{ is: 'eq', from: 'gte', to: 'lte' }[operator]}.${values[0]}`];
};

// `0-19/812`, or `*/0` where there is nothing.
const RANGE = /\/(\d+)$/;
/** Where a page would begin beyond the end, no header has the total. */
const BEYOND = /there are only (\d+) rows/;

/** Kinds whose order is the same in a column of any type. */
const NUMERIC: readonly string[] = ['integer', 'decimal', 'flag'];

export const postgrest: Dialect = {
  can: ['ranges', 'sorts'],
  address: (conditions) => conditions.map(conditionOf),
  isStrict: true,
  isPaged: false,
  headers: { prefer: 'count=exact, return=representation' },
  // Items without a value would be in the reverse order of creation, too, where the direction is `desc`.
  sorts: (query) =>
    query.sort.length > 0 &&
    sortsOf(query).every(
      ({ field, direction }) => NUMERIC.includes(field.kind) && (direction === 'asc' || field.required),
    ),
  parameters: ({ mapped, conditions, query, offset, limit }) => {
    const sorts = sortsOf(query);
    const order = sorts.map(({ field, direction }) => `${mapped.of(field).name}.${direction}.nullslast`);
    return [
      ...conditions.map(conditionOf),
      ['order', [...order, `${mapped.order}.${sorts.at(-1)?.direction ?? 'asc'}`].join(',')],
      ['offset', String(offset)],
      ['limit', String(limit)],
    ];
  },
  page: ({ status, headers, content }) => ({
    // A page beyond the end is an error there.
    items: status === 416 ? [] : content,
    total: Number((RANGE.exec(headers['content-range'] ?? '') ?? BEYOND.exec(Object(content).details))?.[1]),
  }),
};
