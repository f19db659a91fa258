import { describe, expect, test } from 'vitest';
import { useApp, useFreshApp } from '../../support/app/app.ts';
import { essentials } from '../../support/app/errors.ts';
import { carWords } from '../../support/language/car-words.ts';

const [CARS, CAR, OILS] = ['/api/coches', '/api/coches/a-1', '/api/coches/a-1/aceites'];
const REQUIRED = { identificador: 'a-1', marca: 'Seat', modelo: 'Ibiza' };
const WHOLE = {
  ...{ ...REQUIRED, anio: 2008, puertas: 5, cilindrada: 105 },
  ...{ version: 'Sport', climatizador: true, ac: false, fuel: 'Diésel' },
};
const OIL = { tipo: '5W-30', otros_datos: 'Sintético' };

describe('a list keeps', () => {
  const { send } = useFreshApp({ assignKey: () => 'assigned' });

  test('members in the order of the schema, however they were sent', async () => {
    const reversed = Object.fromEntries(Object.entries(WHOLE).reverse());
    expect((await send('POST', CARS, reversed)).text).toBe(JSON.stringify(WHOLE));
    expect((await send('GET', CAR)).text).toBe(JSON.stringify(WHOLE));
    expect((await send('GET', CARS)).text).toBe(JSON.stringify([WHOLE]));
  });

  test('absent values out', async () => {
    expect((await send('POST', CARS, REQUIRED)).text).toBe(JSON.stringify(REQUIRED));
    expect((await send('GET', CAR)).text).toBe(JSON.stringify(REQUIRED));
  });

  test.each(['anio', 'version', 'climatizador'] as const)(
    'null for %s as absent, on create and on update',
    async (word) => {
      expect((await send('POST', CARS, { ...REQUIRED, [word]: null })).text).toBe(JSON.stringify(REQUIRED));
      await send('DELETE', CAR);
      await send('POST', CARS, WHOLE);
      const { [word]: _, ...rest } = WHOLE;
      expect((await send('PUT', CAR, { [word]: null })).text).toBe(JSON.stringify(rest));
      expect((await send('GET', CAR)).text).toBe(JSON.stringify(rest));
    },
  );

  test('a key that it assigns where none or null was sent', async () => {
    const { identificador: _, ...keyless } = REQUIRED;
    for (const body of [keyless, { ...keyless, identificador: null }]) {
      const { status, json, headers } = await send('POST', CARS, body);
      expect([status, json.identificador, headers.get('location')]).toEqual([201, 'assigned', `${CARS}/assigned`]);
      await send('DELETE', `${CARS}/assigned`);
    }
  });

  test('members that are not sent in a change', async () => {
    await send('POST', CARS, WHOLE);
    expect((await send('PUT', CAR, {})).text).toBe(JSON.stringify(WHOLE));
    const changed = await send('PUT', CAR, { identificador: 'a-1', version: 'FR', ac: true });
    expect(changed.text).toBe(JSON.stringify({ ...WHOLE, version: 'FR', ac: true }));
  });

  test('nested items alike', async () => {
    await send('POST', CARS, REQUIRED);
    const bare = '{"tipo":"5W-30"}';
    expect((await send('POST', OILS, { otros_datos: null, tipo: '5W-30' })).text).toBe(bare);
    expect((await send('PUT', `${OILS}/5W-30`, OIL)).text).toBe(JSON.stringify(OIL));
    expect((await send('PUT', `${OILS}/5W-30`, {})).text).toBe(JSON.stringify(OIL));
    expect((await send('PUT', `${OILS}/5W-30`, { otros_datos: null })).text).toBe(bare);
  });
});

