import { LONGEST_SUGGESTED, likeness, type WordIndex } from '../../../../packages/vocabularies/src/words.ts';
import { type Language, valuesIn } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { getKind } from '../../model/kinds/kinds.ts';
import { OFFSET, type Suffix, withSuffix } from '../../model/query.ts';
import { type Sentence, sentence } from '../../texts/phrase.ts';

/** Suggests how to ask here for what a client asks in the manner of another service. */

/** A sentence of its own, or a word or piece of a query that asks the same. */
export interface Suggestion {
  readonly name?: string | undefined;
  readonly suggestion?: string | undefined;
  readonly detail?: Sentence | undefined;
}

/** All values that were sent, by word. */
export type SentValues = ReadonlyMap<string, readonly string[]>;

type Comparison = Suffix | 'above' | 'below' | 'between' | 'equals' | 'excluding' | 'partial' | 'missing';

/** Operators of other services, in names and in values. Suffixes have synonyms in the tables. */
const OPERATORS: ReadonlyMap<string, Comparison> = new Map(
  Object.entries({
    from: '>= gte ge',
    to: '<= lte le',
    above: '> gt',
    below: '< lt',
    between: 'between range',
    equals: '= == eq equals exact iexact in is any',
    excluding: '! != <> ne neq nin not notin isnot exclude',
    partial: '~ =~ ~= * *= like ilike contains icontains startswith istartswith endswith iendswith match regex',
    missing: 'null isnull isempty exists',
  }).flatMap(([comparison, signs]) => signs.split(' ').map((sign) => [sign, comparison as Comparison] as const)),
);

const WHOLE = /^-?\d+$/;
const SPAN = /^\W*?(-?\d+)\s*(?:\.{2,3}|[-–:;,])\s*(-?\d+)\W?$/;
/** A sign before a value, such as `>=2015`, `gte:2015` and `gt.2015`. */
const SIGNED = /^\s*(?:([!=<>~]+)|([a-z]{2,})[:.])(.*)$/is;
const LISTED = /[,;|]/;

/** Parts of names: `year[gte]`, `year__gte`, `minYear`. */
const PARTS = /[[\]\s_.:$-]+|(?<=\p{Ll})(?=\p{Lu})/u;
/** Prefixes and suffixes that clients of other services put around the name of a field. */
const AROUND = /^(?:filters?|where)$/i;
/** A name that has a sign behind it, and then perhaps a value. */
const COMPARED = /^([^!=<>~*]+)(<>|[!<>~*]=?)=?(.*)$/s;

const writePairs = (word: string, values: readonly string[]): string =>
  values.map((value) => `${word}=${encodeURIComponent(value)}`).join('&');

interface SortTerm {
  readonly field?: string | undefined;
  readonly direction?: string | undefined;
}

/** `-year` and, decoded, `+year`. */
const PREFIXED = /^([-+ ])(.+)$/s;
/** `year:desc`, `year desc`, `year.desc`, `year_desc`. */
const FOLLOWED = /(?<![\s:._|-])[\s:._|-]+(\p{L}+)$/u;
const CALLED = /^(\p{L}+)\((.+)\)$/u;

/** `marca[]`, `marca[0]`, `page[size]`: some clients write repeated and grouped parameters so. */
const removeBrackets = (word: string): string => word.replace(/\[\d*\]$/, '').replace(/\[([^[\]]*)\]/g, '_$1');

/** @returns the fields that lists are sorted and grouped by, and their words */
export function orderedFields(language: Pick<Language, 'fields'>, collection: Collection) {
  const index = language.fields(collection);
  const fields = collection.fields.filter((field) => !getKind(field).isList);
  const name = (input: string): string | undefined => fields.find((each) => each.name === index.name(input))?.name;
  return {
    fields,
    name,
    nearest: (input: string): string => index.nearest(input).split(', ').filter(name).join(', '),
    suggest: (input: string): string | undefined => {
      const word = index.suggest(input);
      return word !== undefined && name(word) !== undefined ? word : undefined;
    },
  };
}

export class Suggestions {
  readonly #language: Language;
  readonly #collection: Collection;
  readonly #fields: WordIndex;

  constructor(language: Language, collection: Collection) {
    this.#language = language;
    this.#collection = collection;
    this.#fields = language.fields(collection);
  }

