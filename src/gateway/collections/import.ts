import type { ReadableFormat } from '../formats/format.ts';
import type { Exchange } from '../http/context.ts';
import { PREFER_HEADER } from '../http/headers.ts';
import { callerOf, queryTextOf } from '../http/request.ts';
import type { Tree } from '../http/urls.ts';
import type { RowSource } from '../model/import.ts';
import type { Idempotency } from '../model/precondition.ts';
import type { Keys } from '../port/port.ts';
import { unavailable } from '../port/unavailable.ts';
import { choose, JSON_ONLY } from '../read/accept.ts';
import { brokenOff, checkLength } from '../read/body/body.ts';
import { fileBody } from '../read/body/file-body.ts';
import { fileDigest } from '../read/body/file-digest.ts';
import { charsetOfFile, checkCoding } from '../read/content-type.ts';
import { ArrivingFile } from '../read/files/threads/arriving-file.ts';
import type { FileJob } from '../read/files/threads/reading-jobs.ts';
import { idempotencyReader, importPayload } from '../read/idempotency.ts';
import { type ImportPreferences, readPreferences } from '../read/import-preferences.ts';
import { checkConditions } from '../read/preconditions.ts';
import { refuseQuery } from '../read/query/refusing.ts';
import { withoutKeys } from '../read/without-keys.ts';
import { LISTED } from '../texts/problem.ts';
import { importAnswers } from './import-answer.ts';
import type { Resource, ResourceOptions } from './resource.ts';
import { sentFile } from './sent-file.ts';

/** The rows that a client sent, and how to store them. */
interface SentImport {
  readonly parents: Keys;
  readonly preferences: ImportPreferences;
  readonly source: RowSource;
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
    const { parents, preferences, source, idempotency } = sent;
    const { handling, allowsDeletions } = preferences;
    const { signal, client } = callerOf(c, addressOf);
    const answer = newAnswer(c, sent);
    try {
      const outcome = await store.importRows(collection, source, {
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
        mostErrors: LISTED,
        onRejected: answer.onRejected,
      });
      return answer.respondTo(outcome);
    } catch (error) {
      answer.close();
      // The client has gone away.
      if (signal.aborted) throw brokenOff();
      // The disk takes no more.
      throw error instanceof Error && 'syscall' in error ? unavailable(error, 'imports') : error;
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
      const { reading, rejectsMissing } = preferences;
      const job: FileJob = {
        tag: language.tag,
        collection: collection.id,
        format: name,
        options: { ...reading, charset },
        rejectsMissing,
      };
      const arriving = new ArrivingFile(body);
      const read = async () => {
        const file = await arriving.whole();
        try {
          return await readFile(job, file, c.req.raw.signal, c.env?.formerWords);
        } finally {
          file.close();
        }
      };
      const idempotency = digest && (() => withPayload(importPayload(collection, parents, preferences, digest)));
      try {
        return await run(c, { parents, preferences, source: { arrived: arriving.arrived, read }, idempotency });
      } finally {
        arriving.leave();
      }
    },
    ofArray: async (c: Exchange, body: Uint8Array): Promise<Response> => {
      const preferences = preferencesOf(c);
      const withPayload = readIdempotency(c);
      const parents = parentKeys(c);
      const digest = fileDigest().update(body);
      const { rejectsMissing } = preferences;
      const job = { tag: language.tag, collection: collection.id, format: 'json', options: {}, rejectsMissing };
      const source = { read: () => readFile(job, body, c.req.raw.signal, c.env?.formerWords) };
      const idempotency = withPayload && (() => withPayload(importPayload(collection, parents, preferences, digest)));
      return await run(c, { parents, preferences, source, idempotency });
    },
  };
};
