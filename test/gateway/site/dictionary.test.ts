import { expect, test } from 'vitest';
import { problems as allProblems } from '../../../src/gateway/texts/problem.ts';
import { useApp } from '../../support/app/app.ts';
import { tableOf, tags } from '../../support/language/locale-folder.ts';

/** Patterns are those of the documents. */
const PATTERN = expect.any(String);
/** No placeholder is left, and the language is right. */
const SPANISH = /^(?!.*\{)(?=.*\b(?:de|el|la|los|las|cada|campos)\b)/i;

const listWords = (parts: Readonly<Record<string, { readonly word: string }>>) =>
  Object.fromEntries(Object.entries(parts).map(([name, { word }]) => [name, word]));

const { send } = useApp();

test('the dictionaries are listed, each named in itself and in the language asked for', async () => {
  const { json, headers } = await send('GET', '/api/locales', undefined, { 'accept-language': 'es-MX' });
  expect(json).toEqual([
    { tag: 'en', name: 'English', translatedName: 'inglés', url: '/api/locales/en' },
    { tag: 'es', name: 'español', translatedName: 'español', url: '/api/locales/es' },
  ]);
  expect([headers.get('content-language'), headers.get('vary')]).toEqual(['es', 'Accept, Accept-Language']);
});

test('the Spanish one says everything that the Spanish tree calls by words of its own', async () => {
  const { status, json, headers } = await send('GET', '/api/locales/es', undefined, { 'accept-language': 'en' });
  expect([status, headers.get('content-language'), headers.get('vary')]).toEqual([
    200,
    'es',
    'Accept, Accept-Language',
  ]);
  expect(json).toMatchObject({
    tag: 'es',
    name: 'español',
    direction: 'ltr',
    version: 1,
    isDefault: false,
    schema: '/api/openapi.es.json#/components/schemas/Dictionary',
    collections: {
      cars: {
        word: 'coches',
        label: 'Coches',
        description: 'Los coches del catálogo.',
        paths: { list: '/api/coches', item: '/api/coches/{cars}', imports: '/api/importaciones/coches' },
        fields: {
          identifier: { word: 'identificador', kind: 'key', required: false },
          brand: {
            word: 'marca',
            label: 'Marca',
            description: 'Marca comercial.',
            kind: 'text',
            required: true,
            searchable: true,
            schema: { type: 'string', minLength: 1, maxLength: 200, pattern: PATTERN },
          },
          enginePower: {
            word: 'cilindrada',
            label: 'Potencia',
            kind: 'integer',
            range: { from: 'cilindrada_desde', to: 'cilindrada_hasta' },
            unit: 'CV',
            schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 10_000 },
          },
          clima: { word: 'climatizador', kind: 'flag', schema: { type: 'boolean' } },
        },
      },
      oils: {
        parent: 'cars',
        word: 'aceites',
        paths: { item: '/api/coches/{cars}/aceites/{oils}', events: '/api/eventos/coches/{cars}/aceites' },
        fields: { type: { word: 'tipo', required: true }, otherInfo: { word: 'otros_datos' } },
      },
    },
    parameters: {
      sort_by: { word: 'ordenar_por', kind: 'field', lists: ['cars', 'oils'], items: [] },
      fields: { word: 'campos', kind: 'field', lists: ['cars', 'oils'], items: ['cars', 'oils'] },
      include: { word: 'incluir', kind: 'collection', lists: ['cars'], items: ['cars'] },
    },
    suffixes: { from: 'desde', to: 'hasta' },
    members: { total: 'total', deleted: 'eliminado' },
    report: { dryRun: 'simulacro', usedRow: 'fila_usada', unchanged: 'sin_cambios' },
    values: { asc: 'ascendente', desc: 'descendente', created: 'creado' },
    flags: { true: ['sí', 's', 'verdadero', 'true', '1'], false: ['no', 'n', 'falso', 'false', '0'] },
    csv: { delimiter: ';', byteOrderMark: true, decimals: ',' },
  });
  // Whatever else the table names is there with its word.
  const { fields, parameters, values, report } = tableOf('es');
  expect(listWords(json.parameters)).toEqual(parameters);
  for (const name of ['cars', 'oils'] as const) expect(listWords(json.collections[name].fields)).toEqual(fields[name]);
  expect([json.values, json.report]).toMatchObject([values, report]);
  for (const name in json.parameters) expect(json.parameters[name].description).toMatch(SPANISH);
  expect(Object.keys(json.problems)).toEqual(Object.keys(allProblems));
  expect(json.problems['not-found']).toBe('No encontrado');
});

test.each(['fr', 'ES', 'es-MX', '__proto__', 'constructor', 'es%2Fx'])('%s is no dictionary', async (tag) => {
  const { status, json } = await send('GET', `/api/locales/${tag}`, undefined, { 'accept-language': 'es' });
  expect([status, json.code]).toEqual([404, 'not-found']);
  expect(json.detail).toBe(`«${decodeURIComponent(tag)}» no es un idioma del servicio; los disponibles son: en, es.`);
});

test.each(['/api/locales', '/api/locales/en'])('%s has no parameters and is JSON only', async (path) => {
  const { json } = await send('GET', `${path}?lang=es`);
  expect(json.code).toBe('unknown-parameter');
  expect((await send('GET', path, undefined, { accept: 'text/html' })).status).toBe(406);
});

/** A table may leave its descriptions out, and its labels with them. */
const described = tags.filter((tag) => tableOf(tag).descriptions !== undefined);

test.each(described)('every field of %s has a label', async (tag) => {
  const { json } = await send('GET', `/api/locales/${tag}`);
  const collections: readonly { fields: Record<string, { label?: string }> }[] = Object.values(json.collections);
  const fields = collections.flatMap((each) => Object.entries(each.fields));
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.filter(([, { label }]) => !label)).toEqual([]);
});
