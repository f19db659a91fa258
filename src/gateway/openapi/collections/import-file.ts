import { IDEMPOTENCY_HEADER, PREFER_HEADER } from '../../http/headers.ts';
import type { Collection } from '../../model/catalogue.ts';
import { referringTo } from '../../model/references.ts';
import { POST_TYPES } from '../../read/content-type.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import { byteSize } from '../../texts/size.ts';
import type { Context } from '../shared/context.ts';
import { OF_QUERY, OF_STORE, type Own } from '../shared/operation.ts';
import { BYTES, fileContents, type ListParts } from './list-reads.ts';
import { reportContent } from './report.ts';

/** Problems of a file as a whole, or of its rows. */
const OF_FILE: readonly ProblemCode[] = [
  'invalid-header',
  'malformed-json',
  'malformed-file',
  'unknown-field',
  'missing-field',
  'invalid-body',
  'body-too-large',
  'unsupported-media-type',
  'idempotency-mismatch',
  'rejected-rows',
];

/** The problem of what deletes items to which others may refer. */
export const inUse = ({ catalogue }: Pick<Context, 'catalogue'>, collection: Collection): readonly ProblemCode[] =>
  referringTo(catalogue, collection).length > 0 ? ['in-use'] : [];

/** The operation that imports what a list is exported to: bytes, so that clients send a file as it is. */
export const importFile = ({ context, collection, missingParent }: ListParts): Own => ({
  description: context.say('import-about', {
    file: byteSize(context.importLimit),
    body: byteSize(context.bodyLimit),
  }),
  parameters: [IDEMPOTENCY_HEADER, PREFER_HEADER],
  body: fileContents(context, collection)
    .filter(({ type }) => POST_TYPES.includes(type))
    .map((content) => ({ ...content, schema: BYTES })),
  successes: [
    {
      status: 200,
      text: 'response-imported',
      headers: ['Preference-Applied', 'Idempotency-Replayed', 'X-Change_import'],
      content: reportContent(context, collection),
    },
  ],
  problems: [...OF_QUERY, ...OF_FILE, ...missingParent, ...inUse(context, collection), ...OF_STORE],
});
