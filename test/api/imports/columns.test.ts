/** Files whose headers are those of another program: which column is which field is told by the words that people use, or beside the file. */
import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { uploader } from '../../support/app/reports.ts';

const app = useFreshApp();
const SEAT = { identifier: '0042', brand: 'Seat', model: 'Ibiza', year: 2008, enginePower: 105 };

const COLUMNS = 'LEISTUNG=cilindrada; P.V.P. €=';

const file = [
  ['Matrícula', 'MARCA', 'Modelo:', 'AÑO DEL MODELO', 'Leistung', 'P.V.P. €', '# nota'],
  ['0042', 'Seat', 'Ibiza', '2008', '105', '9.990,00', 'x'],
]
  .map((cells) => cells.join(';'))
  .join('\r\n');
const post = uploader(app.send, '/api/coches');
const cars = async () => (await app.send('GET', '/api/cars')).json;

test('is read where “columns” says what its words do not', async () => {
  const prefer = `handling=lenient, columns="${COLUMNS}"`;
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
  const { status } = await app.send('POST', '/api/coches', latin, { 'content-type': 'text/csv', prefer });
  expect([status, await cars()]).toEqual([200, [SEAT]]);
});

test('is refused with the place of each column that is no field', async () => {
  const { status, json } = await post(file);
  expect([status, json.code]).toEqual([400, 'invalid-body']);
  expect([json.detail, ...json.errors.map(({ detail }: { detail: string }) => detail)]).toEqual([
    'Hay 2 errores en los datos del coche.',
    '«Leistung» (columna E de la fila 1) no es un campo del coche; los campos son, empezando por los más parecidos: identificador, marca, modelo, anio, puertas, cilindrada, version, climatizador, ac, fuel. Una columna cuyo nombre empieza por «#» es una nota y no se lee; con «ignore-unknown-columns» tampoco se lee ninguna desconocida.',
    '«P.V.P. €» (columna F de la fila 1) no es un campo del coche; los campos son, empezando por los más parecidos: identificador, marca, modelo, anio, puertas, cilindrada, version, climatizador, ac, fuel. Una columna cuyo nombre empieza por «#» es una nota y no se lee; con «ignore-unknown-columns» tampoco se lee ninguna desconocida.',
  ]);
  expect(await cars()).toEqual([]);
});

test('is read without its unknown columns where that is preferred', async () => {
  const { status, headers } = await post(file, 'ignore-unknown-columns');
  expect([status, headers.get('preference-applied')]).toEqual([200, 'ignore-unknown-columns']);
  const { enginePower: _, ...rest } = SEAT;
  expect(await cars()).toEqual([rest]);
});

test.each([
  [400, 'invalid-header', 'columns="Leistung=power"', '«power» no es un campo del coche; ¿quería decir «cilindrada»?'],
  [
    400,
    'invalid-header',
    'columns=Leistung',
    '«columns» no puede ser «Leistung»; se escribe así: columns="CV=<field>; KW=".',
  ],
  [
    400,
    'malformed-file',
    `columns="${COLUMNS}; Motor="`,
    '«columns» menciona «Motor», pero ninguna columna de la fila 1 se llama así.',
  ],
])('%d %s: %s', async (status, code, prefer, detail) => {
  const { json, ...refused } = await post(file, prefer);
  expect([refused.status, json.code, json.detail]).toEqual([status, code, detail]);
  expect(await cars()).toEqual([]);
});

test.each(['x=TOTAL', 'brandx='])('with skip-rows="%s" is refused, as it has no such column', async (pair) => {
  const { status, json } = await post(file, `columns="${COLUMNS}", skip-rows="${pair}"`);
  expect([status, json.code]).toEqual([400, 'malformed-file']);
});

test.each([
  [
    'codigo;matrícula',
    '«matrícula» (columna B) es «identificador», como ya lo es la columna A. Ponga «#» delante del nombre de la que no corresponde o descártela con «columns».',
  ],
  ['marca;doors;ps', '«ps» (columna C de la fila 1) no es un campo del coche; ¿quería decir «cilindrada»?'],
])('a header %s is refused', async (header, detail) => {
  const { status, json } = await post(header);
  expect([status, json.detail]).toEqual([400, detail]);
});
