/**
 * Which page of a list: by its number, or after a position, which clients see as an opaque token, bound to what decides which
 * rows a list has in which order.
 */
import { hash } from 'node:crypto';
import { memoized } from '../../../util/memoized.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Cell, Field } from '../../model/field.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { isRanked, POSITION_TEXT, type Position, type Query, sortsOf } from '../../model/query.ts';
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
      parse: (value) =>
        DIGITS.test(value) && Number(value) > 0
          ? // A larger number is beyond the end of every list, too.
            { [member]: Math.min(Number(value), Number.MAX_SAFE_INTEGER) }
          : invalid(word, sentence('parameter-positive', { word })),
      format: ({ [member]: count }) => [String(count)],
      schema: { type: 'integer', minimum: 1 },
    });
  };

/** Base64url digits, 6 bits each: against mistakes, not attacks. */
const DIGEST = 8;

const hashOf = memoized((text: string) => hash('sha256', text, 'base64url').slice(0, DIGEST));

/** The same in every language. */
const digestOf = ({ name }: Collection, query: Query): string => {
  const filters = query.filters.map(({ field, operator, values }) => [field.name, operator, values]);
  const sorts = sortsOf(query).map(({ field, direction }) => [field.name, direction]);
  const order = sorts.length > 0 ? sorts : query.order;
  return hashOf(JSON.stringify([name, filters, query.search, order]));
};

const cut = (cell: Cell): Cell =>
  typeof cell === 'string' ? cell.slice(0, POSITION_TEXT).replace(/[\ud800-\udbff]$/, '') : cell;

export const writePosition = (collection: Collection, query: Query, position: Position): string =>
  Buffer.from(JSON.stringify([digestOf(collection, query), ...position.map(cut)])).toString('base64url');

const isCellOf = (field: Field | undefined, cell: unknown): boolean => {
  if (cell === null) return field !== undefined;
  if (!field || kindOf(field).column === 'INTEGER') return Number.isSafeInteger(cell);
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
export const readPosition = (collection: Collection, query: Query, token: string): Position | undefined => {
  const [digest, ...cells] = parse(token);
  // A rank, and the number of a row's creation, are no fields.
  const fields = [...(isRanked(query) ? [undefined] : query.sort), undefined];
  const isOwn = digest === digestOf(collection, query) && cells.length === fields.length;
  return isOwn && fields.every((field, at) => isCellOf(field, cells[at])) ? (cells as Position) : undefined;
};

/** The position is read once the whole query is known. */
export const after: ParameterFactory = (language) => {
  const word = language.parameters.word('after');
  const others = (['page', 'group_by'] as const).map(language.parameters.word);
  return own(language, 'after', {
    kind: 'token',
    parse: (token, sent) => {
      const refused = others.filter((each) => sent.has(each));
      if (refused.length === 0) return { after: { token, position: [] } };
      return refused.map((other) => invalid(word, sentence('after-combined', { word, other })));
    },
    format: ({ after: position }) => position && [position.token],
    schema: { type: 'string' },
  });
};
