/** Imports what a client sends, and answers with a report, or why the import is refused. */
import { ConcurrencyLimiter } from '../../util/concurrency-limiter.ts';
import { readBatches, UnnamedFile } from '../../util/unnamed-file.ts';
import {
  ALLOW_DELETIONS,
  describeMissingKeys,
  type ImportPreferences,
  LIST_CHANGES,
  mergeReading,
  readPreferences,
} from '../files/preferences.ts';
import { readForm } from '../files/upload.ts';
import type { ReadableFormat } from '../formats/representation.ts';
import type { Exchange } from '../http/context.ts';
import { createCaller, encodeChange, readKeys, readQueryText, respond } from '../http/exchange.ts';
import { type Language, trackLanguages } from '../locale/language.ts';
import type { Charset } from '../model/csv.ts';
import {
  type ImportOutcome,
  type ImportReport,
  type ItemChange,
  listRejections,
  type Rejection,
} from '../model/import.ts';
import { refuseAs, unavailable } from '../port/unavailable.ts';
import { chooseType, JSON_ONLY } from '../read/accept.ts';
import {
  bodyChunks,
  checkCoding,
  checkLength,
  findUploadFormat,
  interruptedProblem,
  readFileCharset,
  unsupportedFileProblem,
} from '../read/body/body.ts';
import { createDigest } from '../read/body/file-digest.ts';
import { checkConditions, readIdempotency } from '../read/conditions.ts';
import { encodeHeader } from '../read/prefer.ts';
import { refuseQuery } from '../read/query/query.ts';
import { type PhraseName, type Sentence, sentence } from '../texts/phrase.ts';
import { LISTED, Problem } from '../texts/problem.ts';
import { createChangeWriter, writeReport } from '../write/report.ts';
import { explainRow } from './conflicts.ts';
import { outcomeProblem, type Resource, reportImport, requireItem } from './resource.ts';

type ImportRequest = Awaited<ReturnType<typeof readRequest>>;

async function readRequest(c: Exchange, resource: Resource) {
  const { collection, language, options } = resource;
  const preferences = readPreferences(c.req.raw.headers.get('Prefer'), language, collection);
  return {
    preferences: { ...preferences, reading: await withProfile(resource, preferences) },
    /** Called with the digest of the body once it is read; `undefined` if the request has no key. */
    idempotency: readIdempotency(c, options),
    parents: readKeys(c, resource.parentNames),
  };
}

/** @returns how a file is read by what the request says, and by the profile that it names */
async function withProfile({ collection, language, options }: Resource, { profile, reading }: ImportPreferences) {
  if (profile === undefined) return reading;
  const { loadProfile } = await import('../files/profile.ts');
  const languages = options.trees.map((tree) => tree.language);
  return mergeReading(loadProfile(options.profiles, profile, language, collection, languages), reading);
}

/** Imports a file. @param format of the body; `undefined` if it is a form with a file */
export async function importFile(c: Exchange, resource: Resource, format: ReadableFormat | undefined) {
  const { collection, options } = resource;
  const { headers } = c.req.raw;
  chooseType(headers, JSON_ONLY);
  checkCoding(c.req.raw);
  const declared = format && { format, charset: readFileCharset(c.req.raw, headers.get('content-type') ?? '', format) };
  checkConditions(headers);
  const request = await readRequest(c, resource);
  checkLength(c, options.importLimit);
  refuseQuery(readQueryText(c));
  if (collection.parent) await requireItem(resource, collection.parent, request.parents);
  const body = bodyChunks(c, options.importLimit);
  const file = declared ? { ...declared, content: body } : await findFile(c, body);
  return importRows(c, resource, request, file.content, { format: file.format.name, charset: file.charset });
}

async function findFile({ req }: Exchange, form: AsyncIterable<Uint8Array>) {
  const part = await readForm(form, req.raw.headers.get('content-type'));
  if (!part) throw unsupportedFileProblem(req.raw, 'multipart/form-data');
  const { fileName, contentType, content } = part;
  const format = findUploadFormat(fileName, contentType);
  if (!format) throw unsupportedFileProblem(req.raw, contentType);
  return { format, charset: readFileCharset(req.raw, contentType, format), content };
}

export async function importArray(c: Exchange, resource: Resource, body: Uint8Array): Promise<Response> {
  return importRows(c, resource, await readRequest(c, resource), [body], { format: 'json' });
}

async function importRows(
  c: Exchange,
  resource: Resource,
  request: ImportRequest,
  content: Parameters<typeof UnnamedFile.receive>[0],
  { format, charset }: { readonly format: string; readonly charset?: Charset | undefined },
): Promise<Response> {
  const { collection, language, options } = resource;
  const { parents, preferences, idempotency } = request;
  const { allowsDeletions, listsChanges, reading, rejectsMissing } = preferences;
  const { signal, client } = createCaller(c, options.readClient);
  const digest = idempotency && createDigest();
  let receivedFile: Promise<UnnamedFile> | undefined;
  const receive = () => (receivedFile ??= UnnamedFile.receive(content, (chunk) => digest?.update(chunk)));
  const job = {
    tag: language.tag,
    collection: collection.routeId,
    format,
    options: { ...reading, charset: charset ?? reading.charset },
    rejectsMissing,
  };
  const read = async () => {
    const readers = await options.loadReaders();
    return readers.readFile(job, await receive(), c.req.raw.signal, c.env?.formerWords);
  };
  // Two requests are the same if all bytes of their files are, whatever their preferences say of the response.
  const payload = () => {
    const { applied: _, listsChanges: __, ...counting } = preferences;
    return JSON.stringify(['import', collection.name, parents, counting, digest?.digest('base64url')]);
  };
  let list: ChangeList | undefined;
  try {
    if (listsChanges) list = await openChangeList(client);
    const outcome = await options.store.importRows(
      collection,
      { receive, read },
      {
        ...preferences,
        parents,
        changes: list?.file,
        assignKey: options.assignKey,
        unkeyed: describeMissingKeys(language, collection, preferences),
        deletionShare: allowsDeletions ? undefined : options.deletionShare / 100,
        idempotency: idempotency && (() => idempotency(payload())),
        signal,
        client,
      },
    );
    if ('report' in outcome) return respondWithReport(c, resource, request, outcome, list);
    throw outcomeProblem(resource, outcome, parents);
  } catch (error) {
    list?.close();
    if (signal.aborted) throw interruptedProblem();
    // The disk takes no temporary file.
    throw error instanceof Error && 'syscall' in error ? unavailable(error, 'files') : error;
  } finally {
    const file = await receivedFile?.catch(() => undefined);
    file?.close();
  }
}

