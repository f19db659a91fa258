import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { carWords } from '../../support/language/car-words.ts';

const CSV = { 'content-type': 'text/csv' };
const { send } = useApp();

/** The same in both languages, typed out. */
const trees = [
  {
    tag: 'en',
    list: '/api/cars',
    ...{ imports: '/api/imports/cars', exports: '/api/exports/cars', groups: '/api/groups/cars' },
    ...{ selections: '/api/selections/cars', oils: '/api/imports/cars/a%2Fb/oils' },
    file: 'identifier,brand,model\na/b,Seat,León\nc,Seat,Ibiza\n',
    oilFile: 'type\n5W-30\n',
    created: 'created',
    exported: ['format=csv&model=leon', carWords.en.join(',')],
    grouped: ['group_by=brand', [{ brand: 'Seat', total: 2 }]],
    selected: ['fields=brand&model=leon', [{ identifier: 'a/b', brand: 'Seat' }]],
    missing: ['“format” is required.', '“group_by” is required.', '“fields” is required.'],
    noFile: ['format=json', /^“format” must be one of .*, not “json”\.$/],
    foreign: ['agrupar_por=marca', 'group_by'],
    object: [
      '{"brand": "Seat", "model": "Ibiza"}',
      'The content must be a JSON array of objects with fields of the car.',
    ],
    suggested: [
      ['/api/imports/coches', '/api/importaciones/coches'],
      ['/api/import/cars', '/api/imports/cars'],
      ['/imports/cars', '/api/imports/cars'],
      ['/api/uploads/cars', '/api/imports/cars'],
      ['/api/group/cars/x/oils', '/api/groups/cars/x/oils'],
      ['/api/imports/cars/x', undefined],
    ],
  },
  {
    tag: 'es',
    list: '/api/coches',
    ...{ imports: '/api/importaciones/coches', exports: '/api/exportaciones/coches', groups: '/api/grupos/coches' },
    ...{ selections: '/api/selecciones/coches', oils: '/api/importaciones/coches/a%2Fb/aceites' },
    file: 'identificador;marca;modelo\na/b;Seat;León\nc;Seat;Ibiza\n',
    oilFile: 'tipo\n5W-30\n',
    created: 'creados',
    exported: ['formato=csv&modelo=leon', carWords.es.join(';')],
    grouped: ['agrupar_por=marca', [{ marca: 'Seat', total: 2 }]],
    selected: ['campos=marca&modelo=leon', [{ identificador: 'a/b', marca: 'Seat' }]],
    missing: ['«formato» es obligatorio.', '«agrupar_por» es obligatorio.', '«campos» es obligatorio.'],
    noFile: ['formato=json', /^«formato» debe ser uno de estos valores: .*, no «json»\.$/],
    foreign: ['group_by=brand', 'agrupar_por'],
    object: [
      '{"marca": "Seat", "modelo": "Ibiza"}',
      'El contenido debe ser un array JSON de objetos con campos del coche.',
    ],
    suggested: [
      ['/api/importaciones/cars', '/api/imports/cars'],
      ['/api/importacion/coches', '/api/importaciones/coches'],
      ['/api/grupo/coches/x/aceites', '/api/grupos/coches/x/aceites'],
      ['/api/importaciones/coches/x/oils', '/api/importaciones/coches/x/aceites'],
      ['/api/grupos/coches/x', undefined],
    ],
  },
] as const;

describe.each(trees)('beside the list in $tag', (tree) => {
  const { tag, imports, exports, groups, selections } = tree;
  beforeAll(async () => {
    for (const key of ['a%2Fb', 'c']) await send('DELETE', `/api/cars/${key}`);
  });

  test('a file is imported, also one of nested items, and an array', async () => {
    const { status, headers, json } = await send('POST', `${imports}/`, tree.file, CSV);
    expect([status, headers.get('content-language'), json[tree.created]]).toEqual([200, tag, 2]);
    expect((await send('POST', tree.oils, tree.oilFile, CSV)).json[tree.created]).toBe(1);
    const [object, detail] = tree.object;
    expect((await send('POST', imports, object)).json).toMatchObject({ code: 'malformed-file', detail });
    expect((await send('POST', imports, '[]')).status).toBe(200);
  });

  test('each read has answers of one kind, the same as the list’s, in its canonical links too', async () => {
    for (const [path, [query, found]] of [
      [groups, tree.grouped],
      [selections, tree.selected],
    ] as const) {
      const { status, headers, json } = await send('GET', `${path}?${query}`);
      expect([status, headers.get('content-language'), json]).toEqual([200, tag, found]);
      const list = await send('GET', `${tree.list}?${query}`);
      expect([json, headers.get('link'), headers.get('etag')]).toEqual([
        list.json,
        list.headers.get('link'),
        list.headers.get('etag'),
      ]);
    }
    const [query, header] = tree.exported;
    const { text, headers } = await send('GET', `${exports}?${query}`);
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
    expect(text.replace('\uFEFF', '').split('\r\n')[0]).toBe(header);
  });

  test('a read asks for its parameter, and refuses what its answers are not', async () => {
    for (const [at, path] of [exports, groups, selections].entries()) {
      const { status, json } = await send('GET', path);
      expect([status, json.code, json.detail]).toEqual([400, 'invalid-parameter', tree.missing[at]]);
    }
    const [query, detail] = tree.noFile;
    expect((await send('GET', `${exports}?${query}`)).json.detail).toMatch(detail);
    const [foreign, suggestion] = tree.foreign;
    expect((await send('GET', `${groups}?${foreign}`)).json).toMatchObject({
      code: 'unknown-parameter',
      errors: [{ suggestion }],
    });
  });

  test('methods are those of the path', async () => {
    for (const [path, allow] of [
      [imports, 'POST, OPTIONS'],
      [exports, 'GET, HEAD, OPTIONS'],
      [groups, 'GET, HEAD, OPTIONS'],
      [selections, 'GET, HEAD, OPTIONS'],
    ] as const) {
      const [options, refused] = [await send('OPTIONS', path), await send('PUT', path, '{}')];
      expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
      expect([refused.status, refused.headers.get('allow'), refused.json.code]).toEqual([
        405,
        allow,
        'method-not-allowed',
      ]);
      expect(refused.headers.get('content-language')).toBe(tag);
    }
  });

  test('a path that is not there is answered with the one that was meant', async () => {
    for (const [path, suggestion] of tree.suggested) {
      const { status, json } = await send('GET', path);
      expect([path, status, json.code, json.suggestion]).toEqual([path, 404, 'no-such-path', suggestion]);
    }
  });
});

test('a key is as it was sent, and a word however its accents are composed', async () => {
  await send('POST', '/api/cars', { identifier: 'leo\u0301n', brand: 'Seat', model: 'León' });
  const { json } = await send('POST', '/api/imports/cars/leo%CC%81n/oils', 'type\n0W-20\n', CSV);
  expect(json.created).toBe(1);
  expect((await send('POST', '/api/imports/cars/le%C3%B3n/oils', 'type\n0W-20\n', CSV)).status).toBe(404);
});
