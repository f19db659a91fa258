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

/** Writes queries in a language's words, with their question mark: only parameters that were sent are asked for theirs. */
const queryWriter = (language: Language, collection: Collection) => {
  const parameters = new Map(
    listParameters(language, collection).map(({ name, word, format }, at) => [
      name,
      { at, start: `${encodeURIComponent(word)}=`, format },
    ]),
  );
  /** They are neighbours in the table, which a store may have some of. */
  const places = ['page', 'after', 'changed_since'].flatMap((name) => parameters.get(name)?.at ?? []);
  const [page, last] = [Math.min(...places), Math.max(...places)];
  const joined = (text: string, parameter: string): string => `${text}${text === '' ? '?' : '&'}${parameter}`;
  /** @returns the text, followed by the parameters between two places of the table */
  const write = (text: string, query: Query, from = 0, to = Number.POSITIVE_INFINITY): string => {
    let whole = text;
    for (const name of query.sent) {
      const parameter = parameters.get(name);
      if (!parameter || parameter.at < from || parameter.at >= to) continue;
      for (const value of parameter.format(query) ?? []) {
        whole = joined(whole, parameter.start + encodeURIComponent(value));
      }
    }
    return whole;
  };
  return {
    /** @returns a query; empty where it has no parameters */
    whole: (query: Query): string => write('', query),
    /** @returns a function that writes the query of another page, which has a number, or begins after a position or a change */
    pages: (query: Query) => {
      const before = write('', query, 0, page);
      return (name: 'page' | 'after' | 'changed_since', value: string | number): string =>
        write(joined(before, `${parameters.get(name)?.start}${value}`), query, last + 1);
    },
  };
};

/** The most characters of all links together: a proxy's buffer has room for them beside the other headers. */
const LIMIT = 6_144;

/** The relations to leave out, in this order, where all would be too long. Without `next` a client takes a page for the last one. */
const LEFT_OUT = ['alternate', 'last', 'first', 'prev'] as const;
type Relation = (typeof LEFT_OUT)[number] | 'next';

interface Link {
  readonly relation: Relation;
  readonly text: string;
}

const linkTo = (address: string, relation: Relation): Link => ({ relation, text: `<${address}>; rel="${relation}"` });

/** @throws Problem `uri-too-long` where there is no room for `next` alone */
const withinLimit = (links: readonly Link[]): string => {
  let kept = links;
  const text = (): string => kept.map((link) => link.text).join(', ');
  for (const relation of LEFT_OUT) {
    if (text().length <= LIMIT) return text();
    kept = kept.filter((link) => link.relation !== relation);
  }
  if (text().length <= LIMIT) return text();
  throw new Problem('uri-too-long', sentence('next-too-long', { limit: byteSize(LIMIT) }));
};

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
export const linksOf = (tree: Tree, trees: readonly Tree[], collection: Collection) => {
  const own = { paths: tree.paths(collection), write: queryWriter(tree.language, collection) };
  const others = trees
    .filter((each) => each !== tree)
    .map(({ language, paths }) => ({
      paths: paths(collection),
      write: queryWriter(language, collection),
      end: `>; rel="alternate"; hreflang="${language.tag}"`,
    }));
  const alternates = (kind: 'item' | 'list', keys: Keys, query: Query): readonly Link[] =>
    others.map(({ paths, write, end }) => ({
      relation: 'alternate',
      text: `<${paths[kind](keys)}${write.whole(query)}${end}`,
    }));

  const pages = (parents: Keys, query: Query, { total, change, next }: Paged): readonly Link[] => {
    const wanted = pageOf(query);
    if (!wanted) return [];
    const path = own.paths.list(parents);
    const queryOf = own.write.pages(query);
    if (query.since) {
      const token = next && changeAfter(collection, query, { change, next });
      return token ? [linkTo(path + queryOf('changed_since', token), 'next')] : [];
    }
    const linkOf = ([relation, page]: readonly [Relation, number]): readonly Link[] => {
      if (!isWalked(query) || relation === 'first') return [linkTo(path + queryOf('page', page), relation)];
      // Which page comes after a position has no number.
      if (relation === 'last') return query.after ? [] : [linkTo(path + queryOf('page', page), relation)];
      return next ? [linkTo(path + queryOf('after', writePosition(collection, query, next)), relation)] : [];
    };
    return pagesAround(wanted.page, Math.max(1, Math.ceil(total / wanted.size))).flatMap(linkOf);
  };
  /** @returns the URL of the beginning of what changed in the list */
  const startOf = (parents: Keys): string =>
    `${own.paths.list(parents)}?${encodeURIComponent(tree.language.parameters.word('changed_since'))}=${ALL}`;
  return {
    /** The same item in each other language, with its query where it has one. */
    ofItem: (keys: Keys, query = EVERYTHING): string => withinLimit(alternates('item', keys, query)),
    /**
     * The same list in each other language; and its first, previous, next and last page, where it is paged.
     *
     * @param list what was found; `next` is where the page ends, if another one follows by position
     * @throws Problem where the next page's URL is too long
     */
    ofList: (parents: Keys, query: Query, list: Paged): string =>
      withinLimit([...pages(parents, query, list), ...alternates('list', parents, query)]),
    /** The beginning of what changed in the list. */
    ofStart: (parents: Keys): string => `<${startOf(parents)}>; rel="start"`,
    startOf,
  };
};
