import { onTestFinished } from 'vitest';

interface NewDatabase {
  readonly url: string;
  /** Takes it away, once nobody has it open. */
  readonly drop: () => Promise<void>;
}

/** Whether the suites that know no store run on a server this time: each runs once in memory and once there. */
export const onServer = process.env.TEST_STORE === 'postgres';

/** @returns an empty database of the store that the suites run on */
export const newDatabase = async (): Promise<NewDatabase> => {
  if (!onServer) return { url: 'sqlite::memory:', drop: async () => {} };
  const { createDatabase } = await import('./postgres.ts');
  return createDatabase();
};

/** @returns the address of an empty database, gone when the test that asked for it is over */
export const emptyDatabase = async (): Promise<string> => {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  return url;
};
