import { appendFileSync, closeSync, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { explainRow } from '../../gateway/collections/conflicts.ts';
import { withoutKeys } from '../../gateway/files/preferences.ts';
import { loadReaders, readFile } from '../../gateway/files/read-file.ts';
import type { ReadingOptions } from '../../gateway/files/reader.ts';
import { RowSpool } from '../../gateway/files/spool.ts';
import { receiveFile } from '../../gateway/files/upload.ts';
import type { ReadableFormat } from '../../gateway/formats/representation.ts';
import type { ImportChanges, ImportOptions, ImportOutcome, SpooledRows } from '../../gateway/model/import.ts';
import { reasonCounter } from '../../gateway/model/reasons.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { changeWriter } from '../../gateway/write/report.ts';
import { keyAssigner } from '../../host/service/open-store.ts';
import type { Store } from '../../store/store.ts';
import { UnnamedFile } from '../../util/unnamed-file.ts';
import { type CommandError, unusableFile } from '../commands/command-error.ts';
import type { TargetList } from '../commands/language-choice.ts';
import { type CommandContext, DONE, FAILED, FOUND, problemLines } from '../commands/run.ts';
import { outcomeLines, SHOWN } from './import-lines.ts';
import { Reasons } from './reasons.ts';
import { createRejectedFile, writeRejected } from './rejected-file.ts';

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
async function readRows(source: OpenFile, format: ReadableFormat, session: Session): Promise<SpooledRows> {
  const { language, progress } = session.context;
  const { collection, reading, rejectsMissing } = session.settings;
  const rows = new UnnamedFile();
  try {
    const spool = new RowSpool(collection, rows.fd, { rejectsMissing });
    const onRead = (bytes: number): void => progress.showRows('reading-rows', bytes / source.size, spool.rows);
    const file = { language, collection, file: source.fd, options: reading, onRead };
    await readFile(format.name, file, spool, session.signal);
    return { ...spool.summary(), file: rows };
  } catch (error) {
    rows.close();
    throw error;
  }
}

/** Stores the rows of a file. @returns the outcome, and the number of rows */
async function storeRows(
  source: OpenFile,
  format: ReadableFormat,
  session: Session,
  onRejected: ImportOptions['onRejected'],
): Promise<readonly [ImportOutcome, rows: number]> {
  const { settings, store, context, changes, signal } = session;
  const { config, language, progress } = context;
  let rows = 0;
  const read = async (): Promise<SpooledRows> => {
    const spooled = await readRows(source, format, session);
    rows = spooled.rows;
    return spooled;
  };
  const options: ImportOptions = {
    ...settings,
    unkeyed: withoutKeys(language, settings.collection, settings),
    assignKey: keyAssigner(config.IDENTIFIERS),
    deletionShare: settings.allowsDeletions ? undefined : config.DELETION_SHARE / 100,
    listsChanges: changes !== undefined,
    signal,
    onRejected,
    onProgress: (done) => progress.showRows('storing-rows', done / Math.max(rows, 1), done),
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
function writeChanges(changes: ImportChanges, { changes: file, settings, context }: Session): CommandError | undefined {
  if (!file) return undefined;
  const write = changeWriter(context.language, settings.collection);
  try {
    for (const some of changes.batches()) {
      appendFileSync(file.fd, some.map((change) => `${write(change)}\n`).join(''));
    }
    return undefined;
  } catch (error) {
    return unusableFile(file.path, error);
  } finally {
    changes.close();
  }
}

/** Imports a file. @returns its exit code */
export async function importFile(file: string, format: ReadableFormat, session: Session): Promise<number> {
  const { settings, context, signal } = session;
  const { collection, reading } = settings;
  const { language, note, say } = context;
  const begun = performance.now();
  const source = await openFile(file);
  const reasons = new Reasons();
  const rejected = reasonCounter();
  let errors = 0;
  try {
    const [outcome, rows] = await storeRows(source, format, session, (row, error) => {
      reasons.add(row, language.say(explainRow(language, collection, error).detail));
      rejected.add(row, error);
      errors++;
    });
    const fault = 'changes' in outcome && outcome.changes ? writeChanges(outcome.changes, session) : undefined;
    const seconds = (performance.now() - begun) / 1_000;
    for (const line of outcomeLines(outcome, { file, rows, seconds }, settings, context)) note(line);
    if (!('report' in outcome) || outcome.kind === 'too-many-deletions') return FAILED;
    if (fault) note(say(fault.text, fault.values));
    if (errors === 0) return fault ? FOUND : DONE;

    for (const { row, error } of rejected.listed(SHOWN)) {
      const { detail } = explainRow(language, collection, error);
      note(say('row-error', { row, detail: language.say(detail) }));
    }
    if (errors > SHOWN) note(say('more-errors', { count: errors - SHOWN }));
    if (source.isPipe) {
      note(say('file-unusable', { file: `${file}.rejected.csv`, reason: 'ESPIPE' }));
      return FOUND;
    }
    const path = await createRejectedFile(file);
    const { records } = await loadReaders(format.name);
    const all = records({ language, collection, file: source.fd, options: reading, isSeen: () => true });
    const reason = await writeRejected(path, language, all, reasons);
    if (reason !== undefined) note(say('file-unusable', { file: path, reason }));
    else if (outcome.kind === 'imported') note(say('rejected-file', { file: path }));
    else note(say('rejected-file-unstored', { file, rejected: path }));
    return FOUND;
  } catch (error) {
    if (!(error instanceof Problem) || signal.aborted) throw error;
    for (const line of problemLines(language, error)) note(`${file}: ${line}`);
    return FAILED;
  } finally {
    reasons.close();
    source.close();
  }
}
