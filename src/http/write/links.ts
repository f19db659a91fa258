import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import { EVERYTHING, pageOf, type Query } from '../../model/query.ts';
import type { Keys } from '../../store/port.ts';
import { listParameters } from '../read/list-parameters.ts';
import type { Tree } from '../tree.ts';

/** Values of `Link` (RFC 8288): addresses without a host, so that they hold behind any proxy. */
export interface Links {
  /** The same item in each other language. */
  readonly ofItem: (keys: Keys) => string;
  /** The same list in each other language; and its first, previous, next and last page, where it is paged. */
  readonly ofList: (parents: Keys, query: Query, total: number) => string;
}

/** Encodes a query in a language's words; empty where nothing was asked for. */
const queryWriter = (language: Language, collection: Collection): ((query: Query) => string) => {
  const parameters = listParameters(language, collection).map(({ word, format }) => ({
    start: `${encodeURIComponent(word)}=`,
    format,
  }));
  return (query) => {
    let text = '';
    if (query === EVERYTHING) return text;
    for (const { start, format } of parameters) {
      for (const value of format(query)) text += (text === '' ? '?' : '&') + start + encodeURIComponent(value);
    }
    return text;
  };
};

const alternate = (address: string, language: Language): string =>
  `<${address}>; rel="alternate"; hreflang="${language.tag}"`;

/** @returns the number of each page that there is a link to */
const pagesAround = (page: number, last: number): Readonly<Record<string, number>> => ({
  first: 1,
  // From beyond the end, back to where there is something.
  ...(page > 1 ? { prev: Math.min(page - 1, last) } : {}),
  ...(page < last ? { next: page + 1 } : {}),
  last,
});

/**
 * @param tree the one that answers
 * @param trees all of them
 */
export const linksOf = (tree: Tree, trees: readonly Tree[], collection: Collection): Links => {
  const targets = [tree, ...trees.filter((each) => each !== tree)].map(({ language, paths }) => ({
    language,
    paths: paths(collection),
    write: queryWriter(language, collection),
  }));
  const [own, ...others] = targets;

  const pages = (parents: Keys, query: Query, total: number): readonly string[] => {
    const wanted = pageOf(query);
    if (!wanted || !own) return [];
    const around = pagesAround(wanted.page, Math.max(1, Math.ceil(total / wanted.size)));
    return Object.entries(around).map(
      ([relation, page]) => `<${own.paths.list(parents)}${own.write({ ...query, page })}>; rel="${relation}"`,
    );
  };
  return {
    ofItem: (keys) => others.map(({ language, paths }) => alternate(paths.item(keys), language)).join(', '),
    ofList: (parents, query, total) =>
      [
        ...pages(parents, query, total),
        ...others.map(({ language, paths, write }) => alternate(paths.list(parents) + write(query), language)),
      ].join(', '),
  };
};
