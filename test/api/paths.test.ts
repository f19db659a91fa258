import { describe, expect, test } from 'vitest';
import { useApp, useFreshApp } from '../support/app/app.ts';
import { itemIn } from '../support/app/reports.ts';
import { en, es, quoted, short } from '../support/app/trees.ts';

/** Keys, and how `Location` spells them. */
const keys = [
  ['seat-ibiza-1', 'seat-ibiza-1'],
  ['a/b', 'a%2Fb'],
  ['100%', '100%25'],
  ['%zz', '%25zz'],
  ['Aceite nº 1', 'Aceite%20n%C2%BA%201'],
  ['1+1', '1%2B1'],
  ['a?b=c', 'a%3Fb%3Dc'],
  ['a;b:c@d,e', 'a%3Bb%3Ac%40d%2Ce'],
  ['back\\slash', 'back%5Cslash'],
  ['🚗', '%F0%9F%9A%97'],
  ['\u00e9', '%C3%A9'],
  ['e\u0301', 'e%CC%81'],
  ['...', '...'],
  [':cars', '%3Acars'],
  ['oils', 'oils'],
  ['__proto__', '__proto__'],
  ['🚗'.repeat(128), '%F0%9F%9A%97'.repeat(128)],
].map(([key = '', spelled = '']) => ({ key, spelled, title: short(quoted(key)) }));

const trees = [
  {
    ...{ tree: en, other: es, cars: en.cars, title: 'Malformed path' },
    noCar: (key: string) => `Cannot find the car “${key}”.`,
    noOil: (key: string) => `Cannot find the oil “${key}” for this car.`,
  },
  {
    ...{ tree: es, other: en, cars: es.cars, title: 'Ruta mal formada' },
    noCar: (key: string) => `No existe el coche «${key}».`,
    noOil: (key: string) => `No existe el aceite «${key}» en este coche.`,
  },
] as const;
type Trees = (typeof trees)[number];
const writers = ({ tree }: Pick<Trees, 'tree'>) => ({
  car: (identifier: string) => itemIn(tree, { identifier, brand: 'Seat', model: 'Ibiza' }),
  oil: (type: string) => itemIn(tree, { type }),
  change: itemIn(tree, { otherInfo: 'x' }),
});

describe.each(trees)('keys in $cars', ({ tree, other: otherTree, cars }) => {
  const { car, oil, change } = writers({ tree });
  const { oils, identifier: keyWord } = tree;
  const { cars: other, oils: otherOils, identifier: otherKey } = otherTree;
  const { send } = useFreshApp();

  test.each(keys)('$title survives the life of a car', async ({ key, spelled }) => {
    const created = await send('POST', cars, car(key));
    expect([created.status, created.headers.get('location')]).toEqual([201, `${cars}/${spelled}`]);
    for (const slash of ['', '/']) {
      expect((await send('GET', `${cars}/${spelled}${slash}`)).json).toEqual(car(key));
      expect((await send('GET', `${other}/${spelled}${slash}`)).json[otherKey]).toBe(key);
    }
    expect((await send('PUT', `${cars}/${spelled}`, { ...car(key), fuel: 'x' })).json).toEqual({
      ...car(key),
      fuel: 'x',
    });
    expect((await send('GET', cars)).json).toEqual([{ ...car(key), fuel: 'x' }]);
    expect((await send('GET', `${cars}?${keyWord}=${spelled}`)).json.length).toBe(1);
    expect((await send('POST', cars, car(key))).status).toBe(409);
    expect((await send('DELETE', `${other}/${spelled}`)).status).toBe(204);
    expect((await send('GET', `${cars}/${spelled}`)).status).toBe(404);
  });

  test.each(keys)('$title survives the life of an oil', async ({ key, spelled }) => {
    await send('POST', cars, car(key));
    const address = `${cars}/${spelled}/${oils}/${spelled}`;
    const otherAddress = `${other}/${spelled}/${otherOils}/${spelled}`;
    const created = await send('POST', `${cars}/${spelled}/${oils}`, oil(key));
    expect([created.status, created.headers.get('location')]).toEqual([201, address]);
    const alternate = `<${otherAddress}>; rel="alternate"`;
    expect(created.headers.get('link')).toContain(alternate);
    expect((await send('GET', `${otherAddress}/`)).status).toBe(200);
    expect((await send('PUT', `${address}/`, change)).json).toEqual({ ...oil(key), ...change });
    expect((await send('GET', `${cars}/${spelled}/${oils}/`)).json).toEqual([{ ...oil(key), ...change }]);
    expect((await send('DELETE', otherAddress)).status).toBe(204);
    expect((await send('GET', `${cars}/${spelled}/${oils}`)).json).toEqual([]);
  });

  test('keys are compared exactly, but for blanks at their ends', async () => {
    const alike = ['\u00e9', 'e\u0301', 'e', 'E', 'e.', '%65'];
    for (const key of alike) expect((await send('POST', cars, car(key))).status).toBe(201);
    for (const key of alike) {
      expect((await send('GET', `${cars}/${encodeURIComponent(key)}`)).json[keyWord]).toBe(key);
    }
    for (const key of ['e', 'e ']) expect((await send('POST', cars, car(key))).status).toBe(409);
    expect((await send('GET', `${cars}/%C3%89`)).status).toBe(404);
  });

  test('any spelling of a path leads to the same car', async () => {
    await send('POST', cars, car('añ-1'));
    for (const spelled of ['a%C3%B1-1', 'a%c3%b1-1', '%61%C3%B1%2D1', 'añ-1']) {
      expect((await send('GET', `${cars}/${spelled}`)).json, spelled).toEqual(car('añ-1'));
    }
    const encoded = cars.replace('c', '%63');
    expect((await send('GET', `${encoded}/a%C3%B1-1`)).json).toEqual(car('añ-1'));
  });
});

