import { describe, expect, test } from 'vitest';
import { useApp, useFreshApp } from '../../support/app/app.ts';
import { essentials } from '../../support/app/errors.ts';
import { itemIn } from '../../support/app/reports.ts';
import { en, es, trees } from '../../support/app/trees.ts';
import { carWords } from '../../support/language/car-words.ts';

const WHOLE = {
  ...{ identifier: 'a-1', brand: 'Seat', model: 'Ibiza', year: 2008, doors: 5, enginePower: 105 },
  ...{ version: 'Sport', clima: true, ac: false, fuel: 'Diésel' },
};
const REQUIRED = { identifier: 'a-1', brand: 'Seat', model: 'Ibiza' };
const OIL = { type: '5W-30', otherInfo: 'Sintético' };

describe.each(trees)('what $cars keeps', (tree) => {
  const { send } = useFreshApp({ assignKey: () => 'assigned' });
  const { cars, identifier: key } = tree;
  const [whole, required, oil] = [WHOLE, REQUIRED, OIL].map((item) => itemIn(tree, item));
  const path = `${cars}/a-1`;

  test('writes the members in the order of the schema, however they were sent', async () => {
    const reversed = Object.fromEntries(Object.entries(whole ?? {}).reverse());
    expect((await send('POST', cars, reversed)).text).toBe(JSON.stringify(whole));
    expect((await send('GET', path)).text).toBe(JSON.stringify(whole));
    expect((await send('GET', cars)).text).toBe(JSON.stringify([whole]));
  });

  test('leaves absent values out', async () => {
    expect((await send('POST', cars, required)).text).toBe(JSON.stringify(required));
    expect((await send('GET', path)).text).toBe(JSON.stringify(required));
  });

  const optional = ['year', 'doors', 'enginePower', 'version', 'clima', 'ac', 'fuel'] as const;
  test.each(optional)('takes null for %s as absent, on create and on update', async (name) => {
    const cleared = { [tree[name]]: null };
    expect((await send('POST', cars, { ...required, ...cleared })).text).toBe(JSON.stringify(required));
    await send('DELETE', path);
    await send('POST', cars, whole);
    const { [tree[name]]: _, ...rest } = whole ?? {};
    expect((await send('PUT', path, cleared)).text).toBe(JSON.stringify(rest));
    expect((await send('GET', path)).text).toBe(JSON.stringify(rest));
  });

  test('assigns a key where it is absent or null', async () => {
    const { status, json, headers } = await send('POST', cars, { ...required, [key]: null });
    expect([status, json[key], headers.get('location')]).toEqual([201, 'assigned', `${cars}/assigned`]);
    await send('DELETE', `${cars}/assigned`);
    const { [key]: _, ...keyless } = required ?? {};
    expect((await send('POST', cars, keyless)).json[key]).toBe('assigned');
  });

  test('changes the members sent and no others', async () => {
    await send('POST', cars, whole);
    expect((await send('PUT', path, {})).text).toBe(JSON.stringify(whole));
    const changed = await send('PUT', path, { [key]: 'a-1', version: 'FR', ac: true });
    expect(changed.text).toBe(JSON.stringify({ ...whole, version: 'FR', ac: true }));
  });

  test('keeps an oil alike', async () => {
    await send('POST', cars, required);
    const oils = `${path}/${tree.oils}`;
    const bare = `{"${tree.type}":"5W-30"}`;
    expect((await send('POST', oils, { [tree.otherInfo]: null, [tree.type]: '5W-30' })).text).toBe(bare);
    expect((await send('PUT', `${oils}/5W-30`, oil)).text).toBe(JSON.stringify(oil));
    expect((await send('PUT', `${oils}/5W-30`, {})).text).toBe(JSON.stringify(oil));
    expect((await send('PUT', `${oils}/5W-30`, { [tree.otherInfo]: null })).text).toBe(bare);
  });
});

const languages = [
  {
    ...{ tree: en, cars: en.cars },
    notNull: (word: string) => `“${word}” is required and cannot be “null”.`,
    keyNotNull: (word: string) => `“${word}” is the key and cannot be “null”.`,
    isRequired: (word: string) => `“${word}” is required.`,
    notAField: (word: string) => `“${word}” is not a field of the car; the fields are: ${carWords.en.join(', ')}.`,
    notObject: 'The body must be a JSON object with fields of the car.',
    notOilObject: 'The body must be a JSON object with fields of the oil.',
    errors: (count: number) => `The data of the car contains ${count} errors.`,
    title: 'Invalid body',
  },
  {
    ...{ tree: es, cars: es.cars },
    notNull: (word: string) => `«${word}» es obligatorio y no puede ser «null».`,
    keyNotNull: (word: string) => `«${word}» es la clave y no puede ser «null».`,
    isRequired: (word: string) => `«${word}» es obligatorio.`,
    notAField: (word: string) => `«${word}» no es un campo del coche; los campos son: ${carWords.es.join(', ')}.`,
    notObject: 'El cuerpo debe ser un objeto JSON con campos del coche.',
    notOilObject: 'El cuerpo debe ser un objeto JSON con campos del aceite.',
    errors: (count: number) => `Hay ${count} errores en los datos del coche.`,
    title: 'El contenido enviado no es válido',
  },
] as const;

