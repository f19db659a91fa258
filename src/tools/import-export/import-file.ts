import { appendFileSync, closeSync, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { explainRow, inUseSentence } from '../../gateway/collections/conflicts.ts';
import { withoutKeys } from '../../gateway/files/preferences.ts';
import { loadReaders, readFile } from '../../gateway/files/read-file.ts';
import type { ReadingOptions } from '../../gateway/files/reader.ts';
import { RowSpool } from '../../gateway/files/spool.ts';
import { receiveFile } from '../../gateway/files/upload.ts';
import { createNumberWriter, type Language } from '../../gateway/locale/language.ts';
import type { Collection } from '../../gateway/model/catalogue.ts';
import type {
  ImportOptions,
  ImportOutcome,
  ImportReport,
  ItemChange,
  Rejection,
  SpooledRows,
} from '../../gateway/model/import.ts';
import { listRejections } from '../../gateway/model/reasons.ts';
import { reportCounts } from '../../gateway/model/report.ts';
import { itemSentence, sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { changeWriter, warningIn } from '../../gateway/write/report.ts';
import { keyAssigner } from '../../host/service/open-store.ts';
import type { Store } from '../../store/store.ts';
import { BatchWriter, batchesIn, UnnamedFile } from '../../util/unnamed-file.ts';
import { type CommandError, unusableFile } from '../commands/command-error.ts';
import type { TargetList } from '../commands/language-choice.ts';
import { type CommandContext, DONE, FAILED, FOUND, problemLines } from '../commands/run.ts';
import { createRejectedFile, Reasons, writeRejected } from './rejected-file.ts';

export interface ImportSettings
  extends TargetList,
    Pick<ImportOptions, 'onDuplicate' | 'isLenient' | 'mostRejected' | 'isCheck'> {
  readonly reading: ReadingOptions;
  readonly rejectsMissing: boolean;
  readonly allowsNewKeys: boolean;
  readonly allowsDeletions: boolean;
}

/** What the imports of all files of a command share. */
interface Session {
  readonly settings: ImportSettings;
  readonly store: Store;
  readonly context: CommandContext;
  /** The file for what is done with each item, if that is wanted. */
  readonly changes: { readonly path: string; readonly fd: number } | undefined;
  readonly signal: AbortSignal;
}

/** What is written while rows are applied. */
interface Files {
  readonly rejections: UnnamedFile;
  readonly changes: UnnamedFile | undefined;
}

/** A file that is open. */
interface OpenFile {
  readonly fd: number;
  /** Bytes of it. */
  readonly size: number;
  readonly isPipe: boolean;
  readonly close: () => void;
}

/** @throws CommandError if the file cannot be read */
async function openFile(file: string): Promise<OpenFile> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (stats.isFile()) {
      const fd = openSync(file, 'r');
      return { fd, size: stats.size, isPipe: false, close: () => closeSync(fd) };
    }
    // Every file is read twice, which a pipe cannot be.
    const whole = await receiveFile(createReadStream(file));
    return { fd: whole.fd, size: whole.size, isPipe: true, close: () => whole.close() };
  } catch (error) {
    throw unusableFile(file, error);
  }
}

/** Reads all rows of a file. */
async function readRows(source: OpenFile, format: string, session: Session, files: Files): Promise<SpooledRows> {
  const { language, progress } = session.context;
  const { collection, reading, rejectsMissing } = session.settings;
  const rows = new UnnamedFile();
  try {
    const rejections = new BatchWriter<Rejection>(files.rejections.fd);
    const spool = new RowSpool(collection, rows.fd, { rejectsMissing, rejections });
    const onRead = (bytes: number): void => progress.showRows('reading-rows', bytes / source.size, spool.rows);
    const file = { language, collection, file: source.fd, options: reading, onRead };
    await readFile(format, file, spool, session.signal);
    return { ...spool.summary(), file: rows };
  } catch (error) {
    rows.close();
    throw error;
  }
}

