/** Another instance of this service, in one of its languages. */
import { sortsOf, withSuffix } from '../../../gateway/model/query.ts';
import { counted, type Dialect, type Parameter } from './dialect.ts';

/** @param words of its parameters, directions and the member `total`, by canonical name */
export const thisService = (words: Readonly<Record<string, string>>): Dialect => {
  const word = (name: string): string => words[name] ?? name;
  return {
    can: ['search', 'groups', 'ranges', 'folded', 'sorts', 'conditions', 'idempotency'],
    isStrict: true,
    isPaged: true,
    filters: () => true,
    // Its language has another order of words.
    sorts: ({ sort }) => sort.every(({ sortedChoices }) => !sortedChoices),
    parameters: ({ mapped, conditions, query, offset, limit }) => {
      const { search, group, order } = query;
      const sorts = sortsOf(query);
      const directions = sorts.length > 0 ? sorts.map(({ direction }) => direction) : order;
      return [
        ...conditions.flatMap(({ name, operator, values }) => {
          const own = operator === 'from' || operator === 'to' ? withSuffix(name, word(operator)) : name;
          return values.map((value): Parameter => [own, String(value)]);
        }),
        ...(sorts.length > 0
          ? [[word('sort_by'), sorts.map(({ field }) => mapped.of(field).name).join(',')] as const]
          : []),
        ...(directions.length > 0 ? [[word('order'), directions.map(word).join(',')] as const] : []),
        ...(search === undefined ? [] : [[word('search'), search] as const]),
        ...(group ? [[word('group_by'), mapped.of(group).name] as const] : []),
        [word('number_of_elements'), String(limit)],
        [word('page'), String(offset / limit + 1)],
      ];
    },
    page: counted,
  };
};
