import { type Contender, english, here, serviceArguments } from './peers.ts';
import type { PostgresWorld } from './postgres-databases.ts';
import { carAt } from './records.ts';

/** Connections of each server. */
export const POOL = 10;

type OnPostgres = Contender<PostgresWorld>;

export const service: OnPostgres = {
  ...english,
  name: 'this service on PostgreSQL',
  scenarios: ['item', 'list', 'post'],
  launch: async ({ copyOf }) => ({
    args: () => serviceArguments,
    env: { DATABASE_URL: await copyOf('service'), DATABASE_POOL: String(POOL) },
    readyPath: '/livez',
  }),
};

const fastify = (name: string, env: Readonly<Record<string, string>>): OnPostgres => ({
  ...english,
  name,
  scenarios: ['item', 'list', 'post'],
  launch: async ({ copyOf }) => ({
    args: () => [here('peers/fastify-pg.js')],
    env: { DATABASE: await copyOf('peer'), POOL: String(POOL), ...env },
    readyPath: english.itemPath(carAt(0)),
  }),
});

export const fastifyPg = fastify('Fastify + pg', {});
export const fastifyPrepared = fastify('… with named (prepared) statements', { PREPARED: '1' });

/** Everybody, in the order of the tables. */
export const contenders: readonly OnPostgres[] = [service, fastifyPg, fastifyPrepared];
