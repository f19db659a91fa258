import { appendFileSync, closeSync, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { explainRow, inUseSentence } from '../../gateway/collections/conflicts.ts';
import { withoutKeys } from '../../gateway/files/preferences.ts';
import { loadReaders, readFile } from '../../gateway/files/read-file.ts';
import type { ReadingOptions } from '../../gateway/files/reader.ts';
import { RowSpool } from '../../gateway/files/spool.ts';
import { receiveFile } from '../../gateway/files/upload.ts';
import { createNumberWriter, type Language } from '../../gateway/locale/language.ts';
import {
  type ImportOptions,
  type ImportOutcome,
  type ImportReport,
  type ItemChange,
  listRejections,
  type Rejection,
  type SpooledRows,
} from '../../gateway/model/import.ts';
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

interface Session {
  readonly settings: ImportSettings;
  readonly store: Store;
  readonly context: CommandContext;
  readonly changes: { readonly path: string; readonly fd: number } | undefined;
  readonly signal: AbortSignal;
}

type Reported = Extract<ImportOutcome, { readonly report: ImportReport }>;

const SHOWN = 10;

async function openFile(file: string) {
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

export async function importFile(file: string, format: string, session: Session): Promise<number> {
  const source = await openFile(file);
  const work = new FileImport(file, format, source, session);
  try {
    return await work.run();
  } finally {
    work.close();
    source.close();
  }
}

class FileImport {
  readonly #file: string;
  readonly #format: string;
  readonly #source: Awaited<ReturnType<typeof openFile>>;
  readonly #session: Session;
  readonly #rejections = new UnnamedFile();
  readonly #changes = new UnnamedFile();
  #rows = 0;

  constructor(file: string, format: string, source: Awaited<ReturnType<typeof openFile>>, session: Session) {
    this.#file = file;
    this.#format = format;
    this.#source = source;
    this.#session = session;
  }

  close(): void {
    this.#rejections.close();
    this.#changes.close();
  }

  async run(): Promise<number> {
    const { context, signal, changes } = this.#session;
    const { language, note, say } = context;
    const begun = performance.now();
    try {
      const outcome = await this.#store();
      const isDone = outcome.kind === 'imported' || outcome.kind === 'checked';
      const fault = isDone && changes ? this.#writeChanges(changes) : undefined;
      if (!('report' in outcome) || outcome.kind === 'too-many-deletions') {
        note(this.#describeFailure(outcome));
        return FAILED;
      }
      this.#noteReport(outcome, (performance.now() - begun) / 1_000);
      if (fault) note(say(fault.text, fault.values));
      if (outcome.report.rejected > 0) await this.#noteRejected(outcome);
      return fault || outcome.report.rejected > 0 ? FOUND : DONE;
    } catch (error) {
      if (!(error instanceof Problem) || signal.aborted) throw error;
      for (const line of problemLines(language, error)) note(`${this.#file}: ${line}`);
      const other = this.#findOtherLanguage(error);
      if (other) note(say('language-hint', { tag: other.tag }));
      return FAILED;
    }
  }

  async #read(): Promise<SpooledRows> {
    const { context, settings, signal } = this.#session;
    const { language, progress } = context;
    const { collection, reading, rejectsMissing } = settings;
    const rows = new UnnamedFile();
    try {
      const rejections = new BatchWriter<Rejection>(this.#rejections.fd);
      const spool = new RowSpool(collection, rows.fd, { rejectsMissing, rejections });
      const onRead = (bytes: number): void => progress.showRows('reading-rows', bytes / this.#source.size, spool.rows);
      const file = { language, collection, file: this.#source.fd, options: reading, onRead };
      await readFile(this.#format, file, spool, signal);
      this.#rows = spool.rows;
      return { ...spool.summary(), file: rows };
    } catch (error) {
      rows.close();
      throw error;
    }
  }

  async #store(): Promise<ImportOutcome> {
    const { settings, store, context, changes, signal } = this.#session;
    const { config, language, progress } = context;
    const options: ImportOptions = {
      ...settings,
      rejections: this.#rejections,
      changes: changes && this.#changes,
      unkeyed: withoutKeys(language, settings.collection, settings),
      assignKey: keyAssigner(config.IDENTIFIERS),
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

  /** Writes what the import did, a line of NDJSON for each item. What is stored stays stored if that fails. @returns why it failed */
  #writeChanges({ path, fd }: NonNullable<Session['changes']>): CommandError | undefined {
    const { context, settings } = this.#session;
    const write = changeWriter(context.language, settings.collection);
    try {
      for (const some of batchesIn<ItemChange>(this.#changes.fd)) {
        appendFileSync(fd, some.map((change) => `${write(change)}\n`).join(''));
      }
      return undefined;
    } catch (error) {
      return unusableFile(path, error);
    }
  }

  #explain(error: Rejection['error']) {
    const { context, settings } = this.#session;
    const { value, detail } = explainRow(context.language, settings.collection, error);
    return { value, detail: context.language.say(detail) };
  }

  /** Shows the first rejected rows, and writes all of them to a file that can be corrected. */
  async #noteRejected(outcome: Reported): Promise<void> {
    const { language, note, say } = this.#session.context;
    const { collection, reading } = this.#session.settings;
    const { reasons: all = [] } = outcome.report;
    for (const { row, error } of listRejections(all, SHOWN)) {
      note(say('row-error', { row, detail: this.#explain(error).detail }));
    }
    const errors = all.reduce((sum, { count }) => sum + count, 0);
    if (errors > SHOWN) note(say('more-errors', { count: errors - SHOWN }));
    if (this.#source.isPipe) {
      note(say('file-unusable', { file: `${this.#file}.rejected.csv`, reason: 'ESPIPE' }));
      return;
    }
    const reasons = new Reasons();
    try {
      for (const some of batchesIn<Rejection>(this.#rejections.fd)) {
        for (const { row, error } of some) reasons.add(row, this.#explain(error).detail);
      }
      const path = await createRejectedFile(this.#file);
      const { records } = await loadReaders(this.#format);
      const table = records({ language, collection, file: this.#source.fd, options: reading, isSeen: () => true });
      const hasMark = reading.charset !== undefined || language.csv.byteOrderMark;
      const fault = await writeRejected(path, language, table, reasons, hasMark);
      if (fault !== undefined) note(say('file-unusable', { file: path, reason: fault }));
      else if (outcome.kind === 'imported') note(say('rejected-file', { file: path }));
      else note(say('rejected-file-unstored', { file: this.#file, rejected: path }));
    } finally {
      reasons.close();
    }
  }

  /** @returns the language whose words the columns are, if nobody has said which one it is */
  #findOtherLanguage({ errors }: Problem): Language | undefined {
    const { context, settings } = this.#session;
    if (context.options.has('language')) return undefined;
    const words = errors.flatMap(({ code, place }) => {
      return code === 'unknown-field' && 'pointer' in place ? [place.pointer.slice(1).trim().toLowerCase()] : [];
    });
    const others = context.languages.filter((each) => each !== context.language);
    return others.find((each) => words.some((word) => each.fields(settings.collection).name(word) !== undefined));
  }

  #describeFailure(
    outcome: Exclude<ImportOutcome, { readonly kind: 'imported' | 'checked' | 'rejected-rows' }>,
  ): string {
    const { context, settings } = this.#session;
    const { config, language, say } = context;
    const { collection, parents } = settings;
    if (outcome.kind === 'in-use')
      return `${this.#file}: ${language.say(inUseSentence(language, collection, outcome))}`;
    if (outcome.kind !== 'too-many-deletions') {
      const { the } = language.nouns(collection.parent ?? collection);
      return language.say(itemSentence('missing', { the, key: parents.join('/') }, undefined));
    }
    const { report, total } = outcome;
    const word = language.fields(collection).word(collection.key.name);
    const areNew = report.warnings?.some(({ phrase }) => phrase === 'keys-new') ?? false;
    const unknown = sentence('deletions-new', { count: report.created, total, word, option: '--allow-deletions' });
    const values = { deleted: report.deleted, total, share: config.DELETION_SHARE };
    return `${this.#file}: ${areNew ? language.say(unknown) : say('deletions-excess', values)}`;
  }

  #noteReport({ kind, report }: Reported, seconds: number): void {
    const { context, settings } = this.#session;
    const { spoken, language, note, say } = context;
    const { repeated = [], warnings = [], reasons = [], ...counts } = report;
    const values = { seconds: Math.round(seconds * 10) / 10, rate: Math.round(this.#rows / seconds) };
    const done = kind === 'imported' ? say('rows-imported', values) : undefined;
    note(`${this.#file}: ${done ?? say(kind === 'checked' ? 'rows-checked-only' : 'rows-refused')}`);
    const write = createNumberWriter(spoken.tag);
    // Words of several parts are joined for programs only.
    const words = reportCounts.map((name) => `${spoken.report.word(name).replaceAll('_', ' ')} ${write(counts[name])}`);
    note(words.join(', '));
    for (const each of repeated.slice(0, SHOWN)) note(say('row-repeated', { ...each }));
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
