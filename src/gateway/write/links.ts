import type { Tree } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { EVERYTHING, isWalked, pageOf, type Query } from '../model/query.ts';
import type { Found, Keys, ListSummary } from '../port/port.ts';
import { ALL, changeAfter, writePosition } from '../read/query/paging.ts';
import { listParameters } from '../read/query/query.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { byteSize } from '../texts/size.ts';

/** The parameters of a list, in the order of links, by their names. */
type Parameters = ReadonlyMap<string, ReturnType<typeof listParameters>[number]>;

function parametersByName(language: Language, collection: Collection): Parameters {
  return new Map(listParameters(language, collection).map((parameter) => [parameter.name, parameter]));
}

/** @returns a query with its question mark; empty if it has no parameters */
function writeQuery(parameters: Parameters, query: Query): string {
  const pairs = query.sent.flatMap((name) => {
    const { word = '', format } = parameters.get(name) ?? {};
    return (format?.(query) ?? []).map((value) => `${encodeURIComponent(word)}=${encodeURIComponent(value)}`);
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The parameters that say which page of a list is asked for. */
const PLACES = ['page', 'after', 'changed_since'];

/** @returns the query of another page of the same list */
function moveTo(parameters: Parameters, query: Query, name: string, place: Partial<Query>): Query {
  const isSent = (each: string): boolean => each === name || (query.sent.includes(each) && !PLACES.includes(each));
  return { ...query, sent: [...parameters.keys()].filter(isSent), ...place };
}

/** The most characters of all links together: a proxy's buffer has room for them beside the other headers. */
const LIMIT = 6_144;

/** The relations to leave out, in this order, where all would be too long. Without `next` a client takes a page for the last one. */
const LEFT_OUT = ['alternate', 'last', 'first', 'prev'] as const;
type Relation = (typeof LEFT_OUT)[number] | 'next';

interface Link {
  readonly relation: Relation;
  readonly text: string;
}

/** @throws Problem `uri-too-long` where there is no room for `next` alone */
function joinLinks(links: readonly Link[]): string {
  const texts = links.map(({ text }) => text).join(', ');
  if (texts.length <= LIMIT) return texts;
  const longest = LEFT_OUT.find((each) => links.some(({ relation }) => relation === each));
  if (longest) return joinLinks(links.filter(({ relation }) => relation !== longest));
  throw new Problem('uri-too-long', sentence('next-too-long', { limit: byteSize(LIMIT) }));
}

/** What links of a list depend on. */
type Paged = ListSummary & Pick<Found, 'next'>;

/** @returns the number of each linked page */
const pagesAround = (page: number, last: number): readonly (readonly [Relation, number])[] => [
  ['first', 1],
  // Beyond the end, the previous page is the last one.
  ...(page > 1 ? [['prev', Math.min(page - 1, last)] as const] : []),
  ...(page < last ? [['next', page + 1] as const] : []),
  ['last', last],
];

/**
 * Values of `Link` (RFC 8288), empty where there is nothing to link. URLs have no host, so that they work behind any proxy, and
 * together they fit into a proxy's header buffer.
 *
 * @param tree the tree that responds
 * @param trees all trees
 */
export const createLinks = (tree: Tree, trees: readonly Tree[], collection: Collection) => {
  const { language } = tree;
  const paths = tree.paths(collection);
  const parameters = parametersByName(language, collection);
  const others = trees
    .filter((each) => each !== tree)
    .map((other) => ({
      attributes: `rel="alternate"; hreflang="${other.language.tag}"`,
      paths: other.paths(collection),
      parameters: parametersByName(other.language, collection),
    }));
  const alternates = (kind: 'item' | 'list', keys: Keys, query: Query): readonly Link[] =>
    others.map((other) => ({
      relation: 'alternate',
      text: `<${other.paths[kind](keys)}${writeQuery(other.parameters, query)}>; ${other.attributes}`,
    }));

  const pages = (parents: Keys, query: Query, { total, change, next }: Paged): readonly Link[] => {
    const wanted = pageOf(query);
    if (!wanted) return [];
    const linkTo = (relation: Relation, name: string, place: Partial<Query>): Link => ({
      relation,
      text: `<${paths.list(parents)}${writeQuery(parameters, moveTo(parameters, query, name, place))}>; rel="${relation}"`,
    });
    if (query.since) {
      if (!next) return [];
      const token = changeAfter(collection, query, { change, next });
      return [linkTo('next', 'changed_since', { since: { token, change } })];
    }
    const last = Math.max(1, Math.ceil(total / wanted.size));
    const toPage = (relation: Relation, page: number): Link => linkTo(relation, 'page', { page });
    if (!isWalked(query)) return pagesAround(wanted.page, last).map(([relation, page]) => toPage(relation, page));
    const after = next && { token: writePosition(collection, query, next), position: next };
    return [
      toPage('first', 1),
      ...(after ? [linkTo('next', 'after', { after })] : []),
      // Which page comes after a position has no number.
      ...(query.after ? [] : [toPage('last', last)]),
    ];
  };
  /** @returns the URL of the beginning of what changed in the list */
  const startOf = (parents: Keys): string =>
    `${paths.list(parents)}?${encodeURIComponent(language.parameters.word('changed_since'))}=${ALL}`;
  return {
    /** Links to this item in each other language, with its query if it has one. */
    ofItem: (keys: Keys, query = EVERYTHING): string => joinLinks(alternates('item', keys, query)),
    /**
     * Links to this list in each other language, and to its first, previous, next and last page if it is paged.
     *
     * @param list what was found; `next` is where the page ends, if another one follows by position
     * @throws Problem if the next page's URL is too long
     */
    ofList: (parents: Keys, query: Query, list: Paged): string =>
      joinLinks([...pages(parents, query, list), ...alternates('list', parents, query)]),
    /** The beginning of what changed in the list. */
    ofStart: (parents: Keys): string => `<${startOf(parents)}>; rel="start"`,
    startOf,
  };
};
