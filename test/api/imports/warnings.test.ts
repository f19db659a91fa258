/** What a file has that is probably not meant: keys that a spreadsheet program has damaged, values in another unit. */
import { describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { sharedOut } from '../../support/database/database.ts';

const app = useFreshApp({});

const trees = [
  {
    tag: 'en',
    list: '/api/cars',
    header: 'identifier,brand,model,enginePower',
    words: ['warnings', 'column', 'detail', 'rows', 'row', 'value'],
    key: 'identifier',
    power: 'enginePower',
    damaged: (odd: number, total: number) =>
      `“identifier” seems to be damaged in ${odd} of ${total} rows: a spreadsheet program has made rounded numbers or dates of keys, which are other keys then. Compare the file with its source, and edit XLSX, not CSV.`,
    unit: (odd: number, total: number) =>
      `“enginePower” is “Engine power (CV)”, but above 700 in ${odd} of ${total} rows: check the unit of the column.`,
  },
  {
    tag: 'es',
    list: '/api/coches',
    header: 'identificador;marca;modelo;cilindrada',
    words: ['advertencias', 'columna', 'detalle', 'filas', 'fila', 'valor'],
    key: 'identificador',
    power: 'cilindrada',
    damaged: (odd: number, total: number) =>
      `La clave «identificador» parece dañada en ${odd} de ${total} filas: una hoja de cálculo ha convertido claves en números redondeados o fechas, que son otras claves. Compare el archivo con su origen y edite XLSX, no CSV.`,
    unit: (odd: number, total: number) =>
      `«cilindrada» es «Potencia (CV)», pero supera 700 en ${odd} de ${total} filas: compruebe la unidad de la columna.`,
  },
] as const;

describe.each(sharedOut(trees, 0, trees.length))('a file in $tag', (tree) => {
  const { list, header, words } = tree;
  const [warnings, column, detail, rows, row, value] = words;
  const delimiter = header.includes(';') ? ';' : ',';
  const post = (body: string, headers: Record<string, string> = {}) =>
    app.send('POST', list, body, { 'content-type': 'text/csv', ...headers });
  const table = (lines: readonly (readonly string[])[]) =>
    [header, ...lines.map((cells) => cells.join(delimiter))].join('\n');
  /** A car for each key. */
  const ofKeys = (...keys: readonly string[]) => table(keys.map((key) => [`"${key}"`, 'Seat', 'Ibiza', '']));
  const ofPowers = (...powers: readonly string[]) => table(powers.map((each, at) => [`c${at}`, 'Seat', 'Ibiza', each]));
  const warning = (word: string, said: string, cells: readonly (readonly [number, string])[]) => ({
    [column]: word,
    [detail]: said,
    [rows]: cells.map(([number, sent]) => ({ [row]: number, [value]: sent })),
  });

  test('with damaged keys beside ordinary ones is stored, and they are told with their rows', async () => {
    const { status, json } = await post(ofKeys('8,43700123456789E+018', 'seat-1', '1E+05', '09/03/2026'));
    expect(status).toBe(200);
    expect(json[warnings]).toEqual([
      warning(tree.key, tree.damaged(3, 4), [
        [2, '8,43700123456789E+018'],
        [4, '1E+05'],
        [5, '09/03/2026'],
      ]),
    ]);
  });

  test('that is checked, refused or sent again has its warnings, too', async () => {
    const file = ofKeys('8.437E+18', 'seat-1');
    const told = [warning(tree.key, tree.damaged(1, 2), [[2, '8.437E+18']])];
    expect((await post(file, { prefer: 'handling=check' })).json[warnings]).toEqual(told);
    const refused = await post(`${file}\nx${delimiter}${delimiter}Ibiza${delimiter}`);
    expect([refused.status, refused.json.report[warnings]]).toEqual([
      422,
      [warning(tree.key, tree.damaged(1, 3), [[2, '8.437E+18']])],
    ]);
    const key = { 'idempotency-key': `"warned ${tree.tag}"` };
    expect((await post(file, key)).json[warnings]).toEqual(told);
    expect((await post(file, key)).json[warnings]).toEqual(told);
  });

  test.each([
    '8,43700123456789E+018',
    '8.437E+18',
    '1E+05',
    '1e-7',
    '2026-03-09',
    '2026/3/9',
    '9/3/26',
    '09-03-2026',
    '09.03.2026',
    '2026-03-09 00:00:00',
    '9-mar',
    '09-mar.',
    '9-sept-26',
    'mar-09',
    'ene-26',
    'Mar-09',
    '9 Mar',
  ])('with the key %j is told of', async (key) => {
    const { json } = await post(ofKeys('seat-1', key), { prefer: 'handling=check' });
    expect(json[warnings]).toEqual([warning(tree.key, tree.damaged(1, 2), [[3, key]])]);
  });

  test.each([
    [['1E5', '43E', '1234E567', '9-3', '12-345', '2026-13', '99/99/99', 'seat-12', 'mar-ibiza', '9-marzo-x']],
    [[]],
  ])('with the keys %j is not warned of', async (keys) => {
    const { status, json } = await post(ofKeys(...keys), { prefer: 'handling=check' });
    expect([status, json[warnings]]).toEqual([200, undefined]);
  });

  test('whose keys are all damaged is told of', async () => {
    const { json } = await post(ofKeys('8,437E+12', '8,438E+12'), { prefer: 'handling=check' });
    expect(json[warnings]).toEqual([
      warning(tree.key, tree.damaged(2, 2), [
        [2, '8,437E+12'],
        [3, '8,438E+12'],
      ]),
    ]);
  });

  test('whose power is mostly above 700 is told of', async () => {
    const { status, json } = await post(ofPowers('1598', '105', '', '701', '700'), { prefer: 'handling=check' });
    expect([status, json[warnings]]).toEqual([200, undefined]);
    const most = await post(ofPowers('1598', '105', '', '701'));
    expect([most.status, most.json[warnings]]).toEqual([
      200,
      [
        warning(tree.power, tree.unit(2, 3), [
          [2, '1598'],
          [5, '701'],
        ]),
      ],
    ]);
  });

  test('has the first hundred rows of a warning, and counts all', async () => {
    const file = ofPowers(...Array.from({ length: 1_200 }, () => '1968'));
    const [told] = (await post(file, { prefer: 'handling=check' })).json[warnings];
    expect([told[detail], told[rows].length, told[rows][99]]).toEqual([
      tree.unit(1_200, 1_200),
      100,
      { [row]: 101, [value]: '1968' },
    ]);
  });
});

test('rows that change meanwhile, or repeat a key, are counted once', async () => {
  const file = 'identifier,brand,model,enginePower\na,Seat,Ibiza,1598\na,Seat,Ibiza,1598\nb,Seat,Ibiza,105\n';
  const { json } = await app.send('POST', '/api/cars', file, {
    'content-type': 'text/csv',
    prefer: 'resolution=merge-duplicates',
  });
  expect(json.warnings).toMatchObject([{ detail: expect.stringContaining('in 2 of 3 rows') }]);
});

test.each(['potencia', 'Potencia', 'Potencia (CV)', 'potencia_cv', 'POTENCIA CV', 'Potencia del motor'])(
  'whoever calls the power %j is understood in a table, and told its word elsewhere',
  async (word) => {
    const told = ({ errors: [{ suggestion }] }: { readonly errors: readonly [{ readonly suggestion?: string }] }) =>
      suggestion;
    const file = await app.send('POST', '/api/coches', `identificador;marca;modelo;${word}\na;Seat;Ibiza;105`, {
      'content-type': 'text/csv',
    });
    expect([file.status, file.json.creados]).toEqual([200, 1]);
    const body = JSON.stringify({ marca: 'Seat', modelo: 'Ibiza', [word]: 105 });
    const item = await app.send('POST', '/api/coches', body, { 'content-type': 'application/json' });
    expect([item.status, told(item.json)]).toEqual([400, 'cilindrada']);
    const filter = await app.send('GET', `/api/coches?${encodeURIComponent(word)}=105`);
    expect([filter.status, told(filter.json)]).toEqual([400, 'cilindrada']);
  },
);
