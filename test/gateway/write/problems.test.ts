import { describe, expect, test } from 'vitest';
import { Unavailable, unavailable } from '../../../src/gateway/port/unavailable.ts';
import { problems } from '../../../src/gateway/texts/problem.ts';
import { openApp, useApp } from '../../support/app/app.ts';
import { tryAll } from '../../support/app/tries.ts';

const { send } = useApp();

describe('/api/problems', () => {
  // What each says in which language is a matter of `test/support/language/suites.ts`.
  test.each(Object.entries(problems))(
    '/%s is explained with and without a slash, with its status',
    async (code, status) => {
      for (const path of [`/api/problems/${code}`, `/api/problems/${code}/`]) {
        const { json, headers } = await send('GET', path, undefined, { 'accept-language': 'es-AR' });
        expect([headers.get('content-language'), headers.get('content-type')]).toEqual(['es', 'application/json']);
        expect([json.type, json.status, json.code]).toEqual([`/api/problems/${code}`, status, code]);
      }
    },
  );

  test.each(['nada', 'Gone', 'toString', '__proto__', 'constructor', 'a%2Fb'])('/%s is no code', async (code) => {
    const { status, json, headers } = await send('GET', `/api/problems/${code}`, undefined, {
      'accept-language': 'es',
    });
    expect([status, json.code]).toEqual([404, 'not-found']);
    expect(json.detail).toBe(`No existe el código de error «${decodeURIComponent(code)}».`);
    expect([headers.get('content-language'), headers.get('vary')]).toEqual(['es', 'Accept, Accept-Language']);
  });
});

tryAll(
  `
GET /api/cars/$&{key}
404 not-found Cannot find the car “$&{key}”.
GET /api/coches/${'x'.repeat(201)}
404 not-found No existe el coche «${'x'.repeat(200)}…».
POST /api/cars
> {"identifier":"a-1","brand":"B","model":"M"}
409 already-exists Cannot create the car “a-1”: it already exists.
POST /api/coches/a-1/aceites
> {"tipo":"5W-30"}
409 already-exists Ya existe el aceite «5W-30» en este coche.
PUT /api/coches/a-1
> {"identificador":"A-1"}
409 key-mismatch «identificador» es «A-1» en el cuerpo, pero «a-1» en la URL.
PUT /api/coches/a-1/aceites/5W%2D30
> {"tipo":"5w-30"}
409 key-mismatch «tipo» es «5w-30» en el cuerpo, pero «5W-30» en la URL.
`,
);

const requests = [
  ['GET', '/a-1', null],
  ['GET', '', null],
  ['HEAD', '', null],
  ['POST', '', '{"marca":"B","modelo":"M"}'],
  ['PUT', '/a-1', '{}'],
  ['DELETE', '/a-1', null],
] as const;

const spoiled = async (error: unknown) => {
  const fail = () => {
    throw error;
  };
  const { request, faults, close } = await openApp({
    spoil: () => ({ read: fail, summarize: fail, write: async () => fail() }),
  });
  const headers = { 'content-type': 'application/json', 'x-request-id': 'r-1' };
  const answers = await Promise.all(
    requests.map(async ([method, path, body]) => {
      const answer = await request(`/api/coches${path}`, { method, body, headers });
      return { method, answer, text: await answer.text() };
    }),
  );
  await close();
  return { answers, faults };
};

describe('a fault inside the service', () => {
  test('is told to the log and not to the client', async () => {
    const cause = new Error('secret: the disk is at /dev/sda1');
    const { answers, faults } = await spoiled(cause);
    for (const { method, answer, text } of answers) {
      expect([method, answer.status]).toEqual([method, 500]);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      if (method !== 'HEAD') {
        const problem = {
          type: '/api/problems/internal',
          title: 'Error interno',
          status: 500,
          code: 'internal',
          detail:
            'Se ha producido un error inesperado. Indique el identificador de la petición a quien administra el servicio para que encuentre la causa.',
          remedy: expect.stringContaining('requestId'),
          requestId: 'r-1',
        };
        expect(JSON.parse(text)).toEqual(problem);
      }
    }
    expect(faults).toEqual(requests.map(() => cause));
  });

  test('is a 503 that says when to try again, where the database does not answer', async () => {
    const cause = new Error('secret: database is locked');
    const { answers, faults } = await spoiled(unavailable(cause));
    for (const { answer, text } of answers) {
      expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([503, true]);
      expect(text).not.toContain('secret');
    }
    expect(faults).toEqual(requests.map(() => cause));
  });

  test('says something else where too many long lists are being read, which is no fault', async () => {
    const [outage, crowd] = [await spoiled(unavailable(new Error('gone'))), await spoiled(new Unavailable('lists'))];
    const detailOf = ({ answers }: typeof outage): string => JSON.parse(answers[0]?.text ?? '{}').detail;
    expect(crowd.answers.map(({ answer }) => answer.status)).toEqual(requests.map(() => 503));
    expect(detailOf(crowd)).toMatch(/listas/);
    expect(detailOf(outage)).not.toBe(detailOf(crowd));
    expect(crowd.faults).toEqual([]);
  });
});
