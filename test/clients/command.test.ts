import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { command } from '../../clients/generate/command.ts';
import english from '../../clients/words/en.json' with { type: 'json' };
import spanish from '../../clients/words/es.json' with { type: 'json' };
import { mapStore } from '../../examples/mounted/store/map-store.ts';
import type { Fetch } from '../../kit/src/dictionary.ts';
import en from '../../locales/en.json' with { type: 'json' };
import es from '../../locales/es.json' with { type: 'json' };
import { catalogue } from '../../src/catalogue.ts';
import { bilingual } from '../../src/gateway/bilingual.ts';
import { openApp } from '../support/app/app.ts';
import { make, ORIGIN } from '../support/clients/making.ts';
import { everyKind, everyKindTables } from '../support/language/every-kind.ts';
import { newTags, temporaryFolderWith } from '../support/language/new-languages.ts';
import { temporaryFolder } from '../support/process/folder.ts';

const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');

test('every language has the same words to translate', () => {
  const keysOf = (value: object): unknown =>
    Object.entries(value).map(([key, each]) => [key, typeof each === 'string' ? '' : keysOf(each)]);
  expect(keysOf(spanish)).toEqual(keysOf(english));
});

test('a language without words of its own has English ones for methods, and says so', async () => {
  const out = temporaryFolder();
  const { code, text } = await make({ locales: temporaryFolderWith('en', ...newTags) }, '--out', out, '--name', 'ours');
  expect(text).toBe(
    [
      `ours-ca 1.0.0: ${join(out, 'ca')}`,
      '  clients/words has no ca.json: methods and types have English words; --words FILE gives others',
      `ours-en 1.0.0: ${join(out, 'en')}`,
      `ours-pt 1.0.0: ${join(out, 'pt')}`,
      '  clients/words has no pt.json: methods and types have English words; --words FILE gives others',
    ].join('\n'),
  );
  expect(code).toBe(0);
  expect(read(out, 'pt/index.d.ts')).toMatch(/readonly list: \(query\?: AutomóveisQuery, /);
  expect(read(out, 'ca/index.js')).toContain('"/api/cotxes/" + encodeURIComponent(cars) + "/olis"');
});

test('a catalogue that is not about cars, with fields of every kind', async () => {
  const out = temporaryFolder();
  const { code } = await make({ catalogue: everyKind, locales: everyKindTables() }, '--out', out, '--languages', 'es');
  expect([code, readdirSync(out)]).toEqual([0, ['es']]);
  const types = read(out, 'es/index.d.ts');
  for (const line of [
    'readonly aparejo?: "balandra" | "queche" | "a motor" | "ketch";',
    'readonly precio?: number | null | undefined;',
    'readonly precio_desde?: number | undefined;',
    'readonly equipamiento?: readonly string[] | null | undefined;',
    'readonly equipamiento?: readonly string[];',
    'readonly equipamiento?: string | readonly string[] | undefined;',
    'readonly botadura_hasta?: string | undefined;',
    'readonly viajes: (clave: string) => ColeccionDeViajes;',
  ])
    expect(types).toContain(line);
  expect(JSON.parse(read(out, 'es/words.json'))).toMatchObject({ 'choices.boats.rig.sloop': 'balandra' });
});

test('a service that can do less: what it cannot do is no method, and no key of a request is sent where none is kept', async () => {
  const out = temporaryFolder();
  const gateway = bilingual({ catalogue, tables: { en, es }, store: { ...mapStore(catalogue), can: ['writes'] } });
  const sent: (string | null)[] = [];
  const get = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent.push(new Headers(init?.headers).get('idempotency-key'));
    return gateway.request(String(url).slice(ORIGIN.length), init);
  };
  const printed: string[] = [];
  expect(await command([ORIGIN, '--out', out], (text) => printed.push(text), get)).toBe(0);
  const { conectar } = await import(join(out, 'es/index.js'));
  const { coches } = conectar(ORIGIN, { fetch: get });
  const methods = [
    'listar',
    'recorrer',
    'seleccionar',
    'exportar',
    'leer',
    'crear',
    'modificar',
    'eliminar',
    'aceites',
  ];
  expect(Object.keys(coches)).toEqual(methods);
  await coches.crear({ identificador: 'a', marca: 'Seat', modelo: 'Ibiza' });
  expect((await coches.listar()).total).toBe(1);
  expect(sent.filter((key) => key !== null)).toEqual([]);
  let tries = 0;
  const unreachable = async (): Promise<Response> => {
    tries++;
    throw new TypeError('fetch failed');
  };
  const { coches: lost } = conectar(ORIGIN, { fetch: unreachable });
  await expect(lost.crear({ marca: 'Seat', modelo: 'León' })).rejects.toThrow('fetch failed');
  expect(tries).toBe(1);
});

