/** What translators are told: every line, in English and in Spanish, of tables in a repository of their own. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLine } from '../../../src/tools/words/edit-json.ts';
import { runCommand, runHere } from '../../support/commands/given.ts';
import { apart, folderOf, type LooseTable, tableFrom } from '../../support/language/locale-folder.ts';
import { project } from '../../support/process/service.ts';

const SPANISH = { LC_ALL: 'es_ES.UTF-8' };

const words = async (folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const own = { CATALOGUE: '', LANG: 'C.UTF-8', LOCALES_DIR: folder, ...env };
  const [code, printed] = await runHere('src/tools/words/main.ts', args, own);
  return [code, printed.replaceAll(/(?:\.\.\/)+\S*?\/(?=(?:messages\/)?[a-z]{2}(?:-[A-Z]{2})?\.)/g, '')] as const;
};

const git = (folder: string, ...args: readonly string[]): void =>
  void execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args]);

const pretty = (tables: Readonly<Record<string, LooseTable>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(apart(tables)).map(([file, content]) => [file, `${JSON.stringify(content, undefined, 2)}\n`]),
  );

/** @returns a table with the words of all that the project's catalogue has */
const readTable = (tag: string): LooseTable => tableFrom(join(project, 'locales'), tag);

/** The project's English and a Spanish table, changed. */
const tablesWith = (edit: (es: LooseTable) => void = () => {}): string => {
  const es = readTable('es');
  edit(es);
  return folderOf(pretty({ 'en.json': readTable('en'), 'es.json': es }));
};

/** The same in a repository. */
const committedTables: typeof tablesWith = (edit) => {
  const folder = tablesWith(edit);
  git(folder, 'init', '-q');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'Tables');
  return folder;
};

const change = (folder: string, file: string, edit: (content: LooseTable) => void): void => {
  const content = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  edit(content);
  writeFileSync(join(folder, file), `${JSON.stringify(content, undefined, 2)}\n`);
};

test('status says what is translated, stale, missing and the same on purpose, with its line, old and new text', async () => {
  const folder = committedTables(({ phrases, problems }) => {
    problems.internal.title = readTable('en').problems.internal.title;
    delete phrases.internal;
  });
  const [code, before] = await words(folder, ['status']);
  expect([code, before]).toEqual([
    1,
    expect.stringMatching(/^es: \d+ translated, 0 .*, 2 as in the source, 0 .*, 1 missing\n$/),
  ]);
  expect(await words(folder, ['accept', 'es'])).toEqual([
    0,
    expect.stringMatching(/^\d+ sentences accepted: messages\/es\.sources\.json\n$/),
  ]);
  change(folder, 'messages/en.json', ({ phrases }) => (phrases['key-missing'] = 'Another sense.'));
  const old = JSON.stringify(readTable('en').phrases['key-missing']);
  const [, lines] = await words(folder, ['status', 'es']);
  expect(lines).toMatch(
    /^es: \d+ translated, 2 as in the source on purpose, 0 as in the source, 1 older .*, 1 missing\n/,
  );
  expect(lines).toMatch(/^messages\/es\.json:\d+: problems\.internal\.title: as in the source, on purpose$/m);
  expect(lines).toMatch(/^messages\/es\.json:\d+: phrases\.internal: missing$/m);
  expect(lines).toContain(`phrases.key-missing: the source has changed\n  - ${old}\n  + "Another sense."\n`);
  const [, json] = await words(folder, ['status', 'es', '--json']);
  const [spanish] = JSON.parse(json).languages;
  expect(spanish).toMatchObject({ tag: 'es', same: 2, stale: 1, missing: 1 });
  expect(spanish.sentences).toContainEqual(
    expect.objectContaining({
      place: 'phrases.key-missing',
      state: 'stale',
      former: JSON.parse(old),
      source: 'Another sense.',
    }),
  );
  const [, other] = await words(folder, ['status', 'es'], SPANISH);
  expect(other).toMatch(/^messages\/es\.json:\d+: phrases\.key-missing: el original ha cambiado$/m);
  expect((await words(folder, ['accept', 'es', 'phrases.key-missing']))[1]).toMatch(/^1 sentences accepted/);
  expect((await words(folder, ['status', 'es']))[1]).toMatch(/, 0 older than the source, 1 missing\n/);
});

test('a dialect lacks nothing that it inherits', async () => {
  const folder = tablesWith();
  writeFileSync(join(folder, 'es-MX.json'), JSON.stringify({ extends: 'es', paths: { cars: 'carros' } }));
  expect((await words(folder, ['status', 'es-MX']))[1]).toMatch(/^es-MX: 0 translated, .*, 0 missing\n$/);
});

