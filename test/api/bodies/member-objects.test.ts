import { describe, expect, test } from 'vitest';
import { useApp, useFreshApp } from '../../support/app/app.ts';
import { essentials } from '../../support/app/errors.ts';
import { carWords } from '../../support/language/car-words.ts';

const english = {
  cars: '/api/cars',
  oils: '/api/cars/a-1/oils',
  whole: {
    identifier: 'a-1',
    brand: 'Seat',
    model: 'Ibiza',
    year: 2008,
    doors: 5,
    enginePower: 105,
    version: 'Sport',
    clima: true,
    ac: false,
    fuel: 'Diésel',
  },
  required: { identifier: 'a-1', brand: 'Seat', model: 'Ibiza' },
  optional: ['year', 'doors', 'enginePower', 'version', 'clima', 'ac', 'fuel'],
  brand: 'brand',
  model: 'model',
  key: 'identifier',
  oil: { type: '5W-30', otherInfo: 'Synthetic' },
  oilKey: 'type',
  notes: 'otherInfo',
  notNull: (word: string) => `“${word}” is required and cannot be “null”.`,
  keyNotNull: (word: string) => `“${word}” is the key and cannot be “null”.`,
  isRequired: (word: string) => `“${word}” is required.`,
  notAField: (word: string) => `“${word}” is not a field of the car; the fields are: ${carWords.en.join(', ')}.`,
  meant: (word: string, suggestion: string) => `“${word}” is not a field of the car; did you mean “${suggestion}”?`,
  notObject: 'The body must be a JSON object with fields of the car.',
  notOilObject: 'The body must be a JSON object with fields of the oil.',
  errors: (count: number) => `The data of the car contains ${count} errors.`,
  title: 'Invalid body',
} as const;

const spanish = {
  cars: '/api/coches',
  oils: '/api/coches/a-1/aceites',
  whole: {
    identificador: 'a-1',
    marca: 'Seat',
    modelo: 'Ibiza',
    anio: 2008,
    puertas: 5,
    cilindrada: 105,
    version: 'Sport',
    climatizador: true,
    ac: false,
    fuel: 'Diésel',
  },
  required: { identificador: 'a-1', marca: 'Seat', modelo: 'Ibiza' },
  optional: ['anio', 'puertas', 'cilindrada', 'version', 'climatizador', 'ac', 'fuel'],
  brand: 'marca',
  model: 'modelo',
  key: 'identificador',
  oil: { tipo: '5W-30', otros_datos: 'Sintético' },
  oilKey: 'tipo',
  notes: 'otros_datos',
  notNull: (word: string) => `«${word}» es obligatorio y no puede ser «null».`,
  keyNotNull: (word: string) => `«${word}» es la clave y no puede ser «null».`,
  isRequired: (word: string) => `«${word}» es obligatorio.`,
  notAField: (word: string) => `«${word}» no es un campo del coche; los campos son: ${carWords.es.join(', ')}.`,
  meant: (word: string, suggestion: string) => `«${word}» no es un campo del coche; ¿quería decir «${suggestion}»?`,
  notObject: 'El cuerpo debe ser un objeto JSON con campos del coche.',
  notOilObject: 'El cuerpo debe ser un objeto JSON con campos del aceite.',
  errors: (count: number) => `Hay ${count} errores en los datos del coche.`,
  title: 'El contenido enviado no es válido',
} as const;

const trees = [english, spanish];

