import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { project } from './support/process/service.ts';

const source = join(project, 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.[jt]s$/.test(file))
  .map((file) => file.replaceAll('\\', '/'));

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

/** What a file imports, types included: files below `src/`, and packages without what is inside them. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(source, file), 'utf8').matchAll(IMPORT)].map(([, fixed, loaded]) => {
    const target = fixed ?? loaded ?? '';
    if (target.startsWith('.')) return relative(source, join(source, dirname(file), target)).replaceAll('\\', '/');
    return target.startsWith('node:') ? target : target.split('/', target.startsWith('@') ? 2 : 1).join('/');
  });

const graph: ReadonlyMap<string, readonly string[]> = new Map(files.map((file) => [file, importsOf(file)]));

/** Who may import what: folders end with a slash; the longest pattern that covers a file counts. Who is not here may import anything. */
const ground = [
  'http/context.ts',
  'http/headers.ts',
  'http/methods.ts',
  'http/target.ts',
  'http/tree.ts',
  'http/uploads.ts',
  'http/urls.ts',
];
/** What knows nothing of the service: anything may import it. */
const UTILITIES = 'util/';
const table: Readonly<Record<string, readonly string[]>> = {
  [UTILITIES]: ['node:os'],
  'texts/': ['texts/'],
  'model/row-batch.ts': ['model/', 'node:v8'],
  'model/': ['model/', 'texts/', 'zod'],
  'catalogue.ts': ['model/'],
  'locale/tables/load.ts': ['locale/', 'model/', 'texts/', 'node:fs', 'node:path'],
  'locale/': ['locale/', 'model/', 'texts/', 'zod'],
  'store/': [
    'store/',
    'model/',
    'texts/problem.ts',
    'node:sqlite',
    'node:worker_threads',
    'pg',
    'node:crypto',
    'node:fs',
    'node:os',
    'node:path',
    'node:url',
    'node:v8',
  ],
  'http/': [...ground, 'locale/', 'model/', 'texts/', 'store/port.ts', 'hono', '@hono/node-server', 'nanoid'],
  'http/read/': [
    ...ground,
    'http/formats/',
    'http/read/',
    'locale/',
    'model/',
    'texts/',
    'store/port.ts',
    'hono',
    '@hono/node-server',
    'node:crypto',
  ],
  'http/read/files/': [
    ...ground,
    'http/read/',
    'locale/',
    'model/',
    'texts/',
    'node:buffer',
    'node:crypto',
    'node:fs',
    'node:fs/promises',
    'node:os',
    'node:path',
    'node:zlib',
    'saxes',
    'yauzl',
  ],
  'http/read/files/threads/': [
    ...ground,
    'http/formats/',
    'http/read/',
    'locale/',
    'model/',
    'texts/',
    'node:fs/promises',
    'node:worker_threads',
  ],
  'http/formats/': [
    ...ground,
    'http/formats/',
    'http/read/files/',
    'locale/',
    'model/',
    'store/port.ts',
    'node:stream',
    'yazl',
  ],
  'http/write/': [
    ...ground,
    'http/formats/',
    'http/read/',
    'http/write/',
    'locale/',
    'model/',
    'texts/',
    'store/port.ts',
    'node:crypto',
  ],
  'http/dispatch/': [
    ...ground,
    'http/formats/',
    'http/read/',
    'http/write/',
    'http/dispatch/',
    'locale/',
    'model/',
    'store/unavailable.ts',
    'texts/',
    'hono',
  ],
  'http/collections/': [
    ...ground,
    'http/formats/',
    'http/read/',
    'http/write/',
    'http/dispatch/',
    'http/collections/',
    'locale/',
    'model/',
    'texts/',
    'store/port.ts',
    'store/unavailable.ts',
  ],
  'http/server/': [
    ...ground,
    'http/server/',
    'model/',
    'texts/',
    'locale/truncate.ts',
    'store/port.ts',
    'hono',
    '@hono/node-server',
    'node:http',
    'node:net',
    'node:perf_hooks',
    'node:stream',
    'node:timers/promises',
  ],
  'openapi/': [
    ...ground,
    'http/formats/',
    'http/read/',
    'http/write/',
    'openapi/',
    'locale/',
    'model/',
    'store/port.ts',
    'texts/',
    '../package.json',
  ],
  'site/': [
    ...ground,
    'http/formats/',
    'http/read/',
    'http/write/',
    'http/dispatch/',
    'site/',
    'openapi/',
    'locale/',
    'model/',
    'texts/',
    'store/port.ts',
  ],
  'site/content/': [
    ...ground,
    'http/formats/',
    'http/read/',
    'http/write/',
    'http/dispatch/',
    'site/content/',
    'site/pages/',
    'settings/defaults.ts',
    'locale/',
    'model/',
    'texts/',
  ],
  'site/pages/': ['site/pages/', 'http/urls.ts', 'texts/', 'hono', 'node:fs/promises'],
  'access/': [
    'access/',
    'http/methods.ts',
    'http/target.ts',
    'http/urls.ts',
    'http/read/caller.ts',
    'http/read/idempotency.ts',
    'http/server/policies.ts',
    'model/',
    'texts/',
    'store/clients.ts',
    'jose',
    'nanoid',
    'node:crypto',
    'node:http',
    'node:net',
  ],
  'metrics/open-files.ts': ['node:fs'],
  'metrics/': [
    'metrics/',
    'model/',
    'store/streams.ts',
    'store/port.ts',
    'node:fs/promises',
    'node:http',
    'node:perf_hooks',
  ],
  'log/': ['log/', 'model/', 'http/headers.ts', 'node:fs'],
  'service/serve-metrics.ts': ['metrics/', 'settings/config.ts', 'settings/copies.ts', 'service/listen.ts', 'log/'],
  'service/listen.ts': ['node:http', 'node:net'],
  'api-keys/main.ts': ['api-keys/', 'catalogue.ts', 'commands/'],
  'api-keys/': [
    'api-keys/',
    'commands/',
    'access/api-key.ts',
    'model/',
    'store/clients.ts',
    'store/unavailable.ts',
    'texts/',
    'zod',
    'node:timers/promises',
  ],
  'transfer/main.ts': ['transfer/', 'catalogue.ts', 'commands/'],
  'raw-database/': [
    'raw-database/',
    'commands/command-error.ts',
    'settings/database-url.ts',
    'store/',
    'model/',
    'node:fs',
    'node:path',
    'node:timers/promises',
  ],
  'transfer/': [
    'transfer/',
    'raw-database/',
    'commands/',
    'settings/database-url.ts',
    'store/',
    'model/',
    'node:crypto',
  ],
  'commands/': [
    'commands/',
    'settings/config.ts',
    'service/open-store.ts',
    'service/process.ts',
    'settings/database-url.ts',
    'http/read/choose-language.ts',
    'locale/',
    'model/',
    'store/port.ts',
    'store/unavailable.ts',
    'texts/',
    'node:fs',
    'node:path',
    'node:util',
  ],
  'import-export/import-main.ts': ['import-export/', 'catalogue.ts', 'commands/', 'locale/'],
  'import-export/export-main.ts': ['import-export/', 'catalogue.ts', 'commands/'],
  'import-export/': [
    'import-export/',
    'commands/',
    'service/assign-key.ts',
    'http/collections/rejected-rows.ts',
    'http/formats/',
    'http/read/',
    'http/write/',
    'locale/',
    'model/',
    'store/imports/reasons.ts',
    'store/port.ts',
    'texts/',
    'node:events',
    'node:fs',
    'node:fs/promises',
    'node:stream',
    'node:stream/promises',
  ],
  'backup/backup-main.ts': ['backup/', 'catalogue.ts', 'commands/'],
  'backup/restore-main.ts': ['backup/', 'catalogue.ts', 'commands/'],
  'backup/': [
    'backup/',
    'commands/',
    'settings/config.ts',
    'settings/copies.ts',
    'settings/database-url.ts',
    'store/',
    'texts/',
    'verify/verify.ts',
    'node:fs',
    'node:path',
  ],
  'verify/main.ts': ['verify/', 'catalogue.ts', 'commands/'],
  'verify/': [
    'verify/',
    'raw-database/',
    'commands/',
    'settings/database-url.ts',
    'store/',
    'model/',
    'texts/',
    'node:crypto',
  ],
  'service/app.ts': ['http/', 'site/', 'locale/', 'model/', 'texts/', 'store/port.ts', 'hono'],
  'workers/': [
    'workers/',
    'http/server/connections.ts',
    'metrics/family.ts',
    'store/',
    'node:cluster',
    'node:events',
    'node:timers/promises',
  ],
  'settings/config.ts': ['zod', 'node:url', 'settings/', 'model/', 'store/postgres/connection/options.ts'],
  'settings/': [
    'settings/',
    'zod',
    'node:fs',
    'node:net',
    'node:os',
    'locale/vocabulary.ts',
    'store/postgres/connection/addresses.ts',
  ],
  'service/assign-key.ts': ['settings/config.ts', 'nanoid', 'node:crypto'],
  'service/start-line.ts': ['settings/config.ts', 'store/postgres/connection/addresses.ts', '../package.json'],
  'service/open-store.ts': ['store/', 'model/', 'settings/'],
  'preload.js': ['node:fs', 'node:module', 'node:url'],
};

