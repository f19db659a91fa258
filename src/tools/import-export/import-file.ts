import { closeSync, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ReadableFormat } from '../../gateway/formats/format.ts';
import type { ImportOptions, ImportOutcome, SpooledRows } from '../../gateway/model/import.ts';
import type { ReadingOptions } from '../../gateway/read/files/file-reader.ts';
import type { TableRecord } from '../../gateway/read/files/table-cells.ts';
import { ArrivingFile } from '../../gateway/read/files/threads/arriving-file.ts';
import { readFile } from '../../gateway/read/files/threads/read-file.ts';
import { RowSpool } from '../../gateway/read/files/threads/row-spool.ts';
import { withoutKeys } from '../../gateway/read/without-keys.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { keyAssigner } from '../../host/service/assign-key.ts';
import type { Store } from '../../store/store.ts';
import { UnnamedFile } from '../../util/unnamed-file.ts';
import { commandError } from '../commands/command-error.ts';
import { problemLines } from '../commands/error-lines.ts';
import type { TargetList } from '../commands/list-path.ts';
import { type CommandContext, DONE, FAILED, FOUND } from '../commands/run.ts';
import type { ChangesFile } from './changes-file.ts';
import { outcomeLines } from './import-lines.ts';
import { newRejectedFile, writeRejected } from './rejected-file.ts';
import { type Rejections, rejectionsOf } from './rejections.ts';

export interface ImportSettings
  extends TargetList,
    Pick<ImportOptions, 'onDuplicate' | 'isLenient' | 'mostRejected' | 'isCheck'> {
  readonly reading: ReadingOptions;
  readonly rejectsMissing: boolean;
  readonly allowsNewKeys: boolean;
  readonly allowsDeletions: boolean;
}

/** @throws CommandError where the file cannot be read */
const sizeOf = async (file: string): Promise<number> => {
  try {
    const found = await stat(file);
    if (!found.isDirectory()) return found.size;
    throw Object.assign(new Error(), { code: 'EISDIR' });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? '';
    throw commandError('file-unusable', { file, reason }, error);
  }
};

/** @returns whether the file cannot be read again for its rejected rows */
const isPipe = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => !found.isFile(),
    () => false,
  );

async function* flat(chunks: AsyncIterable<readonly TableRecord[]>): AsyncGenerator<TableRecord> {
  for await (const chunk of chunks) yield* chunk;
}

/** A file to import. */
interface Source {
  readonly file: string;
  readonly format: ReadableFormat;
}

/** What the imports of all files of a command share. */
interface Session {
  readonly settings: ImportSettings;
  readonly store: Store;
  readonly context: CommandContext;
  readonly changes: ChangesFile | undefined;
  readonly signal: AbortSignal;
}

/** @returns a file that was opened, which another one replaces if it cannot be read twice; and what closes it */
const openFile = async (file: string): Promise<readonly [fd: number, close: () => void]> => {
  if (!(await isPipe(file))) {
    const fd = openSync(file, 'r');
    return [fd, () => closeSync(fd)];
  }
  const whole = await new ArrivingFile(createReadStream(file)).whole();
  return [whole.fd, () => whole.close()];
};

/** Reads all rows of a file. */
const readRows = async ({ file, format }: Source, { settings, context, signal }: Session): Promise<SpooledRows> => {
  const { collection, reading, rejectsMissing } = settings;
  const { language, progress } = context;
  const size = await sizeOf(file);
  const [fd, close] = await openFile(file);
  const rows = new UnnamedFile();
  try {
    const spool = new RowSpool(collection, rows.fd, { rejectsMissing });
    const onRead = (bytes: number): void => progress.showRows('reading-rows', bytes / size, spool.rows);
    const source = { language, collection, format, options: { ...reading, onRead }, file: fd };
    await readFile(source, spool, signal);
    return { ...spool.summary(), file: rows };
  } catch (error) {
    rows.close();
    throw error;
  } finally {
    close();
  }
};

/** Stores the rows of a file. @returns the outcome, and the number of rows */
const storeRows = async (
  source: Source,
  session: Session,
  rejections: Rejections,
): Promise<readonly [ImportOutcome, rows: number]> => {
  const { settings, store, context, changes, signal } = session;
  const { collection, allowsDeletions } = settings;
  const { config, language, progress } = context;
  let rows = 0;
  const read = async (): Promise<SpooledRows> => {
    const file = await readRows(source, session);
    rows = file.rows;
    return file;
  };
  try {
    const outcome = await store.importRows(
      collection,
      { read },
      {
        ...settings,
        unkeyed: withoutKeys(language, collection)(settings),
        assignKey: keyAssigner(config.IDENTIFIERS),
        deletionShare: allowsDeletions ? undefined : config.DELETION_SHARE / 100,
        listsChanges: changes !== undefined,
        signal,
        onRejected: rejections.add,
        onProgress: (done) => progress.showRows('storing-rows', done / Math.max(rows, 1), done),
      },
    );
    if (changes && 'changes' in outcome && outcome.changes) {
      for (const some of outcome.changes.batches()) await changes.add(some);
      outcome.changes.close();
    }
    return [outcome, rows];
  } finally {
    progress.end();
  }
};

const importWith = async (source: Source, session: Session, rejections: Rejections): Promise<number> => {
  const { file, format } = source;
  const { settings, context, changes, signal } = session;
  const { language, note, say } = context;
  const begun = performance.now();
  let outcome: ImportOutcome;
  let rows: number;
  try {
    [outcome, rows] = await storeRows(source, session, rejections);
  } catch (error) {
    if (!(error instanceof Problem) || signal.aborted) throw error;
    for (const line of problemLines(language, error)) note(`${file}: ${line}`);
    return FAILED;
  }
  const seconds = (performance.now() - begun) / 1_000;
  for (const line of outcomeLines(outcome, { file, rows, seconds }, settings, context)) note(line);
  if (!('report' in outcome) || outcome.kind === 'too-many-deletions') return FAILED;
  const unlisted = changes?.fault();
  if (changes && unlisted !== undefined) note(say('file-unusable', { file: changes.path, reason: unlisted }));
  if (rejections.count() === 0) return unlisted === undefined ? DONE : FOUND;

  for (const line of rejections.lines(say)) note(line);
  if (await isPipe(file)) {
    note(say('file-unusable', { file: `${file}.rejected.csv`, reason: 'ESPIPE' }));
    return FOUND;
  }
  const rejected = await newRejectedFile(file);
  const { records: recordsOf } = await format.reading.load();
  const [fd, close] = await openFile(file);
  const records = recordsOf(language, settings.collection)(fd, settings.reading);
  const reason = await writeRejected(rejected, language, flat(records), rejections.reasons).finally(close);
  if (reason !== undefined) note(say('file-unusable', { file: rejected, reason }));
  else if (outcome.kind === 'imported') note(say('rejected-file', { file: rejected }));
  else note(say('rejected-file-unstored', { file, rejected }));
  return FOUND;
};

/** @returns the exit code of one file */
export const importFile = async (source: Source, session: Session): Promise<number> => {
  const rejections = rejectionsOf(session.context.language, session.settings.collection);
  try {
    return await importWith(source, session, rejections);
  } finally {
    rejections.reasons.close();
  }
};
