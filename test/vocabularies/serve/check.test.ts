/** What the commands `check` and `propose` print, and how they end. */
import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { Translator } from '../../../packages/vocabularies/src/index.ts';
import en from '../../../packages/vocabularies/src/serve/locales/en.json' with { type: 'json' };
import spanishTexts from '../../../packages/vocabularies/src/serve/locales/es.json' with { type: 'json' };
import { document, es } from '../boats.ts';
import { others } from '../documents.ts';
import { createFolder, run, startApi } from './process.ts';

const folder = createFolder({ 'boats.json': document });
const boats = join(folder, 'boats.json');
mkdirSync(join(folder, 'tables'));
writeFileSync(join(folder, 'tables/es.json'), JSON.stringify({ ...es, paths: { ...es.paths, ships: 'buques' } }));

test('check says what has a word, what has none, what is not described, and every address', async () => {
  const text = await run(['check', '--document', boats, '--tables', join(folder, 'tables')], { LC_ALL: 'es_ES.UTF-8' });
  expect(text.code).toBe(0);
  for (const line of [
    'es: Palabras (16)',
    '  members Boat length → eslora',
    'es: Sin palabra (12)',
    '  values Kind motor',
    '  /paths/ships',
    '  GET /boats/{id} 404',
    '  GET /barcos/{id}/propietarios owners es',
  ]) {
    expect(text.out).toContain(`${line}\n`);
  }
  const json = await run(['check', '--document', boats, '--tables', join(folder, 'tables'), '--json']);
  const report = JSON.parse(json.out);
  expect(report.vocabularies[0].words).toContainEqual({ section: 'values', scope: 'Kind', name: 'sail', word: 'vela' });
  expect([report.faults, report.addresses.length, report.vocabularies[0].unused]).toEqual([[], 12, ['/paths/ships']]);
});

test('check lists all faults, and what two names share, and ends with 1', async () => {
  const members = { Boat: { name: 'nombre', kind: 'nombre' }, Owner: { name: 'titular', boats: 'name' } };
  const tables = createFolder({ 'es.json': { members: { ...members, Problem: { title: 'titular' } } }, 'pt.json': [] });
  const { code, out } = await run(['check', '--document', boats, '--tables', tables, '--json']);
  const report = JSON.parse(out);
  expect(code).toBe(1);
  expect(report.faults.map(({ file }: { file: string }) => file)).toContain('pt.json');
  const broken = createFolder({ 'es.json': { members: { ...members, Problem: { title: 'titular' } } } });
  const second = JSON.parse((await run(['check', '--document', boats, '--tables', broken, '--json'])).out);
  expect(second.faults.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/members/Boat/kind',
    '/members/Owner/boats',
  ]);
  expect(second.vocabularies[0].shared).toContainEqual({ word: 'titular', names: ['name', 'title'] });
});

