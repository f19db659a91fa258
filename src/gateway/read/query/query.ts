import { type Dictionary, WordIndex } from '../../../../packages/vocabularies/src/words.ts';
import { fileFormats } from '../../formats/formats.ts';
import { decode, decodeChange, decodeWord, digest, encodeChange } from '../../http/exchange.ts';
import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Cell, Field } from '../../model/field.ts';
import { getKind } from '../../model/kinds/kinds.ts';
import {
  type ChangeCursor,
  CURSOR_TEXT,
  type Cursor,
  comparedCell,
  EVERYTHING,
  isRanked,
  isReferring,
  mostChanges,
  NEVER,
  type Query,
  readSorts,
} from '../../model/query.ts';
import { sentence, unknownSentence } from '../../texts/phrase.ts';
import type { LazyError, RequestError } from '../../texts/problem.ts';
import {
  invalid,
  type ListParameter,
  type ParameterFactory,
  type ParameterName,
  queryProblem,
  throwErrors,
  unknown,
} from './parameter.ts';
import {
  after,
  changedSince,
  equals,
  format,
  formerParameters,
  groupBy,
  include,
  order,
  positiveInteger,
  ranges,
  rangeWords,
  search,
  selectedFields,
  sortBy,
} from './parameters.ts';
import { type SentValues, suggestParameter } from './suggestions.ts';

const partParameters: readonly ParameterFactory[] = [selectedFields, include];

/** The parameters of a collection's items, which its lists also have. */
export const itemParameters: ParameterFactory = (language, collection) =>
  partParameters.flatMap((make) => make(language, collection));

/** Every parameter of lists, in the order of documents and links: add a new one here. */
export const parameterTable: readonly ParameterFactory[] = [
  equals,
  sortBy,
  order,
  positiveInteger('number_of_elements', 'size'),
  positiveInteger('page', 'page'),
  after,
  changedSince,
  format,
  ...partParameters,
  search,
  groupBy,
  // Last, because they are many: an error lists as many parameters as a sentence has room for.
  ranges,
];

export const listParameters: ParameterFactory = (language, collection) =>
  parameterTable.flatMap((make) => make(language, collection));

/** A name or value of a query in form encoding, in which a plus sign is a space. */
function decodePlus(text: string): string {
  return text.includes('+') ? text.replaceAll('+', ' ') : text;
}

/** @returns the decoded values of an undecoded query by word, each word's first occurrence in order, and errors. @param rename replaces former words */
export function parseQuery(search: string, rename = (word: string): string => word) {
  const values = new Map<string, string[]>();
  const errors: LazyError[] = [];
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const sentName = equals === -1 ? pair : pair.slice(0, equals);
    const sentWord = decodeWord(decodePlus(sentName));
    const value = equals === -1 ? '' : decode(decodePlus(pair.slice(equals + 1)));
    if (sentWord === undefined || value === undefined) {
      const name = sentWord ?? sentName;
      errors.push(invalid(name, sentence('parameter-encoding', { word: name })));
      continue;
    }
    const word = rename(sentWord);
    const earlierValues = values.get(word);
    if (earlierValues) earlierValues.push(value);
    else values.set(word, [value]);
  }
  return { values, errors };
}

/** @returns the words of some parameters, which suggests for those of other languages */
function indexParameters(
  makeParameters: ParameterFactory,
  language: Language,
  others: readonly Language[],
  collection: Collection,
): WordIndex {
  const all = [language, ...others];
  const [own = {}, ...foreign] = all.map((other): Dictionary => {
    return Object.fromEntries(makeParameters(other, collection).map(({ name, word }) => [name, word]));
  });
  const isOwn = ([name]: readonly [string, string]): boolean => Object.hasOwn(own, name);
  const mixtures = all.flatMap((fields) => all.map((suffixes) => rangeWords(collection, fields, suffixes)));
  const mixedWords = mixtures.map((words) => Object.fromEntries(Object.entries(words).filter(isOwn)));
  const synonyms = [...language.parameters.synonyms, ...language.fields(collection).synonyms];
  return new WordIndex(own, [...mixedWords, ...foreign], synonyms);
}

