import { beforeAll, describe, expect, test } from 'vitest';
import { fileFormats, formats } from '../../../src/gateway/formats/formats.ts';
import { useApp } from '../../support/app/app.ts';
import { type Document, type Documents, resolved } from '../../support/documents/documents.ts';
import { servedDocuments } from '../../support/documents/served.ts';
import { carWords } from '../../support/language/car-words.ts';
import { temporaryFolderWith } from '../../support/language/new-languages.ts';

let documents: Documents;
beforeAll(async () => {
  documents = await servedDocuments();
});
const { send } = useApp();

/** Each list with what there is beside it, and its items. */
const paths = [
  ['coches', 'identificador'],
  ['coches/{identificador}/aceites', 'tipo'],
].flatMap(([list, key]) => [
  ...['', 'selecciones/', 'grupos/', 'exportaciones/', 'cambios/', 'eventos/', 'importaciones/'].map(
    (view) => `/api/${view}${list}`,
  ),
  `/api/${list}/{${key}}`,
]);
const schemaNames = [
  ...['Coche', 'CocheNuevo', 'CambiosDeCoche', 'SeleccionDeCoche', 'GrupoDeCoches', 'CocheCambiado'],
  ...['Aceite', 'AceiteNuevo', 'CambiosDeAceite', 'SeleccionDeAceite', 'GrupoDeAceites', 'AceiteCambiado'],
];

test('the Spanish document holds its language’s words and no other', () => {
  const document = documents.get('es');
  const { schemas } = document.components;
  const others = documents.get('en');
  /** What is called the same in every language. */
  const shared = (part: Document, other: Document) => Object.keys(part).filter((name) => name in other);
  expect(Object.keys(document.paths)).toEqual([...paths, ...shared(document.paths, others.paths)]);
  expect(document.tags.map(({ name }: Document) => name)).toEqual(['Coches', 'Aceites', 'Servicio']);
  expect(Object.keys(schemas)).toEqual([...schemaNames, ...shared(schemas, others.components.schemas)]);
  const required = ['marca', 'modelo'];
  for (const [name, more, needed] of [
    ['Coche', ['aceites'], ['identificador', ...required]],
    ['CocheNuevo', [], required],
    ['CambiosDeCoche', [], undefined],
    ['SeleccionDeCoche', ['aceites'], ['identificador']],
    ['GrupoDeCoches', ['total'], ['total']],
    ['CocheCambiado', ['aceites', 'eliminado'], ['identificador']],
  ] as const) {
    expect(Object.keys(schemas[name].properties)).toEqual([...carWords.es, ...more]);
    expect([name, schemas[name].additionalProperties, schemas[name].required]).toEqual([name, false, needed]);
  }
  expect(Object.keys(schemas.Aceite.properties)).toEqual(['tipo', 'otros_datos']);
  expect(schemas.Coche.properties.cilindrada.description).toBe(
    'Potencia del motor en CV (caballos de vapor; 1 CV equivale a 0,7355 kW). Aunque «cilindrada» designe el volumen de los cilindros, este campo contiene la potencia.',
  );
});

test('there is a path for each kind of answer of a list, with the parameter that asks for it', () => {
  const document = documents.get('es');
  const views = ['selecciones', 'grupos', 'exportaciones', 'cambios', 'eventos'].map((view) => `/api/${view}/coches`);
  const required = views.flatMap((path) =>
    document.paths[path].get.parameters
      .map((each: Document) => resolved(document, each))
      .filter((each: Document) => each.in === 'query' && each.required)
      .map(({ name, schema }: Document) => [name, (schema.anyOf?.[0] ?? schema).enum]),
  );
  expect(required).toEqual([
    ['campos', carWords.es],
    ['agrupar_por', carWords.es],
    ['formato', fileFormats],
    ['cambiado_desde', undefined],
  ]);
  const answer = (path: string) => document.paths[path].get.responses[200].content;
  for (const [path, name] of [
    ['/api/coches', 'Coche'],
    ['/api/selecciones/coches', 'SeleccionDeCoche'],
    ['/api/grupos/coches', 'GrupoDeCoches'],
    ['/api/cambios/coches', 'CocheCambiado'],
  ] as const) {
    const schema = { type: 'array', items: { $ref: `#/components/schemas/${name}` } };
    expect(Object.keys(answer(path))).toEqual(['application/json']);
    expect(answer(path)['application/json'].schema).toEqual(schema);
  }
  const files = formats.filter(({ isFile }) => isFile);
  const exported = answer('/api/exportaciones/coches');
  expect(Object.keys(exported).sort()).toEqual(files.map(({ type }) => type).sort());
  expect(exported['text/csv'].schema).toEqual({ type: 'string' });
  const sent = document.paths['/api/importaciones/coches'].post.requestBody.content;
  const readable = files.filter(({ reading }) => reading).map(({ type }) => type);
  expect(Object.keys(sent).sort()).toEqual(readable.sort());
  for (const { schema } of Object.values<Document>(sent)) expect(schema).toEqual({ type: 'string', format: 'binary' });
});

test('a document shows real cars, which the service takes as they are', async () => {
  const list = '/api/coches';
  const { examples } = documents.get('es').paths[list].post.requestBody.content['application/json'];
  const { summary, value: example } = examples['seat-ibiza-1'];
  expect(summary).toBe('Seat Ibiza');
  expect(Object.values(example)).toEqual([
    ...['seat-ibiza-1', 'Seat', 'Ibiza', 2008, 5, 105, '1.9 TDI Sport', true, false, 'Diésel'],
  ]);
  const created = await send('POST', list, example);
  expect([created.status, created.json]).toEqual([201, example]);
  await send('DELETE', created.headers.get('location') ?? '');
});

