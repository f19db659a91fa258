import { COMMON_HEADERS, REQUEST_ID, VARY_LANGUAGE, VARY_TYPE_AND_LANGUAGE } from '../http/headers.ts';
import type { TextName } from '../texts/document-text.ts';
import { type Context, type Json, ref } from './context.ts';

interface Header {
  readonly text: TextName;
  readonly schema: (context: Context) => Json;
  /** Whether the header may be absent. */
  readonly optional?: (context: Context) => boolean;
}

const text = (): Json => ({ type: 'string' });
const constant = (value: string | undefined) => (): Json => ({ type: 'string', const: value });
const matching = (pattern: string) => (): Json => ({ type: 'string', pattern });
const count = (): Json => ({ type: 'integer', minimum: 0 });
const tagsOf = ({ trees }: Context): readonly string[] => trees.map(({ language }) => language.tag);
const always = (): boolean => true;

/** Every header of every answer, by component: what stands behind a dot tells headers of one name apart. */
const headers = {
  'Accept-Encoding': { text: 'header-accept-encoding', schema: text, optional: always },
  Allow: { text: 'header-allow', schema: text },
  'Allow.problem': { text: 'header-allow', schema: text, optional: always },
  'Cache-Control': { text: 'header-cache-control', schema: constant(COMMON_HEADERS['Cache-Control']) },
  'Content-Language.tree': {
    text: 'header-content-language',
    schema: ({ tree }) => ({ type: 'string', const: tree.language.tag }),
  },
  'Content-Language.neutral': {
    text: 'header-content-language',
    schema: (context) => ({ type: 'string', enum: tagsOf(context) }),
  },
  'Content-Location': { text: 'header-content-location', schema: matching('^/') },
  'ETag.item': { text: 'header-etag-item', schema: matching('^"[^"]+"$') },
  'ETag.list': { text: 'header-etag-list', schema: matching('^W/"[^"]+"$') },
  'ETag.document': { text: 'header-etag-document', schema: matching('^"[^"]+"$') },
  'Link.item': { text: 'header-link-item', schema: matching('^<'), optional: ({ trees }) => trees.length < 2 },
  'Link.list': { text: 'header-link-list', schema: matching('^<'), optional: ({ trees }) => trees.length < 2 },
  'Link.index': { text: 'header-link-index', schema: matching('^<') },
  Location: { text: 'header-location', schema: matching('^/') },
  'Retry-After': { text: 'header-retry-after', schema: count },
  'Vary.tree': { text: 'header-vary', schema: constant('Accept') },
  'Vary.index': { text: 'header-vary', schema: constant(VARY_TYPE_AND_LANGUAGE.Vary) },
  'Vary.neutral': { text: 'header-vary', schema: constant(VARY_LANGUAGE.Vary) },
  'X-Content-Type-Options': {
    text: 'header-content-type-options',
    schema: constant(COMMON_HEADERS['X-Content-Type-Options']),
  },
  'X-Request-Id': { text: 'header-request-id', schema: matching(REQUEST_ID.source) },
  'X-Total-Count': { text: 'header-total', schema: count },
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof headers;

/** On every answer, whatever it is. */
export const ON_EVERY_ANSWER: readonly HeaderName[] = ['Cache-Control', 'X-Content-Type-Options', 'X-Request-Id'];

export const headerComponents = (context: Context): Json =>
  Object.fromEntries(
    Object.entries<Header>(headers).map(([name, { text, schema, optional }]) => [
      name,
      { description: context.say(text), required: !optional?.(context), schema: schema(context) },
    ]),
  );

/** @returns the `headers` of an answer: their own names onto components */
export const headerRefs = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name.replace(/\..*/, ''), ref('headers', name)]));