/** Tables with a fault each, by the names of their files, and how `check` says it in English and in Spanish. */
const FAULTS: readonly (readonly [files: Readonly<Record<string, unknown>>, english: string, spanish: string])[] = [
  [
    { 'es.json': { members: { Boat: { name: 'nombre', kind: 'nombre' } } } },
    'es.json /members/Boat/kind: "nombre" is the word of "kind" and of "name" (/members/Boat/name); choose another one for either',
    'es.json /members/Boat/kind: «nombre» es la palabra de «kind» y de «name» (/members/Boat/name); elija otra para uno de los dos',
  ],
  [
    { 'es.json': { problems: { gone: { text: 'No está' } } } },
    'es.json /problems/gone/text: is no sentence; those are title and detail',
    'es.json /problems/gone/text: no es ninguna frase; las que hay son title y detail',
  ],
  [
    { 'es.yaml': 'members: { Boat: { name: kind } }' },
    'es.yaml /members/Boat/name: "kind", the word of "name", is another name of the document (#/components/schemas/Boat/properties/kind); choose another one',
    'es.yaml /members/Boat/name: «kind», la palabra de «name», es otro nombre del documento (#/components/schemas/Boat/properties/kind); elija otra',
  ],
  [
    { 'pt.yml': 'word: 1' },
    'pt.yml /word: is no section; those are paths, parameters, members, values, problems, names, convert, $schema, x-notes',
    'pt.yml /word: no es ninguna sección; las que hay son paths, parameters, members, values, problems, names, convert, $schema, x-notes',
  ],
  [{ 'es.json': { paths: [] } }, 'es.json /paths: must be an object', 'es.json /paths: debe ser un objeto'],
  [
    { 'es.json': { paths: { boats: '..' } } },
    'es.json /paths/boats: ".." cannot be a word here; choose another one',
    'es.json /paths/boats: «..» no puede ser una palabra aquí; elija otra',
  ],
  [
    {
      'es.json':
        '{\n  "members": { "Boat": {}, "Owner": { "name": "a",\n    "name": "b" } },\n "x-notes": [{ "a": 1 }, { "a": 1 }] }',
    },
    'es.json /members/Owner/name: stands twice, again in line 3, which would win; remove one of them',
    'es.json /members/Owner/name: está dos veces, otra vez en la línea 3, que es la que valdría; quite una',
  ],
  [
    { 'es.json': '{\n\t"paths": { "boats": "barcos" },\n\t"p\\u0061ths": {}\n}' },
    'es.json /paths: stands twice, again in line 3, which would win; remove one of them',
    'es.json /paths: está dos veces, otra vez en la línea 3, que es la que valdría; quite una',
  ],
  [
    { 'es.yaml': 'paths:\n  boats: barcos\n  boats: naves\n' },
    'es.yaml /paths/boats: stands twice, again in line 3, which would win; remove one of them',
    'es.yaml /paths/boats: está dos veces, otra vez en la línea 3, que es la que valdría; quite una',
  ],
];

test.each(FAULTS)(
  'a fault of %j is told with its file and place, in both languages',
  async (files, english, spanish) => {
    const options = ['--document', boats, '--tables', createFolder(files)];
    const [report, serve, json] = await Promise.all([
      run(['check', ...options]),
      run(['serve', ...options, '--api', 'http://127.0.0.1:1'], { LANG: 'es_ES', LC_ALL: '' }),
      run(['check', ...options, '--json'], { LC_ALL: 'es_MX.UTF-8' }),
    ]);
    expect([report.code, report.out.split('\n', 2)]).toEqual([1, ['Faults (1)', `  ${english}`]]);
    expect([serve.code, serve.out, serve.error]).toEqual([1, '', `${spanish}\n`]);
    const [{ file, pointer, message }] = JSON.parse(json.out).faults;
    expect([json.code, `${file} ${pointer}: ${message}`]).toEqual([1, spanish]);
  },
);

test('a fault of the document is told with its file, in both languages', async () => {
  const document = join(createFolder({ 'api.yaml': 'openapi: 2.0.0\npaths: []' }), 'api.yaml');
  const [english, spanish] = await Promise.all(
    ['C', 'es_ES'].map((LC_ALL) => run(['propose', '--document', document], { LC_ALL })),
  );
  expect([english?.code, english?.error]).toEqual([
    1,
    'api.yaml #/openapi: this is no OpenAPI document of version 3; give the parsed content of one\napi.yaml #/paths: must be an object with a member for each path\n',
  ]);
  expect(spanish?.error).toBe(
    'api.yaml #/openapi: esto no es un documento OpenAPI de la versión 3; dé uno que lo sea\napi.yaml #/paths: debe ser un objeto con un miembro por cada ruta\n',
  );
});

