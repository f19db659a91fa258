import { expect, onTestFinished, test } from 'vitest';
import { problems as allProblems } from '../../../src/gateway/texts/problem.ts';
import { localesFolder, openApp, useApp } from '../../support/app/app.ts';
import { tableOf, tags } from '../../support/language/locale-folder.ts';

/** Patterns are those of the documents. */
const PATTERN = expect.any(String);
/** No placeholder is left, and the language is right. */
const SPANISH = /^(?!.*\{)(?=.*\b(?:de|el|la|los|las|cada|campos)\b)/i;

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
  const { problems, ...rest } = json;
  expect(rest).toEqual({
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
        paths: {
          list: '/api/coches',
          item: '/api/coches/{cars}',
          imports: '/api/importaciones/coches',
          exports: '/api/exportaciones/coches',
          groups: '/api/grupos/coches',
          selections: '/api/selecciones/coches',
          changes: '/api/cambios/coches',
          events: '/api/eventos/coches',
        },
        fields: {
          identifier: {
            word: 'identificador',
            label: 'Identificador',
            description: 'Clave del coche: se envía al crearlo o la asigna el servicio; no se puede cambiar.',
            kind: 'key',
            required: false,
            searchable: false,
            schema: { type: 'string', minLength: 1, maxLength: 128, pattern: PATTERN },
          },
          brand: {
            word: 'marca',
            label: 'Marca',
            description: 'Marca comercial.',
            kind: 'text',
            required: true,
            searchable: true,
            schema: { type: 'string', minLength: 1, maxLength: 200, pattern: PATTERN },
          },
          model: {
            word: 'modelo',
            label: 'Modelo',
            description: 'Modelo, tal como lo denomina la marca.',
            kind: 'text',
            required: true,
            searchable: true,
            schema: { type: 'string', minLength: 1, maxLength: 200, pattern: PATTERN },
          },
          year: {
            word: 'anio',
            label: 'Año',
            description: 'Año del modelo.',
            kind: 'integer',
            range: { from: 'anio_desde', to: 'anio_hasta' },
            required: false,
            searchable: false,
            schema: { type: 'integer', format: 'int32', minimum: 1886, maximum: 2100 },
          },
          doors: {
            word: 'puertas',
            label: 'Puertas',
            description: 'Número de puertas.',
            kind: 'integer',
            range: { from: 'puertas_desde', to: 'puertas_hasta' },
            required: false,
            searchable: false,
            schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 20 },
          },
          enginePower: {
            word: 'cilindrada',
            label: 'Potencia',
            description:
              'Potencia del motor en CV (caballos de vapor; 1 CV equivale a 0,7355 kW). Aunque «cilindrada» designe el volumen de los cilindros, este campo contiene la potencia.',
            kind: 'integer',
            range: { from: 'cilindrada_desde', to: 'cilindrada_hasta' },
            required: false,
            searchable: false,
            unit: 'CV',
            schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 10_000 },
          },
          version: {
            word: 'version',
            label: 'Versión',
            description: 'Versión del modelo: motorización, acabado, caja de cambios.',
            kind: 'text',
            required: false,
            searchable: true,
            schema: { type: 'string', maxLength: 200, pattern: PATTERN },
          },
          clima: {
            word: 'climatizador',
            label: 'Climatizador',
            description: 'Indica si tiene climatizador.',
            kind: 'flag',
            required: false,
            searchable: false,
            schema: { type: 'boolean' },
          },
          ac: {
            word: 'ac',
            label: 'Aire acondicionado',
            description: 'Indica si tiene aire acondicionado.',
            kind: 'flag',
            required: false,
            searchable: false,
            schema: { type: 'boolean' },
          },
          fuel: {
            word: 'fuel',
            label: 'Combustible',
            description: 'Combustible, en cualquier idioma: texto libre que nunca se traduce.',
            kind: 'text',
            required: false,
            searchable: true,
            schema: { type: 'string', maxLength: 200, pattern: PATTERN },
          },
        },
      },
      oils: {
        parent: 'cars',
        word: 'aceites',
        label: 'Aceites',
        description: 'Los aceites de motor de un coche.',
        paths: {
          list: '/api/coches/{cars}/aceites',
          item: '/api/coches/{cars}/aceites/{oils}',
          imports: '/api/importaciones/coches/{cars}/aceites',
          exports: '/api/exportaciones/coches/{cars}/aceites',
          groups: '/api/grupos/coches/{cars}/aceites',
          selections: '/api/selecciones/coches/{cars}/aceites',
          changes: '/api/cambios/coches/{cars}/aceites',
          events: '/api/eventos/coches/{cars}/aceites',
        },
        fields: {
          type: {
            word: 'tipo',
            label: 'Tipo',
            description:
              'Clave del aceite dentro de su coche, por ejemplo su grado de viscosidad; no se puede cambiar.',
            kind: 'key',
            required: true,
            searchable: true,
            schema: { type: 'string', minLength: 1, maxLength: 128, pattern: PATTERN },
          },
          otherInfo: {
            word: 'otros_datos',
            label: 'Otros datos',
            description: 'Cualquier otra información: texto libre que nunca se traduce.',
            kind: 'text',
            required: false,
            searchable: true,
            schema: { type: 'string', maxLength: 10_000, pattern: PATTERN },
          },
        },
      },
    },
    parameters: {
      sort_by: {
        word: 'ordenar_por',
        description: expect.stringMatching(SPANISH),
        kind: 'field',
        lists: ['cars', 'oils'],
        items: [],
      },
      order: {
        word: 'orden',
        description: expect.stringMatching(SPANISH),
        kind: 'value',
        lists: ['cars', 'oils'],
        items: [],
      },
      number_of_elements: {
        word: 'numero_de_elementos',
        description: expect.stringMatching(SPANISH),
        kind: 'integer',
        lists: ['cars', 'oils'],
        items: [],
      },
      page: {
        word: 'pagina',
        description: expect.stringMatching(SPANISH),
        kind: 'integer',
        lists: ['cars', 'oils'],
        items: [],
      },
      after: {
        word: 'despues_de',
        description: expect.stringMatching(SPANISH),
        kind: 'token',
        lists: ['cars', 'oils'],
        items: [],
      },
      changed_since: {
        word: 'cambiado_desde',
        description: expect.stringMatching(SPANISH),
        kind: 'token',
        lists: ['cars', 'oils'],
        items: [],
      },
      format: {
        word: 'formato',
        description: expect.stringMatching(SPANISH),
        kind: 'token',
        lists: ['cars', 'oils'],
        items: [],
      },
      search: {
        word: 'buscar',
        description: expect.stringMatching(SPANISH),
        kind: 'text',
        lists: ['cars', 'oils'],
        items: [],
      },
      group_by: {
        word: 'agrupar_por',
        description: expect.stringMatching(SPANISH),
        kind: 'field',
        lists: ['cars', 'oils'],
        items: [],
      },
      fields: {
        word: 'campos',
        description: expect.stringMatching(SPANISH),
        kind: 'field',
        lists: ['cars', 'oils'],
        items: ['cars', 'oils'],
      },
      include: {
        word: 'incluir',
        description: expect.stringMatching(SPANISH),
        kind: 'collection',
        lists: ['cars'],
        items: ['cars'],
      },
    },
    suffixes: { from: 'desde', to: 'hasta' },
    members: { total: 'total', deleted: 'eliminado' },
    report: {
      dryRun: 'simulacro',
      cleared: 'vaciados',
      reasons: 'motivos',
      count: 'cantidad',
      repeated: 'repetidos',
      warnings: 'advertencias',
      rows: 'filas',
      value: 'valor',
      changes: 'cambios',
      action: 'accion',
      before: 'antes',
      after: 'despues',
      key: 'clave',
      usedRow: 'fila_usada',
      created: 'creados',
      updated: 'actualizados',
      unchanged: 'sin_cambios',
      skipped: 'omitidos',
      deleted: 'eliminados',
      rejected: 'rechazados',
      detail: 'detalle',
      errors: 'errores',
      row: 'fila',
      column: 'columna',
      code: 'codigo',
      suggestion: 'sugerencia',
    },
    values: {
      asc: 'ascendente',
      desc: 'descendente',
      created: 'creado',
      updated: 'actualizado',
      deleted: 'eliminado',
    },
    flags: { true: ['sí', 's', 'verdadero', 'true', '1'], false: ['no', 'n', 'falso', 'false', '0'] },
    csv: { delimiter: ';', byteOrderMark: true, decimals: ',' },
  });
  expect(Object.keys(problems)).toEqual(Object.keys(allProblems));
  expect(problems['not-found']).toBe('No encontrado');
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
  const app = await openApp({ locales: localesFolder });
  onTestFinished(() => app.close());
  const { json } = await app.send('GET', `/api/locales/${tag}`);
  const collections: readonly { fields: Record<string, { label?: string }> }[] = Object.values(json.collections);
  const fields = collections.flatMap((each) => Object.entries(each.fields));
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.filter(([, { label }]) => !label)).toEqual([]);
});
