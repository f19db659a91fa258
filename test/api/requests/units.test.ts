import { afterAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { editedLocales } from '../../support/language/locale-folder.ts';

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'ibiza', brand: 'Seat', model: 'Ibiza', enginePower: 105 }],
    ['/api/cars', { identifier: 'leon', brand: 'Seat', model: 'León', enginePower: 150 }],
    ['/api/cars', { identifier: 'panda', brand: 'Fiat', model: 'Panda' }],
  ],
});

/** What the power of cars is asked for in. */
const ask = (method: string, target: string, unit = 'kW', body?: unknown) =>
  send(method, `/api/coches${target}`, body, { prefer: `units="cilindrada=${unit}"` });

test.each([
  ['kW', 77.2, 110.3],
  ['kw', 77.2, 110.3],
  ['HP', 103.6, 147.9],
  ['CV', 105, 150],
])('an item and a list in %s have %d', async (unit, ibiza, leon) => {
  const item = await ask('GET', '/ibiza', unit);
  expect([item.status, item.json.cilindrada]).toEqual([200, ibiza]);
  expect([item.headers.get('preference-applied'), item.headers.get('vary')]).toEqual(['units', 'Accept, Prefer']);
  const list = await ask('GET', '', unit);
  expect(list.json.map((car: Record<string, unknown>) => car.cilindrada)).toEqual([ibiza, leon, undefined]);
  expect([list.headers.get('preference-applied'), list.headers.get('vary')]).toEqual(['units', 'Accept, Prefer']);
});

test('each unit has a tag of its own, which a write without the preference takes', async () => {
  const tags = await Promise.all(
    ['kW', 'HP', 'CV'].map(async (unit) => (await ask('GET', '/ibiza', unit)).headers.get('etag') ?? ''),
  );
  const plain = await send('GET', '/api/coches/ibiza');
  expect(plain.json.cilindrada).toBe(105);
  expect(new Set([...tags, plain.headers.get('etag')]).size).toBe(4);
  for (const tag of tags) {
    const again = await send('GET', '/api/coches/ibiza', undefined, { 'if-none-match': tag });
    expect(again.status).toBe(200);
  }
  const prefer = 'units="cilindrada=kW"';
  const unchanged = await send('GET', '/api/coches/ibiza', undefined, { prefer, 'if-none-match': tags[0] ?? '' });
  expect([unchanged.status, unchanged.headers.get('vary')]).toEqual([304, 'Accept, Prefer']);
  const written = await send('PATCH', '/api/coches/ibiza', { cilindrada: 105 }, { 'if-match': tags[0] ?? '' });
  expect(written.status).toBe(200);
});

test.each([
  ['?cilindrada_desde=77.2', ['ibiza', 'leon']],
  ['?cilindrada_desde=77.3', ['leon']],
  ['?cilindrada_desde=77', ['ibiza', 'leon']],
  ['?cilindrada_hasta=110.3', ['ibiza', 'leon']],
  ['?cilindrada_hasta=110.25', ['ibiza']],
  ['?cilindrada=77.2', ['ibiza']],
  ['?cilindrada=77.2&cilindrada=110.3&marca=seat', ['ibiza', 'leon']],
])('%s is asked in kilowatts', async (query, found) => {
  const { status, json, headers } = await ask('GET', query);
  expect([status, json?.map((car: Record<string, unknown>) => Object.values(car)[0])]).toEqual([200, found]);
  expect(headers.get('link')).not.toContain('cilindrada=105');
});

test('a value that is none is refused with the two nearest', async () => {
  for (const [method, target, body] of [
    ['PATCH', '/ibiza', { cilindrada: 77 }],
    ['PUT', '/ibiza', { cilindrada: 77 }],
    ['POST', '', { marca: 'Seat', modelo: 'Arosa', cilindrada: 77 }],
    ['GET', '?cilindrada=77', undefined],
  ] as const) {
    const { status, json } = await ask(method, target, 'kW', body);
    const [error] = json.errors;
    expect([status, error.detail.includes('76.5'), error.detail.includes('77.2')]).toEqual([400, true, true]);
    expect(error.suggestion).toBe('77.2');
  }
  expect((await send('GET', '/api/coches/ibiza')).json.cilindrada).toBe(105);
});

