/** Runs in a thread that reads files, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../../../util/thread-priority.ts';
import { readableFormat } from '../../../formats/formats.ts';
import { type FormerUses, noteIn } from '../../../locale/former.ts';
import { languagesOf } from '../../../locale/language.ts';
import { collectionOf } from '../../../model/catalogue.ts';
import type { FileRow } from '../../../model/import.ts';
import { pack } from '../../../model/row-batch.ts';
import { LISTED, Problem } from '../../../texts/problem.ts';
import { jsonOf } from '../../body/json-body.ts';
import { membersReader } from '../../body/members.ts';
import { arrayReader } from '../json.ts';
import { errorLimit, fileRows } from './file-rows.ts';
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

/** What is read, and the words it has. */
const termsOf = ({ tag, collection }: ReadingJob) => {
  const language = languages.find((each) => each.tag === tag);
  if (!language) throw new TypeError(`no language ${tag}`);
  return [language, collectionOf(catalogue, collection)] as const;
};

/** Reads the rows of a file. @param file its descriptor, if it has arrived */
async function* rowsOfFile(job: FileJob, file: number | undefined): AsyncGenerator<readonly FileRow[]> {
  const [language, collection] = termsOf(job);
  const readers = await readableFormat(job.format).reading.load();
  yield* fileRows({ ...job, language, collection, readers, file }, arriving());
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
    const uses: FormerUses = new Map();
    noteIn(uses);
    let last: ReadingMessage = { end: true };
    try {
      await run(order.job, order.file);
    } catch (fault) {
      last = fault instanceof Problem ? { problem: plainProblem(fault) } : { fault };
    }
    if (uses.size > 0) tell({ former: [...uses.values()] });
    tell(last);
  }
});