/** Refuses a page of changes that is larger than any. @throws Problem `invalid-parameter` */
function checkChangesSize(language: Language, query: Query): void {
  const max = mostChanges(query);
  if (!query.changesAfter || (query.size ?? 0) <= max) return;
  const name = 'number_of_elements';
  const word = language.parameters.word(name);
  const detail = sentence('value-integer', { word, min: 1, max });
  throwErrors([() => ({ ...invalid(word, detail, String(max), String(query.size))(), name })]);
}

/** @returns a query with the position in its token, or the parameter whose token is none of this list */
function withPosition(collection: Collection, query: Query): Query | 'after' | 'changed_since' {
  const { after: page, changesAfter: changes } = query;
  if (page) {
    const position = readPosition(collection, query, page.token);
    return position ? { ...query, after: { ...page, position } } : 'after';
  }
  if (!changes) return query;
  const since = readSince(collection, query, changes.token);
  return since ? { ...query, changesAfter: since } : 'changed_since';
}

/** For each decision, those that cannot be combined with it, in the order of errors. */
const REFUSED: Readonly<Partial<Record<ListParameter['decides'], readonly ListParameter['decides'][]>>> = {
  position: ['page', 'groups'],
  changes: ['order', 'page', 'position', 'groups'],
  groups: ['order', 'members'],
};

/** @returns those of some parameters with which one that decides something cannot be combined */
export function findRefused<P extends Pick<ListParameter, 'decides'>>(
  decides: ListParameter['decides'],
  parameters: readonly P[],
): readonly P[] {
  return parameters.filter((other) => REFUSED[decides]?.includes(other.decides));
}

/** @returns the error of a parameter that excludes another one, or, for groups, of the excluded one */
function describeExclusion({ decides, word }: ListParameter, other: ListParameter): LazyError {
  if (decides !== 'groups') return invalid(word, sentence('after-combined', { word, other: other.word }));
  const phrase = other.decides === 'order' ? 'group-ordered' : 'group-whole';
  return invalid(other.word, sentence(phrase, { word: other.word, group: word }));
}

function indexQueries(
  language: Language,
  others: readonly Language[],
  collection: Collection,
  makeParameters: ParameterFactory,
) {
  const words = indexParameters(makeParameters, language, others, collection);
  const isOfLists = makeParameters === listParameters;
  return {
    language,
    collection,
    parameters: new Map(makeParameters(language, collection).map((parameter) => [parameter.word, parameter])),
    words,
    listWords: isOfLists ? words : indexParameters(listParameters, language, others, collection),
    formerParameters: formerParameters(language, collection),
  };
}

/** What the queries of a collection's lists, or of its items, may say in the words of a language. */
type QueryIndex = ReturnType<typeof indexQueries>;

/**
 * Creates the reader of a list's query.
 *
 * @param others languages whose words get a suggestion
 * @returns a function that reads a query, and throws one problem that lists all of its errors
 */
export function createQueryReader(
  language: Language,
  others: readonly Language[],
  collection: Collection,
  makeParameters = listParameters,
): (search: string) => Query {
  const index = indexQueries(language, others, collection, makeParameters);
  return (search) => (search === '' ? EVERYTHING : readQuery(index, search));
}

function readQuery(index: QueryIndex, search: string): Query {
  const { language, collection, parameters, words, listWords } = index;
  const { values, errors } = parseQuery(search, (word) => findCurrentWord(index, word));
  // The order in which a client sends parameters means nothing: from here on it is that of the table, which links have.
  const sentParameters = [...parameters.values()].filter(({ word }) => values.has(word));
  const parts: Partial<Query>[] = [];
  for (const [word, texts] of values) {
    const parameter = parameters.get(word);
    if (!parameter) {
      errors.push(() => unknown(word, words, suggestParameter(index, word, values, words, listWords)));
      continue;
    }
    const result = parameter.parse(texts, values);
    const faults = typeof result === 'function' ? [result] : Array.isArray(result) ? result : [];
    const refused = faults.length > 0 ? [] : findRefused(parameter.decides, sentParameters);
    errors.push(...faults, ...refused.map((other) => describeExclusion(parameter, other)));
    if (faults.length === 0) parts[sentParameters.indexOf(parameter)] = result as Partial<Query>;
  }
  const query: Query = {
    ...Object.assign({ ...EVERYTHING }, ...parts),
    filters: parts.flatMap(({ filters = [] }) => filters),
    sentParameters: sentParameters.map(({ name }) => name),
    isPure: sentParameters.every(({ isPure }) => isPure !== false),
    isOrdered: sentParameters.some(({ decides }) => decides === 'order'),
  };
  // With an error elsewhere, what a position is bound to is not known.
  const positioned = errors.length === 0 ? withPosition(collection, query) : query;
  if (typeof positioned === 'string') {
    const word = language.parameters.word(positioned);
    errors.push(invalid(word, sentence(`${positioned}-unknown`, { word })));
  } else if (errors.length === 0) {
    checkChangesSize(language, positioned);
    return positioned;
  }
  throw queryProblem(errors.map((error) => () => completeError(index, error(), values)));
}

