import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { inject } from 'vitest';

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

/** Runs statements, one after the other, on a connection of their own. @returns the rows of the last one */
export const query = async (url: string, ...statements: readonly string[]): Promise<readonly unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly unknown[] = [];
    for (const each of statements) ({ rows } = await client.query(each));
    return rows;
  } finally {
    await client.end();
  }
};

/** @returns a new empty database; on a server that outlives the tests, `drop` takes it away again */
export const createDatabase = async (): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> => {
  const base = await serverUrl();
  const name = `catalogue_${randomUUID().replaceAll('-', '')}`;
  await query(base, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  const drop = async (): Promise<void> => {
    if (outside !== '') await query(base, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { url: url.href, drop };
};
