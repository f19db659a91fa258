import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { binaries } from './test/support/database/postgres-server.ts';

/** What depends on the store, but knows none: it runs on each. */
const anyStore = [
  'test/scenarios.test.ts',
  'test/http/any-request.test.ts',
  'test/http/collections/{description,properties,races,walking}.test.ts',
  'test/http/collections/{conditional,list}-*.test.ts',
];
const serverOnly = 'test/{store/postgres/*,store/postgres-*,transfer/postgres*}.test.ts';

const { CI, TEST_DATABASE_URL } = process.env;
/** Where all must be tested, a machine without a server fails. */
const hasServer = Boolean(CI || TEST_DATABASE_URL) || binaries() !== undefined;
if (!hasServer) {
  console.warn(`PostgreSQL is not tested: no server for ${process.platform}-${process.arch}, and no TEST_DATABASE_URL`);
}

// Threads of the store, and every process of a test file, start in half the time when nothing is compiled again.
process.env.NODE_COMPILE_CACHE ??= 'node_modules/.cache/compile';

/** Milliseconds; long, because a busy machine is no fault. */
const testTimeout = 60_000;
const hookTimeout = 60_000;

/** One more than there are cores: many tests wait for processes, connections and limits of time. */
const maxWorkers = availableParallelism() + 1;

/** Where nobody can look, a test that fails once is run again: those of time limits and faults need a machine that is not busy. */
const retry = CI ? 2 : 0;

export default defineConfig({
  test: {
    maxWorkers,
    // Where nobody watches, only failures and the summary.
    reporters: process.stdout.isTTY ? ['default'] : ['minimal'],
    slowTestThreshold: 10_000,
    projects: [
      {
        test: {
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: [serverOnly],
          testTimeout,
          hookTimeout,
          retry,
        },
      },
      ...(hasServer
        ? [
            {
              test: {
                name: 'postgres',
                include: [...anyStore, serverOnly],
                env: { TEST_STORE: 'postgres' },
                globalSetup: 'test/support/database/postgres-setup.ts',
                // Servers that come back have transactions of the dead to end first, on a machine that does much else.
                testTimeout: 90_000,
                hookTimeout,
                retry,
              },
            },
          ]
        : []),
    ],
  },
});