/** @returns the word of today for a former one that is still accepted */
function findCurrentWord({ language, parameters, formerParameters }: QueryIndex, word: string): string {
  const spelling = formerParameters.get(word);
  const isAccepted = spelling && parameters.has(spelling.word) && spelling.parts.every(language.formerLog.accepts);
  return isAccepted ? spelling.word : word;
}

/** Adds what programs need to know: the name of the parameter, and the value that was sent. */
function completeError({ parameters }: QueryIndex, error: RequestError, values: SentValues): RequestError {
  const word = 'parameter' in error.place ? error.place.parameter : '';
  const [value, ...others] = values.get(word) ?? [];
  const name = error.name ?? parameters.get(word)?.name;
  return { ...error, name, value: error.value ?? (others.length === 0 ? value : undefined) };
}

/** @throws Problem if a query lacks a parameter, or has a format other than those of files although that is the parameter */
export function requireParameter(query: Query, language: Language, name: ParameterName): Query {
  const word = language.parameters.word(name);
  const { format: value = '' } = query;
  const isMissing = !query.sentParameters.includes(name);
  if (!isMissing && (name !== 'format' || fileFormats.includes(value))) return query;
  const detail = isMissing
    ? sentence('field-missing', { word })
    : unknownSentence('format', { word, value, known: fileFormats.join(', ') }, undefined);
  throw queryProblem([() => ({ ...invalid(word, detail)(), name })]);
}

/**
 * @returns a query whose changes are followed from a position on, unless it has one
 * @throws Problem if it has parameters that cannot be combined with changes. @param by the name of what follows them
 */
export function withChangesAfter(language: Language, collection: Collection, query: Query, token: string, by: string) {
  const parameters = listParameters(language, collection);
  const sentParameters = parameters.filter(({ name }) => query.sentParameters.includes(name));
  const refused = findRefused('changes', sentParameters);
  throwErrors(refused.map(({ word }) => invalid(word, sentence('after-combined', { word: by, other: word }))));
  const changes = query.changesAfter ? query : { ...query, changesAfter: { token, change: NEVER } };
  checkChangesSize(language, changes);
  return changes;
}

const NO_WORDS = new WordIndex({});

/** Checks the query of a URL that has no parameters. @throws Problem if there are any */
export function refuseQuery(search: string): void {
  if (search === '') return;
  const { values, errors } = parseQuery(search);
  for (const word of values.keys()) {
    errors.push(() => unknown(word, NO_WORDS, { detail: sentence('parameter-none', { word }) }));
  }
  throwErrors(errors);
}

// Positions in lists and in their changes: opaque tokens for clients, bound to what decides which rows a list has in which order.

/** A name as positions have it: one that was renamed keeps them. */
const lastingName = ({ name, renamedFrom = name }: Field): string => renamedFrom;

/** @returns what identifies the filters and the order of a list; the same in every language */
function digestList({ routeId, flattens, renamedFrom = routeId }: Collection, query: Query): string {
  const filters = query.filters.map(({ field, operator, values }) => [
    lastingName(field),
    operator,
    values.map((value) => comparedCell(field, value)),
  ]);
  const sorts = readSorts(query).map(({ field, direction }) => [lastingName(field), direction]);
  const order = sorts.length > 0 ? sorts : query.order;
  const list = [flattens ? routeId : renamedFrom, filters, query.search, order];
  return digest(JSON.stringify(list));
}

