import { parseAccept } from 'hono/utils/accept';
import { type Sentence, sentence } from '../model/phrase.ts';
import { Problem, type ProblemCode } from '../model/problem.ts';

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

/**
 * Chooses a language for an address that has none (RFC 4647 §3.4, lookup): the client's ranges by weight, each shortened
 * from its end until one fits.
 *
 * @param header `Accept-Language`, if sent
 * @param tags what there is
 * @param fallback where nothing fits
 */
export const chooseLanguage = (header: string | null, tags: readonly string[], fallback: string): string => {
  if (!header) return fallback;
  for (const { type, q } of parseAccept(header)) {
    // `*` asks for nothing that the next range, or the fallback, does not give.
    if (q === 0 || type === '*') continue;
    for (let range = type.toLowerCase(); range !== ''; range = shorten(range)) {
      const found = tags.find((tag) => tag.toLowerCase() === range);
      if (found !== undefined) return found;
    }
  }
  return fallback;
};

/** Without its last subtag, and without a single letter before that. */
const shorten = (range: string): string => range.replace(/(?:-[a-z0-9])?(?:^|-)[^-]*$/, '');

/** A problem that one header is the cause of, and says so. */
const headerProblem = (
  header: string,
  code: ProblemCode,
  detail: Sentence,
  headers: Readonly<Record<string, string>> = {},
): Problem => new Problem(code, detail, { errors: [{ place: { header }, code, detail }], headers });

/** Weight of the most specific range that covers JSON (RFC 9110 §12.5.1); parameters of a range do not count. */
const jsonWeight = (header: string): number => {
  const ranges = parseAccept(header);
  for (const wanted of [JSON_TYPE, 'application/*', '*/*']) {
    const range = ranges.find(({ type }) => type.toLowerCase() === wanted);
    if (range) return range.q;
  }
  return 0;
};

/** @throws Problem `not-acceptable` where the client takes no JSON */
export const checkAccept = (headers: Headers): void => {
  const accept = headers.get('accept');
  if (accept === null || accept === '*/*' || accept === JSON_TYPE || accept.trim() === '') return;
  if (jsonWeight(accept) === 0)
    throw headerProblem('Accept', 'not-acceptable', sentence('not-acceptable', { type: JSON_TYPE }));
};

const UNSUPPORTED = 'unsupported-media-type';
const JSON_BODY = /^application\/(?:json|(?!json-patch\+json$)[\w!#$&.^+-]+\+json)$/i;
const CHARSET = /;\s*charset\s*=\s*("[^"]*"|[^;\s]*)/i;

/** @throws Problem `unsupported-media-type` where the body is declared as anything but JSON in UTF-8, uncompressed */
export const checkContentType = (headers: Headers): void => {
  const coding = headers.get('content-encoding');
  if (coding !== null && !/^(?:identity)?$/i.test(coding.trim())) {
    const detail = sentence('content-encoding', { sent: coding });
    // RFC 9110 §15.5.16
    throw headerProblem('Content-Encoding', UNSUPPORTED, detail, { 'Accept-Encoding': 'identity' });
  }
  const sent = headers.get('content-type');
  if (sent === null || sent === JSON_TYPE || sent.trim() === '') return;
  const type = sent.split(';', 1)[0]?.trim() ?? '';
  if (!JSON_BODY.test(type)) {
    throw headerProblem('Content-Type', UNSUPPORTED, sentence('media-type', { sent: type, type: JSON_TYPE }));
  }
  const charset = CHARSET.exec(sent)?.[1]?.replaceAll('"', '');
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw headerProblem('Content-Type', UNSUPPORTED, sentence('charset', { sent: charset }));
  }
};