describe.each(languages)('what $cars refuses', ({ tree, cars, ...said }) => {
  const { brand, model, identifier: key, type: oilKey } = tree;
  const [car, oils] = [`${cars}/a-1`, `${cars}/a-1/${tree.oils}`];
  const { send } = useApp({
    given: [
      [cars, itemIn(tree, REQUIRED)],
      [oils, itemIn(tree, OIL)],
    ],
  });

  const expectErrors = async (method: string, path: string, body: unknown, ...errors: readonly object[]) => {
    const { status, json } = await send(method, path, body);
    expect([status, essentials(json.errors)]).toEqual([400, errors]);
    return json;
  };
  const missing = (word: string) => ({ pointer: `/${word}`, code: 'missing-field', detail: said.isRequired(word) });
  const isNull = (word: string) => ({ pointer: `/${word}`, code: 'invalid-value', detail: said.notNull(word) });
  const isNullKey = (word: string) => ({ pointer: `/${word}`, code: 'invalid-value', detail: said.keyNotNull(word) });

  test.each(['[]', '[{}]', 'null', '5', '"x"', 'true', 'false'])('refuses %s, which is no object', async (body) => {
    const notObject = { pointer: '', code: 'invalid-value', detail: said.notObject };
    await expectErrors('PUT', car, body, notObject);
    // POST imports the items of an array.
    if (body.startsWith('[')) return;
    await expectErrors('POST', cars, body, notObject);
    await expectErrors('POST', oils, body, { ...notObject, detail: said.notOilObject });
  });

  test('points at where missing members should be', async () => {
    const json = await expectErrors('POST', cars, {}, missing(brand), missing(model));
    expect([json.code, json.title, json.detail]).toEqual(['invalid-body', said.title, said.errors(2)]);
    const single = await expectErrors('POST', cars, { [brand]: 'B' }, missing(model));
    expect([single.code, single.detail]).toEqual(['missing-field', said.isRequired(model)]);
  });

  test('refuses null for what is required', async () => {
    await expectErrors('POST', cars, { [brand]: null, [model]: null }, isNull(brand), isNull(model));
    await expectErrors('PUT', car, { [model]: null }, isNull(model));
  });

  test('refuses a null key on update, and on create where it is not assigned', async () => {
    await expectErrors('PUT', car, { [key]: null }, isNullKey(key));
    await expectErrors('PUT', `${oils}/5W-30`, { [oilKey]: null }, isNullKey(oilKey));
    for (const body of [{ [oilKey]: null }, {}]) await expectErrors('POST', oils, body, missing(oilKey));
  });

  test.each([
    ['__proto__', '/__proto__'],
    ['constructor', '/constructor'],
    ['', '/'],
    ['a/b', '/a~1b'],
    ['a~b', '/a~0b'],
    ['~1', '/~01'],
    ['/~', '/~1~0'],
    ['0', '/0'],
    ['{word}', '/{word}'],
    ['$&', '/$&'],
    ['\ud800', '/\ud800'],
  ] as const)('does not know a member %j', async (member, pointer) => {
    const body = `{${JSON.stringify(member)}:{"polluted":true}}`;
    const error = { pointer, code: 'unknown-field', detail: said.notAField(member) };
    const json = await expectErrors('PUT', car, body, error);
    expect([json.code, json.detail]).toEqual(['unknown-field', said.notAField(member)]);
    await expectErrors('POST', cars, `{${body.slice(1, -1)},"${brand}":"B","${model}":"M"}`, error);
  });

  test.each([
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), `${'x'.repeat(200)}…`],
    ['😀'.repeat(5_000), `${'😀'.repeat(200)}…`],
  ])('echoes 200 characters of a member at most', async (member, echoed) => {
    const { json } = await send('PUT', car, { [member]: 1 });
    expect(json.detail).toBe(said.notAField(echoed));
    expect([...json.errors[0].pointer].length).toBeLessThanOrEqual(202);
  });

  test('says of several errors how many there are, and each where it is', async () => {
    const { json } = await send('PUT', car, { [brand]: '', x: 1, version: 5 });
    expect(json).toMatchObject({ code: 'invalid-body', status: 400, title: said.title, detail: said.errors(3) });
    expect(json.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)).toEqual([
      ...[`/${brand} invalid-value`, '/x unknown-field', '/version invalid-value'],
    ]);
  });
});
