import { appendFileSync, closeSync, openSync, statSync } from 'node:fs';
import { explainRow, inUseSentence } from '../../gateway/collections/conflicts.ts';
import { describeMissingKeys } from '../../gateway/files/preferences.ts';
import { inUnits, loadReaders, readFile } from '../../gateway/files/read-file.ts';
import type { ReadingOptions } from '../../gateway/files/reader.ts';
import { RowSpool } from '../../gateway/files/spool.ts';
import { createNumberWriter } from '../../gateway/locale/language.ts';
import {
  hasChanges,
  type ImportOptions,
  type ImportOutcome,
  type ItemChange,
  listRejections,
  type Rejection,
  type SpooledRows,
} from '../../gateway/model/import.ts';
import { type ReportMember, reportMembers } from '../../gateway/model/report.ts';
import { itemSentence, sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { createChangeWriter, describeWarning } from '../../gateway/write/report.ts';
import { createKeyAssigner } from '../../host/service/open-store.ts';
import type { Store } from '../../store/store.ts';
import { BatchWriter, readBatches, UnnamedFile } from '../../util/unnamed-file.ts';
import { toFileError, useFile } from '../commands/command-error.ts';
import type { TargetList } from '../commands/language-choice.ts';
import { type CommandContext, DONE, describeProblem, FAILED, FOUND } from '../commands/run.ts';
import { createRejectedFile, writeRejected } from './rejected-file.ts';

export interface ImportSettings
  extends TargetList,
    Pick<ImportOptions, 'onDuplicate' | 'isLenient' | 'mostRejected' | 'isCheck'> {
  readonly reading: ReadingOptions;
  readonly rejectsMissing: boolean;
  readonly overwritesStale: boolean;
  readonly allowsNewKeys: boolean;
  readonly allowsDeletions: boolean;
  readonly isExplained: boolean;
}

/** The import of one file: what the command says, its settings and its files. */
interface FileImport extends CommandContext, ImportSettings {
  readonly file: string;
  readonly format: string;
  readonly store: Store;
  /** The file of `--changes`. */
  readonly changeList: { readonly path: string; readonly fd: number } | undefined;
  readonly signal: AbortSignal;
  readonly source: { readonly fd: number; readonly size: number };
  readonly rejections: UnnamedFile;
  readonly changes: UnnamedFile;
}

/** An outcome of which there is a report. */
type Reported = Extract<ImportOutcome, { readonly kind: 'imported' | 'checked' | 'rejected-rows' }>;

const SHOWN = 10;
/** Rows that `--explain` shows. */
const EXPLAINED = 3;

/** Opens a file to be read, twice, which a pipe cannot be. */
function openFile(file: string): FileImport['source'] {
  return useFile(file, () => {
    const stats = statSync(file);
    if (!stats.isFile()) throw Object.assign(new Error(), { code: stats.isDirectory() ? 'EISDIR' : 'ESPIPE' });
    return { fd: openSync(file, 'r'), size: stats.size };
  });
}

/** Imports a file. @returns the exit code */
export async function importFile(job: Omit<FileImport, 'source' | 'rejections' | 'changes'>): Promise<number> {
  const source = openFile(job.file);
  const files = { rejections: new UnnamedFile(), changes: new UnnamedFile() };
  try {
    return await runImport({ ...job, ...files, source });
  } finally {
    closeSync(source.fd);
    files.rejections.close();
    files.changes.close();
  }
}

async function runImport(job: FileImport): Promise<number> {
  const { file, language, note, say, signal } = job;
  const startedAt = performance.now();
  try {
    if (job.isExplained) await explainReading(job);
    const { outcome, rows } = await storeRows(job);
    if (!('report' in outcome) || outcome.kind === 'too-many-deletions') {
      note(describeFailure(job, outcome));
      return FAILED;
    }
    noteReport(job, outcome, rows, (performance.now() - startedAt) / 1_000);
    const isListed = outcome.kind === 'rejected-rows' || writeChanges(job);
    if (outcome.report.rejected > 0) await noteRejected(job, outcome);
    return isListed && outcome.report.rejected === 0 ? DONE : FOUND;
  } catch (error) {
    if (!(error instanceof Problem) || signal.aborted) throw error;
    for (const line of describeProblem(language, error)) note(`${file}: ${line}`);
    const other = findOtherLanguage(job, error);
    if (other) note(say('language-hint', { tag: other.tag }));
    return FAILED;
  }
}

function openSource({ language, collection, source, reading }: FileImport) {
  return { language, collection, file: source.fd, options: reading, isSeen: () => true };
}

async function explainReading(job: FileImport): Promise<void> {
  const { explain } = await loadReaders(job.format);
  if (!explain) return job.print(job.say('explain-none', { file: job.file }));
  const lines = await explain(inUnits(openSource(job)), EXPLAINED);
  for (const { text, values } of lines) job.print(job.say(text, values));
}

async function readRows(job: FileImport): Promise<SpooledRows> {
  const { format, language, collection, reading: options, rejectsMissing, source, progress, signal } = job;
  const file = new UnnamedFile();
  try {
    const rejections = new BatchWriter<Rejection>(job.rejections.fd);
    const spool = new RowSpool(collection, file.fd, { rejectsMissing, rejections });
    const onRead = (bytes: number): void => progress.showRows('reading-rows', bytes / source.size, spool.rows);
    await readFile(format, { language, collection, file: source.fd, options, onRead }, spool, signal);
    return { ...spool.summary(), file };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function storeRows(job: FileImport): Promise<{ readonly outcome: ImportOutcome; readonly rows: number }> {
  const { collection, parents, onDuplicate, rejectsMissing, overwritesStale, isLenient, mostRejected, isCheck } = job;
  const { config, language, progress, signal, rejections } = job;
  let rows = 0;
  const read = async (): Promise<SpooledRows> => {
    const spooled = await readRows(job);
    rows = spooled.rows;
    return spooled;
  };
  const options: ImportOptions = {
    ...{ parents, onDuplicate, rejectsMissing, overwritesStale, isLenient, mostRejected, isCheck, signal, rejections },
    changes: job.changeList && job.changes,
    unkeyed: describeMissingKeys(language, collection, job),
    assignKey: createKeyAssigner(config.IDENTIFIERS),
    deletionShare: job.allowsDeletions ? undefined : config.DELETION_SHARE / 100,
    onProgress: (count) => progress.showRows('storing-rows', count / Math.max(rows, 1), count),
  };
  try {
    return { outcome: await job.store.importRows(collection, { read }, options), rows };
  } finally {
    progress.end();
  }
}

/** Writes what the import did, a line of NDJSON for each item. What is stored stays stored if that fails. @returns whether it succeeded */
function writeChanges({ changeList, changes, language, collection, note, say }: FileImport): boolean {
  if (!changeList) return true;
  const write = createChangeWriter(language, collection);
  try {
    for (const batch of readBatches<ItemChange>(changes.fd)) {
      appendFileSync(changeList.fd, batch.map((change) => `${write(change)}\n`).join(''));
    }
    return true;
  } catch (error) {
    const { text, values } = toFileError(changeList.path, error);
    note(say(text, values));
    return false;
  }
}

function explainError({ language, collection }: FileImport, error: Rejection['error']) {
  const { value, detail } = explainRow(language, collection, error);
  return { value, detail: language.format(detail) };
}

/** Shows the first rejected rows, and writes all of them to a file that can be corrected. */
async function noteRejected(job: FileImport, { kind, report }: Reported): Promise<void> {
  const { file, language, reading, note, say } = job;
  const { reasons: all = [] } = report;
  for (const { row, error } of listRejections(all, SHOWN)) {
    note(say('row-error', { row, detail: explainError(job, error).detail }));
  }
  const errors = all.reduce((sum, { count }) => sum + count, 0);
  if (errors > SHOWN) note(say('more-errors', { count: errors - SHOWN }));
  const reasons = new Map<number, string>();
  for (const { row, error } of readBatches<Rejection>(job.rejections.fd).flatMap((batch) => batch.values())) {
    const { detail } = explainError(job, error);
    reasons.set(row, reasons.has(row) ? `${reasons.get(row)} ${detail}` : detail);
  }
  const path = await createRejectedFile(file);
  const { records } = await loadReaders(job.format);
  const fault = await writeRejected(path, language, records(openSource(job)), reasons, reading);
  if (fault !== undefined) note(say('file-unusable', { file: path, reason: fault }));
  else if (kind === 'imported') note(say('rejected-file', { file: path }));
  else note(say('rejected-file-unstored', { file, rejected: path }));
}

/** @returns the language whose words the columns are, if nobody has said which one it is */
function findOtherLanguage({ options, languages, language, collection }: FileImport, { errors }: Problem) {
  if (options.has('language')) return undefined;
  const words = errors.flatMap(({ code, place }) => {
    return code === 'unknown-field' && 'pointer' in place ? [place.pointer.slice(1).trim().toLowerCase()] : [];
  });
  const others = languages.filter((other) => other !== language);
  return others.find((other) => words.some((word) => other.fields(collection).name(word) !== undefined));
}

function describeFailure(job: FileImport, outcome: Exclude<ImportOutcome, Reported>): string {
  const { file, config, language, collection, parents, say } = job;
  if (outcome.kind === 'in-use') return `${file}: ${language.format(inUseSentence(language, collection, outcome))}`;
  if (outcome.kind !== 'too-many-deletions') {
    const { the } = language.nouns(collection.parent ?? collection);
    return language.format(itemSentence('missing', { the, key: parents.join('/') }, undefined));
  }
  const { report, total } = outcome;
  const word = language.fields(collection).word(collection.key.name);
  const areNew = report.warnings?.some(({ phrase }) => phrase === 'keys-new') ?? false;
  const unknown = sentence('deletions-new', { count: report.created, total, word, option: '--allow-deletions' });
  const values = { deleted: report.deleted, total, share: config.DELETION_SHARE };
  return `${file}: ${areNew ? language.format(unknown) : say('deletions-excess', values)}`;
}

function noteReport(job: FileImport, { kind, report }: Reported, count: number, seconds: number): void {
  const { file, outputLanguage, language, collection, note, say } = job;
  const { nested = {}, repeated = [], warnings = [], reasons = [], ...counts } = report;
  const values = { seconds: Math.round(seconds * 10) / 10, rate: Math.round(count / seconds) };
  const texts = { imported: 'rows-imported', checked: 'rows-checked-only', 'rejected-rows': 'rows-refused' } as const;
  note(`${file}: ${say(kind === 'imported' && !hasChanges(report) ? 'rows-unstored' : texts[kind], values)}`);
  const write = createNumberWriter(outputLanguage.tag);
  // Words of several parts are joined for programs only.
  const describe = (all: Partial<Record<ReportMember, number>>) =>
    reportMembers.flatMap((name) =>
      all[name] === undefined ? [] : `${outputLanguage.report.word(name).replaceAll('_', ' ')} ${write(all[name])}`,
    );
  note(describe(counts).join(', '));
  const lists = outputLanguage.paths(collection);
  for (const [list, own] of Object.entries(nested)) note(`${lists.word(list)}: ${describe(own).join(', ')}`);
  for (const row of repeated.slice(0, SHOWN)) note(say('row-repeated', { ...row }));
  for (const warning of warnings) {
    note(describeWarning(language, collection, warning).detail);
    for (const { row, value } of warning.cells.slice(0, SHOWN)) note(say('row-error', { row, detail: value }));
  }
  for (const { count: times, rows } of reasons) {
    const { value, detail } = explainError(job, rows[0].error);
    const first = { count: times, row: rows[0].row, detail };
    note(value === undefined ? say('reason-row', first) : say('reason-value', { ...first, value }));
  }
}
