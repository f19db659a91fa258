/**
 * Which part of a list: a page by its number, or after a position; or what changed since a change. Clients see positions as
 * opaque tokens, bound to what decides which rows a list has in which order.
 */
import { digest } from '../../../util/digest.ts';
import { decodeChange, encodeChange } from '../../http/respond.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Cell, Field } from '../../model/field.ts';
import { getKind } from '../../model/kinds/kinds.ts';
import {
  type ChangeCursor,
  CURSOR_TEXT,
  type Cursor,
  isRanked,
  isReferring,
  NEVER,
  type Query,
  readSorts,
} from '../../model/query.ts';
import { foldCell } from '../../model/search.ts';
import { sentence } from '../../texts/phrase.ts';
import { invalid, own, type ParameterFactory } from './parameter.ts';

const DIGITS = /^\d+$/;

/** A parameter whose value is a whole number from 1. */
export const positiveInteger =
  (name: 'number_of_elements' | 'page', member: 'size' | 'page'): ParameterFactory =>
  (language) => {
    const word = language.parameters.word(name);
    return own(language, name, {
      kind: 'integer',
      decides: name === 'page' ? 'page' : 'size',
      parse: (value) =>
        DIGITS.test(value) && Number(value) > 0
          ? // A larger number is beyond the end of every list, too.
            { [member]: Math.min(Number(value), Number.MAX_SAFE_INTEGER) }
          : invalid(word, sentence('parameter-positive', { word })),
      format: ({ [member]: count }) => [String(count)],
      schema: { type: 'integer', minimum: 1 },
    });
  };

/** A name as positions have it: one that was renamed keeps them. */
const lastingName = ({ name, was = name }: Field): string => was;

/** @returns what identifies the filters and the order of a list; the same in every language */
const digestOf = ({ routeId: id, flattens: nested, was = id }: Collection, query: Query): string => {
  const filters = query.filters.map(({ field, operator, values }) => [
    lastingName(field),
    operator,
    values.map(foldCell),
  ]);
  const sorts = readSorts(query).map(({ field, direction }) => [lastingName(field), direction]);
  const order = sorts.length > 0 ? sorts : query.order;
  const list = [nested ? id : was, filters, query.search, order];
  return digest(JSON.stringify(list));
};

const cut = (cell: Cell): Cell =>
  typeof cell === 'string' ? cell.slice(0, CURSOR_TEXT).replace(/[\ud800-\udbff]$/, '') : cell;

export const writePosition = (collection: Collection, query: Query, position: Cursor): string =>
  Buffer.from(JSON.stringify([digestOf(collection, query), ...position.map(cut)])).toString('base64url');

const isCellOf = (field: Field | undefined, cell: unknown): boolean => {
  if (cell === null) return field !== undefined;
  if (!field || getKind(field).column === 'INTEGER') return Number.isSafeInteger(cell);
  return typeof cell === 'string' && cell.isWellFormed() && !cell.includes('\0');
};

const parse = (token: string): readonly unknown[] => {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
};

/** @returns the position that a token is in this list; `undefined` for any other token */
export const readPosition = (collection: Collection, query: Query, token: string): Cursor | undefined => {
  const [bound, ...cells] = parse(token);
  // A rank, and the number of a row's creation, are no fields.
  const fields = [...(isRanked(query) ? [undefined] : query.sort), undefined];
  const isOwn = bound === digestOf(collection, query) && cells.length === fields.length;
  return isOwn && fields.every((field, at) => isCellOf(field, cells[at])) ? (cells as Cursor) : undefined;
};

/** The position is read once the whole query is known. */
export const after: ParameterFactory = (language) =>
  own(language, 'after', {
    kind: 'token',
    decides: 'position',
    parse: (token) => ({ after: { token, position: [] } }),
    format: ({ after: position }) => position && [position.token],
    schema: { type: 'string' },
  });

/** The token before everything, and that of this moment; others are the number of a change, where one tells of several items that of the last one's creation (`_`), in a reading from the beginning the change at which it began (`-`), and of a list with filters what identifies these (`.`). */
export const ALL = '0';
export const NOW = 'now';

/** Characters of what identified filters in version 0.1.0. */
const FORMER_DIGEST = 8;

const CHANGE_TOKEN = /^([\da-z]+)(?:_([\da-z]+))?(?:-([\da-z]+))?(?:\.([\w-]+))?$/;

/** @returns what identifies the filters of a list; empty without any */
export const filtersOf = (collection: Collection, query: Query): string =>
  query.filters.length === 0 && query.search === undefined
    ? ''
    : digestOf(collection, { ...query, sort: [], order: [] });

/** @returns the position that a token is in the changes of this list; `undefined` for any other token */
export const readSince = (collection: Collection, query: Query, token: string): ChangeCursor | undefined => {
  if (token === ALL) return { token, change: 0, snapshotStart: NEVER };
  if (token === NOW) return { token, change: NEVER };
  const [, change = '', creation, floor, filters] = CHANGE_TOKEN.exec(token) ?? [];
  if ([change, creation, floor].some((each) => each !== undefined && decodeChange(each) === undefined))
    return undefined;
  // Version 0.1.0 bound positions to the order in which filters were sent: they lead to the beginning, like those that are gone.
  if (filters?.length === FORMER_DIGEST) return { token, change: NEVER };
  // Whoever has every item has those that pass a filter, too.
  if (filters !== undefined && filters !== filtersOf(collection, query)) return undefined;
  const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : decodeChange(digits));
  return { token, change: numberOf(change) ?? 0, tieBreaker: numberOf(creation), snapshotStart: numberOf(floor) };
};

/** @returns whether a position is not of this database: nothing has such a number yet */
export const isBeyond = ({ token, change }: ChangeCursor, latest: number): boolean => token !== NOW && change > latest;

/**
 * @param change the last one in the snapshot of the list
 * @param next where the page ends, if it is followed by another one
 * @returns the position behind a list
 */
export const changeAfter = (
  collection: Collection,
  query: Query,
  { change, next }: { readonly change: number; readonly next?: Cursor | undefined },
): string => {
  const { changesAfter: since } = query;
  const filters = filtersOf(collection, query);
  const end = filters === '' ? '' : `.${filters}`;
  if (!since || !next) return encodeChange(change) + end;
  const [at, creation] = next;
  const began = since.token === ALL ? change : since.snapshotStart;
  const within = isReferring(query) && creation ? `_${encodeChange(Number(creation))}` : '';
  return `${encodeChange(Number(at))}${within}${began === undefined ? '' : `-${encodeChange(began)}`}${end}`;
};

/** The position is read once the whole query is known. */
export const changedSince: ParameterFactory = (language) =>
  own(language, 'changed_since', {
    kind: 'token',
    decides: 'changes',
    isPure: false,
    parse: (token) => ({ changesAfter: { token, change: 0 } }),
    format: ({ changesAfter: since }) => since && [since.token],
    schema: { type: 'string' },
  });
