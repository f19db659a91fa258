import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { keyAssigner } from '../assign-key.ts';
import { conflictIn } from '../http/collections/rejected-rows.ts';
import { fileReaders, recordReaders } from '../http/read/files/readers.ts';
import type { TableRecord } from '../http/read/files/table.ts';
import type { Charset } from '../http/read/files/text.ts';
import { type FileRow, type ImportReport, type OnDuplicate, rowCounts } from '../model/import.ts';
import type { FormatName } from '../model/query.ts';
import type { ImportOutcome, Store } from '../store/port.ts';
import { itemSentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { barOn } from './bar.ts';
import { formatFaults, type Place, UsageError } from './options.ts';
import { writeRejected } from './rejected-file.ts';
import { DONE, FAILED, REJECTED, type Surroundings } from './run.ts';

export interface ImportSettings {
  readonly place: Place;
  readonly charset: Charset | undefined;
  readonly onDuplicate: OnDuplicate;
  readonly isLenient: boolean;
  readonly isCheck: boolean;
  readonly allowsDeletions: boolean;
}

/** Errors that are shown on the screen; the file has all of them. */
const SHOWN = 10;

const tell = (text: string): void => void process.stderr.write(`${text}\n`);

/** @throws UsageError where the file is not to be had */
const sizeOf = async (file: string, { commands }: Surroundings['language']): Promise<number> => {
  try {
    const found = await stat(file);
    if (!found.isDirectory()) return found.size;
    throw Object.assign(new Error(), { code: 'EISDIR' });
  } catch (error) {
    throw new UsageError([commands('file-unusable', { file, reason: (error as NodeJS.ErrnoException).code ?? '' })]);
  }
};

async function* flat(chunks: AsyncIterable<readonly TableRecord[]>): AsyncGenerator<TableRecord> {
  for await (const chunk of chunks) yield* chunk;
}

/** @returns the exit code of one file */
export const importFile = async (
  file: string,
  format: FormatName,
  settings: ImportSettings,
  store: Store,
  { config, language, signal }: Surroundings,
): Promise<number> => {
  const { place, charset, onDuplicate, isLenient, isCheck, allowsDeletions } = settings;
  const { collection, parents } = place;
  const { commands, say, tag } = language;
  const size = await sizeOf(file, language);
  const inWords = conflictIn(language, collection);
  const progress = barOn(process.stderr, language);
  const limit = config.IMPORT_LIMIT;

  const begun = performance.now();
  const reasons = new Map<number, string[]>();
  const shown: string[] = [];
  let count = 0;
  let rows = 0;
  const onRejected = (row: number, error: Parameters<typeof inWords>[0]): void => {
    const said = say(inWords(error).detail);
    const others = reasons.get(row);
    if (others) others.push(said);
    else reasons.set(row, [said]);
    count++;
    if (shown.length < SHOWN) shown.push(commands('row-error', { row, detail: said }));
  };

  const bytes = createReadStream(file);
  const readRows = async function* (): AsyncGenerator<readonly FileRow[]> {
    for await (const chunk of fileReaders(language, collection, limit)[format](bytes, charset)) {
      rows += chunk.length;
      progress.tell('reading-rows', bytes.bytesRead / size, rows);
      yield chunk;
    }
  };
  let outcome: ImportOutcome;
  try {
    outcome = await store.importRows(collection, readRows(), {
      parents,
      assignKey: keyAssigner(config.IDENTIFIERS),
      onDuplicate,
      isLenient,
      isCheck,
      deletionShare: allowsDeletions ? undefined : config.DELETION_SHARE / 100,
      signal,
      onRejected,
      onProgress: (step, done) => {
        if (step === 'applying') progress.tell('storing-rows', done / Math.max(rows, 1), done);
      },
    });
  } catch (error) {
    if (!(error instanceof Problem) || signal.aborted) throw error;
    progress.end();
    for (const line of formatFaults(language, error)) tell(`${file}: ${line}`);
    return FAILED;
  } finally {
    progress.end();
    bytes.destroy();
  }

  // Words of several parts are joined for programs.
  const counts = (report: ImportReport): string =>
    rowCounts
      .map((name) => `${language.report.word(name).replaceAll('_', ' ')} ${report[name].toLocaleString(tag)}`)
      .join(', ');
  const summary = (said: string, report: ImportReport): void => tell(`${file}: ${said}\n${counts(report)}`);

  switch (outcome.kind) {
    case 'missing': {
      const { the } = language.nouns(collection.parent ?? collection);
      tell(say(itemSentence('missing', { the, key: parents.join('/') }, undefined)));
      return FAILED;
    }
    case 'too-many-deletions': {
      const { report, total } = outcome;
      tell(
        `${file}: ${commands('deletions-excess', { deleted: report.deleted, total, share: config.DELETION_SHARE })}`,
      );
      return FAILED;
    }
    case 'idempotency-mismatch':
      return FAILED;
    case 'imported': {
      const seconds = (performance.now() - begun) / 1_000;
      const spent = seconds.toLocaleString(tag, { maximumFractionDigits: 1 });
      summary(
        commands('rows-imported', { seconds: spent, rate: Math.round(rows / seconds).toLocaleString(tag) }),
        outcome.report,
      );
      break;
    }
    default:
      summary(commands(outcome.kind === 'checked' ? 'rows-checked-only' : 'rows-refused', {}), outcome.report);
  }
  if (count === 0) return DONE;

  for (const line of shown) tell(line);
  if (count > shown.length) tell(commands('more-errors', { count: (count - shown.length).toLocaleString(tag) }));
  const rejected = `${file}.rejected.csv`;
  const records = recordReaders(language, collection, limit)[format](createReadStream(file), charset);
  await writeRejected(rejected, language, flat(records), reasons);
  tell(commands('rejected-file', { file: rejected }));
  return REJECTED;
};