describe('a list refuses', () => {
  const { send } = useApp({
    given: [
      [CARS, REQUIRED],
      [OILS, OIL],
    ],
  });

  const expectErrors = async (method: string, path: string, body: unknown, ...errors: readonly object[]) => {
    const { status, json } = await send(method, path, body);
    expect([status, essentials(json.errors)]).toEqual([400, errors]);
    return json;
  };
  const missing = (word: string) => ({
    ...{ pointer: `/${word}`, code: 'missing-field', detail: `«${word}» es obligatorio.` },
  });
  const isNull = (word: string, what = 'es obligatorio') => ({
    ...{ pointer: `/${word}`, code: 'invalid-value', detail: `«${word}» ${what} y no puede ser «null».` },
  });
  const notAField = (word: string) => `«${word}» no es un campo del coche; los campos son: ${carWords.es.join(', ')}.`;

  test.each(['[]', '[{}]', 'null', '5', '"x"', 'true', 'false'])('%s, which is no object', async (body) => {
    const of = (noun: string) => `El cuerpo debe ser un objeto JSON con campos del ${noun}.`;
    const error = { pointer: '', code: 'invalid-value', detail: of('coche') };
    await expectErrors('PUT', CAR, body, error);
    // POST imports the items of an array.
    if (body.startsWith('[')) return;
    await expectErrors('POST', CARS, body, error);
    await expectErrors('POST', OILS, body, { ...error, detail: of('aceite') });
  });

  test('missing members, and points at where they should be', async () => {
    const json = await expectErrors('POST', CARS, {}, missing('marca'), missing('modelo'));
    expect([json.code, json.title, json.detail]).toEqual([
      ...['invalid-body', 'El contenido enviado no es válido', 'Hay 2 errores en los datos del coche.'],
    ]);
    const single = await expectErrors('POST', CARS, { marca: 'B' }, missing('modelo'));
    expect([single.code, single.detail]).toEqual(['missing-field', '«modelo» es obligatorio.']);
  });

  test('null for what is required, for a key on update, and on create where none is assigned', async () => {
    await expectErrors('POST', CARS, { marca: null, modelo: null }, isNull('marca'), isNull('modelo'));
    await expectErrors('PUT', CAR, { modelo: null }, isNull('modelo'));
    await expectErrors('PUT', CAR, { identificador: null }, isNull('identificador', 'es la clave'));
    await expectErrors('PUT', `${OILS}/5W-30`, { tipo: null }, isNull('tipo', 'es la clave'));
    for (const body of [{ tipo: null }, {}]) await expectErrors('POST', OILS, body, missing('tipo'));
  });

  test.each([
    ['__proto__', '/__proto__'],
    ['constructor', '/constructor'],
    ['', '/'],
    ['a/b', '/a~1b'],
    ['~1', '/~01'],
    ['/~', '/~1~0'],
    ['0', '/0'],
    ['{word}', '/{word}'],
    ['$&', '/$&'],
    ['\ud800', '/\ud800'],
  ] as const)('a member %j that it does not know', async (member, pointer) => {
    const body = `{${JSON.stringify(member)}:{"polluted":true}}`;
    const error = { pointer, code: 'unknown-field', detail: notAField(member) };
    const json = await expectErrors('PUT', CAR, body, error);
    expect([json.code, json.detail]).toEqual(['unknown-field', notAField(member)]);
    await expectErrors('POST', CARS, `{${body.slice(1, -1)},"marca":"B","modelo":"M"}`, error);
  });

  test.each([
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), `${'x'.repeat(200)}…`],
    ['😀'.repeat(5_000), `${'😀'.repeat(200)}…`],
  ])('a long member, of which it repeats 200 characters at most', async (member, echoed) => {
    const { json } = await send('PUT', CAR, { [member]: 1 });
    expect(json.detail).toBe(notAField(echoed));
    expect([...json.errors[0].pointer].length).toBeLessThanOrEqual(202);
  });

  test('several errors, counts them, and says where each is', async () => {
    const { json } = await send('PUT', CAR, { marca: '', x: 1, version: 5 });
    expect(json).toMatchObject({ code: 'invalid-body', status: 400, detail: 'Hay 3 errores en los datos del coche.' });
    expect(json.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)).toEqual([
      ...['/marca invalid-value', '/x unknown-field', '/version invalid-value'],
    ]);
  });
});
