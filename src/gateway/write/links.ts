import type { Tree } from '../http/tree.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { EVERYTHING, isWalked, type Position, pageOf, type Query } from '../model/query.ts';
import type { Keys } from '../port/port.ts';
import { listParameters } from '../read/query/list-parameters.ts';
import { writePosition } from '../read/query/paging.ts';

/**
 * Values of `Link` (RFC 8288), empty where there is nothing to link. URLs have no host, so that they work behind any proxy, and
 * together they fit into a proxy's header buffer.
 */
export interface Links {
  /** The same item in each other language, with its query where it has one. */
  readonly ofItem: (keys: Keys, query?: Query) => string;
  /**
   * The same list in each other language; and its first, previous, next and last page, where it is paged.
   *
   * @param next where the page ends, if another one follows by position
   */
  readonly ofList: (parents: Keys, query: Query, total: number, next?: Position) => string;
}

/** Writes a query in a language's words, with its question mark; empty where it has no parameters. */
interface QueryWriter {
  readonly whole: (query: Query) => string;
  /** @returns a function that writes the query of another page, which has a number or begins after a position */
  readonly pages: (query: Query) => (name: 'page' | 'after', value: string | number) => string;
}

const isPlace = (name: string): boolean => name === 'page' || name === 'after';

const queryWriter = (language: Language, collection: Collection): QueryWriter => {
  const parameters = listParameters(language, collection).map(({ name, word, format }) => ({
    name,
    start: `&${encodeURIComponent(word)}=`,
    format,
  }));
  const at = parameters.findIndex(({ name }) => name === 'page');
  const [before, behind] = [parameters.slice(0, at), parameters.slice(at).filter(({ name }) => !isPlace(name))];
  const starts = new Map(parameters.map(({ name, start }) => [name, start]));
  const write = (some: typeof parameters, query: Query): string => {
    let text = '';
    for (const { start, format } of some) {
      for (const value of format(query)) text += start + encodeURIComponent(value);
    }
    return text;
  };
  const marked = (text: string): string => (text === '' ? text : `?${text.slice(1)}`);
  return {
    whole: (query) => (query === EVERYTHING ? '' : marked(write(parameters, query))),
    pages: (query) => {
      const [start, end] = [write(before, query), write(behind, query)];
      return (name, value) => marked(start + starts.get(name) + value + end);
    },
  };
};

/** The most characters of all links together. */
const LIMIT = 2_048;

/** The relations to leave out, in this order, where all would be too long: clients need the neighbours of a page most. */
const LEFT_OUT = ['alternate', 'last', 'first', 'prev', 'next'] as const;
type Relation = (typeof LEFT_OUT)[number];

interface Link {
  readonly relation: Relation;
  readonly text: string;
}

const linkTo = (address: string, relation: Relation, more = ''): Link => ({
  relation,
  text: `<${address}>; rel="${relation}"${more}`,
});

const joined = (links: readonly Link[]): string => links.map(({ text }) => text).join(', ');

const withinLimit = (links: readonly Link[]): string => {
  let kept = links;
  for (const relation of LEFT_OUT) {
    const text = joined(kept);
    if (text.length <= LIMIT) return text;
    kept = kept.filter((link) => link.relation !== relation);
  }
  return '';
};

const alternate = (address: string, { tag }: Language): Link => linkTo(address, 'alternate', `; hreflang="${tag}"`);

/** @returns the number of each linked page */
const pagesAround = (page: number, last: number): readonly (readonly [Relation, number])[] => [
  ['first', 1],
  // Beyond the end, the previous page is the last one.
  ...(page > 1 ? [['prev', Math.min(page - 1, last)] as const] : []),
  ...(page < last ? [['next', page + 1] as const] : []),
  ['last', last],
];

/**
 * @param tree the tree that responds
 * @param trees all trees
 */
export const linksOf = (tree: Tree, trees: readonly Tree[], collection: Collection): Links => {
  const targetIn = ({ language, paths }: Tree) => ({
    language,
    paths: paths(collection),
    write: queryWriter(language, collection),
  });
  const own = targetIn(tree);
  const others = trees.filter((each) => each !== tree).map(targetIn);

  const pages = (parents: Keys, query: Query, total: number, next: Position | undefined): readonly Link[] => {
    const wanted = pageOf(query);
    if (!wanted) return [];
    const path = own.paths.list(parents);
    const queryOf = own.write.pages(query);
    const linkOf = ([relation, page]: readonly [Relation, number]): readonly Link[] => {
      if (!isWalked(query) || relation === 'first') return [linkTo(path + queryOf('page', page), relation)];
      // Which page comes after a position has no number.
      if (relation === 'last') return query.after ? [] : [linkTo(path + queryOf('page', page), relation)];
      return next ? [linkTo(path + queryOf('after', writePosition(collection, query, next)), relation)] : [];
    };
    return pagesAround(wanted.page, Math.max(1, Math.ceil(total / wanted.size))).flatMap(linkOf);
  };
  return {
    ofItem: (keys, query = EVERYTHING) =>
      withinLimit(
        others.map(({ language, paths, write }) => alternate(paths.item(keys) + write.whole(query), language)),
      ),
    ofList: (parents, query, total, next) =>
      withinLimit([
        ...pages(parents, query, total, next),
        ...others.map(({ language, paths, write }) => alternate(paths.list(parents) + write.whole(query), language)),
      ]),
  };
};
