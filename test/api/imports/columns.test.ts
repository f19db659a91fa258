/** Files whose headers are those of another program: which column is which field is told by the words that people use, or beside the file. */
import { describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { uploader } from '../../support/app/reports.ts';

const app = useFreshApp();
const SEAT = { identifier: '0042', brand: 'Seat', model: 'Ibiza', year: 2008, enginePower: 105 };

const trees = [
  {
    tag: 'en',
    list: '/api/cars',
    header: ['License plate', 'MAKE', 'Model:', 'MODEL YEAR', 'Leistung', 'Price €', '# note'],
    columns: 'leistung=enginePower; Price €=',
    wrong: ['Leistung=potencia', '“potencia” is not a field of the car; did you mean “enginePower”?'],
    malformed: '“columns” cannot be “Leistung”; it is written like this: columns="CV=<field>; KW=".',
    absent: '“columns” names “Motor”, but no column of row 1 is called that.',
    unknown: [
      'The data of the car contains 2 errors.',
      '“Leistung” (column E of row 1) is not a field of the car; the fields are, the nearest first: identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel. A column whose name begins with “#” is a note, which is not read; nor is any unknown one with “ignore-unknown-columns”.',
      '“Price €” (column F of row 1) is not a field of the car; the fields are, the nearest first: identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel. A column whose name begins with “#” is a note, which is not read; nor is any unknown one with “ignore-unknown-columns”.',
    ],
    twice: [
      'brand,make',
      '“make” (column B) is “brand”, as column A is. Write “#” before the name of the one that is not meant, or leave it out by “columns”.',
    ],
    foreign: [
      'brand,cilindrada',
      '“cilindrada” (column B of row 1) is not a field of the car; did you mean “enginePower”?',
    ],
  },
  {
    tag: 'es',
    list: '/api/coches',
    header: ['Matrícula', 'MARCA', 'Modelo:', 'AÑO DEL MODELO', 'Leistung', 'P.V.P. €', '# nota'],
    columns: 'LEISTUNG=cilindrada; P.V.P. €=',
    wrong: ['Leistung=power', '«power» no es un campo del coche; ¿quería decir «cilindrada»?'],
    malformed: '«columns» no puede ser «Leistung»; se escribe así: columns="CV=<field>; KW=".',
    absent: '«columns» menciona «Motor», pero ninguna columna de la fila 1 se llama así.',
    unknown: [
      'Hay 2 errores en los datos del coche.',
      '«Leistung» (columna E de la fila 1) no es un campo del coche; los campos son, empezando por los más parecidos: identificador, marca, modelo, anio, puertas, cilindrada, version, climatizador, ac, fuel. Una columna cuyo nombre empieza por «#» es una nota y no se lee; con «ignore-unknown-columns» tampoco se lee ninguna desconocida.',
      '«P.V.P. €» (columna F de la fila 1) no es un campo del coche; los campos son, empezando por los más parecidos: identificador, marca, modelo, anio, puertas, cilindrada, version, climatizador, ac, fuel. Una columna cuyo nombre empieza por «#» es una nota y no se lee; con «ignore-unknown-columns» tampoco se lee ninguna desconocida.',
    ],
    twice: [
      'codigo;matrícula',
      '«matrícula» (columna B) es «identificador», como ya lo es la columna A. Ponga «#» delante del nombre de la que no corresponde o descártela con «columns».',
    ],
    foreign: ['marca;doors;ps', '«ps» (columna C de la fila 1) no es un campo del coche; ¿quería decir «cilindrada»?'],
  },
] as const;

describe.each(trees)('a file of another program in $tag', (tree) => {
  const file = [tree.header, ['0042', 'Seat', 'Ibiza', '2008', '105', '9.990,00', 'x']]
    .map((cells) => cells.join(';'))
    .join('\r\n');
  const post = uploader(app.send, tree.list);
  const cars = async () => (await app.send('GET', '/api/cars')).json;

  test('is read where “columns” says what its words do not', async () => {
    const prefer = `handling=lenient, columns="${tree.columns}"`;
    const { status, headers } = await post(file, prefer);
    const applied = headers.get('preference-applied') ?? '';
    expect(applied).toMatch(/^[ -~]+$/);
    expect([status, decodeURIComponent(applied), await cars()]).toEqual([200, prefer, [SEAT]]);
  });

  test('is read where “columns” is in ISO-8859-1, too', async () => {
    const latin = file
      .replace('Leistung', 'Größe')
      .replace(';9.990,00', ';')
      .replace(/;[^;]* €/, ';');
    const prefer = `columns="Größe=enginePower"`;
    const { status } = await app.send('POST', tree.list, latin, { 'content-type': 'text/csv', prefer });
    expect([status, await cars()]).toEqual([200, [SEAT]]);
  });

  test('is refused with the place of each column that is no field', async () => {
    const { status, json } = await post(file);
    expect([status, json.code]).toEqual([400, 'invalid-body']);
    expect([json.detail, ...json.errors.map(({ detail }: { detail: string }) => detail)]).toEqual(tree.unknown);
    expect(await cars()).toEqual([]);
  });

  test('is read without its unknown columns where that is preferred', async () => {
    const { status, headers } = await post(file, 'ignore-unknown-columns');
    expect([status, headers.get('preference-applied')]).toEqual([200, 'ignore-unknown-columns']);
    const { enginePower: _, ...rest } = SEAT;
    expect(await cars()).toEqual([rest]);
  });

  test.each([
    [400, 'invalid-header', `columns="${tree.wrong[0]}"`, tree.wrong[1]],
    [400, 'invalid-header', 'columns=Leistung', tree.malformed],
    [400, 'malformed-file', `columns="${tree.columns}; Motor="`, tree.absent],
  ])('%d %s: %s', async (status, code, prefer, detail) => {
    const { json, ...refused } = await post(file, prefer);
    expect([refused.status, json.code, json.detail]).toEqual([status, code, detail]);
    expect(await cars()).toEqual([]);
  });

  test.each(['x=TOTAL', 'brandx='])('with skip-rows="%s" is refused, as it has no such column', async (pair) => {
    const { status, json } = await post(file, `columns="${tree.columns}", skip-rows="${pair}"`);
    expect([status, json.code]).toEqual([400, 'malformed-file']);
  });

  test.each([tree.twice, tree.foreign])('a header %s is refused', async (header, detail) => {
    const { status, json } = await post(header);
    expect([status, json.detail]).toEqual([400, detail]);
  });
});