describe.each(trees)('what $cars keeps', ({ cars, oils, whole, required, optional, key, oil, oilKey, notes }) => {
  const { send } = useFreshApp({ assignKey: () => 'assigned' });

  const reversed = Object.fromEntries(Object.entries(whole).reverse());

  test('writes the members in the order of the schema, however they were sent', async () => {
    expect((await send('POST', cars, reversed)).text).toBe(JSON.stringify(whole));
    expect((await send('GET', `${cars}/a-1`)).text).toBe(JSON.stringify(whole));
    expect((await send('GET', cars)).text).toBe(JSON.stringify([whole]));
  });

  test('leaves absent values out', async () => {
    expect((await send('POST', cars, required)).text).toBe(JSON.stringify(required));
    expect((await send('GET', `${cars}/a-1`)).text).toBe(JSON.stringify(required));
  });

  test.each(optional)('takes null for %s as absent, on create and on update', async (word) => {
    expect((await send('POST', cars, { ...required, [word]: null })).text).toBe(JSON.stringify(required));
    await send('DELETE', `${cars}/a-1`);
    await send('POST', cars, whole);
    const { [word]: _, ...rest } = { ...whole } as Record<string, unknown>;
    expect((await send('PUT', `${cars}/a-1`, { [word]: null })).text).toBe(JSON.stringify(rest));
    expect((await send('GET', `${cars}/a-1`)).text).toBe(JSON.stringify(rest));
  });

  test('assigns a key where it is absent or null', async () => {
    const { status, json, headers } = await send('POST', cars, { ...required, [key]: null });
    expect([status, json[key], headers.get('location')]).toEqual([201, 'assigned', `${cars}/assigned`]);
    await send('DELETE', `${cars}/assigned`);
    const { [key]: _, ...keyless } = { ...required } as Record<string, unknown>;
    expect((await send('POST', cars, keyless)).json[key]).toBe('assigned');
  });

  test('changes the members sent and no others', async () => {
    await send('POST', cars, whole);
    expect((await send('PUT', `${cars}/a-1`, {})).text).toBe(JSON.stringify(whole));
    const changed = await send('PUT', `${cars}/a-1`, { [key]: 'a-1', version: 'FR', ac: true });
    expect(changed.text).toBe(JSON.stringify({ ...whole, version: 'FR', ac: true }));
  });

  test('keeps an oil alike', async () => {
    await send('POST', cars, required);
    expect((await send('POST', oils, { [notes]: null, [oilKey]: '5W-30' })).text).toBe(`{"${oilKey}":"5W-30"}`);
    expect((await send('PUT', `${oils}/5W-30`, oil)).text).toBe(JSON.stringify(oil));
    expect((await send('PUT', `${oils}/5W-30`, {})).text).toBe(JSON.stringify(oil));
    expect((await send('PUT', `${oils}/5W-30`, { [notes]: null })).text).toBe(`{"${oilKey}":"5W-30"}`);
  });
});

