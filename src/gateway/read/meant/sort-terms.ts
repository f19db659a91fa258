import { LONGEST_SUGGESTED } from '../../../../packages/vocabularies/src/words.ts';
import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import type { Meant } from './comparison.ts';

interface Term {
  readonly field?: string | undefined;
  readonly direction?: string | undefined;
}

/** `-year` and, decoded, `+year`. */
const SIGNED = /^([-+ ])(.+)$/s;
/** `year:desc`, `year desc`, `year.desc`, `year_desc`. */
const FOLLOWED = /(?<![\s:._|-])[\s:._|-]+(\p{L}+)$/u;
/** `desc(year)` */
const CALLED = /^(\p{L}+)\((.+)\)$/u;

/** @returns the fields that lists are sorted and grouped by, and their words */
export const orderedFields = (language: Pick<Language, 'fields'>, collection: Collection) => {
  const { name, suggest, nearest } = language.fields(collection);
  const fields = collection.fields.filter((field) => !kindOf(field).isList);
  const nameOf = (sent: string): string | undefined => fields.find((field) => field.name === name(sent))?.name;
  return {
    fields,
    name: nameOf,
    nearest: (sent: string): string => nearest(sent).split(', ').filter(nameOf).join(', '),
    suggest: (sent: string): string | undefined => {
      const word = suggest(sent);
      return word !== undefined && nameOf(word) !== undefined ? word : undefined;
    },
  };
};

/**
 * @returns a function that reads a sort as other services have it, such as `-year` and `year:desc,brand`, and says how it is
 *   sent here; `undefined` where it is none
 */
export const sortTerms = (language: Language, collection: Collection) => {
  const { directions, parameters } = language;
  const words = orderedFields(language, collection);
  const [sort, order] = (['sort_by', 'order'] as const).map(parameters.word);
  const fieldIn = (text = ''): string | undefined => words.suggest(text);
  const directionIn = (text = ''): string | undefined => directions.equivalent(text);

  const termIn = (sent: string): Term | undefined => {
    const direction = directionIn(sent.trim());
    if (direction !== undefined) return { direction };
    const [, sign, rest] = SIGNED.exec(sent) ?? [];
    if (sign !== undefined) {
      const field = fieldIn(rest?.trim());
      return (field && { field, direction: directions.word(sign === '-' ? 'desc' : 'asc') }) || undefined;
    }
    const [, called, inside] = CALLED.exec(sent) ?? [];
    const followed = FOLLOWED.exec(sent.trim());
    const term = {
      field: fieldIn(inside ?? followed?.input.slice(0, followed.index)),
      direction: directionIn(called ?? followed?.[1]),
    };
    if (term.field !== undefined && term.direction !== undefined) return term;
    const field = fieldIn(sent.trim());
    return field === undefined ? undefined : { field };
  };

  /** @param isOrdered whether the directions were sent, too, so that no others can be suggested */
  return (sent: string, isOrdered: boolean): Meant | undefined => {
    if (sent.length > 4 * LONGEST_SUGGESTED) return undefined;
    const terms: Term[] = [];
    for (const part of sent.split(/[,;]/)) {
      const term = termIn(part);
      if (!term) return undefined;
      const last = terms.at(-1);
      // `year,desc`
      if (term.field === undefined && last && last.direction === undefined)
        terms[terms.length - 1] = { ...last, ...term };
      else terms.push(term);
    }
    const isDirected = terms.some(({ direction }) => direction !== undefined);
    if (isDirected && isOrdered) return undefined;
    const named = terms.map(({ field }) => field);
    const directed = terms.map(({ direction }) => direction ?? directions.word('asc'));
    const orders = isDirected ? [`${order}=${directed.map(encodeURIComponent).join()}`] : [];
    if (terms.length === 1 && named[0] === undefined) return { name: 'order', suggestion: orders[0] };
    if (named.includes(undefined)) return undefined;
    const sorts = `${sort}=${named.map((each) => encodeURIComponent(each ?? '')).join()}`;
    return { name: 'sort_by', suggestion: [sorts, ...orders].join('&') };
  };
};
