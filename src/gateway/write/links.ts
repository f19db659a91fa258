import type { Tree } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { EVERYTHING, type Query, selectPage, usesCursor } from '../model/query.ts';
import type { Keys, ListSummary, ReadResult } from '../port/port.ts';
import { ALL, listParameters, writeEndCursor, writePosition } from '../read/query/query.ts';
import { byteSize, sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';

type Parameters = ReturnType<typeof parametersByName>;

function parametersByName(language: Language, collection: Collection) {
  return new Map(listParameters(language, collection).map((parameter) => [parameter.name, parameter]));
}

function writeQuery(parameters: Parameters, query: Query): string {
  const pairs = query.sentParameters.flatMap((name) => {
    const { word = '', format } = parameters.get(name) ?? {};
    return (format?.(query) ?? []).map((value) => `${encodeURIComponent(word)}=${encodeURIComponent(value)}`);
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The parameters that say which part of a list is read: a link has one of them. */
const PLACES = ['page', 'after', 'changed_since'];

function moveTo(parameters: Parameters, query: Query, name: string, place: Partial<Query>): Query {
  const names = new Set([name, ...query.sentParameters.filter((other) => !PLACES.includes(other))]);
  return { ...query, sentParameters: [...parameters.keys()].filter((each) => names.has(each)), ...place };
}

/** The most characters of all links together: a proxy's buffer has room for them beside the other headers. */
const LIMIT = 6_144;

/** The relations to leave out, in this order, if all would be too long. Without `next` a client takes a page for the last one. */
const LEFT_OUT = ['alternate', 'last', 'first', 'prev'] as const;
type Relation = (typeof LEFT_OUT)[number] | 'next';

type Link = { readonly relation: Relation; readonly text: string };

/** @throws Problem `uri-too-long` if there is no room for `next` alone */
function joinLinks(links: readonly Link[]): string {
  const texts = links.map(({ text }) => text).join(', ');
  if (texts.length <= LIMIT) return texts;
  const longest = LEFT_OUT.find((relation) => links.some((link) => link.relation === relation));
  if (longest) return joinLinks(links.filter(({ relation }) => relation !== longest));
  throw new Problem('uri-too-long', sentence('next-too-long', { limit: byteSize(LIMIT) }));
}

type Paged = ListSummary & Pick<ReadResult, 'nextCursor'>;

function pagesAround(page: number, last: number): readonly (readonly [Relation, number])[] {
  return [
    ['first', 1],
    // Beyond the end, the previous page is the last one.
    ...(page > 1 ? [['prev', Math.min(page - 1, last)] as const] : []),
    ...(page < last ? [['next', page + 1] as const] : []),
    ['last', last],
  ];
}

/** Writes the header `Link` (RFC 8288) for one tree, which is empty if there is nothing to link. URLs have no host, so that they work behind any proxy. */
export class Links {
  readonly #collection: Collection;
  readonly #language: Language;
  readonly #paths: ReturnType<Tree['paths']>;
  readonly #parameters: Parameters;
  readonly #others: readonly { tag: string; paths: ReturnType<Tree['paths']>; parameters: Parameters }[];

  constructor(tree: Tree, trees: readonly Tree[], collection: Collection) {
    this.#collection = collection;
    this.#language = tree.language;
    this.#paths = tree.paths(collection);
    this.#parameters = parametersByName(tree.language, collection);
    this.#others = trees
      .filter((other) => other !== tree)
      .map(({ language, paths }) => ({
        tag: language.tag,
        paths: paths(collection),
        parameters: parametersByName(language, collection),
      }));
  }

  forItem(keys: Keys, query = EVERYTHING): string {
    return joinLinks(this.#alternates('item', keys, query));
  }

  /** @throws Problem if the next page's URL is too long */
  forList(parents: Keys, query: Query, list: Paged): string {
    return joinLinks([...this.#pages(parents, query, list), ...this.#alternates('list', parents, query)]);
  }

  startPath(parents: Keys): string {
    return `${this.#paths.list(parents)}?${encodeURIComponent(this.#language.parameters.word('changed_since'))}=${ALL}`;
  }

  #alternates(kind: 'item' | 'list', keys: Keys, query: Query): readonly Link[] {
    return this.#others.map(({ tag, paths, parameters }) => ({
      relation: 'alternate',
      text: `<${paths[kind](keys)}${writeQuery(parameters, query)}>; rel="alternate"; hreflang="${tag}"`,
    }));
  }

  #link(parents: Keys, query: Query, relation: Relation, name: string, place: Partial<Query>): Link {
    const search = writeQuery(this.#parameters, moveTo(this.#parameters, query, name, place));
    return { relation, text: `<${this.#paths.list(parents)}${search}>; rel="${relation}"` };
  }

  #pages(parents: Keys, query: Query, { total, change, nextCursor }: Paged): readonly Link[] {
    const currentPage = selectPage(query);
    if (!currentPage) return [];
    if (query.changesAfter) {
      if (!nextCursor) return [];
      const token = writeEndCursor(this.#collection, query, { change, nextCursor });
      return [this.#link(parents, query, 'next', 'changed_since', { changesAfter: { token, change } })];
    }
    const last = Math.max(1, Math.ceil(total / currentPage.size));
    const numbered = ([relation, page]: readonly [Relation, number]): Link =>
      this.#link(parents, query, relation, 'page', { page });
    if (!usesCursor(query)) return pagesAround(currentPage.page, last).map(numbered);
    const after = nextCursor && { token: writePosition(this.#collection, query, nextCursor), position: nextCursor };
    return [
      numbered(['first', 1]),
      ...(after ? [this.#link(parents, query, 'next', 'after', { after })] : []),
      // Which page comes after a position has no number.
      ...(query.after ? [] : [numbered(['last', last])]),
    ];
  }
}