test('what a service says cannot end a comment, or be code', async () => {
  const { app, close } = await openApp();
  onTestFinished(() => close());
  const through =
    (change: (text: string) => string): Fetch =>
    async (url, init) =>
      new Response(change(await (await app.request(url.slice(ORIGIN.length), init)).text()));
  const makeOf = (change: (text: string) => string, out: string) => {
    const printed: string[] = [];
    const args = [ORIGIN, '--out', out, '--languages', 'en'];
    return command(args, (text) => printed.push(text), through(change)).then((code) => [code, printed.join()] as const);
  };
  const out = temporaryFolder();
  const [code] = await makeOf(
    (text) =>
      text
        .replaceAll('List the cars', '*/ evil(); /*')
        .replaceAll('"/api/cars"', String.raw`"/api/\" + evil() + \"cars"`),
    out,
  );
  expect(code).toBe(0);
  expect(read(out, 'en/index.js')).toContain(String.raw`"/api/\" + evil() + \"cars"`);
  expect(read(out, 'en/index.d.ts')).toContain('/** * / evil(); /* */');
  const refused = await makeOf((text) => text.replaceAll('CarGroup', 'x = evil()'), temporaryFolder());
  expect(refused).toEqual([2, 'x = evil() cannot be a name in a program']);
});

test('words of one’s own', async () => {
  const words = join(temporaryFolder(), 'words.json');
  writeFileSync(words, JSON.stringify({ ...spanish, connect: 'abrir' }));
  const out = temporaryFolder();
  expect((await make({}, '--out', out, '--languages', 'es', '--words', words)).code).toBe(0);
  expect(read(out, 'es/index.js')).toContain('export const abrir = ');
});

describe('nothing is written, and why', () => {
  test.each<readonly [why: string, args: readonly string[]]>([
    ['the service has no language fr', ['--languages', 'fr']],
    ['--words is for one of the --languages', ['--words', 'x.json']],
    ['no such file', ['--words', 'none.json', '--languages', 'es']],
    ['give one URL', ['more']],
    ["Unknown option '--outs'", ['--outs']],
  ])('%s', async (why, args) => {
    const out = temporaryFolder();
    const { code, text } = await make({}, '--out', out, ...args);
    expect([code, text, readdirSync(out)]).toEqual([2, expect.stringContaining(why), []]);
  });

  test('two types of one name', async () => {
    const words = join(temporaryFolder(), 'words.json');
    writeFileSync(words, JSON.stringify({ ...english, types: { ...english.types, Page: 'Car' } }));
    const { code, text } = await make({}, '--out', temporaryFolder(), '--languages', 'en', '--words', words);
    expect([code, text]).toEqual([2, 'two types are called Car: give other words with --words']);
  });

  test('no service', async () => {
    const printed: string[] = [];
    const broken: Fetch = async () => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    };
    expect(await command([ORIGIN], (text) => printed.push(text), broken)).toBe(2);
    expect(printed).toEqual(['fetch failed: connect ECONNREFUSED']);
  });
});

test('--help explains the options', async () => {
  const { code, text } = await make({}, '--help');
  expect([code, text]).toEqual([0, expect.stringContaining('--languages en,es   only these')]);
});
