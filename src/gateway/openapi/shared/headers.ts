import type { DocumentText } from '../../texts/shown-text.ts';
import { type Context, type Json, ref } from './context.ts';

interface Header {
  readonly text: DocumentText;
  readonly schema: Json;
  /** Whether the header may be absent. */
  readonly optional?: true;
}

const text: Json = { type: 'string' };
const matching = (pattern: string): Json => ({ type: 'string', pattern });

/**
 * Headers that only some responses have, by component: a suffix after an underscore tells headers with one name apart. Those of every
 * response are described once, in words. A tag may be absent, because a list of changes has none.
 */
const headers = {
  'Accept-Encoding': { text: 'header-accept-encoding', schema: text, optional: true },
  'Accept-Post': { text: 'header-accept-post', schema: text },
  'Accept-Patch': { text: 'header-accept-patch', schema: text },
  Allow_problem: { text: 'header-allow', schema: text, optional: true },
  'Content-Disposition': { text: 'header-content-disposition', schema: matching('^attachment; '), optional: true },
  'Content-Location': { text: 'header-content-location', schema: matching('^/') },
  ETag_item: { text: 'header-etag-item', schema: matching('^"[^"]+"$'), optional: true },
  ETag_list: { text: 'header-etag-list', schema: matching('^W/"[^"]+"$'), optional: true },
  ETag_document: { text: 'header-etag-document', schema: matching('^"[^"]+"$'), optional: true },
  'Idempotency-Replayed': { text: 'header-idempotency-replayed', schema: { const: 'true' }, optional: true },
  Link_item: { text: 'header-link-item', schema: matching('^<'), optional: true },
  Link_list: { text: 'header-link-list', schema: matching('^<'), optional: true },
  'Link-Template': { text: 'header-link-template', schema: matching('^"/'), optional: true },
  Link_index: { text: 'header-link-index', schema: matching('^<') },
  Location: { text: 'header-location', schema: matching('^/') },
  'Preference-Applied': { text: 'header-preference-applied', schema: text, optional: true },
  'Retry-After_problem': { text: 'header-retry-after', schema: { type: 'integer', minimum: 0 }, optional: true },
  'Retry-After': { text: 'header-retry-after', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': { text: 'header-www-authenticate', schema: matching('^Bearer '), optional: true },
  'X-Accel-Buffering': { text: 'header-buffering', schema: { const: 'no' } },
  'X-Change': { text: 'header-change', schema: text },
  'X-Change_import': { text: 'header-change', schema: text, optional: true },
  'X-Hint': { text: 'header-hint', schema: text, optional: true },
  'X-Total-Count': {
    text: 'header-total',
    schema: { type: 'integer', format: 'int64', minimum: 0 },
    optional: true,
  },
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof headers;

/** @returns the descriptions of the headers that responses of this catalogue may have */
export const headerComponents = (context: Context): Json =>
  Object.fromEntries(
    Object.entries<Header>(headers)
      .filter(([name]) => name !== 'Link-Template' || context.catalogue.some(({ nested }) => nested))
      .map(([name, { text, schema, optional = false }]) => [
        name,
        { description: context.say(text), required: !optional, schema },
      ]),
  );

/** @returns the `headers` of a response: a component for each name */
export const headerRefs = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name.replace(/_.*/, ''), ref('headers', name)]));
