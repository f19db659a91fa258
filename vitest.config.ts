import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { writeTables } from './test/support/cars/tables.ts';
import { binaries } from './test/support/database/postgres-server.ts';
import { secondTries } from './test/support/second-tries.ts';

/**
 * What depends on the store, but knows none: it runs on each. How a list or a precondition is read and answered does not: what a
 * store must do for it stands in `test/support/conformance`, and each scenario is played on a server once.
 */
const anyStore = [
  'test/api/scenarios.test.ts',
  'test/api/any-request.test.ts',
  'test/tools/{move,api-keys/key,hooks/hook}.test.ts',
  'test/tools/import-export/command.test.ts',
  'test/store/{other-collections,renamed,stuck-lock}.test.ts',
  'test/gateway/model/kinds/{conformance,references,unique}.test.ts',
  'test/api/{collections/{conditional-items,conditional-lists,idempotency,properties,races,walking},included/{items,mirrors,references},lists/{across-parents,cascades-across-parents,imports-across-parents,changes,mirrors,positions,search}}.test.ts',
  'test/api/imports/{different-values,import,keys,warnings}.test.ts',
];
const serverOnly = 'test/store/{postgres/**/*,postgres-*}.test.ts';

const { CI, TEST_DATABASE_URL } = process.env;
/** Where all must be tested, a machine without a server fails. */
const hasServer = Boolean(CI || TEST_DATABASE_URL) || binaries() !== undefined;
if (!hasServer) {
  console.warn(`PostgreSQL is not tested: no server for ${process.platform}-${process.arch}, and no TEST_DATABASE_URL`);
}

// Threads of the store, and every process of a test file, start in half the time when nothing is compiled again.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url));

/** Bytes that all tests together may have in temporary files at one time, and some more. */
const ROOM = 4e9;
const MEMORY = '/dev/shm';
const hasMemory = (): boolean => {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
};
// Each commit waits for its disk, some milliseconds every time: half of the run.
if (hasMemory()) process.env.TMPDIR ??= MEMORY;

writeTables();

/** Milliseconds; long, because a busy machine is no fault. */
const testTimeout = 90_000;
const hookTimeout = 90_000;
/** What is waited for takes as long as the machine is busy, and no longer. */
const POLL = 60_000;

/** What looks at all of its process: its memory, its work, whatever was answered in it. Others share one, and what they have read. */
const ofProcesses = [
  'test/gateway/read/growth.test.ts',
  'test/host/server/leaks.test.ts',
  'test/gateway/openapi/every-answer.test.ts',
];

/** Imports what generators made, which is not all that Node.js reads: names without an ending, and enums. */
const ofClients = ['test/gateway/openapi/client.test.ts'];

/** What takes longest begins first, so that nothing is waited for at the end. */
const longest = [
  'test/host/server/leaks.test.ts',
  'test/store/postgres/connection/outages.test.ts',
  'test/store/postgres/nginx.test.ts',
  'test/gateway/site/pages/docs.test.ts',
  'test/gateway/site/pages/small-docs.test.ts',
  'test/gateway/site/pages/index.test.ts',
  'test/process-stop.test.ts',
  'test/gateway/locale/new-languages.test.ts',
  'test/store/sqlite/two-processes.test.ts',
  'test/host/server/time-limits.test.ts',
];
const projects = ['processes', 'clients', 'postgres', 'sqlite'];

/** What a file of tests imports that starts processes. */
const STARTS = /'(?:node:child_process|\S+\/(?:process\/(?!folder|free-port)|commands\/given|database\/transfer)\S*)'/;

/**
 * The longest files first, then those that start processes: to start one takes two milliseconds of CPU from a process as it
 * begins, and twenty from one that has grown to 500 MB.
 */
const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((file) => moduleId.endsWith(file));
  if (at !== -1) return at;
  return STARTS.test(readFileSync(moduleId, 'utf8')) ? longest.length : longest.length + 1;
};

/** Files of one project come together: only those share a process. */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ranked = sorted.map((file) => ({ file, place: projects.indexOf(file.project.name), rank: rankOf(file) }));
    return ranked.toSorted((a, b) => a.place - b.place || a.rank - b.rank).map(({ file }) => file);
  }
}

/** More than there are cores: many tests wait for processes, connections and limits of time. */
const maxWorkers = availableParallelism() + 2;

/** Node.js reads TypeScript by itself, and what it has compiled once it keeps: nothing is bundled, mocked or rewritten here. */
const experimental = { viteModuleRunner: false, nodeLoader: false };

/** Where nobody can look into what fails once, it is tried again, and the run names it at its end. */
const retry = CI ? 1 : 0;

const common = { testTimeout, hookTimeout, expect: { poll: { timeout: POLL } }, retry, isolate: false, experimental };

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: Sequencer },
    // Where nobody watches, only failures and the summary.
    reporters: [process.stdout.isTTY ? 'default' : 'minimal', secondTries()],
    slowTestThreshold: 10_000,
    projects: [
      {
        test: {
          ...common,
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: [serverOnly, ...ofProcesses, ...ofClients],
        },
      },
      { test: { ...common, experimental: {}, name: 'clients', include: ofClients } },
      { test: { ...common, name: 'processes', include: ofProcesses, isolate: true } },
      ...(hasServer
        ? [
            {
              test: {
                ...common,
                name: 'postgres',
                include: [...anyStore, serverOnly],
                env: { TEST_STORE: 'postgres' },
                globalSetup: 'test/support/database/postgres-setup.ts',
              },
            },
          ]
        : []),
    ],
  },
});
