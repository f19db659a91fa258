import type { ReadableFormat } from '../formats/format.ts';
import type { Exchange } from '../http/context.ts';
import { JSON_TYPE, PREFER_HEADER, REPLAYED, VARY_TYPE } from '../http/headers.ts';
import { callerOf, queryTextOf } from '../http/request.ts';
import { respond } from '../http/respond.ts';
import type { Tree } from '../http/urls.ts';
import type { ImportOutcome, ImportReport } from '../model/import.ts';
import type { Idempotency } from '../model/precondition.ts';
import type { RowBatch } from '../model/row-batch.ts';
import type { Keys } from '../port/port.ts';
import { choose, JSON_ONLY } from '../read/accept.ts';
import { brokenOff, checkLength } from '../read/body/body.ts';
import { fileBody } from '../read/body/file-body.ts';
import { charsetOfFile, checkCoding } from '../read/content-type.ts';
import { fileDigest, idempotencyMismatch, idempotencyReader, importPayload } from '../read/idempotency.ts';
import { type ImportPreferences, readPreferences } from '../read/import-preferences.ts';
import { ALLOW_DELETIONS } from '../read/known-preferences.ts';
import { checkConditions } from '../read/preconditions.ts';
import { headerOfText } from '../read/prefer.ts';
import { refuseQuery } from '../read/query/query.ts';
import { withoutKeys } from '../read/without-keys.ts';
import { type PhraseName, type Sentence, sentence } from '../texts/phrase.ts';
import { LISTED, Problem } from '../texts/problem.ts';
import { type RejectionSummary, reportWriter } from '../write/report.ts';
import { type RejectedRows, reasonIn, rejectedRows } from './rejected-rows.ts';
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

type Done = Extract<ImportOutcome, { readonly report: ImportReport }>;

/** The imports of a collection: read → store → write. */
export type Imports = ReturnType<typeof importsOf>;

/** What follows from rejected rows, by the outcome. */
const rejectionPhrases = {
  imported: 'rows-left-out',
  checked: 'rows-checked',
  'rejected-rows': 'rows-rejected',
  'too-many-deletions': 'rows-checked',
} as const satisfies Readonly<Record<Done['kind'], PhraseName>>;

const refusal = (phrase: (typeof rejectionPhrases)[Done['kind']], count: number) =>
  sentence(phrase, { count, limit: LISTED });

export const importsOf = (tree: Tree, resource: Resource, options: ResourceOptions) => {
  const { store, assignKey, readFile, importLimit, deletionShare, addressOf, idempotencyTtl, clientIdOf } = options;
  const { language } = tree;
  const { collection, parentKeys } = resource;
  const readIdempotency = idempotencyReader(idempotencyTtl, clientIdOf);
  const writeReport = reportWriter(language, collection);
  const unkeyed = withoutKeys(language, collection);
  const newRejectedRows = rejectedRows(language, collection);
  const reasonInWords = reasonIn(language, collection);

  const preferencesOf = (c: Exchange) => readPreferences(c.req.raw.headers.get(PREFER_HEADER), language, collection);

  /** @returns the detail and errors of a report; `undefined` where no row was rejected */
  const rejectionOf = (outcome: Done, rejected: RejectedRows): RejectionSummary | undefined => {
    const count = outcome.report.rejected;
    if (count === 0) return undefined;
    const errors = rejected.errors(outcome.kind === 'imported' ? outcome.note : undefined);
    const { reasons = [] } = outcome.report;
    return { detail: refusal(rejectionPhrases[outcome.kind], count), reasons: reasons.map(reasonInWords), errors };
  };
  const reportOf = (outcome: Done, rejected: RejectedRows) =>
    writeReport(outcome.report, rejectionOf(outcome, rejected), outcome.kind === 'checked');
  const refusing = (detail: Sentence, outcome: Done, rejected: RejectedRows): Problem =>
    new Problem('rejected-rows', detail, { report: reportOf(outcome, rejected) });
  const respondTo = (
    c: Exchange,
    { parents, preferences }: SentImport,
    outcome: ImportOutcome,
    rejected: RejectedRows,
  ) => {
    const { applied } = preferences;
    switch (outcome.kind) {
      case 'imported':
      case 'checked':
        return respond(
          c,
          200,
          JSON.stringify(reportOf(outcome, rejected)),
          {
            'Content-Type': JSON_TYPE,
            'Content-Language': language.tag,
            ...VARY_TYPE,
            ...(applied === '' ? {} : { 'Preference-Applied': headerOfText(applied) }),
            ...(outcome.kind === 'imported' && outcome.note !== undefined ? REPLAYED : {}),
          },
          resource.changes.imported(c, parents, outcome),
        );
      case 'rejected-rows':
        throw refusing(refusal('rows-rejected', outcome.report.rejected), outcome, rejected);
      case 'too-many-deletions': {
        const { deleted } = outcome.report;
        const preference = `resolution=replace-all; ${ALLOW_DELETIONS}`;
        const values = { deleted, total: outcome.total, share: deletionShare, preference };
        throw refusing(sentence('deletions-refused', values), outcome, rejected);
      }
      case 'missing':
        throw resource.missing(collection.parent ?? collection, parents);
      default:
        throw idempotencyMismatch();
    }
  };

  const run = async (c: Exchange, sent: SentImport): Promise<Response> => {
    const { parents, preferences, batches, arrived, idempotency } = sent;
    const { handling, allowsDeletions } = preferences;
    const { signal, client } = callerOf(c, addressOf);
    const rejected = newRejectedRows();
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
        note: rejected.note,
        signal,
        client,
        arrived,
        mostErrors: LISTED,
        onRejected: rejected.add,
      });
      return respondTo(c, sent, outcome, rejected);
    } catch (error) {
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
        collection: collection.name,
        format: name,
        options: { ...preferences.reading, charset },
        mostErrors: LISTED,
      };
      const { batches, arrived, close } = readFile(job, body, c.req.raw.signal);
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
