/** Parts of requests, with values of items that there are. */
import { rootOf } from '../kit/src/dictionary.ts';
import type { Random } from './random.ts';
import { keyOf, type Service } from './service.ts';

export type Pairs = readonly (readonly [name: string, value: string])[];

/** A comma stays as it is, so that translations of lists of words are readable. */
const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',');

/** @returns a URL with a query */
export const withQuery = (path: string, pairs: Pairs): string =>
  pairs.length === 0 ? path : `${path}?${pairs.map((pair) => pair.map(encoded).join('=')).join('&')}`;

/** @returns functions that choose a part of a request */
export const partsOf = ({ names, samples }: Service, random: Random) => {
  const { below, once, pick, some } = random;
  const collections = Object.keys(names.collections).filter((name) => samples[name]?.length);

  const has = (parameter: string, collection: string, of: 'lists' | 'items' = 'lists'): boolean =>
    names.parameters[parameter]?.[of].includes(collection) ?? false;
  const fieldsOf = (collection: string) => Object.entries(names.collections[collection]?.fields ?? {});
  const nestedIn = (collection: string) =>
    Object.keys(names.collections).filter((name) => names.collections[name]?.parent === collection);
  const includedIn = (collection: string) => [
    ...nestedIn(collection),
    ...fieldsOf(collection).flatMap(([name, { refersTo }]) => (refersTo === undefined ? [] : [name])),
  ];
  const sampleOf = (collection: string) => pick(samples[collection] ?? []);
  const itemPath = (collection: string, { list, item } = sampleOf(collection)): string =>
    `${list}/${encodeURIComponent(keyOf(names, collection, item))}`;

  /** The path of a list, or of what there is beside it and does the same, such as its groups. */
  const listOr = (view: string, collection: string): string => {
    const { list } = sampleOf(collection);
    const root = rootOf(names);
    return names.collections[collection]?.paths[view] && once(2) ? `${root}/${view}${list.slice(root.length)}` : list;
  };

  const textOf = (collection: string, field: string): string => {
    const value = sampleOf(collection).item[field];
    return value === undefined ? 'x' : String(Array.isArray(value) ? value[0] : value);
  };
  const isNumber = (text: string): boolean => /^-?\d+$/.test(text);
  /** Each filter and each end of a range in its turn, so that none is left out. */
  let filters = 0;
  const filter = (collection: string): Pairs => {
    const all = fieldsOf(collection).flatMap(([name, { kind, choices, range = {} }]) => [
      { name, kind, choices, word: name },
      ...Object.values(range).map((word) => ({ name, kind, choices, word })),
    ]);
    const { name, kind, choices, word } = all[filters++ % all.length] as (typeof all)[number];
    const value = textOf(collection, name);
    if (kind === 'integer') return [[word, isNumber(value) ? value : String(below(3000))]];
    if (kind === 'flag') return [[word, pick(['true', 'false'])]];
    if (choices) return [[word, pick(Object.keys(choices))]];
    const spelt: Pairs[number] = [word, once(8) ? '' : pick([value, value.toUpperCase(), value.toLowerCase()])];
    return once(4) ? [spelt, [word, textOf(collection, name)]] : [spelt];
  };
  const searched = (collection: string): Pairs => {
    const texts = fieldsOf(collection).filter(([, { searchable }]) => searchable);
    if (!has('search', collection) || texts.length === 0) return [];
    const words = textOf(collection, pick(texts)[0]).match(/[\p{L}\p{N}]+/gu) ?? ['x'];
    return [['search', pick(words).slice(0, 2 + below(5))]];
  };
  /** Values with words are in the order of the words, which is another one in each language. */
  const orderedFields = (collection: string) =>
    fieldsOf(collection).filter(([, { kind, choices }]) => kind !== 'list' && !choices);
  const sorted = (collection: string): Pairs => {
    const fields = some(orderedFields(collection), 3).map(([name]) => name);
    return [
      ['sort_by', fields.join()],
      ...(once(2) ? [] : [['order', fields.map(() => pick(['asc', 'desc'])).join()] as const]),
    ];
  };
  const paged = (): Pairs =>
    pick<Pairs>([
      [['number_of_elements', String(1 + below(20))]],
      [
        ['number_of_elements', String(1 + below(9))],
        ['page', String(1 + below(5))],
      ],
      [['page', String(1 + below(3))]],
    ]);
  const parts = (collection: string, of: 'lists' | 'items'): Pairs => [
    ...(once(2) && has('fields', collection, of)
      ? [
          [
            'fields',
            some(fieldsOf(collection), 4)
              .map(([name]) => name)
              .join(),
          ] as const,
        ]
      : []),
    ...(once(2) && has('include', collection, of)
      ? [['include', some(includedIn(collection), 2).join()] as const]
      : []),
  ];
  const most = (collection: string): Pairs => (has('page', collection) ? paged() : []);
  const unknown = (): string => pick(['zzzzzz', 'qqqqqqq', 'ñandú_zz', 'xxxxxxx_9']);
  return {
    collections,
    has,
    fieldsOf,
    orderedFields,
    nestedIn,
    sampleOf,
    itemPath,
    listOr,
    filter,
    searched,
    sorted,
    paged: most,
    parts,
    unknown,
  };
};
