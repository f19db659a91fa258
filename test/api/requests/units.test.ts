import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'ibiza', brand: 'Seat', model: 'Ibiza', enginePower: 105 }],
    ['/api/cars', { identifier: 'leon', brand: 'Seat', model: 'León', enginePower: 150 }],
    ['/api/cars', { identifier: 'panda', brand: 'Fiat', model: 'Panda' }],
  ],
});

/** Both trees: the path, the word of the power, and what else a request says. */
const trees = [
  {
    tag: 'en',
    cars: '/api/cars',
    power: 'enginePower',
    from: 'enginePower_from',
    to: 'enginePower_to',
    brand: 'brand',
  },
  {
    tag: 'es',
    cars: '/api/coches',
    power: 'cilindrada',
    from: 'cilindrada_desde',
    to: 'cilindrada_hasta',
    brand: 'marca',
  },
] as const;

describe.each(trees)('in $tag', ({ cars, power, from, to, brand }) => {
  const ask = (method: string, target: string, unit = 'kW', body?: unknown) =>
    send(method, cars + target, body, { prefer: `units="${power}=${unit}"` });

  test.each([
    ['kW', 77.2, 110.3],
    ['kw', 77.2, 110.3],
    ['HP', 103.6, 147.9],
    ['CV', 105, 150],
  ])('an item and a list in %s have %d', async (unit, ibiza, leon) => {
    const item = await ask('GET', '/ibiza', unit);
    expect([item.status, item.json[power]]).toEqual([200, ibiza]);
    expect([item.headers.get('preference-applied'), item.headers.get('vary')]).toEqual(['units', 'Accept, Prefer']);
    const list = await ask('GET', '', unit);
    expect(list.json.map((car: Record<string, unknown>) => car[power])).toEqual([ibiza, leon, undefined]);
    expect([list.headers.get('preference-applied'), list.headers.get('vary')]).toEqual(['units', 'Accept, Prefer']);
  });

  test('each unit has a tag of its own, which a write without the preference takes', async () => {
    const tags = await Promise.all(
      ['kW', 'HP', 'CV'].map(async (unit) => (await ask('GET', '/ibiza', unit)).headers.get('etag') ?? ''),
    );
    const plain = await send('GET', `${cars}/ibiza`);
    expect(plain.json[power]).toBe(105);
    expect(new Set([...tags, plain.headers.get('etag')]).size).toBe(4);
    for (const tag of tags) {
      const again = await send('GET', `${cars}/ibiza`, undefined, { 'if-none-match': tag });
      expect(again.status).toBe(200);
    }
    const prefer = `units="${power}=kW"`;
    const unchanged = await send('GET', `${cars}/ibiza`, undefined, { prefer, 'if-none-match': tags[0] ?? '' });
    expect([unchanged.status, unchanged.headers.get('vary')]).toEqual([304, 'Accept, Prefer']);
    const written = await send('PATCH', `${cars}/ibiza`, { [power]: 105 }, { 'if-match': tags[0] ?? '' });
    expect(written.status).toBe(200);
  });

  test.each([
    [`?${from}=77.2`, ['ibiza', 'leon']],
    [`?${from}=77.3`, ['leon']],
    [`?${from}=77`, ['ibiza', 'leon']],
    [`?${to}=110.3`, ['ibiza', 'leon']],
    [`?${to}=110.25`, ['ibiza']],
    [`?${power}=77.2`, ['ibiza']],
    [`?${power}=77.2&${power}=110.3&${brand}=seat`, ['ibiza', 'leon']],
  ])('%s is asked in kilowatts', async (query, found) => {
    const { status, json, headers } = await ask('GET', query);
    expect([status, json?.map((car: Record<string, unknown>) => Object.values(car)[0])]).toEqual([200, found]);
    expect(headers.get('link')).not.toContain(`${power}=105`);
  });

  test('a value that is none is refused with the two nearest', async () => {
    for (const [method, target, body] of [
      ['PATCH', '/ibiza', { [power]: 77 }],
      ['PUT', '/ibiza', { [power]: 77 }],
      ['POST', '', { [brand]: 'Seat', [cars === '/api/cars' ? 'model' : 'modelo']: 'Arosa', [power]: 77 }],
      ['GET', `?${power}=77`, undefined],
    ] as const) {
      const { status, json } = await ask(method, target, 'kW', body);
      const [error] = json.errors;
      expect([status, error.detail.includes('76.5'), error.detail.includes('77.2')]).toEqual([400, true, true]);
      expect(error.suggestion).toBe('77.2');
    }
    expect((await send('GET', `${cars}/ibiza`)).json[power]).toBe(105);
  });

  test('what is read can be written', async () => {
    const { status, json } = await ask('PATCH', '/leon', 'kW', { [power]: 110.3 });
    expect([status, json[power]]).toEqual([200, 110.3]);
    const stored = await ask('PUT', '/leon', 'HP', { [power]: 147.9 });
    expect([stored.status, (await send('GET', `${cars}/leon`)).json[power]]).toEqual([200, 150]);
  });

  test('limits are told in the unit', async () => {
    const { json } = await ask('PATCH', '/leon', 'kW', { [power]: 7_355.1 });
    expect(json.errors[0].detail).toMatch(/7[,.]?355(?![.,]1)/);
  });

  test.each([
    [`${power}=PS`, undefined],
    ['doors=kW', undefined],
    [`${power.toUpperCase()}S=kW`, `${power}=kW`],
    ['', undefined],
  ])('%j is refused', async (sent, suggestion) => {
    const { status, json } = await send('GET', cars, undefined, { prefer: `units="${sent}"` });
    expect([status, json.code, json.errors[0].header]).toEqual([400, 'invalid-header', 'Prefer']);
    expect(json.errors[0].suggestion).toBe(suggestion);
    if (suggestion === undefined) expect(json.detail).toContain(`${power}=kW, ${power}=CV, ${power}=HP`);
  });

  test('a file names the unit in its header, and comes back', async () => {
    const prefer = `units="${power}=kW"`;
    const file = await send('GET', cars, undefined, { prefer, accept: 'text/csv' });
    expect(file.text).toContain(`${power} (kW)`);
    for (const headers of [{}, { prefer }]) {
      const report = await send('POST', cars, file.text, {
        'content-type': 'text/csv; charset=utf-8',
        ...headers,
        prefer: ['resolution=merge-duplicates', ...Object.values(headers)].join(', '),
      });
      expect([report.status, Object.values(report.json).slice(0, 3)]).toEqual([200, [0, 0, 3]]);
    }
  });
});