  /** @returns what a value of a filter means that is none, such as `2015-2018`, `>=2015`, `sí` and `null` */
  forValue(field: Field, input: string): Suggestion | undefined {
    if (input.length > LONGEST_SUGGESTED) return undefined;
    const { suggest, filter, explain } = valuesIn(this.#language, this.#collection, field);
    const word = this.#fields.word(field.name);
    const whole = `${word}=${input}`;
    if (input === 'null') return this.#forComparison(whole, field, 'missing', input);
    const { suggestion, phrase, values: known } = explain?.(input, 'query') ?? {};
    if (phrase) return { suggestion, detail: sentence(phrase, { word, ...known }) };
    const value = filter.parse(String(suggest(input)));
    if (value !== undefined) return { suggestion: filter.format(value) };
    if (getKind(field).hasRanges) {
      const [, sign, operator, rest] = SIGNED.exec(input) ?? [];
      const comparison = OPERATORS.get((sign ?? operator ?? '').toLowerCase());
      if (comparison) return this.#forComparison(whole, field, comparison, rest?.trim());
      if (SPAN.test(input) && !LISTED.test(input)) return this.#forComparison(whole, field, 'between', input);
    }
    const all = input.split(LISTED).map((each) => filter.parse(String(suggest(each.trim()))));
    const values = all.filter((each) => each !== undefined);
    const isList = all.length > 1 && values.length === all.length;
    return isList ? { suggestion: writePairs(word, values.map(filter.format)) } : undefined;
  }

  /**
   * @param words of the parameters that there are; `ofLists` are those of lists
   * @param values that were sent for it
   * @returns what a client means by a parameter that is none
   */
  forParameter(input: string, values: readonly string[], all: SentValues, words: WordIndex, ofLists: WordIndex) {
    // The patterns below may backtrack, so long texts are not matched.
    if (input.length > LONGEST_SUGGESTED) return {};
    const { parameters } = this.#language;
    const word = removeBrackets(input);
    const [first = ''] = values;
    const value = values.length === 1 && first.length <= LONGEST_SUGGESTED ? first : undefined;
    const isList = words === ofLists;
    const offsets = parameters.synonyms.filter(([, name]) => name === OFFSET);
    if (isList && offsets.some(([synonym]) => likeness(synonym) === likeness(word)))
      return this.#forOffset(input, value, all, words);
    const direct = words.name(word) === undefined ? words.equivalent(word) : word;
    const order = parameters.word('order');
    const isSort = direct !== undefined && (direct === parameters.word('sort_by') || direct === order);
    const terms = isSort && value ? this.forSort(value, all.has(order)) : undefined;
    // A value that is right already needs only the right word.
    if (terms && terms.suggestion !== `${direct}=${value}`) return terms;
    const suggestion = direct ?? words.suggest(word);
    if (suggestion !== undefined) return { name: words.name(suggestion), suggestion };
    if (isList) return this.#forOperator(input, value) ?? {};
    const isOfLists = (ofLists.name(word) ?? ofLists.suggest(word)) !== undefined;
    return isOfLists ? { detail: sentence('parameter-of-lists', { word: input }) } : {};
  }

  /**
   * Reads a sort as other services have it, such as `-year` and `year:desc,brand`.
   *
   * @param isOrdered whether the directions were sent, too, so that no others can be suggested
   * @returns how it is sent here; `undefined` if it is none
   */
  forSort(input: string, isOrdered: boolean): Suggestion | undefined {
    if (input.length > 4 * LONGEST_SUGGESTED) return undefined;
    const { directions, parameters } = this.#language;
    const terms: SortTerm[] = [];
    for (const part of input.split(/[,;]/)) {
      const term = this.#readSortTerm(part);
      if (!term) return undefined;
      const last = terms.at(-1);
      // `year,desc`
      if (term.field === undefined && last && last.direction === undefined)
        terms[terms.length - 1] = { ...last, ...term };
      else terms.push(term);
    }
    const isDirected = terms.some(({ direction }) => direction !== undefined);
    if (isDirected && isOrdered) return undefined;
    const fields = terms.map(({ field }) => field);
    const directed = terms.map(({ direction }) => encodeURIComponent(direction ?? directions.word('asc')));
    const orders = isDirected ? [`${parameters.word('order')}=${directed.join()}`] : [];
    if (terms.length === 1 && fields[0] === undefined) return { name: 'order', suggestion: orders[0] };
    if (fields.includes(undefined)) return undefined;
    const sorts = `${parameters.word('sort_by')}=${fields.map((each) => encodeURIComponent(each ?? '')).join()}`;
    return { name: 'sort_by', suggestion: [sorts, ...orders].join('&') };
  }

  #readSortTerm(input: string): SortTerm | undefined {
    const { directions } = this.#language;
    const { suggest } = orderedFields(this.#language, this.#collection);
    const text = input.trim();
    const alone = directions.equivalent(text);
    if (alone !== undefined) return { direction: alone };
    const [, sign, rest = ''] = PREFIXED.exec(input) ?? [];
    if (sign !== undefined) {
      const field = suggest(rest.trim());
      return field === undefined ? undefined : { field, direction: directions.word(sign === '-' ? 'desc' : 'asc') };
    }
    const [, called, inside] = CALLED.exec(input) ?? [];
    const followed = FOLLOWED.exec(text);
    const field = suggest(inside ?? text.slice(0, followed?.index ?? 0));
    const direction = directions.equivalent(called ?? followed?.[1] ?? '');
    if (field !== undefined && direction !== undefined) return { field, direction };
    const whole = suggest(text);
    return whole === undefined ? undefined : { field: whole };
  }

  /** Rows to skip are pages to skip if they are a multiple of the size that was sent. */
  #forOffset(input: string, value: string | undefined, all: SentValues, words: WordIndex): Suggestion {
    const { parameters } = this.#language;
    const [page, size] = [parameters.word('page'), parameters.word('number_of_elements')];
    const [, [count = ''] = []] =
      [...all].find(([word]) => word === size || words.equivalent(removeBrackets(word)) === size) ?? [];
    const [offset, each] = [Number(value || Number.NaN), Number(count)];
    return Number.isSafeInteger(offset) && offset >= 0 && each > 0 && offset % each === 0
      ? { name: 'page', suggestion: `${page}=${offset / each + 1}&${size}=${count}` }
      : { name: 'page', detail: sentence('parameter-offset', { word: input, page, size }) };
  }