test('what is read can be written', async () => {
  const { status, json } = await ask('PATCH', '/leon', 'kW', { cilindrada: 110.3 });
  expect([status, json.cilindrada]).toEqual([200, 110.3]);
  const stored = await ask('PUT', '/leon', 'HP', { cilindrada: 147.9 });
  expect([stored.status, (await send('GET', '/api/coches/leon')).json.cilindrada]).toEqual([200, 150]);
});

test('limits are told in the unit', async () => {
  const { json } = await ask('PATCH', '/leon', 'kW', { cilindrada: 7_355.1 });
  expect(json.errors[0].detail).toMatch(/7[,.]?355(?![.,]1)/);
  expect(json.errors[0].detail).toContain('con 1 decimal como máximo');
});

test.each(['units=cilindrada=kW', 'units="cilindrada=kW', 'units="cilindrada=kW; cilindrada=HP"'])(
  '%s stores nothing: in which unit the number is, is not certain',
  async (prefer) => {
    const { status, json } = await send('PATCH', '/api/coches/leon', { cilindrada: 110 }, { prefer });
    expect([status, json.code, json.errors[0].header]).toEqual([400, 'invalid-header', 'Prefer']);
  },
);

test.each([
  ['cilindrada=PS', undefined],
  ['doors=kW', undefined],
  ['CILINDRADAS=kW', 'cilindrada=kW'],
  ['', undefined],
])('%j is refused', async (sent, suggestion) => {
  const { status, json } = await send('GET', '/api/coches', undefined, { prefer: `units="${sent}"` });
  expect([status, json.code, json.errors[0].header]).toEqual([400, 'invalid-header', 'Prefer']);
  expect(json.errors[0].suggestion).toBe(suggestion);
  if (suggestion === undefined) expect(json.detail).toContain('cilindrada=kW, cilindrada=CV, cilindrada=HP');
});

test('a file names the unit in its header, and comes back', async () => {
  const prefer = 'units="cilindrada=kW"';
  const file = await send('GET', '/api/coches', undefined, { prefer, accept: 'text/csv' });
  expect(file.text).toContain('cilindrada (kW)');
  for (const headers of [{}, { prefer }]) {
    const report = await send('POST', '/api/coches', file.text, {
      'content-type': 'text/csv; charset=utf-8',
      ...headers,
      prefer: ['resolution=merge-duplicates', ...Object.values(headers)].join(', '),
    });
    expect([report.status, Object.values(report.json).slice(0, 3)]).toEqual([200, [0, 0, 3]]);
  }
});

describe('what is read beside a list', () => {
  const prefer = 'units="enginePower=kW"';
  const read = (target: string, headers: Record<string, string> = {}) =>
    send('GET', target, undefined, { prefer, ...headers });

  test('has the unit, too', async () => {
    const groups = await read('/api/cars?group_by=enginePower');
    expect(groups.json).toEqual(expect.arrayContaining([{ enginePower: 77.2, total: 1 }]));
    const changes = await read('/api/cars?changed_since=0');
    expect(changes.json).toContainEqual(expect.objectContaining({ identifier: 'ibiza', enginePower: 77.2 }));
    const events = await read('/api/cars?changed_since=0', { accept: 'text/event-stream' });
    expect([events.text.includes('"enginePower":77.2'), events.headers.get('preference-applied')]).toEqual([
      true,
      'units',
    ]);
    const selected = await read('/api/cars?fields=enginePower&enginePower_to=80');
    expect(selected.json).toEqual([{ identifier: 'ibiza', enginePower: 77.2 }]);
  });

  test('and the same preferences as without', async () => {
    const both = await read('/api/cars?changed_since=0', { prefer: `${prefer}, wait=1` });
    expect(both.headers.get('preference-applied')).toBe('units, wait=1');
  });

  test('but a collection without quantities has none, and a deletion needs none', async () => {
    await send('POST', '/api/cars', { identifier: 'oiled', brand: 'Seat', model: 'Ibiza' });
    const oils = await read('/api/cars/oiled/oils');
    expect([oils.status, oils.headers.get('preference-applied'), oils.headers.get('vary')]).toEqual([
      200,
      null,
      'Accept',
    ]);
    expect((await send('DELETE', '/api/cars/oiled', undefined, { prefer: 'units="x"' })).status).toBe(204);
  });

  test('a word of the other language is told', async () => {
    const { status, json, headers } = await read('/api/cars', { prefer: 'units="cilindrada=kW"' });
    expect([status, json.errors[0].suggestion]).toEqual([400, 'enginePower=kW']);
    expect(headers.get('vary')).toBe('Accept, Prefer');
  });
});

