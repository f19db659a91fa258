/** Runs in a thread that reads files and large bodies, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../util/thread-priority.ts';
import { FormerLog, FormerUses } from '../locale/history.ts';
import { createLanguages, withUnits } from '../locale/language.ts';
import { findCollection } from '../model/catalogue.ts';
import type { RowSummary } from '../model/import.ts';
import { parseBody } from '../read/body/body.ts';
import { createMembersReader } from '../read/body/members.ts';
import { Problem } from '../texts/problem.ts';
import { readFile } from './read-file.ts';
import { RowSpool } from './spool.ts';
import type { PlainMembers, PlainProblem, ReadingData, ReadingOrder } from './threads.ts';

lowerPriority();
const { catalogue, locales, defaultLanguage } = workerData as ReadingData;
const languages = createLanguages(catalogue, locales, defaultLanguage);

const toPlain = ({ code, detail, errors, suggestion }: Problem): PlainProblem => ({ code, detail, errors, suggestion });

async function read(order: ReadingOrder): Promise<RowSummary | PlainMembers> {
  const { job } = order;
  const language = languages.find(({ tag }) => tag === job.tag);
  if (!language) throw new TypeError(`no language ${job.tag}`);
  const collection = findCollection(catalogue, job.collection);
  if ('body' in order) {
    const { cells, problem } = createMembersReader(withUnits(language, order.job.units), collection)(
      parseBody(order.body),
      order.job.purpose,
    );
    return { cells, problem: problem && toPlain(problem) };
  }
  const { format, options, rejectsMissing } = order.job;
  const spool = new RowSpool(collection, order.spool, { rejectsMissing });
  await readFile(format, { language, collection, file: order.file, options }, spool);
  return spool.summary();
}

parentPort?.on('message', async (order: ReadingOrder) => {
  const log = languages[0]?.formerLog ?? new FormerLog();
  const uses = new FormerUses(log);
  log.current = uses;
  const result = await read(order).then(
    (value) => ({ value }),
    (fault: unknown) => (fault instanceof Problem ? { problem: toPlain(fault) } : { fault }),
  );
  parentPort?.postMessage({ ...result, former: uses.words });
});