const covers = (pattern: string, name: string): boolean =>
  pattern.endsWith('/') ? name.startsWith(pattern) : name === pattern;

const filesOf = (part: string): readonly string[] =>
  files.filter((file) => {
    const owners = Object.keys(table).filter((pattern) => covers(pattern, file));
    return owners.toSorted((one, other) => other.length - one.length)[0] === part;
  });

const importersOf = (pattern: string): readonly string[] =>
  files.filter((file) => graph.get(file)?.some((target) => covers(pattern, target)));

test('every import leads to a file or a package', () => {
  const targets = [...graph.values()].flat();
  expect(targets.length).toBeGreaterThan(files.length);
  const lost = targets.filter((target) => /\.[jt]s$/.test(target) && !files.includes(target));
  expect(lost).toEqual([]);
});

test.each(Object.entries(table))('%s imports what it may', (part, allowed) => {
  const owned = filesOf(part);
  expect(owned).not.toEqual([]);
  const forbidden = owned.flatMap((file) =>
    (graph.get(file) ?? [])
      .filter((target) => ![UTILITIES, ...allowed].some((pattern) => covers(pattern, target)))
      .map((target) => `${file} imports ${target}`),
  );
  expect(forbidden).toEqual([]);
});

/** The programs beside the service. */
const commands = [
  'backup/backup-main.ts',
  'backup/restore-main.ts',
  'import-export/export-main.ts',
  'import-export/import-main.ts',
  'api-keys/main.ts',
  'transfer/main.ts',
  'verify/main.ts',
];

