/** Runs in the threads of imports into a server. */
import { workerData } from 'node:worker_threads';
import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import { answerImports } from '../../imports/answer-imports.ts';
import { openPool, type Pool, type PoolOptions } from '../connection/pool.ts';
import { postgresImports } from './imports.ts';

/** What the threads are started with. */
export interface ImportData extends Pick<PoolOptions, 'timeout' | 'prepare'> {
  readonly catalogue: Catalogue;
}

const { catalogue, ...options } = workerData as ImportData;
/** Of the last import: most are into the same database. */
let last: { readonly url: string; readonly pool: Pool } | undefined;

const poolAt = (url: string): Pool => {
  if (last?.url === url) return last.pool;
  void last?.pool.end();
  // Its statements have no time limit: one waits for all other writers, and another one writes many rows.
  const pool = openPool(url, { ...options, size: 1, isPatient: true });
  last = { url, pool };
  return pool;
};

answerImports(
  (course) => postgresImports(poolAt(course.location), catalogue)(course),
  () => last?.pool.end(),
);
