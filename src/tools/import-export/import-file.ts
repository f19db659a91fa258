import { appendFileSync, closeSync, openSync, statSync } from 'node:fs';
import { explainRow, inUseSentence } from '../../gateway/collections/conflicts.ts';
import { withoutKeys } from '../../gateway/files/preferences.ts';
import { inUnits, loadReaders, readFile } from '../../gateway/files/read-file.ts';
import type { ReadingOptions } from '../../gateway/files/reader.ts';
import { RowSpool } from '../../gateway/files/spool.ts';
import { createNumberWriter, type Language } from '../../gateway/locale/language.ts';
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
import { changeWriter, warningIn } from '../../gateway/write/report.ts';
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

interface ImportJob {
  readonly file: string;
  readonly format: string;
  readonly settings: ImportSettings;
  readonly store: Store;
  readonly context: CommandContext;
  readonly changes: { readonly path: string; readonly fd: number } | undefined;
  readonly signal: AbortSignal;
}

/** An outcome of which there is a report. */
type Reported = Extract<ImportOutcome, { readonly kind: 'imported' | 'checked' | 'rejected-rows' }>;

const SHOWN = 10;
/** Rows that `--explain` shows. */
const EXPLAINED = 3;

/** Opens a file to be read, twice, which a pipe cannot be. */
function openFile(file: string): { readonly fd: number; readonly size: number } {
  return useFile(file, () => {
    const stats = statSync(file);
    if (!stats.isFile()) throw Object.assign(new Error(), { code: stats.isDirectory() ? 'EISDIR' : 'ESPIPE' });
    return { fd: openSync(file, 'r'), size: stats.size };
  });
}

/** Imports a file. @returns the exit code */
export async function importFile(job: ImportJob): Promise<number> {
  const work = new FileImport(job);
  try {
    return await work.run();
  } finally {
    work.close();
  }
}

class FileImport {
  readonly #job: ImportJob;
  readonly #source: { readonly fd: number; readonly size: number };
  readonly #rejections = new UnnamedFile();
  readonly #changes = new UnnamedFile();
  #rows = 0;

  constructor(job: ImportJob) {
    this.#job = job;
    this.#source = openFile(job.file);
  }