describe('nobody else imports', () => {
  test('a program', () => {
    for (const program of ['main.ts', 'preload.js', ...commands]) expect(importersOf(program)).toEqual([]);
  });

  test('hono', () => {
    for (const name of ['hono', '@hono/node-server']) {
      expect(
        importersOf(name).filter((file) => !/^(?:http\/|site\/|service\/(?:app|bilingual)\.ts$|main\.ts$)/.test(file)),
      ).toEqual([]);
    }
  });

  test('the pages, but when they are asked for', () => {
    const atStart = /^import (?!type\b)[^;]*\/pages\//m;
    const others = files.filter((file) => !file.startsWith('site/pages/'));
    expect(others.filter((file) => atStart.test(readFileSync(join(source, file), 'utf8')))).toEqual([]);
    expect(importersOf('site/pages/').filter((file) => others.includes(file))).not.toEqual([]);
  });

  test('a database’s driver: one file each, and none has two', () => {
    const drivers = ['node:sqlite', 'pg'].map(importersOf);
    for (const importers of drivers) expect(importers.length).toBeLessThanOrEqual(1);
    const all = drivers.flat();
    expect(new Set(all).size).toBe(all.length);
  });

  test('the catalogue itself: it is handed on as a value', () => {
    expect(importersOf('catalogue.ts').toSorted()).toEqual([...commands, 'main.ts'].toSorted());
  });

  test('the documents’ room before somebody asks for a document', () => {
    const early = /^import (?!type\b)[^;]*openapi\//m;
    const importers = importersOf('openapi/').filter((file) => !file.startsWith('openapi/'));
    expect(importers).not.toEqual([]);
    expect(importers.filter((file) => early.test(readFileSync(join(source, file), 'utf8')))).toEqual([]);
  });

  test('the zip of workbooks before somebody asks for one', () => {
    const early = /^import (?!type\b)[^;]*'yazl'/m;
    expect(importersOf('yazl')).toEqual(['http/formats/workbook.ts']);
    expect(early.test(readFileSync(join(source, 'http/formats/workbook.ts'), 'utf8'))).toBe(false);
  });

  test('the environment: only the settings read it, and the commands for the language of their terminal', () => {
    const readers = files.filter((file) => /\bprocess\.env\b/.test(readFileSync(join(source, file), 'utf8')));
    expect(readers.toSorted()).toEqual(['commands/run.ts', 'settings/config.ts']);
  });
});

/** @returns each cycle of a graph once, as a path that ends where it began */
const cyclesIn = (edges: ReadonlyMap<string, readonly string[]>): readonly string[] => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' → '));
    if (path.includes(node) || done.has(node)) return;
    for (const target of edges.get(node) ?? []) visit(target, [...path, node]);
    done.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return cycles;
};

test('the tests that speak to the service from outside import nothing of it', () => {
  const folder = join(project, 'test/api');
  const outside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const inner = outside.filter((file) => /\/src\//.test(readFileSync(join(folder, file), 'utf8')));
  expect(inner).toEqual([]);
  expect(outside.length).toBeGreaterThan(50);
});

test('no cycle of files, type imports included', () => {
  expect(cyclesIn(graph)).toEqual([]);
});

test('no cycle of folders', () => {
  const edges = new Map<string, Set<string>>();
  for (const [file, targets] of graph) {
    const folder = dirname(file);
    const own = edges.get(folder) ?? new Set();
    edges.set(folder, own);
    for (const target of targets) if (files.includes(target) && dirname(target) !== folder) own.add(dirname(target));
  }
  const cycles = cyclesIn(new Map([...edges].map(([folder, targets]) => [folder, [...targets]])));
  expect(cycles).toEqual([]);
});

/** Files that a folder may have before a stranger loses their way. */
const MOST = 16;

test('no folder has too many files', () => {
  const roots = ['src', 'test', 'bench'].map((root) => join(project, root));
  const folders = roots.flatMap((root) => [
    root,
    ...readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name)),
  ]);
  const own = folders.filter((folder) => !/[\\/](?:node_modules|generated)(?:[\\/]|$)/.test(folder));
  const counted = own.map((folder) => {
    const count = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length;
    return [relative(project, folder), count] as const;
  });
  expect(counted.filter(([, count]) => count > MOST)).toEqual([]);
  expect(counted.length).toBeGreaterThan(roots.length);
});
