import { readableFormats } from '../formats/formats.ts';
import type { ReadableFormat } from '../formats/representation.ts';
import type { HeaderRecord } from '../http/context.ts';
import { ACCEPT_PATCH, JSON_TYPE, MERGE_PATCH_TYPE } from '../http/exchange.ts';
import { type Charset, findCharset } from '../model/csv.ts';
import { type Sentence, sentence } from '../texts/phrase.ts';
import { headerProblem, type Problem } from '../texts/problem.ts';

const UNSUPPORTED = 'unsupported-media-type';
const JSON_BODY = /^application\/(?:json|(?!json-patch\+json$)[\w!#$&.^+-]+\+json)$/i;
const CHARSET = /;\s*charset\s*=\s*("[^"]*"|[^;\s]*)/i;
const UTF_8 = /^utf-?8$/i;

/** The part of a request that is checked here. */
export type RequestHead = Pick<Request, 'method' | 'headers'>;

const mediaType = (contentType: string): string => contentType.split(';', 1)[0]?.trim() ?? '';

/** The media types that POST accepts: JSON, then files by their names. */
export const POST_TYPES = readableFormats
  .toSorted((one, other) => Number(one.isFile) - Number(other.isFile) || one.name.localeCompare(other.name))
  .map(({ type }) => type);
/** https://www.w3.org/TR/ldp/#header-accept-post */
export const ACCEPT_POST: HeaderRecord = { 'Accept-Post': POST_TYPES.join(', ') };

/** @returns the format of a body that is a file; `undefined` for JSON, and for types that cannot be imported */
export const findFileFormat = (contentType: string | null | undefined): ReadableFormat | undefined => {
  if (!contentType || contentType === JSON_TYPE) return undefined;
  const sent = mediaType(contentType).toLowerCase();
  return readableFormats.find(({ type, isFile }) => isFile && type === sent);
};

/** @returns whether a body is a form, of which a file is imported */
export const isForm = (contentType: string | null): boolean =>
  contentType !== null && contentType !== JSON_TYPE && /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType);

/** @returns the format of a file by the end of its name, else by its type: spreadsheet programs make browsers send theirs for CSV */
export const formatOfFile = (fileName: string, contentType: string): ReadableFormat | undefined => {
  const extension = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase();
  return (
    readableFormats.find(({ name }) => name === extension) ??
    readableFormats.find(({ type }) => type === mediaType(contentType).toLowerCase())
  );
};

/** @returns the problem, which says what types the method accepts; only POST accepts files */
const unsupported = (
  { method, headers }: RequestHead,
  header: string,
  detail: Sentence,
  more: { readonly headers?: HeaderRecord; readonly suggestion?: string } = {},
): Problem => {
  const supported = { PATCH: ACCEPT_PATCH, POST: ACCEPT_POST }[method];
  const value = headers.get(header) ?? undefined;
  return headerProblem(header, UNSUPPORTED, detail, { value, ...more, headers: { ...supported, ...more.headers } });
};

/** @returns the problem of a file whose type cannot be imported */
export const unsupportedFile = (request: RequestHead, sent: string): Problem =>
  unsupported(request, 'Content-Type', sentence('media-types', { sent, known: POST_TYPES.join(', ') }));

/** @throws Problem `unsupported-media-type` where the body is declared as compressed */
export const checkCoding = (request: RequestHead): void => {
  const coding = request.headers.get('content-encoding');
  if (coding === null || /^(?:identity)?$/i.test(coding.trim())) return;
  const detail = sentence('content-encoding', { sent: coding });
  // RFC 9110 §15.5.16
  throw unsupported(request, 'Content-Encoding', detail, { headers: { 'Accept-Encoding': 'identity' } });
};

const charsetIn = (contentType: string): string | undefined => CHARSET.exec(contentType)?.[1]?.replaceAll('"', '');

/** @throws Problem `unsupported-media-type` where the body is declared as anything but JSON in UTF-8, uncompressed */
export const checkContentType = (request: RequestHead): void => {
  checkCoding(request);
  const sent = request.headers.get('content-type');
  if (sent === null || sent === JSON_TYPE || sent.trim() === '') return;
  const type = mediaType(sent);
  if (!JSON_BODY.test(type)) {
    if (request.method === 'POST') throw unsupportedFile(request, type);
    const suggestion = /patch\+json$/i.test(type) ? MERGE_PATCH_TYPE : JSON_TYPE;
    const detail = sentence('media-type', { sent: type, type: suggestion });
    throw unsupported(request, 'Content-Type', detail, { suggestion });
  }
  const charset = charsetIn(sent);
  if (charset !== undefined && !UTF_8.test(charset)) {
    throw unsupported(request, 'Content-Type', sentence('charset', { sent: charset }));
  }
};

/**
 * @returns the charset of a file
 * @throws Problem `unsupported-media-type` where the file is declared in an unsupported charset
 */
export const charsetOfFile = (
  request: RequestHead,
  contentType: string,
  { reading: { charsets } }: ReadableFormat,
): Charset => {
  const sent = charsetIn(contentType);
  if (sent === undefined || !charsets) return 'utf-8';
  const charset = findCharset(sent);
  if (charset === undefined || !charsets.includes(charset)) {
    throw unsupported(request, 'Content-Type', sentence('charset', { sent }));
  }
  return charset;
};