describe.each(trees)('what $cars refuses', (tree) => {
  const { cars, oils, required, brand, model, key, oilKey, notNull, keyNotNull, isRequired, notAField, meant } = tree;

  const { send } = useApp({
    given: [
      [cars, required],
      [oils, tree.oil],
    ],
  });

  const expectErrors = async (method: string, path: string, body: unknown, ...errors: readonly object[]) => {
    const { status, json } = await send(method, path, body);
    expect([status, essentials(json.errors)]).toEqual([400, errors]);
    return json;
  };
  const missing = (word: string) => ({ pointer: `/${word}`, code: 'missing-field', detail: isRequired(word) });
  const isNull = (word: string) => ({ pointer: `/${word}`, code: 'invalid-value', detail: notNull(word) });
  const isNullKey = (word: string) => ({ pointer: `/${word}`, code: 'invalid-value', detail: keyNotNull(word) });

  test.each(['[]', '[{}]', 'null', '5', '"x"', 'true', 'false'])('refuses %s, which is no object', async (body) => {
    const notObject = { pointer: '', code: 'invalid-value', detail: tree.notObject };
    await expectErrors('PUT', `${cars}/a-1`, body, notObject);
    // POST imports the items of an array.
    if (body.startsWith('[')) return;
    await expectErrors('POST', cars, body, notObject);
    await expectErrors('POST', oils, body, { ...notObject, detail: tree.notOilObject });
  });

  test('points at where missing members should be', async () => {
    const json = await expectErrors('POST', cars, {}, missing(brand), missing(model));
    expect([json.code, json.title, json.detail]).toEqual(['invalid-body', tree.title, tree.errors(2)]);
    const single = await expectErrors('POST', cars, { [brand]: 'B' }, missing(model));
    expect([single.code, single.detail]).toEqual(['missing-field', isRequired(model)]);
  });

  test('refuses null for what is required', async () => {
    await expectErrors('POST', cars, { [brand]: null, [model]: null }, isNull(brand), isNull(model));
    await expectErrors('PUT', `${cars}/a-1`, { [model]: null }, isNull(model));
  });

  test('refuses a null key on update, and on create where it is not assigned', async () => {
    await expectErrors('PUT', `${cars}/a-1`, { [key]: null }, isNullKey(key));
    await expectErrors('PUT', `${oils}/5W-30`, { [oilKey]: null }, isNullKey(oilKey));
    await expectErrors('POST', oils, { [oilKey]: null }, missing(oilKey));
    await expectErrors('POST', oils, {}, missing(oilKey));
  });

  test.each([
    ['__proto__', '/__proto__'],
    ['constructor', '/constructor'],
    ['toString', '/toString'],
    ['hasOwnProperty', '/hasOwnProperty'],
    ['', '/'],
    ['a/b', '/a~1b'],
    ['a~b', '/a~0b'],
    ['~1', '/~01'],
    ['/~', '/~1~0'],
    ['0', '/0'],
    ['{word}', '/{word}'],
    ['$&', '/$&'],
    ['\ud800', '/\ud800'],
  ])('does not know a member %j', async (member, pointer) => {
    const body = `{${JSON.stringify(member)}:{"polluted":true}}`;
    const error = { pointer, code: 'unknown-field', detail: notAField(member) };
    const json = await expectErrors('PUT', `${cars}/a-1`, body, error);
    expect([json.code, json.detail]).toEqual(['unknown-field', notAField(member)]);
    await expectErrors('POST', cars, `{${body.slice(1, -1)},"${brand}":"B","${model}":"M"}`, error);
  });

  test('lists the first 100 errors and counts all', async () => {
    const body = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`unknown-${at}`, at]));
    const { json } = await send('PUT', `${cars}/a-1`, body);
    expect([json.errors.length, json.code, json.detail]).toEqual([100, 'invalid-body', tree.errors(150)]);
    expect([json.errors[0].pointer, json.errors[99].pointer]).toEqual(['/unknown-0', '/unknown-99']);
  });

  test.each([
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), `${'x'.repeat(200)}…`],
    ['😀'.repeat(5_000), `${'😀'.repeat(200)}…`],
  ])('echoes 200 characters of a member at most', async (member, echoed) => {
    const { json } = await send('PUT', `${cars}/a-1`, { [member]: 1 });
    expect(json.detail).toBe(notAField(echoed));
    expect([...json.errors[0].pointer].length).toBeLessThanOrEqual(202);
  });

  test('says of several errors how many there are, and each where it is', async () => {
    const body = { [brand]: '', x: 1, version: 5 };
    const { json } = await send('PUT', `${cars}/a-1`, body);
    expect([json.code, json.status, json.title, json.detail]).toEqual([
      'invalid-body',
      400,
      tree.title,
      tree.errors(3),
    ]);
    const places = json.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]);
    expect(places).toEqual([
      [`/${brand}`, 'invalid-value'],
      ['/x', 'unknown-field'],
      ['/version', 'invalid-value'],
    ]);
  });

  test('suggests a word that is one slip away', async () => {
    const slips = [
      `${brand}s`,
      brand.slice(1),
      brand.toUpperCase(),
      `x${brand.slice(1)}`,
      `${brand[1]}${brand[0]}${brand.slice(2)}`,
    ];
    for (const slip of slips) {
      const error = { pointer: `/${slip}`, code: 'unknown-field', detail: meant(slip, brand), suggestion: brand };
      await expectErrors('PUT', `${cars}/a-1`, { [slip]: 'x' }, error);
    }
    for (const far of ['zzzz', 'q'.repeat(9)]) {
      const error = { pointer: `/${far}`, code: 'unknown-field', detail: notAField(far) };
      await expectErrors('PUT', `${cars}/a-1`, { [far]: 'x' }, error);
    }
  });
});
