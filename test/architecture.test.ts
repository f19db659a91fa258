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
const ground = ['gateway/http/context.ts', 'gateway/http/exchange.ts', 'gateway/http/urls.ts'];
/** What knows nothing of the service: anything may import it. */
const UTILITIES = 'util/';
/** What service and package share; it imports nothing. */
const SHARED = ['words', 'accept-language'].map((name) => `../packages/vocabularies/src/${name}.ts`);
/** Each line names a file or a folder, and what it may import; `@ground` and `@words` stand for what is named above. */
const RULES = `
util/move-into.ts: node:fs node:path
util/unnamed-file.ts: node:crypto node:fs node:os node:path node:util node:v8
util/: node:os
# Its names are those that every table has.
gateway/texts/phrase.ts: ../locales/messages/en.json
gateway/texts/packaged.ts: ../locales/en.json ../locales/es.json ../locales/messages/en.json ../locales/messages/es.json
gateway/texts/: gateway/texts/
gateway/model/: gateway/model/ gateway/texts/
catalogue.ts: gateway/model/
host/tables/: host/tables/ host/settings/config.ts gateway/locale/ gateway/model/ gateway/texts/ node:crypto node:fs node:path node:url node:util
gateway/locale/history.ts: gateway/locale/layers.ts gateway/locale/table.ts
gateway/locale/: gateway/locale/ gateway/model/ gateway/texts/ zod
store/: gateway/port/ store/ gateway/model/ gateway/texts/problem.ts node:sqlite node:timers/promises node:worker_threads pg node:crypto node:fs
  node:os node:path node:perf_hooks node:url node:v8
# Types of a request and its response.
gateway/http/context.ts: gateway/locale/ hono node:http
gateway/http/: @ground gateway/locale/ gateway/model/ gateway/texts/ gateway/port/port.ts hono nanoid
gateway/read/: @ground gateway/formats/ gateway/read/ gateway/locale/ gateway/model/ gateway/texts/ gateway/port/port.ts hono util/
gateway/read/body/file-digest.ts: node:crypto
gateway/files/: @ground gateway/files/ gateway/formats/ gateway/read/ gateway/locale/ gateway/model/ gateway/texts/ gateway/port/unavailable.ts @words
  node:crypto node:fs node:path node:worker_threads node:zlib saxes yauzl zod
gateway/formats/: @ground gateway/formats/ gateway/locale/ gateway/model/ gateway/port/port.ts node:stream yazl
gateway/write/: @ground gateway/formats/ gateway/read/ gateway/write/ gateway/locale/ gateway/model/ gateway/texts/ gateway/port/port.ts
gateway/dispatch/: @ground gateway/formats/ gateway/read/ gateway/write/ gateway/dispatch/ gateway/locale/ gateway/model/ gateway/port/unavailable.ts
  gateway/texts/ hono
gateway/collections/: @ground gateway/files/ gateway/formats/ gateway/read/ gateway/write/ gateway/dispatch/ gateway/collections/ gateway/locale/
  gateway/model/ gateway/texts/ gateway/port/port.ts gateway/port/unavailable.ts
host/server/: @ground host/server/ host/log/log.ts gateway/model/ gateway/texts/ gateway/port/port.ts hono @hono/node-server node:http node:net
  node:perf_hooks node:stream node:timers/promises
gateway/openapi/: @ground gateway/formats/ gateway/read/ gateway/write/ gateway/openapi/ gateway/site/content/ gateway/locale/ gateway/model/
  gateway/port/port.ts gateway/texts/ ../package.json
gateway/site/: @ground gateway/formats/ gateway/read/ gateway/write/ gateway/dispatch/ gateway/site/ gateway/openapi/ gateway/locale/ gateway/model/
  gateway/texts/ gateway/port/port.ts
gateway/site/content/: @ground gateway/formats/ gateway/read/ gateway/write/ gateway/dispatch/ gateway/site/content/ gateway/collections/conflicts.ts
  gateway/http/defaults.ts gateway/locale/ gateway/model/ gateway/texts/
gateway/site/pages/: @ground gateway/site/pages/ gateway/site/content/ gateway/locale/ gateway/model/ gateway/texts/ hono node:fs/promises
host/access/: host/access/ gateway/port/unavailable.ts gateway/http/context.ts gateway/http/exchange.ts gateway/read/conditions.ts host/server/server.ts host/settings/config.ts
  store/store.ts gateway/model/ gateway/texts/ store/clients.ts jose nanoid node:crypto node:http node:net
host/hooks/addresses.ts: host/access/client.ts node:dns node:net
host/hooks/: host/hooks/ gateway/bilingual.ts gateway/http/exchange.ts gateway/locale/ gateway/model/ gateway/port/port.ts store/clients.ts
  ../package.json node:crypto node:http node:https
host/metrics/: store/store.ts host/metrics/ host/log/log.ts gateway/locale/ gateway/model/ store/streams.ts gateway/port/port.ts
  host/access/browsers.ts host/settings/copies.ts node:http node:perf_hooks prom-client
host/log/: gateway/collections/resource.ts gateway/http/context.ts gateway/http/exchange.ts node:fs pino
tools/api-keys/main.ts: tools/api-keys/ catalogue.ts tools/commands/
tools/api-keys/: tools/api-keys/ tools/commands/ host/access/keys.ts gateway/model/ store/clients.ts zod
tools/commands/: zod store/store.ts host/tables/ tools/commands/ host/settings/config.ts host/service/open-store.ts host/service/process.ts
  host/settings/database-url.ts gateway/locale/ gateway/model/ gateway/port/port.ts gateway/port/unavailable.ts
  gateway/texts/ node:fs node:path node:util
tools/import-export/import-main.ts: tools/import-export/ tools/commands/ catalogue.ts gateway/ node:fs node:path
tools/import-export/export-main.ts: tools/import-export/ tools/commands/ catalogue.ts gateway/ store/store.ts node:fs node:fs/promises node:stream
  node:stream/promises
tools/import-export/: store/store.ts gateway/files/ tools/import-export/ tools/commands/ host/service/open-store.ts gateway/collections/conflicts.ts
  gateway/formats/ gateway/read/ gateway/write/ gateway/locale/ gateway/model/ store/sqlite/connection.ts gateway/texts/ node:fs node:fs/promises
  node:stream/promises
tools/backup/backup-main.ts: tools/backup/ catalogue.ts tools/commands/
tools/backup/restore-main.ts: tools/backup/ catalogue.ts tools/commands/
tools/backup/: gateway/port/ gateway/http/exchange.ts tools/backup/ tools/commands/ host/settings/config.ts host/settings/copies.ts
  host/settings/database-url.ts store/ gateway/texts/ tools/verify/ node:fs node:path
tools/program/: tools/commands/ node:util
tools/init/: tools/init/ tools/commands/ host/service/process.ts host/tables/ gateway/locale/ gateway/model/ gateway/texts/ @words node:fs node:path
tools/verify/main.ts: tools/verify/ catalogue.ts tools/commands/
tools/verify/: tools/verify/ tools/commands/ host/settings/ store/ gateway/model/ gateway/port/ gateway/texts/ node:fs
tools/words/main.ts: tools/words/ catalogue.ts tools/commands/ host/settings/config.ts host/tables/ gateway/locale/ node:fs node:path
tools/words/: tools/words/ tools/commands/ host/service/process.ts host/settings/config.ts host/tables/ gateway/files/ gateway/formats/ gateway/locale/ gateway/model/
  gateway/texts/ @words jsonc-parser saxes node:child_process node:fs node:fs/promises node:os node:path node:stream node:util
gateway/bilingual.ts: gateway/ hono
gateway/app.ts: gateway/ hono
host/settings/config.ts: gateway/http/defaults.ts gateway/model/ host/log/log.ts host/settings/ node:fs node:net node:path node:url zod
host/settings/: host/settings/ zod node:fs node:net node:os store/postgres/connection/addresses.ts
host/service/open-store.ts: store/ gateway/model/ host/settings/ nanoid node:crypto
`;
const table: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  RULES.trim()
    .replaceAll(/^#.*\n/gm, '')
    .split(/\n(?=\S)/)
    .map((rule) => {
      const [part = '', ...allowed] = rule.split(/:?\s+/);
      return [part, allowed.flatMap((each) => (each === '@ground' ? ground : each === '@words' ? SHARED : [each]))];
    }),
);

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
  const lost = targets.filter(
    (target) => /\.[jt]s$/.test(target) && !SHARED.includes(target) && !files.includes(target),
  );
  expect(lost).toEqual([]);
});

