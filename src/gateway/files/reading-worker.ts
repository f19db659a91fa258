/** Runs in a thread that reads files and large bodies, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../util/thread-priority.ts';
import { FormerLog, FormerUses } from '../locale/history.ts';
import { createLanguages } from '../locale/language.ts';
import { collectionOf } from '../model/catalogue.ts';
import type { RowSummary } from '../model/import.ts';
import { parseBody } from '../read/body/json-body.ts';
import { membersReader } from '../read/body/members.ts';
import { Problem } from '../texts/problem.ts';
import { rowReader } from './json.ts';
import { readFile } from './read-file.ts';
import { RowSpool } from './spool.ts';
import { type PlainMembers, plainProblem, type ReadingData, type ReadingOrder } from './threads.ts';

lowerPriority();
const { catalogue, locales, defaultLanguage } = workerData as ReadingData;
const languages = createLanguages(catalogue, locales, defaultLanguage);

async function read({ job, source, spool: fd = -1 }: ReadingOrder): Promise<RowSummary | PlainMembers> {
  const language = languages.find(({ tag }) => tag === job.tag);
  if (!language) throw new TypeError(`no language ${job.tag}`);
  const collection = collectionOf(catalogue, job.collection);
  if ('purpose' in job) {
    const { cells, problem } = membersReader(language, collection)(parseBody(source as Uint8Array), job.purpose);
    return { cells, problem: problem && plainProblem(problem) };
  }
  const spool = new RowSpool(collection, fd, { rejectsMissing: job.rejectsMissing });
  if (typeof source === 'number') {
    await readFile(job.format, { language, collection, file: source, options: job.options }, spool);
  } else {
    const readRow = rowReader(language, collection, spool.isSeen);
    const items = parseBody(source) as readonly unknown[];
    for (const [at, item] of items.entries()) spool.add([readRow(item, at + 1)]);
  }
  return spool.summary();
}

parentPort?.on('message', async (order: ReadingOrder) => {
  const log = languages[0]?.formerLog ?? new FormerLog();
  const uses = new FormerUses(log);
  log.current = uses;
  const result = await read(order).then(
    (value) => ({ value }),
    (fault: unknown) => (fault instanceof Problem ? { problem: plainProblem(fault) } : { fault }),
  );
  parentPort?.postMessage({ ...result, former: uses.words });
});
