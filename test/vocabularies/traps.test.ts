/** What others fell over: schemas that contain and combine each other, and places where branches disagree. */
import { expect, test } from 'vitest';
import { Translator, VocabularyError } from '../../packages/vocabularies/src/index.ts';
import { Scanner, scanWhole } from '../../packages/vocabularies/src/scan.ts';

type Json = Readonly<Record<string, unknown>>;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function open(schemas: Json, table: unknown, onNotice = (_: string): void => {}) {
  const content = { 'application/json': { schema: ref('Root') } };
  const document = {
    openapi: '3.1.0',
    paths: {
      '/x': {
        post: { operationId: 'post', requestBody: { content }, responses: {} },
      },
    },
    components: { schemas },
  };
  const translator = new Translator({ document, tables: { es: table }, select: 'prefix', onNotice });
  const described = translator.document.paths[0]?.operations.get('POST')?.body.get('application/json');
  const vocabulary = translator.vocabularies.get('es');
  if (!described || !vocabulary) throw new TypeError('there is no vocabulary');
  const node = vocabulary.findContents(described).body;
  const exchange = (direction: 'in' | 'out', text: string): string => {
    return scanWhole(node, { vocabulary, direction }, text) ?? '';
  };
  const createScanner = () => new Scanner(node, { vocabulary, direction: 'out' });
  return {
    createScanner,
    words: (text: string) => exchange('out', text),
    names: (text: string) => exchange('in', text),
  };
}

const pets = {
  Root: { oneOf: [ref('Cat'), ref('Dog')] },
  Cat: { properties: { name: {}, mood: { enum: ['happy', 'sad'] }, lives: {} } },
  Dog: { properties: { name: {}, mood: { enum: ['happy', 'wild'] } } },
};

test('names are the union of the branches, and a value is exchanged only if every branch lists it', () => {
  const { words, names } = open(pets, {
    members: { Cat: { name: 'nombre', lives: 'vidas' }, Dog: { name: 'nombre' } },
    values: { '*': { happy: 'feliz', sad: 'triste', wild: 'salvaje' } },
  });
  expect(words('{"name":1,"lives":2,"mood":"happy"}')).toBe('{"nombre":1,"vidas":2,"mood":"feliz"}');
  expect(words('{"mood":"sad"}')).toBe('{"mood":"sad"}');
  expect(names('{"nombre":1,"mood":"feliz"}')).toBe('{"name":1,"mood":"happy"}');
});

test('branches that give one name two words stop the start, until the table decides by place', () => {
  const members = { Cat: { name: 'nombre' }, Dog: { name: 'apodo' } };
  expect(() => open(pets, { members })).toThrow(VocabularyError);
  const { words } = open(pets, { members: { ...members, Root: { name: 'nombre' } } });
  expect(words('{"name":1}')).toBe('{"nombre":1}');
});

const moods = { Root: { properties: { pet: { oneOf: [ref('Cat'), ref('Dog')] } } }, Cat: pets.Cat, Dog: pets.Dog };

test.each([
  ['members', pets, { Cat: { name: 'nombre' }, Dog: { name: 'apodo' } }, { Root: { name: 'nombre' } }],
  ['members', pets, { Cat: { name: 'nombre' }, Dog: { name: 'apodo' } }, { Dog: { name: 'nombre' } }],
  ['members', moods, { Cat: { name: 'nombre' }, Dog: { name: 'apodo' } }, { Dog: { name: 'nombre' } }],
  ['values', moods, { Cat: { happy: 'feliz' }, Dog: { happy: 'contento' } }, { Dog: { happy: 'feliz' } }],
])('the remedy for two %s of one name works', (section, schemas, words, remedy) => {
  const start = () => open(schemas, { [section]: words });
  expect(start).toThrow(/^es (\S+): .* at (\S+), in one place \(\S+\); write one word at both/);
  const [name] = Object.keys(Object.values(remedy)[0] ?? {});
  const goesBefore = `, or one at /${section}/Root/${name}, which goes before them`;
  if ('Root' in remedy) expect(start).toThrow(goesBefore);
  else if (schemas === moods) expect(start).not.toThrow(goesBefore);
  expect(() => open(schemas, { [section]: { ...words, ...remedy } })).not.toThrow();
});

test('a word of a value holds in all branches, and one of a member must be said by each, or around them', () => {
  const values = { Dog: { happy: 'contento' } };
  const start = () => open(pets, { members: { Cat: { name: 'nombre' } } });
  expect(start).toThrow(/^es \/members\/Cat\/name: "name" is "nombre" here and "name" at \/members\/Dog\/name, /);
  const { words, names } = open(pets, { members: { Cat: { name: 'nombre' }, Dog: { name: 'nombre' } }, values });
  expect(words('{"name":1,"mood":"happy"}')).toBe('{"nombre":1,"mood":"contento"}');
  expect(names('{"nombre":1,"mood":"contento"}')).toBe('{"name":1,"mood":"happy"}');
});