test.each(Object.entries(table))('%s imports what it may', (part, allowed) => {
  const owned = filesOf(part);
  expect(owned).not.toEqual([]);
  const forbidden = owned.flatMap((file) =>
    (graph.get(file) ?? [])
      .filter((target) => ![UTILITIES, ...SHARED, ...allowed].some((pattern) => covers(pattern, target)))
      .map((target) => `${file} imports ${target}`),
  );
  expect(forbidden).toEqual([]);
});

/** The programs beside the service. */
const commands = [
  'tools/backup/backup-main.ts',
  'tools/backup/restore-main.ts',
  'tools/import-export/export-main.ts',
  'tools/import-export/import-main.ts',
  'tools/api-keys/main.ts',
  'tools/hooks/main.ts',
  'tools/verify/main.ts',
  'tools/words/main.ts',
];

describe('nobody else imports', () => {
  test('a program, but the one whose commands they are', () => {
    for (const program of ['main.ts', ...commands]) expect(importersOf(program)).toEqual(['bin.ts']);
    expect(importersOf('bin.ts')).toEqual([]);
  });

  test('hono', () => {
    const rooms = /^(?:gateway\/(?!model\/|locale\/|texts\/|port\/)|host\/server\/)/;
    expect(importersOf('hono').filter((file) => !rooms.test(file))).toEqual([]);
    expect(importersOf('@hono/node-server')).toEqual(['host/server/server.ts']);
  });

  test('what only Node has: of the gateway the rooms of files and of pages, types apart', () => {
    const rooms = /^gateway\/(?:http\/context|files\/|read\/body\/file-|formats\/|site\/pages\/)/;
    const others = [...graph].filter(
      ([file, imported]) =>
        file.startsWith('gateway/') && !rooms.test(file) && imported.some((each) => each.startsWith('node:')),
    );
    expect(others.map(([file]) => file)).toEqual([]);
  });

  /** What is loaded when it is asked for: no file beside it imports it at its start, types apart. */
  test.each([
    ['the pages', 'gateway/site/pages/', 'pages/'],
    ['the documents’ room', 'gateway/openapi/', 'openapi/'],
    ['the zip of workbooks', 'gateway/formats/zip.ts', '/zip\\.ts'],
  ])('%s before somebody asks for it', (_, what, written) => {
    const early = new RegExp(`^import (?!type\\b)[^;]*${written}`, 'm');
    const importers = importersOf(what).filter((file) => !file.startsWith(what));
    expect(importers).not.toEqual([]);
    expect(importers.filter((file) => early.test(readFileSync(join(source, file), 'utf8')))).toEqual([]);
  });

  test('a database’s driver: one file each, and none has two', () => {
    const drivers = ['node:sqlite', 'pg'].map(importersOf);
    for (const importers of drivers) expect(importers.length).toBeLessThanOrEqual(1);
    const all = drivers.flat();
    expect(new Set(all).size).toBe(all.length);
    expect(importersOf('yazl')).toEqual(['gateway/formats/zip.ts']);
  });

  test('the catalogue itself: it is handed on as a value', () => {
    expect(importersOf('catalogue.ts').toSorted()).toEqual([...commands, 'main.ts'].toSorted());
  });

  test('what only Node has, in what runs on a request without files before a store over a Map, documents included', () => {
    const eager = /(?:^|\n)\s*(?:import|export)\s(?!type\b)(?:[^'";]*?\sfrom\s)?\s*'([^']+)'/g;
    const examples = join(project, 'examples/mounted/store');
    const todo = [
      ...['gateway/bilingual.ts', 'gateway/openapi/document.ts'].map((file) => join(source, file)),
      join(examples, 'map-store.ts'),
    ];
    const { exports } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const outside: string[] = [];
    const reached = new Set<string>();
    for (const file of todo) {
      if (reached.has(file) || !file.endsWith('.ts')) continue;
      reached.add(file);
      for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(eager)) {
        const own = exports[target.replace('car-dealer-catalogue', '.')];
        if (own) todo.push(join(project, own));
        else if (target.startsWith('.')) todo.push(join(dirname(file), target));
        else if (/^(?:node:|@hono\/node-server|pg$|yazl$|yauzl$|saxes$)/.test(target))
          outside.push(`${file} imports ${target}`);
      }
    }
    expect(outside).toEqual([]);
    expect(reached.size).toBeGreaterThan(60);
  });

  test('the environment: only the settings read it, the process for its threads, the program for what it runs, sentences for `NODE_ENV`, and one utility for the language of the terminal', () => {
    const readers = files.filter((file) => /\bprocess\.env\b/.test(readFileSync(join(source, file), 'utf8')));
    expect(readers.toSorted()).toEqual([
      'gateway/locale/language.ts',
      'host/settings/config.ts',
      'main.ts',
      'tools/program/program.ts',
      'util/terminal-language.ts',
    ]);
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

/** Each wing imports what comes before it, never what comes after. */
const wings = ['gateway/', 'store/', 'host/', 'tools/'];

test('the wings: tools know the host, the host knows the stores, a store knows the gateway, which knows none of them', () => {
  const wingOf = (file: string): number => wings.findIndex((wing) => file.startsWith(wing));
  const upward = [...graph].flatMap(([file, targets]) =>
    targets
      .filter((target) => wingOf(file) !== -1 && wingOf(target) > wingOf(file))
      .map((target) => `${file} → ${target}`),
  );
  expect(upward).toEqual([]);
  expect(new Set([...graph.keys()].map(wingOf)).size).toBe(wings.length + 1);
});

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
    // Its commands know the catalogue, which stands beside it.
    if (file === 'bin.ts') continue;
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