  close(): void {
    closeSync(this.#source.fd);
    this.#rejections.close();
    this.#changes.close();
  }

  async run(): Promise<number> {
    const { file, signal, context } = this.#job;
    const { language, note, say } = context;
    const startedAt = performance.now();
    try {
      if (this.#job.settings.isExplained) await this.#explainReading();
      const outcome = await this.#store();
      if (!('report' in outcome) || outcome.kind === 'too-many-deletions') {
        note(this.#describeFailure(outcome));
        return FAILED;
      }
      this.#noteReport(outcome, (performance.now() - startedAt) / 1_000);
      const isListed = outcome.kind === 'rejected-rows' || this.#writeChanges();
      if (outcome.report.rejected > 0) await this.#noteRejected(outcome);
      return isListed && outcome.report.rejected === 0 ? DONE : FOUND;
    } catch (error) {
      if (!(error instanceof Problem) || signal.aborted) throw error;
      for (const line of describeProblem(language, error)) note(`${file}: ${line}`);
      const other = this.#findOtherLanguage(error);
      if (other) note(say('language-hint', { tag: other.tag }));
      return FAILED;
    }
  }

  async #explainReading(): Promise<void> {
    const { file, format, settings, context } = this.#job;
    const { language, say, print } = context;
    const { collection, reading: options } = settings;
    const { explain } = await loadReaders(format);
    if (!explain) return print(say('explain-none', { file }));
    const source = inUnits({ language, collection, file: this.#source.fd, options, isSeen: () => true });
    for (const { text, values } of await explain(source, EXPLAINED)) print(say(text, values));
  }

  async #read(): Promise<SpooledRows> {
    const { format, settings, signal, context } = this.#job;
    const { language, progress } = context;
    const { collection, reading, rejectsMissing } = settings;
    const { fd, size } = this.#source;
    const rows = new UnnamedFile();
    try {
      const rejections = new BatchWriter<Rejection>(this.#rejections.fd);
      const spool = new RowSpool(collection, rows.fd, { rejectsMissing, rejections });
      const onRead = (bytes: number): void => progress.showRows('reading-rows', bytes / size, spool.rows);
      await readFile(format, { language, collection, file: fd, options: reading, onRead }, spool, signal);
      this.#rows = spool.rows;
      return { ...spool.summary(), file: rows };
    } catch (error) {
      rows.close();
      throw error;
    }
  }

  async #store(): Promise<ImportOutcome> {
    const { settings, store, changes, signal, context } = this.#job;
    const { config, language, progress } = context;
    const options: ImportOptions = {
      ...settings,
      rejections: this.#rejections,
      changes: changes && this.#changes,
      unkeyed: withoutKeys(language, settings.collection, settings),
      assignKey: createKeyAssigner(config.IDENTIFIERS),
      deletionShare: settings.allowsDeletions ? undefined : config.DELETION_SHARE / 100,
      signal,
      onProgress: (count) => progress.showRows('storing-rows', count / Math.max(this.#rows, 1), count),
    };
    try {
      return await store.importRows(settings.collection, { read: () => this.#read() }, options);
    } finally {
      progress.end();
    }
  }

  /** Writes what the import did, a line of NDJSON for each item. What is stored stays stored if that fails. @returns whether it succeeded */
  #writeChanges(): boolean {
    const { changes: list, context, settings } = this.#job;
    if (!list) return true;
    const write = changeWriter(context.language, settings.collection);
    try {
      for (const some of readBatches<ItemChange>(this.#changes.fd)) {
        appendFileSync(list.fd, some.map((change) => `${write(change)}\n`).join(''));
      }
      return true;
    } catch (error) {
      const { text, values } = toFileError(list.path, error);
      context.note(context.say(text, values));
      return false;
    }
  }

  #explain(error: Rejection['error']) {
    const { context, settings } = this.#job;
    const { value, detail } = explainRow(context.language, settings.collection, error);
    return { value, detail: context.language.format(detail) };
  }

  /** Shows the first rejected rows, and writes all of them to a file that can be corrected. */
  async #noteRejected({ kind, report }: Reported): Promise<void> {
    const { file, format, context, settings } = this.#job;
    const { language, note, say } = context;
    const { collection, reading } = settings;
    const { reasons: all = [] } = report;
    for (const { row, error } of listRejections(all, SHOWN)) {
      note(say('row-error', { row, detail: this.#explain(error).detail }));
    }
    const errors = all.reduce((sum, { count }) => sum + count, 0);
    if (errors > SHOWN) note(say('more-errors', { count: errors - SHOWN }));
    const reasons = new Map<number, string>();
    for (const some of readBatches<Rejection>(this.#rejections.fd)) {
      for (const { row, error } of some) {
        const { detail } = this.#explain(error);
        reasons.set(row, reasons.has(row) ? `${reasons.get(row)} ${detail}` : detail);
      }
    }
    const path = await createRejectedFile(file);
    const { records } = await loadReaders(format);
    const table = records({ language, collection, file: this.#source.fd, options: reading, isSeen: () => true });
    const fault = await writeRejected(path, language, table, reasons, reading);
    if (fault !== undefined) note(say('file-unusable', { file: path, reason: fault }));
    else if (kind === 'imported') note(say('rejected-file', { file: path }));
    else note(say('rejected-file-unstored', { file, rejected: path }));
  }

  /** @returns the language whose words the columns are, if nobody has said which one it is */
  #findOtherLanguage({ errors }: Problem): Language | undefined {
    const { context, settings } = this.#job;
    if (context.options.has('language')) return undefined;
    const words = errors.flatMap(({ code, place }) => {
      return code === 'unknown-field' && 'pointer' in place ? [place.pointer.slice(1).trim().toLowerCase()] : [];
    });
    const others = context.languages.filter((other) => other !== context.language);
    return others.find((other) => words.some((word) => other.fields(settings.collection).name(word) !== undefined));
  }

  #describeFailure(outcome: Exclude<ImportOutcome, Reported>): string {
    const { file, context, settings } = this.#job;
    const { config, language, say } = context;
    const { collection, parents } = settings;
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

  #noteReport({ kind, report }: Reported, seconds: number): void {
    const { file, context, settings } = this.#job;
    const { outputLanguage, language, note, say } = context;
    const { nested = {}, repeated = [], warnings = [], reasons = [], ...counts } = report;
    const values = { seconds: Math.round(seconds * 10) / 10, rate: Math.round(this.#rows / seconds) };
    const texts = { imported: 'rows-imported', checked: 'rows-checked-only', 'rejected-rows': 'rows-refused' } as const;
    note(`${file}: ${say(kind === 'imported' && !hasChanges(report) ? 'rows-unstored' : texts[kind], values)}`);
    const write = createNumberWriter(outputLanguage.tag);
    // Words of several parts are joined for programs only.
    const describe = (counts: Partial<Record<ReportMember, number>>) =>
      reportMembers.flatMap((name) =>
        counts[name] === undefined
          ? []
          : `${outputLanguage.report.word(name).replaceAll('_', ' ')} ${write(counts[name])}`,
      );
    note(describe(counts).join(', '));
    const lists = outputLanguage.paths(settings.collection);
    for (const [list, counts] of Object.entries(nested)) note(`${lists.word(list)}: ${describe(counts).join(', ')}`);
    for (const row of repeated.slice(0, SHOWN)) note(say('row-repeated', { ...row }));
    for (const warning of warnings) {
      note(warningIn(language, settings.collection)(warning).detail);
      for (const { row, value } of warning.cells.slice(0, SHOWN)) note(say('row-error', { row, detail: value }));
    }
    for (const { count, rows } of reasons) {
      const { value, detail } = this.#explain(rows[0].error);
      const first = { count, row: rows[0].row, detail };
      note(value === undefined ? say('reason-row', first) : say('reason-value', { ...first, value }));
    }
  }
}
