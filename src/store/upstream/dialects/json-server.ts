/**
 * json-server. Its order of texts knows case and accents, and items without a value come first in one direction, so that nothing
 * is sorted there.
 */
import type { Dialect, Parameter } from './dialect.ts';

/** 0.17, and what its operators do (https://github.com/typicode/json-server/tree/v0#routes). */
export const jsonServer: Dialect = {
  can: ['ranges'],
  isStrict: false,
  isPaged: false,
  parameters: ({ conditions, offset, limit }) => [
    ...conditions.flatMap(({ name, operator, values }): readonly Parameter[] => {
      const [value = ''] = values;
      // A plain `name=value` is ignored where no item has that member.
      if (operator === 'equals') return values.map((each) => [`${name}_like`, `^${RegExp.escape(String(each))}$`]);
      const [from, to] = [`${name}_gte`, `${name}_lte`];
      if (operator === 'is') return [from, to].map((each) => [each, String(value)]);
      return [[operator === 'from' ? from : to, String(value)]];
    }),
    ['_start', String(offset)],
    ['_limit', String(limit)],
  ],
};

const OPERATORS = { is: 'eq', from: 'gte', to: 'lte' } as const;

/** 1.0 beta: conditions as JSON, because values in parameters are guessed to be numbers. */
export const jsonServer1: Dialect = {
  can: ['ranges'],
  isStrict: false,
  assigned: 'id',
  isPaged: true,
  parameters: ({ conditions, offset, limit }) => {
    const where: Record<string, Record<string, unknown>> = {};
    for (const { name, operator, values } of conditions) {
      // Without `ne`, what lacks a value is below any number.
      where[name] ??= { ne: null };
      if (operator === 'equals') where[name].in = values;
      else where[name][OPERATORS[operator]] = values[0];
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
