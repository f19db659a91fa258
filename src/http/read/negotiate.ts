import { sentence } from '../../texts/phrase.ts';
import type { Problem } from '../../texts/problem.ts';
import { ACCEPT_PATCH, JSON_TYPE } from '../headers.ts';
import { headerProblem } from './header-problem.ts';
import { weightedMembers } from './weighted.ts';

/** Characters of a language range; a longer one names no language that there is (RFC 5646 §4.4.1). */
const LONGEST_RANGE = 35;

/** Without its last subtag, and without a single letter before that. */
const shorten = (range: string): string => range.replace(/(?:-[a-z0-9])?(?:^|-)[^-]*$/, '');

/** Finds the tag that fits a range such as `es-MX`, shortened from its end as far as needed (RFC 4647 §3.4, lookup). */
export type TagFinder = (range: string) => string | undefined;

/** @param tags of all languages there are */
export const tagFinder = (tags: readonly string[]): TagFinder => {
  const known = new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
  return (range) => {
    if (range.length > LONGEST_RANGE) return undefined;
    for (let wanted = range.toLowerCase(); wanted !== ''; wanted = shorten(wanted)) {
      const found = known.get(wanted);
      if (found !== undefined) return found;
    }
    return undefined;
  };
};

/**
 * Chooses a language for an address that has none: the first that fits one of the client's ranges, by their weight.
 *
 * @param header `Accept-Language`, if sent
 * @returns its tag; `undefined` where nothing fits
 */
export const chooseLanguage = (header: string | null, find: TagFinder): string | undefined => {
  if (!header) return undefined;
  let chosen: string | undefined;
  let heaviest = 0;
  // `*` asks for nothing that another range, or the default, does not give.
  for (const [range, weight] of weightedMembers(header)) {
    const found = weight > heaviest ? find(range) : undefined;
    if (found === undefined) continue;
    chosen = found;
    heaviest = weight;
  }
  return chosen;
};

/** What a client can choose by its media type. */
export interface Choice<T> {
  readonly type: string;
  /** Other forms of the same type, which the parameters of a range ask for. */
  readonly forms?: {
    /** The values of each parameter. */
    readonly parameters: Readonly<Record<string, readonly string[]>>;
    readonly make: (asked: ReadonlyMap<string, string>) => T;
    /** What this one was made with. */
    readonly asked: ReadonlyMap<string, string>;
  };
}

/** Choices, the first of them for clients that take any. */
export type Choices<T> = readonly [T, ...T[]];

export const JSON_ONLY: Choices<{ readonly type: string }> = [{ type: JSON_TYPE }];

const PARAMETER = /;[\t ]*([^\s;=",]+)[\t ]*=[\t ]*(?:"([^"]*)"|([^\s;",]*))/g;

/** @returns which form a range asks for, `undefined` where there is no such form; parameters that are not known do not count */
const formIn = (
  text: string,
  known: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, string> | undefined => {
  const asked = new Map<string, string>();
  for (const [, name = '', quoted, bare = ''] of text.matchAll(PARAMETER)) {
    const values = Object.hasOwn(known, name) ? known[name] : undefined;
    const value = quoted ?? bare;
    if (values && !values.includes(value)) return undefined;
    if (values) asked.set(name, value);
  }
  return asked;
};

interface Range {
  readonly weight: number;
  /** Where the range asks for a form of its type. */
  readonly asked: ReadonlyMap<string, string> | undefined;
}

/** @returns the heaviest of the equal ranges of a header, but for those that ask for what there is not */
const rangesIn = (accept: string, choices: readonly Choice<unknown>[]): ReadonlyMap<string, Range> => {
  const ranges = new Map<string, Range>();
  for (const [range, weight, parameters] of weightedMembers(accept.toLowerCase())) {
    const forms = choices.find(({ type }) => type === range)?.forms;
    const asked = forms && formIn(parameters, forms.parameters);
    if (forms && !asked) continue;
    if (weight > (ranges.get(range)?.weight ?? -1)) ranges.set(range, { weight, asked });
  }
  return ranges;
};

/**
 * Weighs choices by the most specific range that covers each (RFC 9110 §12.5.1).
 *
 * @param accept the header, if sent
 * @returns the choice that the client gives the most weight, the first of several; `undefined` where it takes none
 */
export const accepted = <T extends Choice<T>>(
  accept: string | null | undefined,
  choices: Choices<T>,
): T | undefined => {
  const [first] = choices;
  // What nearly everybody sends, told without parsing.
  if (!accept || accept === '*/*' || accept === first.type || accept.trim() === '') return first;
  const ranges = rangesIn(accept, choices);
  const rangeOf = ({ type }: T) => ranges.get(type) ?? ranges.get(type.replace(/\/.*/, '/*')) ?? ranges.get('*/*');
  const weights = choices.map((choice) => rangeOf(choice)?.weight ?? 0);
  const heaviest = Math.max(...weights);
  const chosen = heaviest > 0 ? choices[weights.indexOf(heaviest)] : undefined;
  const asked = chosen && rangeOf(chosen)?.asked;
  return asked?.size ? chosen?.forms?.make(asked) : chosen;
};

/** @returns a type as the problem lists it, with what can be asked of it */
const described = ({ type, forms }: Choice<unknown>): string => {
  if (!forms) return type;
  const parameters = Object.entries(forms.parameters).map(([name, values]) => `${name}=${values.join('|')}`);
  return `${type} (${parameters.join('; ')})`;
};

/** @returns the problem of a client that takes none of the choices */
export const notAcceptable = (choices: readonly Choice<unknown>[]): Problem =>
  headerProblem('Accept', 'not-acceptable', sentence('not-acceptable', { type: choices.map(described).join(', ') }));

/** @throws Problem `not-acceptable` where the client takes none of the choices */
export const choose = <T extends Choice<T>>(headers: Headers, choices: Choices<T>): T => {
  const chosen = accepted(headers.get('accept'), choices);
  if (chosen === undefined) throw notAcceptable(choices);
  return chosen;
};

const UNSUPPORTED = 'unsupported-media-type';
const JSON_BODY = /^application\/(?:json|(?!json-patch\+json$)[\w!#$&.^+-]+\+json)$/i;
const CHARSET = /;\s*charset\s*=\s*("[^"]*"|[^;\s]*)/i;

/** @throws Problem `unsupported-media-type` where the body is declared as anything but JSON in UTF-8, uncompressed */
export const checkContentType = ({ method, headers }: Pick<Request, 'method' | 'headers'>): void => {
  const supported = method === 'PATCH' ? ACCEPT_PATCH : {};
  const coding = headers.get('content-encoding');
  if (coding !== null && !/^(?:identity)?$/i.test(coding.trim())) {
    const detail = sentence('content-encoding', { sent: coding });
    // RFC 9110 §15.5.16
    throw headerProblem('Content-Encoding', UNSUPPORTED, detail, { ...supported, 'Accept-Encoding': 'identity' });
  }
  const sent = headers.get('content-type');
  if (sent === null || sent === JSON_TYPE || sent.trim() === '') return;
  const type = sent.split(';', 1)[0]?.trim() ?? '';
  if (!JSON_BODY.test(type)) {
    throw headerProblem(
      'Content-Type',
      UNSUPPORTED,
      sentence('media-type', { sent: type, type: JSON_TYPE }),
      supported,
    );
  }
  const charset = CHARSET.exec(sent)?.[1]?.replaceAll('"', '');
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw headerProblem('Content-Type', UNSUPPORTED, sentence('charset', { sent: charset }), supported);
  }
};