test.each([
  ['text/csv', 'identifier,brand,model,enginePower\ngood,Seat,Ibiza,77.2\nbad,Seat,Ibiza,77'],
  [
    'application/x-ndjson',
    '{"identifier":"good","brand":"Seat","model":"Ibiza","enginePower":77.2}\n{"brand":"Seat","model":"Ibiza","enginePower":77}',
  ],
])('an import of %s takes the unit of a preference, and refuses a value between two', async (type, file) => {
  const prefer = 'handling=lenient, units="enginePower=kW"';
  const { status, headers, json } = await send('POST', '/api/cars', file, { 'content-type': type, prefer });
  expect([status, json.created, json.rejected, headers.get('preference-applied')]).toEqual([200, 1, 1, prefer]);
  expect(json.errors[0].detail).toMatch(/77 kW.*76\.5 and 77\.2/);
  expect((await send('GET', '/api/cars/good')).json.enginePower).toBe(105);
  await send('DELETE', '/api/cars/good');
});

test.each([
  ['/api/cars', 'identifier,brand,model', 'Engine power (kW)', '77.2'],
  ['/api/cars', 'identifier,brand,model', 'enginePower [KW]', '77.2'],
  ['/api/cars', 'identifier,brand,model', 'power (hp)', '103.6'],
  ['/api/cars', 'identifier,brand,model', 'enginePower', '105'],
  ['/api/coches', 'identificador;marca;modelo', 'Potencia (kW)', '77,2'],
  ['/api/coches', 'identificador;marca;modelo', 'cilindrada (CV)', '105'],
])('%s takes a file with a column %s;%s', async (cars, header, power, value) => {
  const delimiter = header.includes(';') ? ';' : ',';
  const file = [`${header}${delimiter}${power}`, ['file', 'Seat', 'Ibiza', value].join(delimiter)].join('\n');
  const report = await send('POST', cars, file, { 'content-type': 'text/csv; charset=utf-8' });
  expect([report.status, Object.values(report.json)[0]]).toEqual([200, 1]);
  expect((await send('GET', '/api/cars/file')).json.enginePower).toBe(105);
  await send('DELETE', '/api/cars/file');
});

test('a large body is read in the unit, too', async () => {
  const car = { identifier: 'large', brand: 'Seat', model: 'Ibiza', enginePower: 77.2 };
  const body = JSON.stringify(car).padEnd(100_000);
  const { status, json } = await send('POST', '/api/cars', body, { prefer: 'units="enginePower=kW"' });
  expect([status, json.enginePower]).toEqual([201, 77.2]);
  expect((await send('GET', '/api/cars/large')).json.enginePower).toBe(105);
  await send('DELETE', '/api/cars/large');
});

describe('a language whose table says kilowatts', () => {
  const metric = useApp({
    locales: editedLocales((table, tag) => {
      if (tag === 'es') table.units = { cars: { enginePower: 'kW' } };
    }, afterAll),
    given: [['/api/cars', { identifier: 'ibiza', brand: 'Seat', model: 'Ibiza', enginePower: 105 }]],
  });

  test('reads and writes them without a preference, and says so', async () => {
    const { json, headers } = await metric.send('GET', '/api/coches/ibiza');
    expect([json.cilindrada, headers.get('vary'), headers.get('preference-applied')]).toEqual([77.2, 'Accept', null]);
    expect((await metric.send('GET', '/api/cars/ibiza')).json.enginePower).toBe(105);
    expect((await metric.send('PATCH', '/api/coches/ibiza', { cilindrada: 76.5 })).status).toBe(200);
    expect((await metric.send('GET', '/api/cars/ibiza')).json.enginePower).toBe(104);
    expect((await metric.send('GET', '/api/coches?cilindrada_desde=76.5')).json).toHaveLength(1);
    const prefer = 'units="cilindrada=CV"';
    expect((await metric.send('GET', '/api/coches/ibiza', undefined, { prefer })).json.cilindrada).toBe(104);
    const dictionary = (await metric.send('GET', '/api/locales/es')).json.collections.cars.fields.enginePower;
    expect([dictionary.unit, dictionary.schema.type, dictionary.schema.maximum]).toEqual(['kW', 'number', 7355]);
    const document = (await metric.send('GET', '/api/openapi.es.json')).json;
    const { type, examples } = document.components.schemas.Coche.properties.cilindrada;
    expect([type, examples]).toEqual(['number', [77.2, 80.2]]);
  });
});
