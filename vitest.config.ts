import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { writeTables } from './test/support/cars/tables.ts';
import { binaries } from './test/support/database/postgres-server.ts';
import { installTestPackages } from './test/support/packages.ts';
import { secondTries } from './test/support/second-tries.ts';

/** What depends on the store, but knows none: it runs on each. */
const anyStore = [
  'test/api/any-request.test.ts',
  'test/tools/{move,hooks/hook}.test.ts',
  'test/store/{blank-keys,instances,other-collections,renamed,stuck-lock,versions}.test.ts',
  'test/gateway/model/kinds/{compact,conformance,references,unique}.test.ts',
  'test/api/collections/{conditional-items,conditional-lists,idempotency,properties,races,walking}.test.ts',
  'test/api/included/{items,mirrors,references}.test.ts',
  'test/api/lists/{across-parents,cascades-across-parents,imports-across-parents,changes,mirrors,positions,search}.test.ts',
  'test/api/lists/{filters,groups,order,pages}.test.ts',
  'test/api/imports/{import,keys,tags,warnings}.test.ts',
  'test/api/requests/{hints,units}.test.ts',
];
const serverOnly = 'test/store/{postgres/**/*,postgres-*}.test.ts';
/** What looks at all of its process: its memory, its work, whatever was answered in it. Other files share processes. */
const ofProcesses = ['test/gateway/{read/growth,openapi/every-answer}.test.ts', 'test/host/server/leaks.test.ts'];
/** Imports what generators made, which is not all that Node.js reads: names without an ending, and enums. */
const ofClients = ['test/gateway/openapi/client.test.ts'];

installTestPackages();
const { CI, TEST_DATABASE_URL } = process.env;
/** If all must be tested, a machine without a server fails. */
const hasServer = Boolean(CI || TEST_DATABASE_URL) || binaries() !== undefined;
if (!hasServer) console.warn('PostgreSQL is not tested: no server for this platform, and no TEST_DATABASE_URL');

process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url));
// Each commit waits for its disk, half of the run. All tests together have up to 4 GB in temporary files.
const memory = existsSync('/dev/shm') ? statfsSync('/dev/shm') : undefined;
if (memory && memory.bavail * memory.bsize >= 4e9 && !process.env.TMPDIR) {
  const folder = mkdtempSync('/dev/shm/tests-');
  // A server of PostgreSQL may run as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
writeTables();

/** Node.js reads TypeScript by itself. Times are milliseconds, and long, because a busy machine is no fault. */
const common = {
  ...{ testTimeout: 90_000, hookTimeout: 90_000, expect: { poll: { timeout: 60_000 } }, retry: CI ? 1 : 0 },
  ...{ isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } },
};
const onServer = { env: { TEST_STORE: 'postgres' }, globalSetup: 'test/support/database/postgres-setup.ts' };
const exclude = ['**/node_modules/**', serverOnly, ...ofProcesses, ...ofClients];
const postgres = { ...common, ...onServer, name: 'postgres', include: [...anyStore, serverOnly] };

export default defineConfig({
  test: {
    // More than there are cores: many tests wait for processes, connections and limits of time.
    maxWorkers: availableParallelism() + 2,
    reporters: [process.stdout.isTTY ? 'default' : 'minimal', secondTries()],
    slowTestThreshold: 10_000,
    projects: [
      { test: { ...common, name: 'processes', include: ofProcesses, isolate: true } },
      { test: { ...common, experimental: {}, name: 'clients', include: ofClients } },
      { test: { ...common, name: 'sqlite', include: ['test/**/*.test.ts'], exclude } },
      ...(hasServer ? [{ test: postgres }] : []),
    ],
  },
});