/** Stores the rows of a file. @returns the outcome, and the number of rows */
async function storeRows(
  source: OpenFile,
  format: string,
  session: Session,
  files: Files,
): Promise<readonly [ImportOutcome, rows: number]> {
  const { settings, store, context, signal } = session;
  const { config, language, progress } = context;
  let rows = 0;
  const read = async (): Promise<SpooledRows> => {
    const spooled = await readRows(source, format, session, files);
    rows = spooled.rows;
    return spooled;
  };
  const options: ImportOptions = {
    ...settings,
    ...files,
    unkeyed: withoutKeys(language, settings.collection, settings),
    assignKey: keyAssigner(config.IDENTIFIERS),
    deletionShare: settings.allowsDeletions ? undefined : config.DELETION_SHARE / 100,
    signal,
    onProgress: (count) => progress.showRows('storing-rows', count / Math.max(rows, 1), count),
  };
  try {
    return [await store.importRows(settings.collection, { read }, options), rows];
  } finally {
    progress.end();
  }
}

/**
 * Writes what an import did, a line of NDJSON for each item. What is stored stays stored if that fails.
 *
 * @returns why it failed
 */
function writeChanges(changes: UnnamedFile, { changes: file, settings, context }: Session): CommandError | undefined {
  if (!file) return undefined;
  const write = changeWriter(context.language, settings.collection);
  try {
    for (const some of batchesIn<ItemChange>(changes.fd)) {
      appendFileSync(file.fd, some.map((change) => `${write(change)}\n`).join(''));
    }
    return undefined;
  } catch (error) {
    return unusableFile(file.path, error);
  }
}

/** Shows the first rejected rows, and writes all of them to a file that can be corrected. */
async function reportRejected(
  file: string,
  source: OpenFile,
  format: string,
  session: Session,
  outcome: Extract<ImportOutcome, { readonly report: ImportReport }>,
  rejections: UnnamedFile,
): Promise<void> {
  const { language, note, say } = session.context;
  const { collection, reading } = session.settings;
  const { reasons: all = [] } = outcome.report;
  const explain = (error: Rejection['error']): string => language.say(explainRow(language, collection, error).detail);
  for (const { row, error } of listRejections(all, SHOWN)) note(say('row-error', { row, detail: explain(error) }));
  const errors = all.reduce((sum, { count }) => sum + count, 0);
  if (errors > SHOWN) note(say('more-errors', { count: errors - SHOWN }));
  if (source.isPipe) {
    note(say('file-unusable', { file: `${file}.rejected.csv`, reason: 'ESPIPE' }));
    return;
  }
  const reasons = new Reasons();
  try {
    for (const some of batchesIn<Rejection>(rejections.fd)) {
      for (const { row, error } of some) reasons.add(row, explain(error));
    }
    const path = await createRejectedFile(file);
    const { records } = await loadReaders(format);
    const table = records({ language, collection, file: source.fd, options: reading, isSeen: () => true });
    const fault = await writeRejected(
      path,
      language,
      table,
      reasons,
      reading.charset !== undefined || language.csv.byteOrderMark,
    );
    if (fault !== undefined) note(say('file-unusable', { file: path, reason: fault }));
    else if (outcome.kind === 'imported') note(say('rejected-file', { file: path }));
    else note(say('rejected-file-unstored', { file, rejected: path }));
  } finally {
    reasons.close();
  }
}

/** @returns the language whose words the columns are, if nobody has said which one it is */
function findOtherLanguage({ errors }: Problem, { context, settings }: Session): Language | undefined {
  if (context.options.has('language')) return undefined;
  const words = errors.flatMap(({ code, place }) => {
    return code === 'unknown-field' && 'pointer' in place ? [place.pointer.slice(1).trim().toLowerCase()] : [];
  });
  const others = context.languages.filter((each) => each !== context.language);
  return others.find((each) => words.some((word) => each.fields(settings.collection).name(word) !== undefined));
}