type ReportedOutcome = Extract<ImportOutcome, { readonly report: ImportReport }>;

function describeRejections(language: Language, phrase: PhraseName, count: number): Sentence {
  const detail = sentence(phrase, { count });
  return count > LISTED ? sentence('rows-cut', { detail: language.format(detail), limit: LISTED }) : detail;
}

function describeOutcome({ collection, language }: Resource, { kind, report }: ReportedOutcome) {
  const { reasons = [] } = report;
  const otherPhrase = kind === 'rejected-rows' ? 'rows-rejected' : 'rows-checked';
  const phrase = kind === 'imported' ? 'rows-left-out' : otherPhrase;
  const inWords = (error: Rejection['error']) => explainRow(language, collection, error);
  const rejection = report.rejected > 0 && {
    detail: describeRejections(language, phrase, report.rejected),
    reasons: reasons.map(({ count, rows: [{ row, error }] }) => ({ ...inWords(error), count, row })),
    errors: listRejections(reasons).map(({ row, error }) => ({ ...inWords(error), row })),
  };
  return writeReport(language, collection, report, rejection || undefined, kind === 'checked');
}

function respondWithReport(
  c: Exchange,
  resource: Resource,
  { parents, preferences }: ImportRequest,
  outcome: ReportedOutcome,
  list: ChangeList | undefined,
): Response {
  const { language, options } = resource;
  const { kind } = outcome;
  const isRepeated = kind === 'imported' && outcome.isRepeated === true;
  const [tracked, contentLanguage] = trackLanguages(language);
  const report = describeOutcome({ ...resource, language: tracked }, outcome);
  if (kind === 'rejected-rows') {
    const detail = describeRejections(language, 'rows-rejected', outcome.report.rejected);
    throw new Problem('rejected-rows', detail, { report });
  }
  if (kind === 'too-many-deletions') {
    const { deleted, created, warnings } = outcome.report;
    const { total } = outcome;
    const preference = `resolution=replace-all; ${ALLOW_DELETIONS}`;
    const option = `Prefer: ${preference}`;
    const word = language.fields(resource.collection).word(resource.collection.key.name);
    const areNew = warnings?.some(({ phrase }) => phrase === 'keys-new') ?? false;
    const detail = areNew
      ? sentence('deletions-new', { count: created, total, word, option })
      : sentence('deletions-refused', { deleted, total, share: options.deletionShare, preference });
    throw new Problem('rejected-rows', detail, { report });
  }
  const text = JSON.stringify(report);
  const start = `${text.slice(0, -1)},${JSON.stringify(language.report.word('changes'))}:[`;
  if (isRepeated) list?.close();
  const changes =
    list && !isRepeated
      ? streamChanges(list, createChangeWriter(language, resource.collection), start, '\n]}\n')
      : undefined;
  const followedPreferences = [preferences.applied, changes ? LIST_CHANGES : ''].filter((text) => text !== '');
  const headers = {
    'Content-Type': 'application/json',
    'Content-Language': contentLanguage(),
    Vary: 'Accept',
    ...(followedPreferences.length > 0 && { 'Preference-Applied': encodeHeader(followedPreferences.join(', ')) }),
    ...(isRepeated && { 'Idempotency-Replayed': 'true' }),
    ...(kind === 'imported' && outcome.change !== undefined && { 'X-Change': encodeChange(outcome.change) }),
  };
  return respond(c, 200, changes ?? text, headers, reportImport(c, resource, parents, outcome));
}

/** Limits the lists that clients read at a time, of which one client may have half: each may take twice as much of a disk as the imported file. */
const openLists = new ConcurrencyLimiter({ limit: 16, refuse: refuseAs('imports') }, 0.5);

/** Opens the list of an import's changes: a temporary file until it is read, so that no import waits for a client. @throws Unavailable */
async function openChangeList(client: string | undefined) {
  const release = await openLists.acquire({ client });
  try {
    const file = new UnnamedFile();
    const close = (): void => {
      file.close();
      release();
    };
    return { file, close };
  } catch (error) {
    release();
    throw error;
  }
}

type ChangeList = Awaited<ReturnType<typeof openChangeList>>;

/** @returns the changes of a list, each in a line between two texts; the list is closed once it is read */
function streamChanges(list: ChangeList, write: (change: ItemChange) => string, start: string, end: string) {
  const texts = writeChanges(list, write, start, end);
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { done, value } = texts.next();
      if (!done) return controller.enqueue(Buffer.from(value));
      list.close();
      controller.close();
    },
    cancel: list.close,
  });
}

function* writeChanges({ file }: ChangeList, write: (change: ItemChange) => string, start: string, end: string) {
  yield start;
  let separator = '';
  for (const batch of readBatches<ItemChange>(file.fd)) {
    yield separator + batch.map((change) => `\n${write(change)}`).join(',');
    separator = ',';
  }
  yield end;
}
