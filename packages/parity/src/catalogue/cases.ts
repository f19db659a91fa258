/** Requests that follow from a seed, in the names that all languages share. */
import type { Request } from '../kit/translate.ts';
import type { Random } from '../random.ts';
import { type Pairs, Parts, withQuery } from './parts.ts';
import type { Service } from './service.ts';

export interface Case extends Request {
  /** What it is about; findings and JUnit name it. */
  readonly kind: string;
  /** Its query is in the words of the other language. */
  readonly isForeign?: true;
  /** What is asked after it: the next page, or the same with the entity tag that came, or with that of the other tree. */
  readonly follow?: 'next' | 'own tag' | 'other tag';
}

type Maker = (parts: Parts, collection: string) => Case;

function makeList(parts: Parts, collection: string): Case {
  const { random } = parts;
  const sort = random.once(2) ? parts.sort(collection) : random.once(6) ? ([['order', 'desc']] as const) : [];
  const pairs = [
    ...(random.once(2) ? parts.filter(collection) : []),
    ...(random.once(4) ? parts.search(collection) : []),
    ...sort,
    ...parts.selection(collection, 'lists'),
    ...parts.page(collection),
  ];
  return { kind: 'list', url: withQuery(parts.sample(collection).list + (random.once(12) ? '/' : ''), pairs) };
}

function makeWrongPairs(parts: Parts, collection: string): Pairs {
  const { random } = parts;
  const numbers = parts.fields(collection).filter(([, { kind }]) => kind === 'integer' || kind === 'flag');
  const [number = 'page'] = numbers.length > 0 ? random.pick(numbers) : [];
  const unknown = () => parts.unknown();
  const [field] = random.pick(parts.fields(collection));
  const [ordered] = random.pick(parts.orderedFields(collection));
  return random.pick<Pairs>([
    [[number, unknown()]],
    [['page', random.pick(['0', '-1', 'x', ''])]],
    [['number_of_elements', random.pick(['0', '1.5', 'x'])]],
    [['sort_by', `${unknown()},${field}`]],
    [['order', unknown()]],
    [...pair('fields', unknown()), ...pair(unknown(), '1')],
    [...pair('page', '1'), ...pair('page', '2')],
    [...pair('after', 'x'), ...pair('page', '2')],
    [...pair(unknown(), '1'), ...pair('page', 'x'), ...pair(number, unknown())],
    ...(parts.has('search', collection) ? [pair('search', '...')] : []),
    [['format', unknown()]],
    [...pair('group_by', ordered), ...pair('sort_by', number)],
  ]);
}

const pair = (name: string, value: string): Pairs => [[name, value]];

/** Asks what has changed since the beginning, or since now; if a service has no changes, for a list. */
function makeChanges(parts: Parts, collection: string): Case {
  if (!parts.has('changed_since', collection)) return makeList(parts, collection);
  const { random } = parts;
  const since = random.pick(['0', '0', 'now']);
  const size = pair('number_of_elements', String(1 + random.below(9)));
  const pairs: Pairs = since === 'now' ? [] : [...parts.filter(collection), ...size];
  const url = withQuery(parts.listOr('changes', collection), [['changed_since', since], ...pairs]);
  return { kind: 'changes', url, ...(since === '0' && random.once(2) && { follow: 'next' }) };
}

const makeFilter: Maker = (parts, collection) => ({
  kind: 'filter',
  url: withQuery(parts.sample(collection).list, parts.filter(collection)),
});

/** @returns an item's path, or what else is chosen as often */
const itemOr = (parts: Parts, collection: string, other: () => string): string =>
  parts.random.once(2) ? parts.itemPath(collection) : other();

