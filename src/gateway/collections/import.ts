import type { ReadableFormat } from '../formats/format.ts';
import type { Exchange } from '../http/context.ts';
import { PREFER_HEADER } from '../http/headers.ts';
import { callerOf, queryTextOf } from '../http/request.ts';
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
import { importPayload } from '../read/idempotency.ts';
import { type ImportPreferences, readPreferences } from '../read/import-preferences.ts';
import { checkConditions } from '../read/preconditions.ts';
import { refuseQuery } from '../read/query/refusing.ts';
import { withoutKeys } from '../read/without-keys.ts';
import { LISTED } from '../texts/problem.ts';
import { newImportAnswer } from './import-answer.ts';
import type { Resource } from './resource.ts';
import { sentFile } from './sent-file.ts';

/** The rows that a client sent, and how to store them. */
interface SentImport {
  readonly parents: Keys;
  readonly preferences: ImportPreferences;
  readonly source: RowSource;
  /** Called once the whole body is read. */
  readonly idempotency: (() => Idempotency) | undefined;
}

async function run(c: Exchange, resource: Resource, sent: SentImport): Promise<Response> {
  const { collection, language, options } = resource;
  const { parents, preferences, source, idempotency } = sent;
  const { handling, allowsDeletions } = preferences;
  const { signal, client } = callerOf(c, options.addressOf);
  const answer = newImportAnswer(c, resource, sent);
  try {
    const outcome = await options.store.importRows(collection, source, {
      ...preferences,
      parents,
      assignKey: options.assignKey,
      unkeyed: withoutKeys(language, collection, preferences),
      isLenient: handling === 'lenient',
      isCheck: handling === 'check',
      deletionShare: allowsDeletions ? undefined : options.deletionShare / 100,
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
}

/** Imports a file. @param format of the body; `undefined` if it is a form with a file */
export async function importFile(
  c: Exchange,
  resource: Resource,
  format: ReadableFormat | undefined,
): Promise<Response> {
  const { collection, language, options } = resource;
  const { headers } = c.req.raw;
  choose(headers, JSON_ONLY);
  checkCoding(c.req.raw);
  const contentType = headers.get('content-type') ?? '';
  const declared = format && { format, charset: charsetOfFile(c.req.raw, contentType, format) };
  checkConditions(headers);
  const preferences = readPreferences(headers.get(PREFER_HEADER), language, collection);
  const withPayload = resource.readIdempotency(c);
  checkLength(c, options.importLimit);
  refuseQuery(queryTextOf(c));
  const parents = resource.parentKeys(c);
  if (collection.parent) await resource.requireItem(collection.parent, parents);
  const digest = withPayload && fileDigest();
  const whole = fileBody(c, options.importLimit, (chunk) => declared && digest?.update(chunk));
  const sent = declared ? { ...declared, body: whole } : await sentFile(c, whole, digest);
  const { reading, rejectsMissing } = preferences;
  const job: FileJob = {
    tag: language.tag,
    collection: collection.id,
    format: sent.format.name,
    options: { ...reading, charset: sent.charset },
    rejectsMissing,
  };
  const arriving = new ArrivingFile(sent.body);
  const read = async () => {
    const file = await arriving.whole();
    try {
      return await options.readFile(job, file, c.req.raw.signal, c.env?.formerWords);
    } finally {
      file.close();
    }
  };
  const idempotency = digest && (() => withPayload(importPayload(collection, parents, preferences, digest)));
  try {
    const source = { arrived: arriving.arrived, read };
    return await run(c, resource, { parents, preferences, source, idempotency });
  } finally {
    arriving.leave();
  }
}

/** Imports an array of JSON. */
export async function importArray(c: Exchange, resource: Resource, body: Uint8Array): Promise<Response> {
  const { collection, language, options } = resource;
  const preferences = readPreferences(c.req.raw.headers.get(PREFER_HEADER), language, collection);
  const withPayload = resource.readIdempotency(c);
  const parents = resource.parentKeys(c);
  const digest = fileDigest().update(body);
  const { rejectsMissing } = preferences;
  const job = { tag: language.tag, collection: collection.id, format: 'json', options: {}, rejectsMissing };
  const source = { read: () => options.readFile(job, body, c.req.raw.signal, c.env?.formerWords) };
  const idempotency = withPayload && (() => withPayload(importPayload(collection, parents, preferences, digest)));
  return run(c, resource, { parents, preferences, source, idempotency });
}