  /** @returns what an operator in the name of a parameter, such as `year>=2015` and `minYear`, means */
  #forOperator(input: string, value: string | undefined): Suggestion | undefined {
    // `year>=2015` is the name `year>` with a value, and `year>2015` is a name alone.
    const [, left = input, sign, rest = ''] = COMPARED.exec(value ? `${input}=${value}` : input) ?? [];
    const all = left.split(PARTS).filter((part) => part !== '');
    const parts = all.length > 1 && AROUND.test(all[0] ?? '') ? all.slice(1) : all;
    if (sign !== undefined) {
      const [field, comparison] = [this.#findField(parts), OPERATORS.get(sign)];
      return field && comparison && this.#forComparison(input, field, comparison, rest);
    }
    const splits = [
      ...[2, 1].flatMap((count) => [
        [parts.slice(-count), parts.slice(0, -count)] as const,
        [parts.slice(0, count), parts.slice(count)] as const,
      ]),
      ...(parts.length < all.length || /\[\d*\]$/.test(input) ? [[[], parts] as const] : []),
    ];
    for (const [operator, fieldParts] of splits) {
      const comparison = fieldParts.length > 0 ? this.#findComparison(operator) : undefined;
      const field = comparison && this.#findField(fieldParts);
      if (field && comparison) return this.#forComparison(input, field, comparison, value);
    }
    return undefined;
  }

  #findField(parts: readonly string[]): Field | undefined {
    const name = this.#fields.name(this.#fields.suggest(parts.join('_')) ?? '');
    return this.#collection.fields.find((field) => field.name === name);
  }

  #findComparison(parts: readonly string[]): Comparison | undefined {
    const { suffixes } = this.#language;
    const key = parts.join('');
    const suffix = suffixes.equivalent(key);
    if (suffix !== undefined) return suffixes.name(suffix) as Suffix;
    return /^\d*$/.test(key) ? 'equals' : OPERATORS.get(key.toLowerCase());
  }

  /** @param value `undefined` if several were sent */
  #forComparison(input: string, field: Field, comparison: Comparison, value: string | undefined) {
    const { suffixes, parameters } = this.#language;
    const { name } = field;
    const word = this.#fields.word(name);
    if (comparison === 'equals') {
      const values = value?.split(LISTED).map((each) => each.trim()) ?? [];
      return { name, suggestion: values.length > 1 ? writePairs(word, values) : word };
    }
    if (comparison === 'excluding' || comparison === 'partial' || comparison === 'missing') {
      const values = { word: input, field: word, search: parameters.word('search') };
      return { name, detail: sentence(`filter-${comparison}`, values) };
    }
    const ranged = this.#collection.fields.filter((each) => getKind(each).hasRanges);
    if (!ranged.includes(field)) {
      const known = ranged.map((each) => this.#fields.word(each.name)).join(', ');
      return { name, detail: sentence('filter-ranges', { word: input, field: word, known }) };
    }
    const [from, to] = (['from', 'to'] as const).map((suffix) => withSuffix(word, suffixes.word(suffix)));
    if (comparison === 'between') {
      const [, first, last] = SPAN.exec(value ?? '') ?? [];
      if (first === undefined) return undefined;
      return { name: withSuffix(name, 'from'), suggestion: `${from}=${first}&${to}=${last}` };
    }
    const isFrom = comparison === 'from' || comparison === 'above';
    const step = comparison === 'above' ? 1 : comparison === 'below' ? -1 : 0;
    const end = { name: withSuffix(name, isFrom ? 'from' : 'to'), suggestion: isFrom ? from : to };
    const isWhole = value !== undefined && WHOLE.test(value);
    if (isWhole) return { ...end, suggestion: `${end.suggestion}=${Number(value) + step}` };
    return step === 0 ? end : undefined;
  }
}
