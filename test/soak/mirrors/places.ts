/** A catalogue that several instances serve, and what operators do with it. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { runCommand } from '../../support/commands/given.ts';
import { query } from '../../support/database/postgres.ts';
import { startPostgres } from '../../support/database/postgres-server.ts';
import { createInstance, type Instance } from '../../support/process/instance.ts';

/** Where the items are at the moment. */
export interface Place {
  readonly url: () => string;
  /** Copies what there is; a server's database while no instance runs. */
  readonly backUp: () => Promise<void>;
  /** Puts the copy in its place. No instance runs. */
  readonly restore: () => Promise<void>;
}

const command = async (main: string, args: readonly string[], DATABASE_URL: string): Promise<void> => {
  const [code, printed] = await runCommand(`src/tools/${main}`, args, { DATABASE_URL });
  expect([code, code === 0 ? '' : printed]).toEqual([0, '']);
};

export const onFiles = (folder: string): Place => {
  const url = (): string => `sqlite:${join(folder, 'catalogue.db')}`;
  const copy = join(folder, 'copy.db');
  return {
    url,
    backUp: () => command('backup/backup-main.ts', [copy, '--replace'], url()),
    restore: () => command('backup/restore-main.ts', [copy], url()),
  };
};

export const onServers = async (whenOver: (cleanUp: () => Promise<void>) => void): Promise<Place> => {
  const server = await startPostgres();
  whenOver(server.remove);
  let [number, copies] = [1, 0];
  const name = (): string => `mirrored_${number}`;
  const create = (database: string, template: string) =>
    query(server.url(), `CREATE DATABASE ${database} TEMPLATE ${template}`);
  await create(name(), 'template0');
  return {
    url: () => server.url(name()),
    backUp: async () => void (await create(`copy_${++copies}`, name())),
    restore: async () => {
      number++;
      await create(name(), `copy_${copies}`);
    },
  };
};

export const instanceOf = (place: Place): Promise<Instance> =>
  createInstance(() => ({ DATABASE_URL: place.url(), LOG_CHANGES: 'off' }));
