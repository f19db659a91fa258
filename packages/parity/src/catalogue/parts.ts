/** Parts of requests, with values of items that there are. */
import { type Field, rootPath } from '../kit/dictionary.ts';
import type { Random } from '../random.ts';
import { readKey, type Service } from './service.ts';

type Entry = readonly [name: string, field: Field];

export type Pairs = readonly (readonly [name: string, value: string])[];

/** A comma stays as it is, so that translations of lists of words are readable. */
const encode = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',');

/** @returns a URL with a query */
export const withQuery = (path: string, pairs: Pairs): string =>
  pairs.length === 0 ? path : `${path}?${pairs.map((pair) => pair.map(encode).join('=')).join('&')}`;

const isNumber = (text: string): boolean => /^-?\d+$/.test(text);

/** Chooses parts of requests for a service. */
export class Parts {
  readonly random: Random;
  /** Collections that have items. */
  readonly collections: readonly string[];
  readonly #names: Service['names'];
  readonly #samples: Service['samples'];
  /** Counts filters: each of them, and each end of a range, has its turn. */
  #filters = 0;

  constructor({ names, samples }: Service, random: Random) {
    this.random = random;
    this.#names = names;
    this.#samples = samples;
    this.collections = Object.keys(names.collections).filter((name) => samples[name]?.length);
  }

  has(parameter: string, collection: string, of: 'lists' | 'items' = 'lists'): boolean {
    return this.#names.parameters[parameter]?.[of].includes(collection) ?? false;
  }

  fields(collection: string): readonly Entry[] {
    return Object.entries(this.#names.collections[collection]?.fields ?? {});
  }

  nested(collection: string): readonly string[] {
    const { collections } = this.#names;
    return Object.keys(collections).filter((name) => collections[name]?.parent === collection);
  }

  sample(collection: string) {
    return this.random.pick(this.#samples[collection] ?? []);
  }

  itemPath(collection: string, { list, item } = this.sample(collection)): string {
    return `${list}/${encodeURIComponent(readKey(this.#names, collection, item))}`;
  }

  /** @returns the path of a list, or of what there is beside it and does the same, such as its groups */
  listOr(view: string, collection: string): string {
    const { list } = this.sample(collection);
    const root = rootPath(this.#names);
    const hasView = this.#names.collections[collection]?.paths[view] !== undefined;
    return hasView && this.random.once(2) ? `${root}/${view}${list.slice(root.length)}` : list;
  }

  #text(collection: string, field: string): string {
    const value = this.sample(collection).item[field];
    return value === undefined ? 'x' : String(Array.isArray(value) ? value[0] : value);
  }

  filter(collection: string): Pairs {
    const all = this.fields(collection).flatMap(([name, { kind, choices, range = {} }]) => [
      { name, kind, choices, word: name },
      ...Object.values(range).map((word) => ({ name, kind, choices, word })),
    ]);
    const { name, kind, choices, word } = all[this.#filters++ % all.length] as (typeof all)[number];
    const value = this.#text(collection, name);
    if (kind === 'integer') return [[word, isNumber(value) ? value : String(this.random.below(3000))]];
    if (kind === 'flag') return [[word, this.random.pick(['true', 'false'])]];
    if (choices) return [[word, this.random.pick(Object.keys(choices))]];
    const spellings = [value, value.toUpperCase(), value.toLowerCase()];
    const filter: Pairs[number] = [word, this.random.once(8) ? '' : this.random.pick(spellings)];
    return this.random.once(4) ? [filter, [word, this.#text(collection, name)]] : [filter];
  }

  search(collection: string): Pairs {
    const texts = this.fields(collection).filter(([, { searchable }]) => searchable);
    if (!this.has('search', collection) || texts.length === 0) return [];
    const words = this.#text(collection, this.random.pick(texts)[0]).match(/[\p{L}\p{N}]+/gu) ?? ['x'];
    return [['search', this.random.pick(words).slice(0, 2 + this.random.below(5))]];
  }

  /** @returns fields without those whose values have words, which have another order in each language */
  orderedFields(collection: string): readonly Entry[] {
    return this.fields(collection).filter(([, { kind, choices }]) => kind !== 'list' && !choices);
  }

  sort(collection: string): Pairs {
    const fields = this.random.some(this.orderedFields(collection), 3).map(([name]) => name);
    const orders = fields.map(() => this.random.pick(['asc', 'desc']));
    return [['sort_by', fields.join()], ...(this.random.once(2) ? [] : [['order', orders.join()] as const])];
  }

  page(collection: string): Pairs {
    if (!this.has('page', collection)) return [];
    const { random } = this;
    const size = (most: number) => ['number_of_elements', String(1 + random.below(most))] as const;
    const page = (most: number) => ['page', String(1 + random.below(most))] as const;
    return random.pick<Pairs>([[size(20)], [size(9), page(5)], [page(3)]]);
  }

  /** @returns which parts of items are asked for */
  selection(collection: string, of: 'lists' | 'items'): Pairs {
    const fields = this.fields(collection);
    const references = fields.flatMap(([name, { refersTo }]) => (refersTo === undefined ? [] : [name]));
    const pairs: [string, string][] = [];
    if (this.random.once(2) && this.has('fields', collection, of)) {
      const some = this.random.some(fields, 4).map(([name]) => name);
      pairs.push(['fields', some.join()]);
    }
    if (this.random.once(2) && this.has('include', collection, of))
      pairs.push(['include', this.random.some([...this.nested(collection), ...references], 2).join()]);
    return pairs;
  }

  unknown(): string {
    return this.random.pick(['zzzzzz', 'qqqqqqq', 'ñandú_zz', 'xxxxxxx_9']);
  }
}
