/** Suggests how to ask here for what a client asks in the manner of another service. */
import { LONGEST_SUGGESTED, likeness, type WordIndex } from '../../../../packages/vocabularies/src/words.ts';
import { getValues, type Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { getKind } from '../../model/kinds/kinds.ts';
import { OFFSET, type Suffix, withSuffix } from '../../model/query.ts';
import { type Sentence, sentence } from '../../texts/phrase.ts';

/** A sentence of its own, or a word or piece of a query that asks the same. */
export interface Suggestion {
  readonly name?: string | undefined;
  readonly suggestion?: string | undefined;
  readonly detail?: Sentence | undefined;
}

/** All values that were sent, by word. */
export type SentValues = ReadonlyMap<string, readonly string[]>;

/** A list whose parameters and fields have the words of a language. */
interface List {
  readonly language: Language;
  readonly collection: Collection;
}

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
export function findOrderedFields(language: Pick<Language, 'fields'>, collection: Collection) {
  const index = language.fields(collection);
  const fields = collection.fields.filter((field) => !getKind(field).isList);
  const name = (input: string) => fields.find((field) => field.name === index.name(input))?.name;
  return {
    fields,
    name,
    nearest: (input: string) => index.nearest(input).split(', ').filter(name).join(', '),
    suggest: (input: string) => [index.suggest(input) ?? ''].find(name),
  };
}

/** @returns what an invalid value of a filter, such as `2015-2018`, `>=2015`, `sí` and `null`, probably means */
export function suggestValue(list: List, field: Field, input: string): Suggestion | undefined {
  if (input.length > LONGEST_SUGGESTED) return undefined;
  const { language, collection } = list;
  const { suggest, filter, explain } = getValues(language, collection, field);
  const word = language.fields(collection).word(field.name);
  const pair = `${word}=${input}`;
  if (input === 'null') return suggestComparison(list, pair, field, 'missing', input);
  const { suggestion, phrase, values: details } = explain?.(input, 'query') ?? {};
  if (phrase) return { suggestion, detail: sentence(phrase, { word, ...details }) };
  const value = filter.parse(String(suggest(input)));
  if (value !== undefined) return { suggestion: filter.format(value) };
  if (getKind(field).hasRanges) {
    const [, sign, operator, rest] = SIGNED.exec(input) ?? [];
    const comparison = OPERATORS.get((sign ?? operator ?? '').toLowerCase());
    if (comparison) return suggestComparison(list, pair, field, comparison, rest?.trim());
    if (SPAN.test(input) && !LISTED.test(input)) return suggestComparison(list, pair, field, 'between', input);
  }
  const parts = input.split(LISTED).map((part) => filter.parse(String(suggest(part.trim()))));
  const values = parts.filter((part) => part !== undefined);
  const isList = parts.length > 1 && values.length === parts.length;
  return isList ? { suggestion: writePairs(word, values.map(filter.format)) } : undefined;
}

/** @returns what a client means by an unknown parameter. @param words of the parameters that may be sent */
export function suggestParameter(list: List, input: string, sent: SentValues, words: WordIndex, listWords: WordIndex) {
  // The patterns below may backtrack, so long texts are not matched.
  if (input.length > LONGEST_SUGGESTED) return {};
  const { parameters } = list.language;
  const word = removeBrackets(input);
  const [first = '', ...more] = sent.get(input) ?? [];
  const value = more.length === 0 && first.length <= LONGEST_SUGGESTED ? first : undefined;
  const isList = words === listWords;
  const offsets = parameters.synonyms.filter(([, name]) => name === OFFSET);
  if (isList && offsets.some(([synonym]) => likeness(synonym) === likeness(word)))
    return suggestPage(list, input, sent, words);
  const direct = words.name(word) === undefined ? words.equivalent(word) : word;
  const order = parameters.word('order');
  const isSort = direct !== undefined && (direct === parameters.word('sort_by') || direct === order);
  const terms = isSort && value ? suggestSort(list, value, sent.has(order)) : undefined;
  // A value that is right already needs only the right word.
  if (terms && terms.suggestion !== `${direct}=${value}`) return terms;
  const suggestion = direct ?? words.suggest(word);
  if (suggestion !== undefined) return { name: words.name(suggestion), suggestion };
  if (isList) return readOperator(list, input, value) ?? {};
  const isOfLists = (listWords.name(word) ?? listWords.suggest(word)) !== undefined;
  return isOfLists ? { detail: sentence('parameter-of-lists', { word: input }) } : {};
}

/** @returns how a sort that is written as elsewhere (`-year`, `year:desc,brand`) is sent here. @param isOrdered whether directions were sent, too */
export function suggestSort(list: List, input: string, isOrdered: boolean): Suggestion | undefined {
  if (input.length > 4 * LONGEST_SUGGESTED) return undefined;
  const { directions, parameters } = list.language;
  const terms: SortTerm[] = [];
  for (const part of input.split(/[,;]/)) {
    const term = readSortTerm(list, part);
    if (!term) return undefined;
    const last = terms.at(-1);
    // `year,desc`
    if (term.field === undefined && last && last.direction === undefined)
      terms[terms.length - 1] = { ...last, ...term };
    else terms.push(term);
  }
  const isDirected = terms.some(({ direction }) => direction !== undefined);
  if (isDirected && isOrdered) return undefined;
  const fields = terms.flatMap(({ field }) => field ?? []);
  const order = terms.map(({ direction }) => encodeURIComponent(direction ?? directions.word('asc'))).join();
  const orders = isDirected ? [`${parameters.word('order')}=${order}`] : [];
  if (terms.length === 1 && fields.length === 0) return { name: 'order', suggestion: orders[0] };
  if (fields.length < terms.length) return undefined;
  const sorts = `${parameters.word('sort_by')}=${fields.map(encodeURIComponent).join()}`;
  return { name: 'sort_by', suggestion: [sorts, ...orders].join('&') };
}

function readSortTerm({ language, collection }: List, input: string): SortTerm | undefined {
  const { directions } = language;
  const { suggest } = findOrderedFields(language, collection);
  const text = input.trim();
  const direction = directions.equivalent(text);
  if (direction !== undefined) return { direction };
  const [, sign, rest = ''] = PREFIXED.exec(input) ?? [];
  if (sign !== undefined) {
    const field = suggest(rest.trim());
    return field === undefined ? undefined : { field, direction: directions.word(sign === '-' ? 'desc' : 'asc') };
  }
  const [, caller, argument] = CALLED.exec(input) ?? [];
  const suffix = FOLLOWED.exec(text);
  const field = suggest(argument ?? text.slice(0, suffix?.index ?? 0));
  const ownDirection = directions.equivalent(caller ?? suffix?.[1] ?? '');
  if (field !== undefined && ownDirection !== undefined) return { field, direction: ownDirection };
  const wholeField = suggest(text);
  return wholeField === undefined ? undefined : { field: wholeField };
}

/** Suggests a page for a number of rows to skip, if that is a multiple of the size that was sent. */
function suggestPage({ language }: List, input: string, sent: SentValues, words: WordIndex): Suggestion {
  const { parameters } = language;
  const [page, size] = [parameters.word('page'), parameters.word('number_of_elements')];
  const sizes = [...sent].find(([word]) => word === size || words.equivalent(removeBrackets(word)) === size)?.[1];
  const [count, offset] = [Number(sizes?.[0]), Number(sent.get(input)?.join() || Number.NaN)];
  return Number.isSafeInteger(offset) && offset >= 0 && count > 0 && offset % count === 0
    ? { name: 'page', suggestion: `${page}=${offset / count + 1}&${size}=${sizes?.[0]}` }
    : { name: 'page', detail: sentence('parameter-offset', { word: input, page, size }) };
}

/** @returns what an operator in the name of a parameter, such as `year>=2015` and `minYear`, means */
function readOperator(list: List, input: string, value: string | undefined): Suggestion | undefined {
  // `year>=2015` is the name `year>` with a value, and `year>2015` is a name alone.
  const [, left = input, sign, rest = ''] = COMPARED.exec(value ? `${input}=${value}` : input) ?? [];
  const all = left.split(PARTS).filter((part) => part !== '');
  const parts = all.length > 1 && AROUND.test(all[0] ?? '') ? all.slice(1) : all;
  if (sign !== undefined) {
    const [field, comparison] = [findField(list, parts), OPERATORS.get(sign)];
    return field && comparison && suggestComparison(list, input, field, comparison, rest);
  }
  const splits = [
    ...[2, 1].flatMap((count) => [
      [parts.slice(-count), parts.slice(0, -count)] as const,
      [parts.slice(0, count), parts.slice(count)] as const,
    ]),
    ...(parts.length < all.length || /\[\d*\]$/.test(input) ? [[[], parts] as const] : []),
  ];
  for (const [operator, fieldParts] of splits) {
    const comparison = fieldParts.length > 0 ? findComparison(list.language, operator) : undefined;
    const field = comparison && findField(list, fieldParts);
    if (field && comparison) return suggestComparison(list, input, field, comparison, value);
  }
  return undefined;
}

function findField({ language, collection }: List, parts: readonly string[]): Field | undefined {
  const words = language.fields(collection);
  const name = words.name(words.suggest(parts.join('_')) ?? '');
  return collection.fields.find((field) => field.name === name);
}

function findComparison({ suffixes }: Language, parts: readonly string[]): Comparison | undefined {
  const key = parts.join('');
  const suffix = suffixes.equivalent(key);
  if (suffix !== undefined) return suffixes.name(suffix) as Suffix;
  return /^\d*$/.test(key) ? 'equals' : OPERATORS.get(key.toLowerCase());
}

/** @param value `undefined` if several were sent */
function suggestComparison(list: List, input: string, field: Field, comparison: Comparison, value?: string) {
  const { language, collection } = list;
  const { suffixes, parameters } = language;
  const { name } = field;
  const words = language.fields(collection);
  const word = words.word(name);
  if (comparison === 'equals') {
    const values = value?.split(LISTED).map((part) => part.trim()) ?? [];
    return { name, suggestion: values.length > 1 ? writePairs(word, values) : word };
  }
  if (comparison === 'excluding' || comparison === 'partial' || comparison === 'missing') {
    const values = { word: input, field: word, search: parameters.word('search') };
    return { name, detail: sentence(`filter-${comparison}`, values) };
  }
  const rangeFields = collection.fields.filter((other) => getKind(other).hasRanges);
  if (!rangeFields.includes(field)) {
    const known = rangeFields.map((other) => words.word(other.name)).join(', ');
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