test.each<readonly [what: string, edit: (es: LooseTable) => void, line: RegExp]>([
  ['a fault', ({ fields }) => (fields.cars.brand = 'la marca'), /^es\.json: fields\.cars\.brand: is not a valid word/m],
  [
    'a sentence that is not used because it is wrong',
    ({ phrases }) => (phrases.internal = '{code}'),
    /^messages\/es\.json: phrases\.internal: has a placeholder \{code\} that nothing fills/m,
  ],
  ['a key that is gone', (es) => (es.phrases.gone = 'x'), /^messages\/es\.json: phrases\.gone: unknown key/m],
  [
    'a false friend',
    ({ fields }) => (fields.cars.version = 'Model'),
    /^es\.json:\d+: fields\.cars\.version: “Model” is the word of fields\.cars\.model in en$/m,
  ],
  [
    'a letter that nobody types',
    ({ fields }) => (fields.cars.version = 'versi’on'),
    /^es\.json:\d+: fields\.cars\.version: “versi’on” has “’”/m,
  ],
  ['a letter of another language', ({ fields }) => (fields.cars.version = 'versiøn'), /“versiøn” has “ø”/m],
  [
    'an elided article',
    ({ phrases }) => (phrases['field-missing'] = "Falta l'{word}."),
    /phrases\.field-missing: “l'\{word\}” is right only before a vowel$/m,
  ],
  [
    'two sentences of one meaning',
    ({ phrases }) => (phrases.internal = phrases['key-missing']),
    /phrases\.internal: .* is also what phrases\.key-missing says|phrases\.key-missing: .* is also what phrases\.internal says/m,
  ],
])('check finds %s', async (_, edit, line) => {
  const [code, lines] = await words(tablesWith(edit), ['check']);
  expect(lines).toMatch(line);
  expect(code).toBe(/not a valid|nothing fills/.test(line.source) ? 1 : 0);
});

test('check says faults in the language of the terminal', async () => {
  const folder = tablesWith(({ fields, phrases }) => {
    delete fields.cars.brand;
    phrases.internal = '{code}';
  });
  // A process reads the terminal's language once.
  const env = { CATALOGUE: '', LOCALES_DIR: folder, ...SPANISH };
  expect((await runCommand('src/tools/words/main.ts', ['check'], env))[1].split('\n').slice(0, 2)).toEqual([
    'es.json: fields.cars.brand: falta',
    'messages/es.json: phrases.internal: tiene un marcador {code} que nada rellena',
  ]);
});

test('check says which changed word breaks clients since a version', async () => {
  const folder = committedTables();
  change(folder, 'es.json', ({ fields, parameters }) => {
    fields.cars.brand = 'fabricante';
    parameters.page = { word: 'hoja', former: [{ word: 'pagina', since: '2026-01-01', until: '2099-12-31' }] };
  });
  const [code, lines] = await words(folder, ['check', 'es', '--since', 'HEAD']);
  expect(code).toBe(1);
  expect(lines).toMatch(
    /^es\.json:\d+: fields\.cars\.brand: “marca” is now “fabricante”, and clients that send “marca” break/m,
  );
  expect(lines).toMatch(/^es\.json:\d+: parameters\.page: “pagina” is now “hoja”, and is accepted until 2099-12-31$/m);
  expect(JSON.parse((await words(folder, ['check', '--since', 'HEAD', '--json']))[1]).changes).toHaveLength(2);
  expect(await words(folder, ['check', '--since', 'nowhere'])).toEqual([2, 'git has no version “nowhere” here.\n']);
});

test.each([
  [['zap'], {}, /./],
  [['accept'], SPANISH, /^«accept» no es una orden completa/],
  [['status', 'xx'], {}, /./],
  [['status', '--zap'], {}, /“--zap” is not an option/],
])('%j is refused with 2', async (args, env, line) => {
  expect(await words(tablesWith(), args, env)).toEqual([2, expect.stringMatching(line)]);
});

test('the line of a place is that of its name', () => {
  const json = '{\n  "a": { "b": "x",\n    "c": ["c"] },\n  "c": { "b": {\n    "c": 1 } }\n}';
  const lines = [
    ['a', 2],
    ['a.b', 2],
    ['a.c', 3],
    ['c', 4],
    ['c.b', 4],
    ['c.b.c', 5],
    ['c.zap', 4],
  ] as const;
  expect(lines.map(([place]) => [place, findLine(json, place)])).toEqual(lines);
});
