import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import type { Catalogue } from '../../../src/gateway/model/catalogue.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
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

const create = async (name: string, template: string): Promise<string> => {
  const base = await serverUrl();
  const encoding = template === 'template0' ? "ENCODING 'UTF8'" : '';
  // Copying files takes a fifth of the time that writing each page to the log does.
  const strategy = outside === '' ? 'STRATEGY FILE_COPY' : '';
  await query(base, `CREATE DATABASE ${name} TEMPLATE ${template} ${encoding} ${strategy}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.href;
};

const createFrom = async (template: string): Promise<NewDatabase> => {
  const name = `catalogue_${randomUUID().replaceAll('-', '')}`;
  const url = await create(name, template);
  const drop = async (): Promise<void> => {
    if (outside !== '') await query(await serverUrl(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { url, drop };
};

/**
 * @param isPrepared whether it may have the service's tables already, which saves most of the time of a first start
 * @returns a new database without a row; on a server that outlives the tests, `drop` takes it away again
 */
export const createDatabase = (isPrepared: boolean): Promise<NewDatabase> =>
  createFrom(isPrepared && outside === '' ? inject('prepared') : 'template0');

/** Databases with the tables of a catalogue, which nobody has open. */
const templates = new Map<Catalogue, Promise<string>>();

const templateOf = async (catalogue: Catalogue): Promise<string> => {
  const { url } = await createFrom('template0');
  await (await openStore(url, catalogue)).close();
  return new URL(url).pathname.slice(1);
};

/** @returns a new database with the tables of a catalogue */
export const createDatabaseFor = async (catalogue: Catalogue): Promise<NewDatabase> => {
  if (outside !== '') return createFrom('template0');
  const template = templates.get(catalogue) ?? templateOf(catalogue);
  templates.set(catalogue, template);
  return createFrom(await template);
};
