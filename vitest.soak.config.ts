// Apart from vitest.config.ts: these tests take minutes, need files that are not in the repository, and measure, so that
// nothing may run beside them.
import { defineConfig } from 'vitest/config';
import { writeTables } from './test/support/cars/tables.ts';
import { installTestPackages } from './test/support/packages.ts';

installTestPackages();
writeTables();

const common = {
  testTimeout: 15 * 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 60_000 } },
  fileParallelism: false,
  disableConsoleIntercept: true,
};

/** The long tests that look at the store run on a server as well. */
const onServer = ['test/soak/{hooks,import-memory,kill}.soak.ts'];

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: 'soak', include: ['test/soak/**/*.soak.ts'] } },
      {
        test: {
          ...common,
          name: 'soak-postgres',
          include: onServer,
          env: { TEST_STORE: 'postgres' },
          globalSetup: 'test/support/database/postgres-setup.ts',
        },
      },
    ],
  },
});