/** One after the other, so that each has its turn. */
const MAKERS: readonly Maker[] = [
  makeList,
  makeList,
  makeList,
  makeFilter,
  makeFilter,
  makeFilter,
  (parts, collection) => ({
    kind: 'following pages',
    url: withQuery(parts.sample(collection).list, pair('number_of_elements', String(1 + parts.random.below(3)))),
    follow: 'next',
  }),
  (parts, collection) => {
    const [field] = parts.random.pick(parts.orderedFields(collection));
    const page = parts.random.once(2) ? parts.page(collection) : [];
    return { kind: 'groups', url: withQuery(parts.listOr('groups', collection), [['group_by', field], ...page]) };
  },
  makeChanges,
  makeChanges,
  (parts, collection) => {
    const pairs = [...pair('format', 'csv'), ...parts.page(collection), ...parts.filter(collection)];
    return { kind: 'file csv', url: withQuery(parts.listOr('exports', collection), pairs) };
  },
  (parts, collection) => {
    const pairs = [...pair('format', 'ndjson'), ...parts.page(collection)];
    return { kind: 'file ndjson', url: withQuery(parts.listOr('exports', collection), pairs) };
  },
  (parts, collection) => {
    const [field] = parts.random.pick(parts.fields(collection));
    const pairs = [...pair('fields', field), ...parts.filter(collection)];
    return { kind: 'selections', url: withQuery(parts.listOr('selections', collection), pairs) };
  },
  (parts, collection) => {
    const pairs = parts.random.once(2) ? [] : parts.selection(collection, 'items');
    return { kind: 'item', url: withQuery(parts.itemPath(collection), pairs) };
  },
  (parts, collection) => ({
    kind: 'HEAD',
    method: 'HEAD',
    url: itemOr(parts, collection, () => makeList(parts, collection).url),
  }),
  (parts, collection) => ({
    kind: 'OPTIONS',
    method: 'OPTIONS',
    url: itemOr(parts, collection, () => parts.sample(collection).list),
  }),
  (parts, collection) => {
    const below = parts.random.once(2) ? '' : `/${parts.nested(collection)[0] ?? ''}`;
    return { kind: 'missing', url: `${parts.sample(collection).list}/zz-${parts.random.below(1e6)}${below}` };
  },
  (parts, collection) => ({
    kind: 'wrong path',
    url: `${parts.itemPath(collection)}/${parts.random.pick(['zzzzzz', '%ZZ'])}`,
  }),
  (parts, collection) => ({ kind: 'wrong method', method: 'PROPFIND', url: parts.sample(collection).list }),
  (parts, collection) => ({
    kind: 'wrong Accept',
    url: makeList(parts, collection).url,
    headers: { Accept: 'image/png' },
  }),
  (parts, collection) => {
    const view = parts.random.pick(['groups', 'changes', 'exports', 'selections']);
    return { kind: 'wrong query', url: withQuery(parts.listOr(view, collection), makeWrongPairs(parts, collection)) };
  },
  (parts, collection) => ({
    kind: 'wrong query',
    url: withQuery(parts.sample(collection).list, [...makeWrongPairs(parts, collection), ...parts.filter(collection)]),
  }),
  (parts, collection) => ({
    kind: 'query of an item',
    url: withQuery(parts.itemPath(collection), [...pair('page', '1'), ...pair(parts.unknown(), '')]),
  }),
  (parts, collection) => ({
    kind: 'words of the other language',
    url: withQuery(parts.sample(collection).list, [...parts.filter(collection), ...parts.sort(collection)]),
    isForeign: true,
  }),
  (parts, collection) => ({
    kind: 'words of the other language',
    url: withQuery(parts.itemPath(collection), pair('fields', parts.random.pick(parts.fields(collection))[0])),
    isForeign: true,
  }),
  (parts, collection) => ({
    kind: 'not modified',
    url: itemOr(parts, collection, () => makeList(parts, collection).url),
    follow: 'own tag',
  }),
  (parts, collection) => ({ kind: 'tag of the other tree', url: parts.itemPath(collection), follow: 'other tag' }),
];

/** @yields cases of a service without an end, each kind in turn */
export function* makeCases(service: Service, random: Random): Generator<Case, never> {
  const parts = new Parts(service, random);
  // Collections come up as often as they have fields.
  const weighted = parts.collections.flatMap((collection) => parts.fields(collection).map(() => collection));
  for (;;) for (const make of MAKERS) yield make(parts, random.pick(weighted));
}
