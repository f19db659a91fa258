/** Runs in a thread that reads files, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../../../util/thread-priority.ts';
import { readableFormat } from '../../../formats/formats.ts';
import { languagesOf } from '../../../locale/language.ts';
import { type Collection, collectionOf } from '../../../model/catalogue.ts';
import type { FileRow, RowError } from '../../../model/import.ts';
import { reasonCounter } from '../../../model/reasons.ts';
import { pack } from '../../../model/row-batch.ts';
import { LISTED, Problem } from '../../../texts/problem.ts';
import { jsonOf } from '../../body/json-body.ts';
import { membersReader } from '../../body/members.ts';
import { misnamed } from '../../misnamed.ts';
import { headOf } from '../blocks.ts';
import { arrayReader } from '../json.ts';
import {
  AHEAD,
  type BodyJob,
  type FileJob,
  plainMembers,
  plainProblem,
  type ReadingData,
  type ReadingJob,
  type ReadingMessage,
  type ReadingOrder,
} from './messages.ts';

lowerPriority();
const { catalogue, locales, defaultLanguage } = workerData as ReadingData;
const languages = languagesOf(catalogue, locales, defaultLanguage);

const tell = (message: ReadingMessage, buffers: ArrayBuffer[] = []): void => parentPort?.postMessage(message, buffers);

/** Batches that may be sent now. */
let wanted = 0;
let onWanted = (): void => {};
let onBlock: (block: Uint8Array | undefined) => void = () => {};

const askForBlock = (): Promise<Uint8Array | undefined> =>
  new Promise((resolve) => {
    onBlock = resolve;
    tell({ wants: 'block' });
  });

/** The blocks of a file: while one is read, the next one is on its way. */
async function* arriving(): AsyncGenerator<Uint8Array> {
  let coming = askForBlock();
  for (let block = await coming; block; block = await coming) {
    coming = askForBlock();
    yield block;
  }
}

/**
 * Counts rows whose errors nobody sees by their reasons instead of keeping them. One with a key, whose item is not to be
 * deleted, is kept with the first error of each reason.
 *
 * @param most errors of one reason that somebody sees
 */
const errorLimit = ({ fields }: Collection, most = Number.POSITIVE_INFINITY) => {
  const required = fields.flatMap((field, at) => (field.required ? [at] : []));
  const { add } = reasonCounter<RowError>();
  const unseen = new Map<RowError, number>();
  let seen = 0;
  let times = 0;
  /** The first of the rows that lack the same fields, and how many more there are than are seen. */
  const lost = new Map<string, { readonly row: FileRow; times: number }>();
  /** Whether a row has no key and cannot be created either: it is rejected, whatever is stored. */
  const isLost = ({ cells }: FileRow): boolean =>
    typeof cells[0] !== 'string' && required.some((at) => (cells[at] ?? null) === null);
  const isWhole = (row: FileRow): boolean => row.errors.length === 0 && !isLost(row);
  const shortened = (row: FileRow): readonly FileRow[] => {
    if (isWhole(row)) return [row];
    if (row.errors.length === 0) {
      const lacks = required.filter((at) => (row.cells[at] ?? null) === null).join();
      const same = lost.get(lacks) ?? { row, times: -most };
      lost.set(lacks, same);
      return ++same.times > 0 ? [] : [row];
    }
    const reasons = row.errors.map((error) => add(row.number, error));
    seen += reasons.length;
    if (reasons.some(({ count }) => count <= most)) return [row];
    const errors = reasons.map(({ error }) => error);
    if (typeof row.cells[0] === 'string') return [{ ...row, errors }];
    for (const error of errors) unseen.set(error, (unseen.get(error) ?? 0) + 1);
    times++;
    return [];
  };
  return {
    /** Whether all errors of a row of JSON count, which take time to find. */
    isSeen: (): boolean => seen < most,
    shorten: (rows: readonly FileRow[]): readonly FileRow[] => (rows.every(isWhole) ? rows : rows.flatMap(shortened)),
    rest: (): readonly FileRow[] => [
      ...[...lost.values()].flatMap((same) => (same.times > 0 ? [{ ...same.row, times: same.times }] : [])),
      ...(times > 0
        ? [{ number: 0, cells: [], errors: [...unseen].map(([error, count]) => ({ ...error, times: count })), times }]
        : []),
    ],
  };
};

/** What is read, and the words it has. */
const termsOf = ({ tag, collection }: ReadingJob) => {
  const language = languages.find((each) => each.tag === tag);
  if (!language) throw new TypeError(`no language ${tag}`);
  return [language, collectionOf(catalogue, collection)] as const;
};

/** Throws a Problem where a file begins like one of another format. */
async function* wellNamed(blocks: AsyncIterable<Uint8Array>, format: string): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const block of blocks) {
    const problem = isFirst ? misnamed(block, format) : undefined;
    if (problem) throw problem;
    isFirst = false;
    yield block;
  }
}

/** Reads the rows of a file. @param file its descriptor, if it has arrived */
async function* rowsOfFile(job: FileJob, file: number | undefined): AsyncGenerator<readonly FileRow[]> {
  const { format, options, mostErrors } = job;
  const [language, collection] = termsOf(job);
  const { isSeen, shorten, rest } = errorLimit(collection, mostErrors);
  const readers = await readableFormat(format).reading.load();
  const read = readers.rows(language, collection, isSeen, file);
  try {
    for await (const rows of read(wellNamed(arriving(), format), options)) yield shorten(rows);
  } catch (problem) {
    throw (file !== undefined && misnamed(headOf(file), format)) || problem;
  }
  yield rest();
}

/** Reads the rows of a body that is an array, or says its members. */
async function* rowsOfBody(job: BodyJob): AsyncGenerator<readonly FileRow[]> {
  const value = jsonOf((await askForBlock()) ?? new Uint8Array());
  const [language, collection] = termsOf(job);
  const { isSeen, shorten, rest } = errorLimit(collection, LISTED);
  if (!job.takesArray || !Array.isArray(value)) {
    tell({ members: plainMembers(membersReader(language, collection)(value, job.purpose)) });
    return;
  }
  for (const rows of arrayReader(language, collection, isSeen)(value)) yield shorten(rows);
  yield rest();
}

const run = async (job: ReadingJob, file: number | undefined): Promise<void> => {
  wanted = AHEAD;
  for await (const rows of 'format' in job ? rowsOfFile(job, file) : rowsOfBody(job)) {
    if (rows.length === 0) continue;
    const batch = pack(rows);
    while (wanted === 0) await new Promise<void>((resolve) => (onWanted = resolve));
    wanted--;
    tell({ batch }, [batch.bytes.buffer]);
  }
};

parentPort?.on('message', async (order: ReadingOrder) => {
  if ('block' in order) onBlock(order.block);
  else if ('wants' in order) {
    wanted++;
    onWanted();
  } else {
    try {
      await run(order.job, order.file);
      tell({ end: true });
    } catch (fault) {
      tell(fault instanceof Problem ? { problem: plainProblem(fault) } : { fault });
    }
  }
});