describe.each(trees)('what is missing in $cars', ({ tree, cars, title, noCar, noOil }) => {
  const { oils } = tree;
  const { car, oil, change } = writers({ tree });
  const { send, request } = useApp({ given: [[cars, car('there')]] });

  const expectMissing = async (method: string, path: string, body: unknown, detail: string) => {
    for (const slash of ['', '/']) {
      const { status, json, headers } = await send(method, path + slash, body);
      expect([status, json.code, json.detail]).toEqual([404, 'not-found', detail]);
      expect(headers.get('content-language')).toBe(cars === '/api/cars' ? 'en' : 'es');
    }
  };

  test.each(['GET', 'PUT', 'DELETE'])('%s of a car', (method) =>
    expectMissing(method, `${cars}/a%2Fb`, method === 'PUT' ? {} : undefined, noCar('a/b')),
  );
  test.each(['GET', 'PUT', 'DELETE'])('%s of an oil', (method) =>
    expectMissing(method, `${cars}/there/${oils}/x`, method === 'PUT' ? change : undefined, noOil('x')),
  );
  test.each(['GET', 'PUT', 'DELETE'])('%s of an oil of a missing car names the car', (method) =>
    expectMissing(method, `${cars}/nowhere/${oils}/x`, method === 'PUT' ? change : undefined, noCar('nowhere')),
  );
  test('the oils of a missing car name the car', async () => {
    await expectMissing('GET', `${cars}/nowhere/${oils}`, undefined, noCar('nowhere'));
    await expectMissing('POST', `${cars}/nowhere/${oils}`, oil('x'), noCar('nowhere'));
    expect((await send('HEAD', `${cars}/nowhere/${oils}`)).status).toBe(404);
  });
  test('keys that cannot be are missing, not malformed', async () => {
    await expectMissing('GET', `${cars}/${'x'.repeat(129)}`, undefined, noCar('x'.repeat(129)));
    await expectMissing('GET', `${cars}/a%09b`, undefined, noCar('a\tb'));
  });

  test.each(['%', '%z', '%zz', 'a%2', '%C0%AF', '%ED%A0%80', '%F5%80%80%80', '%FF', '%00', 'a%00b', '%u0041'])(
    '%j is a malformed path',
    async (segment) => {
      for (const path of [`${cars}/${segment}`, `${cars}/x/${oils}/${segment}`, `${cars}/${segment}/${oils}`]) {
        for (const method of ['GET', 'DELETE', 'PATCH', 'OPTIONS']) {
          const answer = await request(path, { method });
          const body = await answer.json();
          expect([answer.status, body]).toEqual([400, expect.objectContaining({ code: 'malformed-path', title })]);
          expect(answer.headers.get('content-language')).toBe(cars === '/api/cars' ? 'en' : 'es');
        }
      }
    },
  );

  test.each(['.', '..', '%2e', '%2E%2e'])(
    '%s as a key is nothing, and never leaves its collection',
    async (segment) => {
      const { status } = await request(`${cars}/${segment}`);
      expect(status).toBe(404);
      expect((await request(`${cars}/${segment}`, { method: 'DELETE' })).status).toBe(404);
    },
  );
});
