// Apart from vitest.config.ts: these tests take minutes, need files that are not in the repository, and measure, so that
// nothing may run beside them.
import { defineConfig } from 'vitest/config';

const common = { testTimeout: 15 * 60_000, hookTimeout: 60_000, fileParallelism: false, disableConsoleIntercept: true };

/** What a client must not notice, and what must hold whatever ends: with several processes, too. */
const ofWorkers = [
  'test/scenarios.test.ts',
  'test/http/collections/{idempotency,races,walking}.test.ts',
  'test/http/collections/{conditional-*,lists/*}.test.ts',
  'test/http/collections/imports/{import,round-trip}.test.ts',
  'test/process-{idempotency,stop}.test.ts',
  'test/soak/{kill,two-processes,workers}.soak.ts',
];
/** On a server as well. */
const ofServer = [
  'test/scenarios.test.ts',
  'test/http/collections/{conditional-items,conditional-lists,idempotency,lists/search,races,walking}.test.ts',
  'test/http/collections/imports/import.test.ts',
  'test/soak/{workers,workers-store,postgres/kill,nginx/restarts}.soak.ts',
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