test('the sentences of faults are those of the core, and each language has all texts', () => {
  const sources = globSync('packages/vocabularies/src/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join();
  const shape = (part: unknown): unknown =>
    typeof part === 'string'
      ? part.match(/\{\w+\}/g)?.toSorted()
      : Array.isArray(part)
        ? []
        : Object.entries(part as object).map(([name, value]) => [name, shape(value)]);
  expect(shape(spanishTexts)).toEqual(shape(en));
  const sentences = Object.values(en.faults);
  const ends = sentences.map((sentence) => sentence.replace(/^.*\{\w+\}[")]*/, '').trim());
  expect(ends.filter((end) => !sources.includes(end))).toEqual([]);
  const advice =
    sources.match(/(?<=['`])(?:must be|is no) [^'`$]+|; (?:add|bundle|choose|give|use|write) [^'`$]+/g) ?? [];
  expect(advice.length).toBeGreaterThan(10);
  expect(advice.filter((part) => !sentences.some((sentence) => sentence.includes(part)))).toEqual([]);
});

test('propose says of each name what the document says, and check lists what still needs a word', async () => {
  const odd = 'a\u009b\u001b[2J"\\';
  const kind = { type: 'string', enum: ['one', 'two'], description: 'What\n it   is', default: 'two' };
  const content = {
    openapi: '3.1.0',
    paths: {
      '/things/{id}': {
        get: {
          parameters: [{ name: 'kind', in: 'query', schema: { $ref: '#/components/schemas/Kind' } }],
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
        },
      },
    },
    components: {
      schemas: {
        Kind: kind,
        Thing: {
          properties: {
            kind: { $ref: '#/components/schemas/Kind' },
            [odd]: {},
            'a\u2028"\\': { description: 'x'.repeat(1000) },
            __proto_: {},
          },
          discriminator: { propertyName: 'kind', mapping: { one: '#/components/schemas/Kind' } },
        },
      },
    },
  };
  const folder = createFolder({ 'd.json': JSON.stringify(content).replace('__proto_', '__proto__') });
  const document = join(folder, 'd.json');
  const [text, json] = await Promise.all([
    run(['propose', '--document', document], { LC_ALL: 'es_ES' }),
    run(['propose', '--document', document, '--json']),
  ]);
  expect(text.out.split('\n')[0]).toContain('# Cambie las palabras de la derecha');
  expect(text.out).toContain('  "kind": "kind" # What it is · "two"\n');
  expect([text.out, json.out].join()).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  const { 'x-notes': notes, ...table } = JSON.parse(json.out);
  expect(parse(text.out)).toEqual(table);
  expect(Object.keys(table.members.Thing)).toEqual(['kind', 'a\u2028"\\', '__proto__']);
  expect(notes['/members/Thing/kind']).toEqual({ description: 'What it is', example: 'two' });
  mkdirSync(join(folder, 'tables'));
  writeFileSync(join(folder, 'tables/es.yaml'), text.out.replace('"kind": "kind"', '"kind": "clase"'));
  const checked = await run(['check', '--document', document, '--tables', join(folder, 'tables'), '--json']);
  const { vocabularies } = JSON.parse(checked.out);
  expect(vocabularies[0].missing.map(({ section, name }: Record<string, string>) => `${section} ${name}`)).toEqual([
    'paths things',
    'values one',
    'values two',
    'members kind',
    `members ${odd}`,
    'members a\u2028"\\',
    'members __proto__',
    'values one',
  ]);
});

test('two words that one path cannot have are no fault for another way to select', async () => {
  const untyped = { responses: { 200: { content: { 'application/json': { schema: { title: 'Any' } } } } } };
  const paths = { '/boats': { get: untyped }, '/ships': { get: {} }, '/masters': { get: {} }, '/owners': { get: {} } };
  const content = { openapi: '3.1.0', paths };
  const folder = createFolder({ 'd.json': content });
  mkdirSync(join(folder, 'tables'));
  writeFileSync(join(folder, 'tables/es.json'), JSON.stringify({ paths: { boats: 'naves', owners: 'gente' } }));
  writeFileSync(join(folder, 'tables/pt.json'), JSON.stringify({ paths: { ships: 'naves', masters: 'gente' } }));
  const command = ['check', '--document', join(folder, 'd.json'), '--tables', join(folder, 'tables')];
  const byPath = await run(command);
  expect([byPath.code, byPath.out.split('\n', 3)]).toEqual([
    1,
    [
      'Faults (2)',
      '  pt.json /paths: /naves is /ships here and /boats in "es"; choose other words, or another way to select a vocabulary',
      '  pt.json /paths: /gente is /masters here and /owners in "es"; choose other words, or another way to select a vocabulary',
    ],
  ]);
  const { code, out } = await run([...command, '--select', 'prefix']);
  expect([code, out.includes('  GET /boats 200 application/json\n  GET /ships\n')]).toEqual([0, true]);
});

test('propose names a value that one place of its schema lacks, and a member that only a discriminator names', async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const answer = (schema: unknown) => ({
    get: { responses: { 200: { content: { 'application/json': { schema } } } } },
  });
  const schemas = { Boat: { properties: { kind: ref('Kind') } }, Kind: { enum: ['sail', 'motor'] } };
  const sailing = { properties: { kind: { enum: ['sail'] } } };
  const any = { anyOf: [sailing, ref('Boat')], discriminator: { propertyName: 'rig', mapping: {} } };
  const paths = { '/all': answer(any), '/boats': answer(ref('Boat')) };
  const file = join(folder, 'kinds.json');
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', paths, components: { schemas } }));
  const { out } = await run(['propose', '--document', file, '--json']);
  const { members, values } = JSON.parse(out);
  const tables = createFolder({ 'es.json': { values: { '*': { motor: 'a motor' } } } });
  const report = (await run(['check', '--document', file, '--tables', tables, '--select', 'prefix'])).out;
  expect(report).toContain(
    'lists them (1)\n  #/paths/~1all/get/responses/200/content/application~1json/schema/anyOf/0/properties/kind: motor\n',
  );
  expect(values).toEqual({ '*': { sail: 'sail' }, Kind: { motor: 'motor' } });
  expect(Object.values(members)).toContainEqual({ rig: 'rig' });
});

test('anchors of YAML are what they stand for, merged ones, too', async () => {
  const file = join(folder, 'merged.yaml');
  const answer = (properties: string) =>
    `{ get: { responses: { 200: { content: { application/json: { schema: { properties: ${properties} } } } } } } }`;
  const paths = `  /boats: ${answer('&all { name: {} }')}\n  /ships: ${answer('{ <<: *all, masts: {} }')}`;
  writeFileSync(file, `openapi: 3.0.3\npaths:\n${paths}`);
  const { members } = JSON.parse((await run(['propose', '--document', file, '--json'])).out);
  expect(Object.values(members)).toEqual([{ name: 'name' }, { masts: 'masts' }]);
});

const DOCUMENTS: readonly (readonly [string, unknown])[] = [['boats', document], ...others];

test.each(DOCUMENTS)('what propose prints of %s is a table that starts', async (name, content) => {
  const file = join(folder, `${name}-proposed.json`);
  writeFileSync(file, JSON.stringify(content));
  const [text, json] = await Promise.all([
    run(['propose', '--document', file]),
    run(['propose', '--document', file, '--json']),
  ]);
  expect([text.code, json.code]).toEqual([0, 0]);
  const { 'x-notes': notes, ...table } = JSON.parse(json.out);
  expect(parse(text.out)).toEqual(table);
  const notices: string[] = [];
  new Translator({
    document: content,
    tables: { xx: JSON.parse(json.out) },
    onNotice: (notice) => notices.push(notice),
  });
  expect(notices.filter((notice) => !notice.includes('no path has a word'))).toEqual([]);
  if (name === 'petstore') {
    expect(notes['/members/*/status']).toEqual({ description: 'pet status in the store', example: 'available' });
    expect(text.out.split('"status"')).toHaveLength(5);
    expect(text.out).toContain('    "status": "status" # pet status in the store · "available"\n');
  }
});

test('help speaks the language of the terminal; options and files that are none end with 2', async () => {
  const help = await run(['serve', '--help'], { LC_ALL: 'es_AR.UTF-8' });
  expect([help.code, help.out.includes('se pone delante de una API')]).toEqual([0, true]);
  for (const word of ['--help', '-h']) expect((await run([word])).out).toContain('stands before an API');
  for (const args of [
    [],
    ['nothing'],
    ['check', '--odd'],
    ['check'],
    ['check', '--document', '/none', '--tables', folder],
    ['propose', '--document', boats, '--port', '1'],
  ]) {
    const { code, error } = await run(args);
    expect([args, code, error === '']).toEqual([args, 2, false]);
  }
  const options = ['--document', boats, '--tables', join(folder, 'tables')];
  for (const args of [
    ['--api', 'http://a/b'],
    ['--api', 'ftp://a'],
    ['--api', 'http://a', '--port', 'x'],
    ['--api', 'http://a', '--select', 'x'],
    ['--api', 'http://a', '--trust', '1'],
    ['--api', 'http://a', '--trust', '10.0.0.0/'],
    ['--api', 'http://a', '--trust', '10.0.0.0/33'],
    ['--api', 'http://a', '--tables', createFolder({ 'es.json': {}, 'es.yaml': {} })],
  ]) {
    expect([args, (await run(['serve', ...options, ...args])).code]).toEqual([args, 2]);
  }
});

test('a reference that leads to nothing is no fault, and is listed with what is not described', async () => {
  const answer = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Boat' } } } };
  const paths = { '/boats': { get: { responses: { 200: answer } } } };
  const document = join(createFolder({ 'api.json': { openapi: '3.1.0', paths } }), 'api.json');
  const tables = createFolder({ 'es.json': { paths: { boats: 'barcos' } } });
  const { code, out } = await run(['check', '--json', '--document', document, '--tables', tables]);
  const place = '#/paths/~1boats/get/responses/200/content/application~1json/schema';
  expect([code, JSON.parse(out).faults, JSON.parse(out).undescribed]).toEqual([
    0,
    [],
    [expect.stringContaining(`api.json ${place}: "#/components/schemas/Boat" leads to nothing`)],
  ]);
});

test('a file that a document refers to is read only from the folder that is allowed', async () => {
  const schemas = createFolder({
    'boat.yaml': 'type: object\nproperties:\n  name: { $ref: "#/x/name" }\nx:\n  name: { type: string }\n',
  });
  const outside = createFolder({ 'secret.json': { type: 'object', properties: { password: {} } } });
  symlinkSync(join(outside, 'secret.json'), join(schemas, 'link.json'));
  const refer = (reference: string) => {
    const answer = { content: { 'application/json': { schema: { $ref: reference } } } };
    writeFileSync(
      join(schemas, 'api.json'),
      JSON.stringify({ openapi: '3.1.0', paths: { '/boats': { get: { responses: { 200: answer } } } } }),
    );
    return join(schemas, 'api.json');
  };
  const command = ['propose', '--json', '--document', refer('boat.yaml')];
  expect((await run(command)).code).toBe(1);
  const allowed = await run([...command, '--allow-refs', schemas]);
  expect([allowed.code, allowed.out.includes('"name"')]).toEqual([0, true]);
  for (const reference of [
    'link.json',
    `${outside}/secret.json`,
    '../x/secret.json',
    'http://127.0.0.1:1/secret.json',
  ]) {
    const { code, out, error } = await run([...command.slice(0, 3), refer(reference), '--allow-refs', schemas]);
    expect([reference, code, out, error.includes('is in another file')]).toEqual([reference, 1, '', true]);
  }
  rmSync(join(schemas, 'link.json'));
  const server = await startApi((incoming, outgoing) => {
    if (incoming.url === '/in/away.json') outgoing.writeHead(302, { location: '/out/secret.json' });
    outgoing.end(
      JSON.stringify({ type: 'object', properties: { [incoming.url === '/in/boat.json' ? 'name' : 'password']: {} } }),
    );
  });
  for (const [file, code] of [
    ['boat', 0],
    ['away', 2],
  ]) {
    const options = [...command.slice(0, 3), refer(`${server}/in/${file}.json`), '--allow-refs', `${server}/in`];
    const fetched = await run(options);
    expect([file, fetched.code, /password/.test(fetched.out)]).toEqual([file, code, false]);
  }
});
