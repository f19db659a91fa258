import type { TestResponse } from '../app/app.ts';
import type { LocaleTable } from './translate.ts';
import { foreignTo, proseOf, wordSearch } from './vocabulary.ts';

/** Members of a problem that the standard and the contract name: the same in every tree. */
const STANDARD = new Set([
  'type',
  'title',
  'status',
  'code',
  'detail',
  'suggestion',
  'requestId',
  'errors',
  'pointer',
  'parameter',
  'header',
  'name',
  'value',
  'remedy',
]);
/** Where a problem repeats what the client sent. */
const ECHOES = new Set(['detail', 'pointer', 'parameter', 'value']);
const PROSE = new Set(['title', 'detail', 'remedy']);

/** A piece of an answer, and what it is. */
interface Piece {
  readonly text: string;
  readonly isProse: boolean;
}

const isProblem = (value: object): boolean =>
  'code' in value && 'type' in value && value.type === `/api/problems/${value.code}`;

const named = (text: string): Piece => ({ text, isProse: false });

/** The strings of an error or a problem, without what is the same in every language and without the client's own word. */
const piecesOfProblem = (problem: object, sent: string): readonly Piece[] =>
  Object.entries(problem).flatMap(([name, value]): readonly Piece[] => {
    const own = STANDARD.has(name) ? [] : [named(name)];
    if (Array.isArray(value)) return [...own, ...value.flatMap((each) => piecesOfProblem(each, sent))];
    // A header is called as HTTP calls it, and a name is the same in every language.
    if (name === 'code' || name === 'header' || name === 'name' || (name === 'type' && isProblem(problem))) return own;
    const text = ECHOES.has(name) && sent !== '' ? String(value).replaceAll(sent, '') : String(value);
    return [...own, { text, isProse: PROSE.has(name) }];
  });

const piecesOfBody = (value: unknown): readonly Piece[] => {
  if (Array.isArray(value)) return value.flatMap(piecesOfBody);
  if (typeof value !== 'object' || value === null) return [named(String(value))];
  return Object.entries(value).flatMap(([name, each]) => [named(name), ...piecesOfBody(each)]);
};

/** Alternates are in another language by nature. */
const withoutAlternates = (link: string): string =>
  link.replaceAll(/<[^>]*>;\s*rel="alternate";\s*hreflang="[^"]*"/g, '');

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const piecesOfHeaders = (headers: Headers): readonly Piece[] =>
  [...headers].map(([name, value]) => named(name === 'link' ? withoutAlternates(value) : value));

const piecesOf = ({ json, headers }: TestResponse, sent: string): readonly Piece[] => [
  ...piecesOfHeaders(headers),
  ...(typeof json === 'object' && json !== null && isProblem(json) ? piecesOfProblem(json, sent) : piecesOfBody(json)),
];

/** Each word that an answer leaks, with what it stands in. `sent`: the one foreign word of the request, whose echo is none. */
export type LeakSearch = (answer: TestResponse, sent?: string) => readonly string[];

/**
 * A search of whole answers for words that only another language has. A word of theirs may stand in our sentences all the
 * same (Catalan calls a year `any`): sentences are only searched for those that our own table does not use in any.
 */
export const leakSearch = (own: LocaleTable, others: readonly LocaleTable[]): LeakSearch => {
  const foreign = wordSearch(foreignTo(own, others));
  const homonyms = new Set(foreign(proseOf(own)).map((word) => word.toLowerCase()));
  return (answer, sent = '') =>
    piecesOf(answer, sent).flatMap(({ text, isProse }) =>
      [...new Set([...foreign(text), ...foreign(decoded(text))])]
        .filter((word) => !(isProse && homonyms.has(word.toLowerCase())))
        .map((word) => `${word}: ${text}`),
    );
};