test('a text that one branch leaves open stays, although another one lists it', () => {
  const kind = { properties: { kind: { type: 'string' } } };
  const cat = { properties: { kind: { const: 'cat' } } };
  const { words } = open({ Root: { ...kind, oneOf: [cat, { properties: {} }] } }, { values: { '*': { cat: 'gato' } } });
  expect(words('{"kind":"cat"}')).toBe('{"kind":"cat"}');
});

test('what one part of a schema is called, all of it is', () => {
  const schemas = {
    Root: { allOf: [ref('Page'), { properties: { data: { items: {} }, kind: { type: 'string' } } }] },
    Page: { properties: { data: {}, kind: { allOf: [{ enum: ['all'] }, ref('Kind')] } } },
    Kind: { enum: ['all'] },
  };
  const { words, names } = open(schemas, {
    members: { Page: { data: 'datos', kind: 'tipo' } },
    values: { Kind: { all: 'todo' } },
  });
  expect(words('{"data":[],"kind":"all"}')).toBe('{"datos":[],"tipo":"todo"}');
  expect(names('{"datos":[],"tipo":"todo"}')).toBe('{"data":[],"kind":"all"}');
});

test('branches that give two names one word stop the start', () => {
  expect(() => open(pets, { members: { Cat: { lives: 'x' }, Dog: { name: 'x' } } })).toThrow(VocabularyError);
});

test('the values of a discriminator are exchanged, though each branch lists its own', () => {
  const schemas = {
    Root: {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: {
        propertyName: 'kind',
        mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
      },
    },
    Cat: { properties: { kind: { const: 'cat' } } },
    Dog: { properties: { kind: { type: 'string' }, friend: ref('Root') } },
  };
  const { words, names } = open(schemas, {
    members: { '*': { kind: 'tipo', friend: 'amigo' } },
    // Each alternative may say the word of its own value.
    values: { '*': { dog: 'perro' }, Cat: { cat: 'gato' } },
  });
  expect(words('{"kind":"dog","friend":{"kind":"cat","friend":null}}')).toBe(
    '{"tipo":"perro","amigo":{"tipo":"gato","amigo":null}}',
  );
  expect(names('{"tipo":"perro"}')).toBe('{"kind":"dog"}');
});

