/** Requests that follow from a seed, in the names that all languages share. */
import type { Request } from '../kit/src/translate.ts';
import { type Pairs, partsOf, withQuery } from './parts.ts';
import type { Random } from './random.ts';
import type { Service } from './service.ts';

export interface Case extends Request {
  /** What it is about; findings and JUnit name it. */
  readonly kind: string;
  /** Its query is in the words of the other language. */
  readonly isForeign?: true;
  /** What is asked after it: the next page, or the same with the entity tag that came, or with that of the other tree. */
  readonly follow?: 'next' | 'own tag' | 'other tag';
}

/** @returns a function that makes the next case of a service, each kind in turn */
export const casesOf = (service: Service, random: Random): (() => Case) => {
  const { below, once, pick } = random;
  const {
    collections,
    has,
    fieldsOf,
    nestedIn,
    sampleOf,
    itemPath,
    listOr,
    filter,
    searched,
    orderedFields,
    sorted,
    paged,
    parts,
    unknown,
  } = partsOf(service, random);

  const list = (collection: string): Case => {
    const pairs = [
      ...(once(2) ? filter(collection) : []),
      ...(once(4) ? searched(collection) : []),
      ...(once(2) ? sorted(collection) : once(6) ? ([['order', 'desc']] as const) : []),
      ...parts(collection, 'lists'),
      ...paged(collection),
    ];
    return { kind: 'list', url: withQuery(sampleOf(collection).list + (once(12) ? '/' : ''), pairs) };
  };
  const wrong = (collection: string): Pairs => {
    const numbers = fieldsOf(collection).filter(([, { kind }]) => kind === 'integer' || kind === 'flag');
    const [number = 'page'] = numbers.length > 0 ? pick(numbers) : [];
    return pick<Pairs>([
      [[number, unknown()]],
      [['page', pick(['0', '-1', 'x', ''])]],
      [['number_of_elements', pick(['0', '1.5', 'x'])]],
      [['sort_by', `${unknown()},${pick(fieldsOf(collection))[0]}`]],
      [['order', unknown()]],
      [
        ['fields', unknown()],
        [unknown(), '1'],
      ],
      [
        ['page', '1'],
        ['page', '2'],
      ],
      [
        ['after', 'x'],
        ['page', '2'],
      ],
      [
        [unknown(), '1'],
        ['page', 'x'],
        [number, unknown()],
      ],
      ...(has('search', collection) ? [[['search', '...']] as const] : []),
      [['format', unknown()]],
      [
        ['group_by', pick(orderedFields(collection))[0]],
        ['sort_by', number],
      ],
    ]);
  };

  /** What has changed since the beginning, or since now; where a service has no changes, a list. */
  const changes = (collection: string): Case => {
    if (!has('changed_since', collection)) return list(collection);
    const since = pick(['0', '0', 'now']);
    const pairs: Pairs = since === 'now' ? [] : [...filter(collection), ['number_of_elements', String(1 + below(9))]];
    const url = withQuery(listOr('changes', collection), [['changed_since', since], ...pairs]);
    return { kind: 'changes', url, ...(since === '0' && once(2) && { follow: 'next' }) };
  };

  // As often as it has fields.
  const weighted = collections.flatMap((collection) => fieldsOf(collection).map(() => collection));
  const makers: readonly ((collection: string) => Case)[] = [
    list,
    list,
    list,
    (collection) => ({ kind: 'filter', url: withQuery(sampleOf(collection).list, filter(collection)) }),
    (collection) => ({ kind: 'filter', url: withQuery(sampleOf(collection).list, filter(collection)) }),
    (collection) => ({ kind: 'filter', url: withQuery(sampleOf(collection).list, filter(collection)) }),
    (collection) => ({
      kind: 'following pages',
      url: withQuery(sampleOf(collection).list, [['number_of_elements', String(1 + below(3))]]),
      follow: 'next',
    }),
    (collection) => ({
      kind: 'groups',
      url: withQuery(listOr('groups', collection), [
        ['group_by', pick(orderedFields(collection))[0]],
        ...(once(2) ? paged(collection) : []),
      ]),
    }),
    changes,
    changes,
    (collection) => ({
      kind: 'file csv',
      url: withQuery(listOr('exports', collection), [['format', 'csv'], ...paged(collection), ...filter(collection)]),
    }),
    (collection) => ({
      kind: 'file ndjson',
      url: withQuery(listOr('exports', collection), [['format', 'ndjson'], ...paged(collection)]),
    }),
    (collection) => ({
      kind: 'selections',
      url: withQuery(listOr('selections', collection), [
        ['fields', pick(fieldsOf(collection))[0]],
        ...filter(collection),
      ]),
    }),
    (collection) => ({ kind: 'item', url: withQuery(itemPath(collection), once(2) ? [] : parts(collection, 'items')) }),
    (collection) => ({ kind: 'HEAD', method: 'HEAD', url: once(2) ? itemPath(collection) : list(collection).url }),
    (collection) => ({
      kind: 'OPTIONS',
      method: 'OPTIONS',
      url: once(2) ? itemPath(collection) : sampleOf(collection).list,
    }),
    (collection) => ({
      kind: 'missing',
      url: `${sampleOf(collection).list}/zz-${below(1e6)}${once(2) ? '' : `/${nestedIn(collection)[0] ?? ''}`}`,
    }),
    (collection) => ({ kind: 'wrong path', url: `${itemPath(collection)}/${pick(['zzzzzz', '%ZZ'])}` }),
    (collection) => ({ kind: 'wrong method', method: 'PROPFIND', url: sampleOf(collection).list }),
    (collection) => ({ kind: 'wrong Accept', url: list(collection).url, headers: { Accept: 'image/png' } }),
    (collection) => ({
      kind: 'wrong query',
      url: withQuery(listOr(pick(['groups', 'changes', 'exports', 'selections']), collection), wrong(collection)),
    }),
    (collection) => ({
      kind: 'wrong query',
      url: withQuery(sampleOf(collection).list, [...wrong(collection), ...filter(collection)]),
    }),
    (collection) => ({
      kind: 'query of an item',
      url: withQuery(itemPath(collection), [
        ['page', '1'],
        [unknown(), ''],
      ]),
    }),
    (collection) => ({
      kind: 'words of the other language',
      url: withQuery(sampleOf(collection).list, [...filter(collection), ...sorted(collection)]),
      isForeign: true,
    }),
    (collection) => ({
      kind: 'words of the other language',
      url: withQuery(itemPath(collection), [['fields', pick(fieldsOf(collection))[0]]]),
      isForeign: true,
    }),
    (collection) => ({
      kind: 'not modified',
      url: once(2) ? itemPath(collection) : list(collection).url,
      follow: 'own tag',
    }),
    (collection) => ({ kind: 'tag of the other tree', url: itemPath(collection), follow: 'other tag' }),
  ];
  let at = 0;
  return () => (makers[at++ % makers.length] as (typeof makers)[number])(pick(weighted));
};
