/** Another instance of this service, in one of its languages. */
import { sortsOf, withSuffix } from '../../../gateway/model/query.ts';
import type { Dialect, Parameter } from './dialect.ts';

/** @param words of its parameters, directions and the member `total`, by canonical name */
export const thisService = (words: Readonly<Record<string, string>>): Dialect => {
  const word = (name: string): string => words[name] ?? name;
  return {
    can: ['search', 'groups', 'ranges', 'folded', 'sorts', 'nested', 'conditions', 'idempotency'],
    isStrict: true,
    isPaged: true,
    embeds: (members) => [word('include'), members.join(',')],
    // Its language has another order of words.
    sorts: ({ sort }) => sort.every(({ sortedChoices }) => !sortedChoices),
    parameters: ({ mapped, conditions, query, offset, limit }) => {
      const { search, group } = query;
      const sorts = sortsOf(query);
      const directions = sorts.length > 0 ? sorts.map(({ direction }) => direction) : query.order;
      const asked = (name: string, values: readonly string[]): readonly Parameter[] =>
        values.length > 0 ? [[word(name), values.join(',')]] : [];
      return [
        ...conditions.flatMap(({ name, operator, values }) => {
          const own = operator === 'from' || operator === 'to' ? withSuffix(name, word(operator)) : name;
          return values.map((value): Parameter => [own, String(value)]);
        }),
        ...asked(
          'sort_by',
          sorts.map(({ field }) => mapped.of(field).name),
        ),
        ...asked('order', directions.map(word)),
        ...asked('search', search === undefined ? [] : [search]),
        ...asked('group_by', group ? [mapped.of(group).name] : []),
        [word('number_of_elements'), String(limit)],
        [word('page'), String(offset / limit + 1)],
      ];
    },
  };
};
