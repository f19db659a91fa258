import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import type { NewDatabase } from './database.ts';
import { query } from './postgres.ts';

const outside = process.env.TEST_DATABASE_URL ?? '';

const ask = async (): Promise<string> => {
  const answer = await text(connect(inject('postgres')));
  if (!answer.startsWith('postgres:')) throw new Error(answer);
  return answer;
};

let server: Promise<string> | undefined;
/** The address of the server's own database: that of `TEST_DATABASE_URL`, or of the server of this run. */
const serverUrl = (): Promise<string> => {
  server ??= outside === '' ? ask() : Promise.resolve(outside);
  return server;
};

const create = async (name: string, isPrepared: boolean): Promise<string> => {
  const base = await serverUrl();
  // Copying files takes a fifth of the time that writing each page to the log does.
  if (outside !== '') await query(base, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  else if (isPrepared) await query(base, `CREATE DATABASE ${name} TEMPLATE ${inject('prepared')} STRATEGY FILE_COPY`);
  else await query(base, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' STRATEGY FILE_COPY`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.href;
};

/**
 * @param isPrepared whether it may have the service's tables already, which saves most of the time of a first start
 * @returns a new database without a row; on a server that outlives the tests, `drop` takes it away again
 */
export const createDatabase = async (isPrepared: boolean): Promise<NewDatabase> => {
  const name = `catalogue_${randomUUID().replaceAll('-', '')}`;
  const url = await create(name, isPrepared);
  const drop = async (): Promise<void> => {
    if (outside !== '') await query(await serverUrl(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { url, drop };
};