test.each([
  [
    'allOf with additionalProperties: false',
    {
      Root: { allOf: [ref('Base'), { properties: { b: {} }, additionalProperties: false }] },
      Base: { properties: { a: {} } },
    },
    '{"a":1,"b":2,"c":{"a":1}}',
    '{"á":1,"é":2,"c":{"a":1}}',
  ],
  [
    'a cycle',
    { Root: { properties: { a: ref('Root'), b: { items: ref('Root') } } } },
    '{"a":{"b":[{"a":{}}]}}',
    '{"á":{"é":[{"á":{}}]}}',
  ],
  [
    'a reference by name',
    { Root: { $ref: '#boat' }, Boat: { $anchor: 'boat', properties: { a: { $ref: '#boat' } } } },
    '{"a":{"a":1}}',
    '{"á":{"á":1}}',
  ],
  ['a reference to itself', { Root: { allOf: [ref('Root'), { properties: { a: {} } }] } }, '{"a":1}', '{"á":1}'],
  [
    'a tuple',
    { Root: { prefixItems: [{ properties: { a: {} } }, {}], items: { properties: { b: {} } } } },
    '[{"a":1,"b":1},{"a":1},{"b":1}]',
    '[{"á":1,"b":1},{"a":1},{"é":1}]',
  ],
  [
    'a map',
    { Root: { properties: { a: {} }, additionalProperties: { properties: { b: {} } } } },
    '{"a":1,"b":{"b":2},"é":{"b":3}}',
    '{"á":1,"b":{"é":2},"é":{"é":3}}',
  ],
  [
    'a pattern',
    { Root: { patternProperties: { '^x-': { properties: { a: {} } } } } },
    '{"x-1":{"a":1},"y":{"a":1}}',
    '{"x-1":{"á":1},"y":{"a":1}}',
  ],
  [
    'a reference with a description',
    { Root: { properties: { a: { ...ref('Kind'), description: 'x' } } }, Kind: { enum: ['v', null] } },
    '{"a":"v"}',
    '{"á":"w"}',
  ],
  [
    'an open enumeration',
    { Root: { properties: { a: { anyOf: [{ enum: ['v'] }, { type: 'string' }] } } } },
    '{"a":"v"}',
    '{"á":"v"}',
  ],
  [
    'null before 3.1',
    {
      Root: { properties: { a: { anyOf: [{ enum: ['v'] }, { nullable: true }] }, b: { enum: ['v'], nullable: true } } },
    },
    '{"a":"v","b":"v"}',
    '{"á":"w","é":"w"}',
  ],
  [
    'constants with titles',
    { Root: { properties: { a: { oneOf: [{ const: 'v', title: 'V' }, { const: 'z' }] } } } },
    '{"a":"v"}',
    '{"á":"w"}',
  ],
  [
    'a type array',
    { Root: { type: ['object', 'null'], properties: { a: { type: ['string', 'null'], enum: ['v', null] } } } },
    '{"a":"v"}',
    '{"á":"w"}',
  ],
  [
    'a union whose alternatives differ by a value, as zod writes it',
    {
      Root: {
        anyOf: [
          { properties: { a: { const: 'v' }, b: {} } },
          { properties: { a: { enum: ['z'] }, c: { properties: { b: {} } } } },
          { type: 'null' },
        ],
      },
    },
    '{"a":"v","b":1,"c":{"b":2}}',
    '{"á":"w","é":1,"c":{"é":2}}',
  ],
  [
    'a part that restricts what another allows',
    {
      Root: { allOf: [ref('Base'), { properties: { a: { enum: ['v'] } } }] },
      Base: { properties: { a: { type: 'string' } } },
    },
    '{"a":"v"}',
    '{"á":"w"}',
  ],
  [
    'kinds that a discriminator maps to',
    {
      Root: {
        properties: { b: {} },
        discriminator: { propertyName: 'b', mapping: { v: '#/components/schemas/Kind' } },
      },
      Kind: { allOf: [ref('Root'), { properties: { a: { items: ref('Root') } } }] },
    },
    '{"b":"v","a":[{"b":"v","a":[]}]}',
    '{"é":"w","á":[{"é":"w","á":[]}]}',
  ],
  [
    'kinds that are composed of what has a discriminator',
    {
      Root: { properties: { b: {} }, discriminator: { propertyName: 'b' } },
      v: { allOf: [ref('Root'), { properties: { a: {} } }] },
    },
    '{"b":"v","a":1}',
    '{"é":"w","á":1}',
  ],
  [
    'a discriminator that nothing declares',
    {
      Root: {
        oneOf: [ref('Kind')],
        discriminator: { propertyName: 'a', mapping: { v: '#/components/schemas/Kind' } },
      },
      Kind: { properties: { b: {} } },
    },
    '{"a":"v","b":1}',
    '{"á":"w","é":1}',
  ],
  [
    'one kind without its sisters',
    {
      Root: { allOf: [ref('Base'), { properties: { a: {} } }] },
      Base: { discriminator: { propertyName: 'c' } },
      Sister: { allOf: [ref('Base'), { properties: { b: {} } }] },
    },
    '{"a":1,"b":2}',
    '{"á":1,"b":2}',
  ],
  [
    'if, else',
    { Root: { if: { properties: { a: {} } }, else: { properties: { b: {} } } } },
    '{"a":1,"b":1}',
    '{"á":1,"é":1}',
  ],
  [
    'names that every object has',
    { Root: { properties: { a: {}, constructor: {}, ['__proto__']: {} } } },
    '{"constructor":1,"__proto__":2,"toString":3}',
    '{"constructor":1,"__proto__":2,"toString":3}',
  ],
])('%s', (_, schemas, canonical, expected) => {
  const { words, names } = open(schemas as Json, { members: { '*': { a: 'á', b: 'é' } }, values: { '*': { v: 'w' } } });
  expect(words(canonical)).toBe(expected);
  if (!canonical.includes('"é"')) expect(names(expected)).toBe(canonical);
  expect(names(expected.normalize('NFD'))).toBe(canonical.normalize('NFD'));
});

test('a reference that leads to nothing leaves its place undescribed, and is told once', () => {
  const notices: string[] = [];
  const schemas = { Root: { properties: { a: ref('Gone'), b: { items: ref('Gone') }, c: ref('b/c') } } };
  const { words } = open(schemas, { members: { '*': { a: 'á', b: 'é' } } }, (notice) => notices.push(notice));
  expect(words('{"a":{"a":1},"b":[{"b":2}],"c":{"a":1}}')).toBe('{"á":{"a":1},"é":[{"b":2}],"c":{"a":1}}');
  const start = 'document #/components/schemas/Root/properties/';
  expect(notices.filter((notice) => notice.startsWith('document'))).toEqual([
    expect.stringContaining(`${start}a: "#/components/schemas/Gone" leads to nothing`),
    expect.stringContaining(`${start}c: "#/components/schemas/b/c" leads to nothing`),
  ]);
});