const operationIds = (document: Document): readonly string[] =>
  Object.values<Document>(document.paths).flatMap((item) =>
    Object.values<Document>(item).flatMap(({ operationId = [] }) => operationId),
  );

test('PATCH takes what PUT takes, and its response has the entity tag', () => {
  const { put, patch } = documents.get('es').paths['/api/coches/{identificador}'];
  const body = put.requestBody.content['application/json'];
  expect(body.schema).toEqual({ $ref: '#/components/schemas/CambiosDeCoche' });
  expect(patch.requestBody.content).toEqual({ 'application/json': body, 'application/merge-patch+json': body });
  expect(patch.operationId).toBe('carsPatch');
  expect(patch.parameters).toEqual(put.parameters);
  expect(Object.keys(patch.responses)).toEqual(Object.keys(put.responses));
  expect(Object.keys(patch.responses[200].headers)).toEqual([
    ...['Link', 'Preference-Applied', 'X-Change', 'ETag', 'X-Hint'],
  ]);
  expect(Object.keys(put.responses[200].headers)).toEqual(['Link', 'Preference-Applied', 'X-Change', 'X-Hint']);
  expect(Object.keys(patch.responses[415].headers)).toEqual(['Accept-Encoding', 'Accept-Patch']);
  expect(Object.keys(put.responses[415].headers)).toEqual(['Accept-Encoding']);
});

test('operations are called the same in every language', () => {
  const [en, es] = ['en', 'es'].map((tag) => operationIds(documents.get(tag)));
  expect(es).toEqual(en);
  expect(new Set(en).size).toBe(en?.length);
  // What is asked, then what is done with it.
  const verbs = [
    ...['List', 'Create', 'Select', 'Group', 'Export', 'Follow', 'Stream', 'Import'],
    ...['Read', 'Update', 'Patch', 'Remove'],
  ];
  const own = ['cars', 'oils'].flatMap((list) => verbs.map((verb) => list + verb));
  expect(en?.slice(0, own.length)).toEqual(own);
});

test('components have names that most programming languages can have, and no call has the identifier of requests', () => {
  for (const { components, paths } of documents.values()) {
    const { schemas, parameters, headers, responses } = components;
    const names = [schemas, parameters, headers, responses].flatMap((kind) => Object.keys(kind));
    expect(names.filter((name) => !/^[A-Za-z][\w-]*$/.test(name))).toEqual([]);
    expect(JSON.stringify([paths, parameters])).not.toContain('"X-Request-Id"');
  }
});

describe('a document is asked for', () => {
  test.each([
    ['es-MX, en;q=0.1', 'es'],
    ['fr', 'en'],
    ['', 'en'],
  ])('with Accept-Language “%s”', async (wanted, tag) => {
    const { status, headers, json } = await send('GET', '/api/openapi.json', undefined, { 'accept-language': wanted });
    expect([status, headers.get('content-language')]).toEqual([200, tag]);
    expect(headers.get('vary')).toBe('Accept, Accept-Language');
    expect(headers.get('content-location')).toBe(`/api/openapi.${tag}.json`);
    expect(json).toEqual(documents.get(tag));
  });

  test.each(['en', 'es'])('in %s, whatever language the client prefers', async (tag) => {
    const path = `/api/openapi.${tag}.json`;
    for (const slash of ['', '/']) {
      const { headers, json } = await send('GET', path + slash, undefined, { 'accept-language': 'es, en;q=0.5' });
      expect([headers.get('content-type'), headers.get('content-language')]).toEqual(['application/json', tag]);
      expect(json).toEqual(documents.get(tag));
    }
    const { headers, text } = await send('HEAD', path);
    expect([text, Number(headers.get('content-length')) > 20_000]).toEqual(['', true]);
  });
});

test('a new language appears in every document', async () => {
  const all = await servedDocuments({ locales: temporaryFolderWith('ca', 'en', 'es', 'pt') });
  expect([...all.keys()]).toEqual(['ca', 'en', 'es', 'pt']);
  expect(Object.keys(all.get('pt').paths).slice(0, 2)).toEqual([
    '/api/autom%C3%B3veis',
    '/api/sele%C3%A7%C3%B5es/autom%C3%B3veis',
  ]);
  expect(Object.keys(all.get('ca').components.schemas.Cotxe.properties)).toContain('climatitzador');
  for (const document of all.values()) expect(operationIds(document)).toEqual(operationIds(all.get('en')));
});

/** Every object of a document's schemas, by where it is. */
const objectsIn = (schema: Document, at: string): readonly (readonly [string, Document])[] => [
  ...(schema.properties ? [[at, schema] as const] : []),
  ...Object.entries<Document>(schema.properties ?? {}).flatMap(([name, each]) => objectsIn(each, `${at}.${name}`)),
];

test('every property is described in every language that there is', () => {
  for (const { components } of documents.values()) {
    const objects = Object.entries<Document>(components.schemas).flatMap(([name, schema]) => objectsIn(schema, name));
    expect(objects.length).toBeGreaterThan(15);
    const silent = objects.flatMap(([at, { properties }]) =>
      Object.entries<Document>(properties)
        .filter(([, { $ref, description = '' }]) => $ref === undefined && !/\S/.test(description))
        .map(([name]) => `${at}.${name}`),
    );
    expect(silent).toEqual([]);
  }
});
