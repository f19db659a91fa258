import { IDEMPOTENCY_HEADER, PREFER_HEADER } from '../../http/headers.ts';
import type { Collection } from '../../model/catalogue.ts';
import { POST_TYPES } from '../../read/content-type.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import { byteSize } from '../../texts/size.ts';
import { type Context, ref } from '../shared/context.ts';
import { type Content, OF_QUERY, OF_STORE, type Own } from '../shared/operation.ts';
import { listContent } from './item-content.ts';
import { reportContent } from './report.ts';
import { schemaName } from './schemas.ts';

/** Problems of a file as a whole, or of its rows. */
const OF_FILE: readonly ProblemCode[] = [
  'invalid-header',
  'malformed-json',
  'malformed-file',
  'unknown-field',
  'missing-field',
  'invalid-body',
  'request-timeout',
  'body-too-large',
  'unsupported-media-type',
  'idempotency-mismatch',
  'rejected-rows',
];

/** The content of an import, which is written as a list is; in JSON, items may lack a key that the service assigns. */
const imported = (context: Context, collection: Collection): readonly Content[] =>
  listContent(context, collection)
    .filter(({ type }) => POST_TYPES.includes(type))
    .map((content) =>
      content.schema.type === 'array'
        ? { ...content, schema: { type: 'array', items: ref('schemas', schemaName(context, collection, 'new')) } }
        : content,
    );

/** @param missingParent problems where a parent does not exist */
export const importFile = ({
  context,
  collection,
  missingParent,
}: {
  readonly context: Context;
  readonly collection: Collection;
  readonly missingParent: readonly ProblemCode[];
}): Own => ({
  description: context.say('import-about', {
    file: byteSize(context.importLimit),
    body: byteSize(context.bodyLimit),
  }),
  parameters: [IDEMPOTENCY_HEADER, PREFER_HEADER],
  body: imported(context, collection),
  successes: [
    {
      status: 200,
      text: 'response-imported',
      headers: ['Preference-Applied', 'Idempotency-Replayed'],
      content: reportContent(context, collection),
    },
  ],
  problems: [...OF_QUERY, ...OF_FILE, ...missingParent, ...OF_STORE],
});
