// Apart from vitest.config.ts: these tests take minutes, need files that are not in the repository, and measure, so that
// nothing may run beside them.
import { defineConfig } from 'vitest/config';

const common = {
  testTimeout: 15 * 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 60_000 } },
  fileParallelism: false,
  disableConsoleIntercept: true,
};

/** What a client must not notice, and what must hold whatever ends: with several processes, too. */
const ofWorkers = [
  'test/api/scenarios.test.ts',
  'test/api/collections/{idempotency,races,walking}.test.ts',
  'test/api/{collections/conditional-*,lists/*}.test.ts',
  'test/api/imports/{import,round-trip}.test.ts',
  'test/process-{idempotency,stop}.test.ts',
  'test/soak/{kill,two-processes,workers}.soak.ts',
];
/** On a server as well. */
const ofServer = [
  'test/api/scenarios.test.ts',
  'test/api/{collections/{conditional-items,conditional-lists,idempotency,races,walking},lists/search}.test.ts',
  'test/api/imports/import.test.ts',
  'test/soak/{hooks,import-memory,workers,workers-store,postgres/kill,nginx/restarts}.soak.ts',
];

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: 'soak', include: ['test/soak/**/*.soak.ts'] } },
      { test: { ...common, name: 'workers', include: ofWorkers, env: { TEST_WORKERS: '2' } } },
      {
        test: {
          ...common,
          name: 'workers-postgres',
          include: ofServer,
          env: { TEST_WORKERS: '2', TEST_STORE: 'postgres' },
          globalSetup: 'test/support/database/postgres-setup.ts',
        },
      },
    ],
  },
});
