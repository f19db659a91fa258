/** json-server 1.0 beta: conditions as JSON, because values in parameters are guessed to be numbers. */
import { byValue, type Dialect } from './dialect.ts';

const OPERATORS = { is: 'eq', from: 'gte', to: 'lte' } as const;

export const jsonServer1: Dialect = {
  can: ['ranges'],
  isStrict: false,
  assigned: 'id',
  isPaged: true,
  filters: byValue,
  sorts: () => false,
  parameters: ({ conditions, offset, limit }) => {
    const where: Record<string, Record<string, unknown>> = {};
    for (const { name, operator, values } of conditions) {
      // Without `ne`, what lacks a value is below any number.
      const of: Record<string, unknown> = where[name] ?? { ne: null };
      where[name] = of;
      if (operator === 'equals') of.in = values;
      else of[OPERATORS[operator]] = values[0];
    }
    return [
      ...(conditions.length > 0 ? [['_where', JSON.stringify(where)] as const] : []),
      ['_page', String(offset / limit + 1)],
      ['_per_page', String(limit)],
    ];
  },
  page: ({ content }) => {
    const { data, items } = Object(content);
    return { items: data, total: items };
  },
};