test('unions that contain each other are read', () => {
  const names = ['Root', ...Array.from({ length: 12 }, (_, at) => `Union${at}`)];
  const schemas = Object.fromEntries(names.map((name) => [name, { anyOf: names.map(ref), properties: { a: {} } }]));
  expect(open(schemas, { members: { '*': { a: 'á' } } }).words('{"a":1}')).toBe('{"á":1}');
});

/** An unsafe pattern would take years to find that it does not match. */
const LONG = `${'a'.repeat(200)}!`;

test.each([
  ['^x-', 'á'],
  ['^[a-z](-[a-z]{2})$', 'á'],
  ['^(foo|x|bar)-y+$', 'á'],
  ['[\\w()*+-]+$', 'á'],
  ['^\\p{Ll}*-[^|]*', 'á'],
  ['^(a+)+$', undefined],
  ['^(a|a)*$', undefined],
  ['^(?:a|aa){20,}$', undefined],
  ['^(a|a){40}$', undefined],
  ['^(a|a)(a|a)(a|a)$', undefined],
  ['^a*a*a*$', undefined],
  ['a*a*$', undefined],
  ['^(?=(a+)+$)', undefined],
  ['(', undefined],
])('a member that matches the pattern %s has the word %s', (pattern, word) => {
  const notices: string[] = [];
  const schemas = { Root: { patternProperties: { [pattern]: { properties: { a: {} } } } } };
  const { words } = open(schemas, { members: { '*': { a: 'á' } } }, (notice) => notices.push(notice));
  const body = (member: string) => `{"${LONG}":{"a":1},"x-yy":{"${member}":1}}`;
  expect(words(body('a')) === body(word ?? 'a')).toBe(true);
  const notice = `document #/components/schemas/Root/patternProperties: "${pattern}" may take too long`;
  expect(notices.filter((each) => each.startsWith('document'))).toEqual(
    word === undefined ? [expect.stringContaining(notice)] : [],
  );
});

test('a unit is converted there and back, and one without an inverse stops the start', () => {
  const schemas = { Root: { properties: { power: { type: 'integer', minimum: 0, maximum: 1000 }, name: {} } } };
  const doubled = { toWords: (value: number) => value * 2, toCanonical: (value: number) => value / 2 };
  const { words, names } = open(schemas, { convert: { Root: { power: doubled } } });
  expect(words('{"power": 105,"name":"105"}')).toBe('{"power": 210,"name":"105"}');
  expect(names('{"power": 210}')).toBe('{"power": 105}');
  for (const number of ['1e400', '-', '1-2', '9'.repeat(70_000)])
    expect(words(`{"power":${number}}`)).toContain(number);
  const rounded = {
    toWords: (value: number) => Math.round(value / 1.36),
    toCanonical: (value: number) => Math.round(value * 1.36),
  };
  expect(() => open(schemas, { convert: { Root: { power: rounded } } })).toThrow(VocabularyError);
  expect(() =>
    open({ Root: { properties: { power: { type: 'number' } } } }, { convert: { Root: { power: doubled } } }),
  ).toThrow(VocabularyError);
});

test('a text that is longer than what is held, and cut, ends where it ends', () => {
  const { createScanner } = open(
    { Root: { properties: { a: { enum: ['v'] }, b: {} } } },
    { members: { '*': { a: 'á' } }, values: { '*': { v: 'w' } } },
  );
  const long = `\\"b\\":${'x'.repeat(70_000)}\\\\`;
  const write = (name: string) => [`{"${long}":1,"${name}":2}`, `{"${name}":"${long}","${name}":2}`];
  for (const [at, text] of write('a').entries()) {
    for (const cut of [65_000, 69_000, 70_005, text.length - 8]) {
      const scanner = createScanner();
      const written = scanner.write(text.slice(0, cut)) + scanner.write(text.slice(cut)) + scanner.end();
      expect(written === write('á')[at], `${at} ${cut}`).toBe(true);
    }
  }
});

test('a name of many marks, which takes long to compose, is that of no member', () => {
  const { names } = open({ Root: { properties: { a: {} } } }, { members: { '*': { a: 'á' } } });
  const marks = `"a${'\u0315'.repeat(30_000)}${'\u0300'.repeat(30_000)}":1,`.repeat(20);
  expect(names(`{${marks}"a\u0301":2}`) === `{${marks}"a":2}`).toBe(true);
});
