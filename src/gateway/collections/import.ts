import type { ReadableFormat } from '../formats/format.ts';
import type { Exchange } from '../http/context.ts';
import { PREFER_HEADER } from '../http/headers.ts';
import { callerOf, queryTextOf } from '../http/request.ts';
import type { Tree } from '../http/urls.ts';
import type { Idempotency } from '../model/precondition.ts';
import type { RowBatch } from '../model/row-batch.ts';
import type { Keys } from '../port/port.ts';
import { choose, JSON_ONLY } from '../read/accept.ts';
import { brokenOff, checkLength } from '../read/body/body.ts';
import { fileBody } from '../read/body/file-body.ts';
import { fileDigest } from '../read/body/file-digest.ts';
import { charsetOfFile, checkCoding } from '../read/content-type.ts';
import { idempotencyReader, importPayload } from '../read/idempotency.ts';
import { type ImportPreferences, readPreferences } from '../read/import-preferences.ts';
import { checkConditions } from '../read/preconditions.ts';
import { refuseQuery } from '../read/query/refusing.ts';
import { withoutKeys } from '../read/without-keys.ts';
import { LISTED } from '../texts/problem.ts';
import { importAnswers } from './import-answer.ts';
import type { Resource, ResourceOptions, SentArray } from './resource.ts';
import { sentFile } from './sent-file.ts';

/** The rows that a client sent, and how to store them. */
interface SentImport {
  readonly parents: Keys;
  readonly preferences: ImportPreferences;
  readonly batches: AsyncIterable<RowBatch>;
  /** Resolves once they can be read. */
  readonly arrived?: Promise<void>;
  /** Called once the whole body is read. */
  readonly idempotency: (() => Idempotency) | undefined;
}

/** The imports of a collection: read → store → write. */
export type Imports = ReturnType<typeof importsOf>;

export const importsOf = (tree: Tree, resource: Resource, options: ResourceOptions) => {
  const { store, assignKey, readFile, importLimit, deletionShare, addressOf, idempotencyTtl, clientIdOf } = options;
  const { language } = tree;
  const { collection, parentKeys } = resource;
  const readIdempotency = idempotencyReader(idempotencyTtl, clientIdOf);
  const unkeyed = withoutKeys(language, collection);
  const newAnswer = importAnswers(tree, resource, options);

  const preferencesOf = (c: Exchange) => readPreferences(c.req.raw.headers.get(PREFER_HEADER), language, collection);

  const run = async (c: Exchange, sent: SentImport): Promise<Response> => {
    const { parents, preferences, batches, arrived, idempotency } = sent;
    const { handling, allowsDeletions } = preferences;
    const { signal, client } = callerOf(c, addressOf);
    const answer = newAnswer(c, sent);
    try {
      const outcome = await store.importRows(collection, batches, {
        ...preferences,
        parents,
        assignKey,
        unkeyed: unkeyed(preferences),
        isLenient: handling === 'lenient',
        isCheck: handling === 'check',
        deletionShare: allowsDeletions ? undefined : deletionShare / 100,
        idempotency,
        signal,
        client,
        arrived,
        mostErrors: LISTED,
        ...answer.options,
      });
      return answer.respondTo(outcome);
    } catch (error) {
      await answer.close?.();
      // The client has gone away.
      throw signal.aborted ? brokenOff() : error;
    }
  };

  return {
    /** @param format of the body; `undefined` where it is a form with a file */
    ofFile: async (c: Exchange, format: ReadableFormat | undefined): Promise<Response> => {
      choose(c.req.raw.headers, JSON_ONLY);
      checkCoding(c.req.raw);
      const contentType = c.req.raw.headers.get('content-type') ?? '';
      const declared = format && { format, charset: charsetOfFile(c.req.raw, contentType, format) };
      checkConditions(c.req.raw.headers);
      const preferences = preferencesOf(c);
      const withPayload = readIdempotency(c);
      checkLength(c, importLimit);
      refuseQuery(queryTextOf(c));
      const parents = parentKeys(c);
      if (collection.parent) await resource.requireItem(collection.parent, parents);
      const digest = withPayload && fileDigest();
      const whole = fileBody(c, importLimit, (chunk) => declared && digest?.update(chunk));
      const {
        body,
        format: { name },
        charset,
      } = declared ? { ...declared, body: whole } : await sentFile(c, whole, digest);
      const job = {
        tag: language.tag,
        collection: collection.id,
        format: name,
        options: { ...preferences.reading, charset },
        mostErrors: LISTED,
      };
      const { batches, arrived, close } = readFile(job, body, c.req.raw.signal, c.env?.formerWords);
      const idempotency = digest && (() => withPayload(importPayload(collection, parents, preferences, digest)));
      try {
        return await run(c, { parents, preferences, batches, arrived, idempotency });
      } finally {
        await close();
      }
    },
    ofArray: async (c: Exchange, { body, batches }: SentArray): Promise<Response> => {
      const preferences = preferencesOf(c);
      const withPayload = readIdempotency(c);
      const parents = parentKeys(c);
      const digest = fileDigest().update(body);
      return run(c, {
        parents,
        preferences,
        batches: (async function* () {
          yield* batches;
        })(),
        idempotency: withPayload && (() => withPayload(importPayload(collection, parents, preferences, digest))),
      });
    },
  };
};