/** Imports a file. @returns its exit code */
export async function importFile(file: string, format: string, session: Session): Promise<number> {
  const { context, signal } = session;
  const { language, note, say } = context;
  const begun = performance.now();
  const source = await openFile(file);
  const files: Files = {
    rejections: new UnnamedFile(),
    changes: session.changes && new UnnamedFile(),
  };
  try {
    const [outcome, rows] = await storeRows(source, format, session, files);
    const isDone = outcome.kind === 'imported' || outcome.kind === 'checked';
    const fault = isDone && files.changes ? writeChanges(files.changes, session) : undefined;
    const seconds = (performance.now() - begun) / 1_000;
    for (const line of outcomeLines(outcome, { file, rows, seconds }, session.settings, context)) note(line);
    if (!('report' in outcome) || outcome.kind === 'too-many-deletions') return FAILED;
    if (fault) note(say(fault.text, fault.values));
    if (outcome.report.rejected === 0) return fault ? FOUND : DONE;
    await reportRejected(file, source, format, session, outcome, files.rejections);
    return FOUND;
  } catch (error) {
    if (!(error instanceof Problem) || signal.aborted) throw error;
    for (const line of problemLines(language, error)) note(`${file}: ${line}`);
    const other = findOtherLanguage(error, session);
    if (other) note(say('language-hint', { tag: other.tag }));
    return FAILED;
  } finally {
    for (const each of [source, files.rejections, files.changes]) each?.close();
  }
}

/** Rows that are shown of those that do not count, have a warning or are rejected. */
const SHOWN = 10;

/** @returns the lines of a report */
function reportLines(
  { spoken, language, say }: CommandContext,
  collection: Collection,
  { repeated = [], warnings = [], reasons = [], ...counts }: ImportReport,
): readonly string[] {
  const write = createNumberWriter(spoken.tag);
  // Words of several parts are joined for programs only.
  const totals = reportCounts.map((name) => `${spoken.report.word(name).replaceAll('_', ' ')} ${write(counts[name])}`);
  return [
    totals.join(', '),
    ...repeated.slice(0, SHOWN).map((each) => say('row-repeated', { ...each })),
    ...warnings.flatMap((each) => [
      warningIn(language, collection)(each).detail,
      ...each.cells.slice(0, SHOWN).map(({ row, value }) => say('row-error', { row, detail: value })),
    ]),
    ...reasons.map(({ count, rows: [{ row, error }] }) => {
      const { value, detail } = explainRow(language, collection, error);
      const values = { count, row, detail: language.say(detail) };
      return value === undefined ? say('reason-row', values) : say('reason-value', { ...values, value });
    }),
  ];
}

/** A file whose rows have been read. */
interface ImportedFile {
  readonly file: string;
  readonly rows: number;
  readonly seconds: number;
}

/** @returns the outcome of a file, in lines for a person */
function outcomeLines(
  outcome: ImportOutcome,
  { file, rows, seconds }: ImportedFile,
  { collection, parents }: TargetList,
  context: CommandContext,
): readonly string[] {
  const { config, language, say } = context;
  switch (outcome.kind) {
    case 'missing': {
      const { the } = language.nouns(collection.parent ?? collection);
      return [language.say(itemSentence('missing', { the, key: parents.join('/') }, undefined))];
    }
    case 'too-many-deletions': {
      const { report, total } = outcome;
      const word = language.fields(collection).word(collection.key.name);
      const areNew = report.warnings?.some(({ phrase }) => phrase === 'keys-new') ?? false;
      const unknown = sentence('deletions-new', { count: report.created, total, word, option: '--allow-deletions' });
      const values = { deleted: report.deleted, total, share: config.DELETION_SHARE };
      return [`${file}: ${areNew ? language.say(unknown) : say('deletions-excess', values)}`];
    }
    case 'in-use':
      return [`${file}: ${language.say(inUseSentence(language, collection, outcome))}`];
    case 'idempotency-mismatch':
      return [];
    case 'imported': {
      const values = { seconds: Math.round(seconds * 10) / 10, rate: Math.round(rows / seconds) };
      return [`${file}: ${say('rows-imported', values)}`, ...reportLines(context, collection, outcome.report)];
    }
    default: {
      const text = outcome.kind === 'checked' ? 'rows-checked-only' : 'rows-refused';
      return [`${file}: ${say(text)}`, ...reportLines(context, collection, outcome.report)];
    }
  }
}
