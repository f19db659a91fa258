import type { HeaderRecord } from '../http/context.ts';
import type { Tree } from '../http/urls.ts';
import type { Collection } from '../model/catalogue.ts';
import { EVERYTHING, type Query, selectPage, usesCursor } from '../model/query.ts';
import type { Keys, ListSummary, ReadResult } from '../port/port.ts';
import type { ListParameter } from '../read/query/parameter.ts';
import { ALL, listParameters, writeEndCursor, writePosition } from '../read/query/query.ts';
import { byteSize, sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';

/** A collection in one tree: its paths, and the parameters of its lists by name. */
interface Place extends Pick<Tree, 'language'> {
  readonly collection: Collection;
  readonly paths: ReturnType<Tree['paths']>;
  readonly parameters: ReadonlyMap<string, ListParameter>;
}

function createPlace({ language, paths }: Tree, collection: Collection): Place {
  const parameters = listParameters(language, collection).map((parameter) => [parameter.name, parameter] as const);
  return { language, collection, paths: paths(collection), parameters: new Map(parameters) };
}

function writeQuery({ parameters }: Place, query: Query): string {
  const pairs = query.sentParameters.flatMap((name) => {
    const { word = '', format } = parameters.get(name) ?? {};
    return (format?.(query) ?? []).map((value) => `${encodeURIComponent(word)}=${encodeURIComponent(value)}`);
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The most characters of all links together: a proxy's buffer has room for them beside the other headers. */
const LIMIT = 6_144;

/** The relations to leave out, in this order, if all would be too long. Without `next` a client takes a page for the last one. */
const LEFT_OUT = ['alternate', 'last', 'first', 'prev'] as const;
type Relation = (typeof LEFT_OUT)[number] | 'next';

type Link = { readonly relation: Relation; readonly text: string };

/** @throws Problem `uri-too-long` if there is no room for `next` alone */
function joinLinks(links: readonly Link[]): HeaderRecord {
  const texts = links.map(({ text }) => text).join(', ');
  if (texts.length <= LIMIT) return texts === '' ? {} : { Link: texts };
  const longest = LEFT_OUT.find((relation) => links.some((link) => link.relation === relation));
  if (longest) return joinLinks(links.filter(({ relation }) => relation !== longest));
  throw new Problem('uri-too-long', sentence('next-too-long', { limit: byteSize(LIMIT) }));
}

type Paged = ListSummary & Pick<ReadResult, 'nextCursor'>;

function listPagesAround(page: number, last: number): readonly (readonly [Relation, number])[] {
  return [
    ['first', 1],
    // Beyond the end, the previous page is the last one.
    ...(page > 1 ? [['prev', Math.min(page - 1, last)] as const] : []),
    ...(page < last ? [['next', page + 1] as const] : []),
    ['last', last],
  ];
}

/** The trees of a collection, among which links lead; URLs have no host, so that they work behind any proxy. */
export interface Links {
  readonly own: Place;
  readonly others: readonly Place[];
}

export function createLinks(tree: Tree, trees: readonly Tree[], collection: Collection): Links {
  const others = trees.filter((other) => other !== tree).map((other) => createPlace(other, collection));
  return { own: createPlace(tree, collection), others };
}

/** @returns the header `Link` (RFC 8288) of an item, if there is something to link */
export const writeItemLinks = (links: Links, keys: Keys, query = EVERYTHING): HeaderRecord =>
  joinLinks(linkAlternates(links, 'item', keys, query));

/** @returns the header `Link` (RFC 8288) of a list. @throws Problem if the next page's URL is too long */
export const writeListLinks = (links: Links, parents: Keys, query: Query, list: Paged): HeaderRecord =>
  joinLinks([...linkPages(links.own, parents, query, list), ...linkAlternates(links, 'list', parents, query)]);

/** @returns the URL of the changes of a list since its beginning */
export const startPath = ({ own: { language, paths } }: Links, parents: Keys): string =>
  `${paths.list(parents)}?${encodeURIComponent(language.parameters.word('changed_since'))}=${ALL}`;

function linkAlternates({ others }: Links, kind: 'item' | 'list', keys: Keys, query: Query): readonly Link[] {
  return others.map((place) => {
    const url = place.paths[kind](keys) + writeQuery(place, query);
    return { relation: 'alternate', text: `<${url}>; rel="alternate"; hreflang="${place.language.tag}"` };
  });
}

/** The parameters that say which part of a list is read: a link has one of them. */
const PARTS = ['page', 'after', 'changed_since'];

/** @param part of the list to which the link leads, by the parameter that has this name */
function linkPart(place: Place, parents: Keys, query: Query, relation: Relation, name: string, part: Partial<Query>) {
  const names = new Set([name, ...query.sentParameters.filter((other) => !PARTS.includes(other))]);
  const sentParameters = [...place.parameters.keys()].filter((parameter) => names.has(parameter));
  const url = place.paths.list(parents) + writeQuery(place, { ...query, sentParameters, ...part });
  return { relation, text: `<${url}>; rel="${relation}"` };
}

function linkPages(place: Place, parents: Keys, query: Query, { total, change, nextCursor }: Paged): readonly Link[] {
  const { collection } = place;
  const currentPage = selectPage(query);
  if (!currentPage) return [];
  if (query.changesAfter) {
    if (!nextCursor) return [];
    const token = writeEndCursor(collection, query, { change, nextCursor });
    return [linkPart(place, parents, query, 'next', 'changed_since', { changesAfter: { token, change } })];
  }
  const last = Math.max(1, Math.ceil(total / currentPage.size));
  const linkNumber = ([relation, page]: readonly [Relation, number]): Link =>
    linkPart(place, parents, query, relation, 'page', { page });
  if (!usesCursor(query)) return listPagesAround(currentPage.page, last).map(linkNumber);
  const after = nextCursor && { token: writePosition(collection, query, nextCursor), position: nextCursor };
  return [
    linkNumber(['first', 1]),
    ...(after ? [linkPart(place, parents, query, 'next', 'after', { after })] : []),
    // Which page comes after a position has no number.
    ...(query.after ? [] : [linkNumber(['last', last])]),
  ];
}
