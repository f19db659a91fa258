import type { ReadableFormat } from '../formats/representation.ts';
import type { Exchange } from '../http/context.ts';
import { createCaller, readQueryText } from '../http/request.ts';
import { PREFER_HEADER } from '../http/respond.ts';
import type { RowSource } from '../model/import.ts';
import type { Idempotency } from '../model/precondition.ts';
import type { Keys } from '../port/port.ts';
import { unavailable } from '../port/unavailable.ts';
import { choose, JSON_ONLY } from '../read/accept.ts';
import { bodyChunks, brokenOff, checkLength } from '../read/body/body.ts';
import { type FileDigest, fileDigest } from '../read/body/file-digest.ts';
import { boundaryIn, filePart } from '../read/body/multipart.ts';
import { charsetOfFile, checkCoding, formatOfFile, unsupportedFile } from '../read/content-type.ts';
import { ArrivingFile } from '../read/files/threads/arriving-file.ts';
import type { FileJob } from '../read/files/threads/reading-jobs.ts';
import { importPayload, readIdempotency } from '../read/idempotency.ts';
import { type ImportPreferences, readPreferences } from '../read/import-preferences.ts';
import { checkConditions } from '../read/preconditions.ts';
import { refuseQuery } from '../read/query/query.ts';
import { withoutKeys } from '../read/without-keys.ts';
import { LISTED } from '../texts/problem.ts';
import { newImportAnswer } from './import-answer.ts';
import { type Resource, readParentKeys, requireItem } from './resource.ts';

/** How the rows that a client sent are stored. */
interface SentImport {
  readonly parents: Keys;
  readonly preferences: ImportPreferences;
  /** Called with the digest of the body once it is read; `undefined` if the request has no key. */
  readonly idempotency: ((payload: string) => Idempotency) | undefined;
}

function readImport(c: Exchange, resource: Resource): SentImport {
  const { collection, language } = resource;
  return {
    preferences: readPreferences(c.req.raw.headers.get(PREFER_HEADER), language, collection),
    idempotency: readIdempotency(c, resource.options),
    parents: readParentKeys(c, resource),
  };
}

async function storeRows(
  c: Exchange,
  resource: Resource,
  sent: SentImport,
  source: RowSource,
  digest: FileDigest,
): Promise<Response> {
  const { collection, language, options } = resource;
  const { parents, preferences, idempotency } = sent;
  const { handling, allowsDeletions } = preferences;
  const { signal, client } = createCaller(c, options.addressOf);
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
      idempotency: idempotency && (() => idempotency(importPayload(collection, parents, preferences, digest))),
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
    // The disk takes no temporary file.
    throw error instanceof Error && 'syscall' in error ? unavailable(error, 'files') : error;
  }
}

/** @returns the same chunks, of which a digest is made */
async function* addTo(digest: FileDigest, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    digest.update(chunk);
    yield chunk;
  }
}

/** @returns the file in a form, its format and its charset */
async function readForm({ req }: Exchange, form: AsyncIterable<Uint8Array>) {
  const part = await filePart(form, boundaryIn(req.raw.headers.get('content-type')) ?? '');
  if (!part) throw unsupportedFile(req.raw, 'multipart/form-data');
  const { fileName, contentType, content } = part;
  const format = formatOfFile(fileName, contentType);
  if (!format) throw unsupportedFile(req.raw, contentType);
  return { format, charset: charsetOfFile(req.raw, contentType, format), content };
}

/** Imports a file. @param format of the body; `undefined` if it is a form with a file */
export async function importFile(
  c: Exchange,
  resource: Resource,
  format: ReadableFormat | undefined,
): Promise<Response> {
  const { collection, language, options } = resource;
  const { headers, signal } = c.req.raw;
  choose(headers, JSON_ONLY);
  checkCoding(c.req.raw);
  const declared = format && { format, charset: charsetOfFile(c.req.raw, headers.get('content-type') ?? '', format) };
  checkConditions(headers);
  const sent = readImport(c, resource);
  checkLength(c, options.importLimit);
  refuseQuery(readQueryText(c));
  if (collection.parent) await requireItem(resource, collection.parent, sent.parents);
  const body = bodyChunks(c, options.importLimit);
  const file = declared ? { ...declared, content: body } : await readForm(c, body);
  const { reading, rejectsMissing } = sent.preferences;
  const job: FileJob = {
    tag: language.tag,
    collection: collection.id,
    format: file.format.name,
    options: { ...reading, charset: file.charset },
    rejectsMissing,
  };
  const digest = fileDigest();
  const arriving = new ArrivingFile(sent.idempotency ? addTo(digest, file.content) : file.content);
  const read = async () => {
    const whole = await arriving.whole();
    try {
      return await options.readFile(job, whole, signal, c.env?.formerWords);
    } finally {
      whole.close();
    }
  };
  try {
    return await storeRows(c, resource, sent, { arrived: arriving.arrived, read }, digest);
  } finally {
    arriving.leave();
  }
}

/** Imports an array of JSON. */
export async function importArray(c: Exchange, resource: Resource, body: Uint8Array): Promise<Response> {
  const { collection, language, options } = resource;
  const sent = readImport(c, resource);
  const { rejectsMissing } = sent.preferences;
  const job = { tag: language.tag, collection: collection.id, format: 'json', options: {}, rejectsMissing };
  const source = { read: () => options.readFile(job, body, c.req.raw.signal, c.env?.formerWords) };
  return storeRows(c, resource, sent, source, fileDigest().update(body));
}
