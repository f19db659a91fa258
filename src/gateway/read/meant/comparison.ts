import { LONGEST_SUGGESTED } from '../../../../packages/vocabularies/src/words.ts';
import { type Language, valuesIn } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { type Suffix, withSuffix } from '../../model/query.ts';
import { type Sentence, sentence } from '../../texts/phrase.ts';

/** What a client probably meant: a sentence of its own, or a word or piece of a query that asks the same. */
export interface Meant {
  /** The canonical name of the parameter. */
  readonly name?: string | undefined;
  readonly suggestion?: string | undefined;
  readonly detail?: Sentence | undefined;
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
/** What some clients put around the name of a field. */
const AROUND = /^(?:filters?|where)$/i;
/** A name that has a sign behind it, and then perhaps a value. */
const COMPARED = /^([^!=<>~*]+)(<>|[!<>~*]=?)=?(.*)$/s;

const pairs = (word: string, values: readonly string[]): string =>
  values.map((value) => `${word}=${encodeURIComponent(value)}`).join('&');

/** @returns a function that says how one comparison of a field with a value is sent in a language */
const inWords = (language: Language, collection: Collection) => {
  const { suffixes, parameters } = language;
  const fields = language.fields(collection);
  const ranged = collection.fields.filter((field) => kindOf(field).hasRanges);
  const known = ranged.map(({ name }) => fields.word(name)).join(', ');

  /** @param value `undefined` where several were sent */
  return (sent: string, field: Field, comparison: Comparison, value: string | undefined): Meant | undefined => {
    const word = fields.word(field.name);
    const end = (suffix: Suffix): string => withSuffix(word, suffixes.word(suffix));
    const isWhole = value !== undefined && WHOLE.test(value);
    const range = (suffix: Suffix, step: number): Meant | undefined => {
      const name = withSuffix(field.name, suffix);
      if (isWhole) return { name, suggestion: `${end(suffix)}=${Number(value) + step}` };
      return step === 0 ? { name, suggestion: end(suffix) } : undefined;
    };
    switch (comparison) {
      case 'equals': {
        const values = value?.split(LISTED).map((each) => each.trim()) ?? [];
        return { name: field.name, suggestion: values.length > 1 ? pairs(word, values) : word };
      }
      case 'excluding':
      case 'partial':
      case 'missing': {
        const values = { word: sent, field: word, search: parameters.word('search') };
        return { name: field.name, detail: sentence(`filter-${comparison}`, values) };
      }
    }
    if (!ranged.includes(field))
      return { name: field.name, detail: sentence('filter-ranges', { word: sent, field: word, known }) };
    switch (comparison) {
      case 'above':
        return range('from', 1);
      case 'below':
        return range('to', -1);
      case 'between': {
        const [, from, to] = SPAN.exec(value ?? '') ?? [];
        const name = withSuffix(field.name, 'from');
        return from === undefined ? undefined : { name, suggestion: `${end('from')}=${from}&${end('to')}=${to}` };
      }
      default:
        return range(comparison, 0);
    }
  };
};

/** @returns a function that finds what an operator in the name of a parameter, such as `year>=2015` and `minYear`, means */
export const comparedByName = (language: Language, collection: Collection) => {
  const words = inWords(language, collection);
  const vocabulary = language.fields(collection);
  const { suffixes } = language;
  const fieldOf = (parts: readonly string[]): Field | undefined => {
    const word = vocabulary.suggest(parts.join('_'));
    const name = word === undefined ? undefined : vocabulary.name(word);
    return collection.fields.find((field) => field.name === name);
  };
  const comparisonOf = (parts: readonly string[]): Comparison | undefined => {
    const key = parts.join('');
    const suffix = suffixes.equivalent(key);
    if (suffix !== undefined) return suffixes.name(suffix) as Suffix;
    return /^\d*$/.test(key) ? 'equals' : OPERATORS.get(key.toLowerCase());
  };

  return (sent: string, value: string | undefined): Meant | undefined => {
    // `year>=2015` is the name `year>` with a value, and `year>2015` is a name alone.
    const [, left = sent, sign, rest = ''] = COMPARED.exec(value ? `${sent}=${value}` : sent) ?? [];
    const all = left.split(PARTS).filter((part) => part !== '');
    const parts = all.length > 1 && AROUND.test(all[0] ?? '') ? all.slice(1) : all;
    if (sign !== undefined) {
      const [field, comparison] = [fieldOf(parts), OPERATORS.get(sign)];
      return field && comparison && words(sent, field, comparison, rest);
    }
    const splits = [
      ...[2, 1].flatMap((count) => [
        [parts.slice(-count), parts.slice(0, -count)] as const,
        [parts.slice(0, count), parts.slice(count)] as const,
      ]),
      ...(parts.length < all.length || /\[\d*\]$/.test(sent) ? [[[], parts] as const] : []),
    ];
    for (const [operator, named] of splits) {
      const comparison = named.length > 0 ? comparisonOf(operator) : undefined;
      const field = comparison && fieldOf(named);
      if (field && comparison) return words(sent, field, comparison, value);
    }
    return undefined;
  };
};

/** @returns a function that finds what a value of a filter means that is none, such as `2015-2018`, `>=2015`, `sí` and `null` */
export const comparedByValue = (language: Language, collection: Collection, field: Field) => {
  const words = inWords(language, collection);
  const { hasRanges } = kindOf(field);
  const { suggest, filter, explain } = valuesIn(language, collection, field);
  const word = language.fields(collection).word(field.name);
  return (sent: string): Meant | undefined => {
    if (sent.length > LONGEST_SUGGESTED) return undefined;
    const whole = `${word}=${sent}`;
    if (sent === 'null') return words(whole, field, 'missing', sent);
    const { suggestion, phrase, values: known } = explain?.(sent, 'query') ?? {};
    if (phrase) return { suggestion, detail: sentence(phrase, { word, ...known }) };
    const value = filter.parse(String(suggest(sent)));
    if (value !== undefined) return { suggestion: filter.format(value) };
    if (hasRanges) {
      const [, sign, operator, rest] = SIGNED.exec(sent) ?? [];
      const comparison = OPERATORS.get((sign ?? operator ?? '').toLowerCase());
      if (comparison) return words(whole, field, comparison, rest?.trim());
      if (SPAN.test(sent) && !LISTED.test(sent)) return words(whole, field, 'between', sent);
    }
    const all = sent.split(LISTED).map((each) => filter.parse(String(suggest(each.trim()))));
    const values = all.filter((each) => each !== undefined);
    const isList = all.length > 1 && values.length === all.length;
    return isList ? { suggestion: pairs(word, values.map(filter.format)) } : undefined;
  };
};
