/** json-server 0.17, and what its operators do (https://github.com/typicode/json-server/tree/v0#routes). */
import { byValue, counted, type Dialect, type Parameter } from './dialect.ts';

export const jsonServer: Dialect = {
  can: ['ranges'],
  isStrict: false,
  isPaged: false,
  filters: byValue,
  // Its order of texts knows case and accents, and items without a value come first in one direction.
  sorts: () => false,
  parameters: ({ conditions, offset, limit }) => [
    ...conditions.flatMap(({ name, operator, values }): readonly Parameter[] => {
      const [value = ''] = values;
      // A plain `name=value` is ignored where no item has that member.
      if (operator === 'equals') return values.map((each) => [`${name}_like`, `^${String(each).replace('.', '\\.')}$`]);
      const [from, to] = [`${name}_gte`, `${name}_lte`];
      if (operator === 'is') return [from, to].map((each) => [each, String(value)]);
      return [[operator === 'from' ? from : to, String(value)]];
    }),
    ['_start', String(offset)],
    ['_limit', String(limit)],
  ],
  page: counted,
};
