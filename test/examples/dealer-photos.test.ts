/** Rows of cars whose columns feed the list of their photos: refused, explained, checked, stored and saved, over HTTP and by the command. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../examples/dealer/catalogue.ts';
import { useApp } from '../support/app/app.ts';
import { runHere } from '../support/commands/given.ts';
import { dealerTables, dealerFolder as folder } from '../support/language/dealer.ts';
import { temporaryFolder } from '../support/process/folder.ts';

const app = useApp({ catalogue, locales: dealerTables(afterAll) });

const [EN, ES] = ['/api/imports/cars', '/api/importaciones/coches'];
const post = (path: string, prefer: string, file: string) =>
  app.send('POST', path, file, { 'content-type': 'text/csv', prefer });
const photosOf = async (car: string) => (await app.send('GET', `/api/cars/${car}/photos`)).json;
const link = (name: string): string => `https://example.com/${name}.jpg`;

test.each([
  [EN, 'foto1=fotos.enlace', 'invalid-header', '“fotos.enlace” is not a field of the car; did you mean “photos.link”?'],
  [EN, 'foto1=photos.lnik', 'invalid-header', '“photos.lnik” is not a field of the car; did you mean “photos.link”?'],
  [
    ES,
    'foto1=fotos.enlase',
    'invalid-header',
    '«fotos.enlase» no es un campo del coche; ¿quería decir «fotos.enlace»?',
  ],
  [
    EN,
    'foto1=pictures.url',
    'invalid-header',
    '“pictures.url” is not a field of the car; the fields are: photos.number, photos.link.',
  ],
  [
    ES,
    'foto1=imágenes.url',
    'invalid-header',
    '«imágenes.url» no es un campo del coche; los campos son: fotos.numero, fotos.enlace.',
  ],
  [
    EN,
    'foto1=photos.link; foto1=photos.number',
    'invalid-header',
    '“foto1” cannot be both “photos.link” and “photos.number”.',
  ],
  [
    ES,
    'foto1=fotos.enlace; foto1=fotos.numero',
    'invalid-header',
    '«foto1» no puede ser a la vez «fotos.enlace» y «fotos.numero».',
  ],
  [EN, 'bild*=photos.link', 'malformed-file', '“columns” names “bild*”, but no column of row 1 is called that.'],
  [
    ES,
    'foto*=fotos.enlace',
    'malformed-file',
    '«foto1» (columna E) es «foto1», como ya lo es la columna D. Ponga «#» delante del nombre de la que no corresponde o descártela con «columns».',
  ],
])('at %s, columns="%s" is refused', async (path, columns, code, detail) => {
  const header = path === EN ? 'registration,make,model' : 'matricula,marca,modelo,foto1,foto1';
  const { status, json } = await post(path, `columns="${Buffer.from(columns).toString('latin1')}"`, `${header}\n`);
  expect([status, json.code, json.detail]).toEqual([400, code, detail]);
});

describe.each([
  ['en', EN, 'registration,make,model', 'photos.number', 'photos.link', ['errors', 'column', 'code', 'detail']],
  ['es', ES, 'matricula;marca;modelo', 'fotos.numero', 'fotos.enlace', ['errores', 'columna', 'codigo', 'detalle']],
] as const)('in %s', (tag, path, header, numberWord, linkWord, [errors, ...members]) => {
  const delimiter = tag === 'en' ? ',' : ';';
  const table = (columns: readonly string[], ...rows: readonly (readonly string[])[]) =>
    [[header, ...columns], ...rows].map((cells) => cells.join(delimiter)).join('\n');
  const car = (key: string) => [key, 'Seat', 'Ibiza'].join(delimiter);
  const errorsOf = ({ report }: Record<string, Record<string, Record<string, unknown>[]>>) =>
    report?.[errors]?.map((error) => members.map((member) => error[member]));

  test('faults of cells are those of their row and column, and nothing is stored', async () => {
    const file = table(
      ['foto1', 'foto2'],
      [car('1'), link('a'), 'nowhere'],
      [car('2'), link('b'), ''],
      [car('3'), 'nothing', 'more'],
    );
    const { status, json } = await post(path, `columns="foto*=${linkWord}"`, file);
    const expected = (column: string) =>
      tag === 'en'
        ? `“${column}” must be a URL that begins with “http://” or “https://”.`
        : `«${column}» debe ser una URL que empiece por «http://» o «https://».`;
    expect([status, errorsOf(json)]).toEqual([
      422,
      ['foto2', 'foto1', 'foto2'].map((column) => [column, 'invalid-value', expected(column)]),
    ]);
    expect((await app.send('GET', '/api/cars/1')).status).toBe(404);
  });

  test('an item needs what its list requires, and has its key once', async () => {
    const columns = `columns="n*=${numberWord}; foto*=${linkWord}"`;
    const file = table(
      ['n1', 'foto1', 'n2', 'foto2'],
      [car('1'), 'x', '', '', ''],
      [car('2'), '', link('a'), '', ''],
      [car('3'), 'x', link('a'), 'x', link('b')],
    );
    const { json } = await post(path, columns, file);
    const texts =
      tag === 'en'
        ? [
            '“photos.link” is required.',
            '“photos.number” is required.',
            '“n2” is “x”, which is already in row 4 of the file.',
          ]
        : [
            '«fotos.enlace» es obligatorio.',
            '«fotos.numero» es obligatorio.',
            '«n2» es «x», que ya está en la fila 4 del archivo.',
          ];
    expect(errorsOf(json)).toEqual([
      [linkWord, 'missing-field', texts[0]],
      [numberWord, 'missing-field', texts[1]],
      ['n2', 'already-exists', texts[2]],
    ]);
  });

  test('several members make an item, by the order of their columns', async () => {
    const columns = `columns="n*=${numberWord}; foto*=${linkWord}"`;
    const file = table(['foto1', 'foto2', 'n1', 'n2'], [car('B'), link('x'), link('y'), 'front', 'back']);
    const { status } = await post(path, `resolution=merge-duplicates, ${columns}`, file);
    expect([status, await photosOf('B')]).toEqual([
      200,
      [
        { number: 'front', link: link('x') },
        { number: 'back', link: link('y') },
      ],
    ]);
  });

  test('the second time nothing changes; the plate may be written in another way', async () => {
    const columns = `resolution=merge-duplicates, columns="foto*=${linkWord}"`;
    const since = async () => (await app.send('GET', '/api/photos')).headers.get('latest-change');
    const [first, again] = [['1824 BBB'], ['1824-bbb']].map(([plate = '']) =>
      table(['foto1', 'foto2'], [car(plate), '', link('one')]),
    );
    await post(path, columns, first ?? '');
    const before = [await since(), await photosOf('1824BBB')];
    const { json } = await post(path, columns, again ?? '');
    expect(json[tag === 'en' ? 'nested' : 'anidados']).toEqual(
      tag === 'en'
        ? { photos: { created: 0, updated: 0, unchanged: 1, deleted: 0 } }
        : { fotos: { creados: 0, actualizados: 0, sin_cambios: 1, eliminados: 0 } },
    );
    expect([await since(), await photosOf('1824BBB')]).toEqual(before);
    expect(before[1]).toEqual([{ number: '1', link: link('one') }]);
  });
});

describe('the command', () => {
  test.each([
    [
      'en',
      ['registration', 'make', 'model', 'photos.link'],
      ['D “foto 1” is “photos.link”, as “columns” says.', 'Row 2, D “foto 1”: “https://example.com/a.jpg”.'],
      'photos: created 2, updated 0, unchanged 0, deleted 0',
    ],
    [
      'es',
      ['matricula', 'marca', 'modelo', 'fotos.enlace'],
      ['D «foto 1» es «fotos.enlace», como indica «columns».', 'Fila 2, D «foto 1»: «https://example.com/a.jpg».'],
      'fotos: creados 2, actualizados 0, sin cambios 0, eliminados 0',
    ],
  ])('explains, counts and saves in %s', async (tag, [key, make, model, member], lines, counts) => {
    const temporary = temporaryFolder();
    const [file, saved] = [join(temporary, 'erp.csv'), join(temporary, 'saved.json')];
    writeFileSync(file, `${key};${make};${model};foto 1;foto 2\n1;Seat;Ibiza;${link('a')};${link('b')}\n`);
    const env = { CATALOGUE: folder, DATABASE_URL: `sqlite:${join(temporary, 'dealer.db')}`, LANG: tag };
    const main = 'src/tools/import-export/import-main.ts';
    const args = [file, '--language', tag, '--column', `foto*=${member}`, '--check', '--explain'];
    const explained = await runHere(main, [...args, '--save-profile', saved], env);
    for (const line of lines) expect(explained.join('\n')).toContain(line);
    expect(explained.join('\n')).toContain(counts);
    expect(JSON.parse(readFileSync(saved, 'utf8')).columns).toEqual({ 'foto*': 'photos.link' });
    const stored = await runHere(main, [file, '--language', tag, '--profile', saved], env);
    expect([stored[0], stored.join('\n')]).toEqual([0, expect.stringContaining(counts)]);
  });
});
