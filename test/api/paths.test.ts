import { describe, expect, test } from 'vitest';
import { useApp, useFreshApp } from '../support/app/app.ts';
import { quoted, short } from '../support/app/trees.ts';

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

const [CARS, OTHER] = ['/api/coches', '/api/cars'];
const car = (identificador: string) => ({ identificador, marca: 'Seat', modelo: 'Ibiza' });
const CHANGE = { otros_datos: 'x' };

describe('keys', () => {
  const { send } = useFreshApp();

  test.each(keys)('$title survives the life of a car', async ({ key, spelled }) => {
    const created = await send('POST', CARS, car(key));
    expect([created.status, created.headers.get('location')]).toEqual([201, `${CARS}/${spelled}`]);
    for (const slash of ['', '/']) {
      expect((await send('GET', `${CARS}/${spelled}${slash}`)).json).toEqual(car(key));
      expect((await send('GET', `${OTHER}/${spelled}${slash}`)).json.identifier).toBe(key);
    }
    const changed = { ...car(key), fuel: 'x' };
    expect((await send('PUT', `${CARS}/${spelled}`, changed)).json).toEqual(changed);
    expect((await send('GET', CARS)).json).toEqual([changed]);
    expect((await send('GET', `${CARS}?identificador=${spelled}`)).json.length).toBe(1);
    expect((await send('POST', CARS, car(key))).status).toBe(409);
    expect((await send('DELETE', `${OTHER}/${spelled}`)).status).toBe(204);
    expect((await send('GET', `${CARS}/${spelled}`)).status).toBe(404);
  });

  test.each(keys)('$title survives the life of an oil', async ({ key, spelled }) => {
    await send('POST', CARS, car(key));
    const address = `${CARS}/${spelled}/aceites/${spelled}`;
    const otherAddress = `${OTHER}/${spelled}/oils/${spelled}`;
    const created = await send('POST', `${CARS}/${spelled}/aceites`, { tipo: key });
    expect([created.status, created.headers.get('location')]).toEqual([201, address]);
    expect(created.headers.get('link')).toContain(`<${otherAddress}>; rel="alternate"`);
    expect((await send('GET', `${otherAddress}/`)).status).toBe(200);
    expect((await send('PUT', `${address}/`, CHANGE)).json).toEqual({ tipo: key, ...CHANGE });
    expect((await send('GET', `${CARS}/${spelled}/aceites/`)).json).toEqual([{ tipo: key, ...CHANGE }]);
    expect((await send('DELETE', otherAddress)).status).toBe(204);
    expect((await send('GET', `${CARS}/${spelled}/aceites`)).json).toEqual([]);
  });

  test('are compared exactly, but for blanks at their ends', async () => {
    const alike = ['\u00e9', 'e\u0301', 'e', 'E', 'e.', '%65'];
    for (const key of alike) expect((await send('POST', CARS, car(key))).status).toBe(201);
    for (const key of alike)
      expect((await send('GET', `${CARS}/${encodeURIComponent(key)}`)).json.identificador).toBe(key);
    for (const key of ['e', 'e ']) expect((await send('POST', CARS, car(key))).status).toBe(409);
    expect((await send('GET', `${CARS}/%C3%89`)).status).toBe(404);
  });

  test('lead to the same car in any spelling of a path', async () => {
    await send('POST', CARS, car('añ-1'));
    for (const path of [
      'coches/a%C3%B1-1',
      'coches/a%c3%b1-1',
      'coches/%61%C3%B1%2D1',
      'coches/añ-1',
      '%63oches/a%C3%B1-1',
    ])
      expect((await send('GET', `/api/${path}`)).json, path).toEqual(car('añ-1'));
  });
});

describe('what is missing', () => {
  const { send, request } = useApp({ given: [[CARS, car('there')]] });
  const noCar = (key: string) => `No existe el coche «${key}».`;

  test.each([
    ['/a%2Fb', {}, noCar('a/b')],
    ['/there/aceites/x', CHANGE, 'No existe el aceite «x» en este coche.'],
    ['/nowhere/aceites/x', CHANGE, noCar('nowhere')],
    ['/nowhere/aceites', undefined, noCar('nowhere')],
    // Keys that cannot be are missing, not malformed.
    [`/${'x'.repeat(129)}`, {}, noCar('x'.repeat(129))],
    ['/a%09b', {}, noCar('a\tb')],
  ])('is said of %s', async (path, change, detail) => {
    for (const method of change ? ['GET', 'PUT', 'DELETE'] : ['GET']) {
      for (const slash of ['', '/']) {
        const body = method === 'PUT' ? change : undefined;
        const { status, json, headers } = await send(method, CARS + path + slash, body);
        expect([status, json.code, json.detail]).toEqual([404, 'not-found', detail]);
        expect(headers.get('content-language')).toBe('es');
      }
    }
  });

  test('is a car to which oils are added, and of which headers are asked for', async () => {
    const { json } = await send('POST', `${CARS}/nowhere/aceites`, { tipo: 'x' });
    expect([json.status, json.detail]).toEqual([404, noCar('nowhere')]);
    expect((await send('HEAD', `${CARS}/nowhere/aceites`)).status).toBe(404);
  });

  test.each(['%', '%z', '%zz', 'a%2', '%C0%AF', '%ED%A0%80', '%F5%80%80%80', '%FF', '%00', 'a%00b', '%u0041'])(
    'is a path where it is malformed: %j',
    async (segment) => {
      for (const path of [`${CARS}/${segment}`, `${CARS}/x/aceites/${segment}`, `${CARS}/${segment}/aceites`]) {
        for (const method of ['GET', 'DELETE', 'PATCH', 'OPTIONS']) {
          const answer = await request(path, { method });
          const problem = expect.objectContaining({ code: 'malformed-path', title: 'Ruta mal formada' });
          expect([answer.status, await answer.json()]).toEqual([400, problem]);
          expect(answer.headers.get('content-language')).toBe('es');
        }
      }
    },
  );

  test.each(['.', '..', '%2e', '%2E%2e'])('is %s as a key, which never leaves its collection', async (segment) => {
    for (const method of ['GET', 'DELETE']) expect((await request(`${CARS}/${segment}`, { method })).status).toBe(404);
  });
});
