/** Runs in a thread that reads files and large bodies, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../../../util/thread-priority.ts';
import { readableFormat } from '../../../formats/formats.ts';
import { FormerLog, FormerUses } from '../../../locale/history.ts';
import { languagesOf } from '../../../locale/language.ts';
import { collectionOf } from '../../../model/catalogue.ts';
import { LISTED, Problem } from '../../../texts/problem.ts';
import { parseBody } from '../../body/json-body.ts';
import { membersReader } from '../../body/members.ts';
import { arrayReader } from '../json.ts';
import { readFile } from './read-file.ts';
import { plainMembers, plainProblem, type ReadingData, type ReadingOrder, type ReadingResult } from './reading-jobs.ts';
import { RowSpool } from './row-spool.ts';

lowerPriority();
const { catalogue, locales, defaultLanguage } = workerData as ReadingData;
const languages = languagesOf(catalogue, locales, defaultLanguage);

type Result<T = ReadingResult> = T extends unknown ? Omit<T, 'former'> : never;

async function read({ job, source, spool: fd = -1 }: ReadingOrder): Promise<Result> {
  const language = languages.find(({ tag }) => tag === job.tag);
  if (!language) throw new TypeError(`no language ${job.tag}`);
  const collection = collectionOf(catalogue, job.collection);
  if ('purpose' in job) {
    const members = membersReader(language, collection)(parseBody(source as Uint8Array), job.purpose);
    return { members: plainMembers(members) };
  }
  const spool = new RowSpool(collection, fd, { mostErrors: LISTED, rejectsMissing: job.rejectsMissing });
  if (typeof source === 'number') {
    const format = readableFormat(job.format);
    await readFile({ language, collection, format, options: job.options, file: source }, spool);
  } else {
    const items = parseBody(source) as readonly unknown[];
    for (const rows of arrayReader(language, collection, spool.isSeen)(items)) spool.add(rows);
  }
  return { rows: spool.summary() };
}

parentPort?.on('message', async (order: ReadingOrder) => {
  const log = languages[0]?.formerLog ?? new FormerLog();
  const uses = new FormerUses(log);
  log.current = uses;
  const result = await read(order).catch((fault: unknown) =>
    fault instanceof Problem ? { problem: plainProblem(fault) } : { fault },
  );
  parentPort?.postMessage({ ...result, former: uses.words });
});