const shortenForUrl = (cell: Cell): Cell =>
  typeof cell === 'string' ? cell.slice(0, CURSOR_TEXT).replace(/[\ud800-\udbff]$/, '') : cell;

export const writePosition = (collection: Collection, query: Query, position: Cursor): string =>
  Buffer.from(JSON.stringify([digestList(collection, query), ...position.map(shortenForUrl)])).toString('base64url');

function fitsField(field: Field | undefined, cell: unknown): boolean {
  if (cell === null) return field !== undefined;
  if (!field || getKind(field).column === 'INTEGER') return Number.isSafeInteger(cell);
  return typeof cell === 'string' && cell.isWellFormed() && !cell.includes('\0');
}

function parseToken(token: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

/** @returns the position that a token is in this list; `undefined` for any other token */
function readPosition(collection: Collection, query: Query, token: string): Cursor | undefined {
  const [listDigest, ...cells] = parseToken(token);
  // A rank, and the number of a row's creation, are no fields.
  const fields = [...(isRanked(query) ? [undefined] : query.sort), undefined];
  const isOwn = listDigest === digestList(collection, query) && cells.length === fields.length;
  return isOwn && fields.every((field, at) => fitsField(field, cells[at])) ? (cells as Cursor) : undefined;
}

/**
 * The tokens of the beginning and of this moment. Any other one is `<change>[_<creation>][-<start>][.<digest>]`: the number of a
 * change; if that concerns several items, the number of the last one's creation; in a reading from the beginning, the change at
 * which it began; in a list with filters, what identifies these.
 */
export const ALL = '0';
export const NOW = 'now';

/** Characters of what identified filters in version 0.1.0. */
const FORMER_DIGEST = 8;

const CHANGE_TOKEN = /^([\da-z]+)(?:_([\da-z]+))?(?:-([\da-z]+))?(?:\.([\w-]+))?$/;

/** @returns what identifies the filters of a list; empty without any */
export const digestFilters = (collection: Collection, query: Query): string =>
  query.filters.length === 0 && query.search === undefined
    ? ''
    : digestList(collection, { ...query, sort: [], order: [] });

/** @returns the position that a token is in the changes of this list; `undefined` for any other token */
export function readSince(collection: Collection, query: Query, token: string): ChangeCursor | undefined {
  if (token === ALL) return { token, change: 0, snapshotStart: NEVER };
  if (token === NOW) return { token, change: NEVER };
  const [, ...numbers] = CHANGE_TOKEN.exec(token) ?? [];
  const filters = numbers.pop();
  const [change, tieBreaker, snapshotStart] = numbers.map((digits) => (digits ? decodeChange(digits) : undefined));
  if (change === undefined || numbers.some((digits) => digits && decodeChange(digits) === undefined)) return undefined;
  // Version 0.1.0 bound positions to the order in which filters were sent: they lead to the beginning, like those that are gone.
  if (filters?.length === FORMER_DIGEST) return { token, change: NEVER };
  // A position without filters fits any filter: its client has every item.
  if (filters !== undefined && filters !== digestFilters(collection, query)) return undefined;
  return { token, change, tieBreaker, snapshotStart };
}

/** @returns whether a position is from another database: nothing has such a number yet */
export const isFutureCursor = ({ token, change }: ChangeCursor, latest: number): boolean =>
  token !== NOW && change > latest;

/** @returns the position behind a list, or behind a page that another one follows. @param change the last one in the snapshot of the list */
export function writeEndCursor(
  collection: Collection,
  query: Query,
  { change, nextCursor }: { readonly change: number; readonly nextCursor: Cursor | undefined },
): string {
  const { changesAfter } = query;
  const filters = digestFilters(collection, query);
  const end = filters === '' ? '' : `.${filters}`;
  if (!changesAfter || !nextCursor) return encodeChange(change) + end;
  const [at, creation] = nextCursor;
  const began = changesAfter.token === ALL ? change : changesAfter.snapshotStart;
  const tieBreaker = isReferring(query) && creation ? `_${encodeChange(Number(creation))}` : '';
  return `${encodeChange(Number(at))}${tieBreaker}${began === undefined ? '' : `-${encodeChange(began)}`}${end}`;
}
