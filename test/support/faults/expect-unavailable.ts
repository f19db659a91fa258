/** What a service without its database must answer, in each language: words typed out. */
import { expect } from 'vitest';
import { RESPONSE_LIMIT } from './persistent-writers.ts';

const trees = [
  {
    tag: 'en',
    car: '/api/cars/kept',
    list: '/api/cars?brand=Seat&page=1',
    all: '/api/cars',
    oils: '/api/cars/kept/oils',
    created: { identifier: 'refused', brand: 'Seat', model: 'Ibiza' },
    change: { doors: 3 },
    oil: { type: '5W-30' },
    title: 'Service unavailable',
    detail: 'The database is not responding at the moment. Try again in a few seconds.',
  },
  {
    tag: 'es',
    car: '/api/coches/kept',
    list: '/api/coches?marca=Seat&pagina=1',
    all: '/api/coches',
    oils: '/api/coches/kept/aceites',
    created: { identificador: 'refused', marca: 'Seat', modelo: 'Ibiza' },
    change: { puertas: 3 },
    oil: { tipo: '5W-30' },
    title: 'Servicio no disponible',
    detail: 'La base de datos no responde en este momento. Vuelva a intentarlo dentro de unos segundos.',
  },
] as const;
type Tree = (typeof trees)[number];

const requestsIn = ({ car, list, all, oils, created, change, oil }: Tree): readonly [string, string, object?][] => [
  ['GET', car],
  ['HEAD', car],
  ['GET', list],
  ['GET', all],
  ['HEAD', all],
  ['GET', oils],
  ['POST', all, created],
  ['POST', oils, oil],
  ['PUT', car, change],
  ['DELETE', car],
];

/** @param language inside a tree it must not count */
const ask = (origin: string, method: string, path: string, body?: object, language = 'de'): Promise<Response> =>
  fetch(origin + path, {
    method,
    headers: { 'content-type': 'application/json', 'accept-language': language },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(RESPONSE_LIMIT),
  });

/** Asks for everything at once, in each language, and expects that all of it is refused in that language in time. */
export const expectRefusals = async (origin: string): Promise<void> => {
  const asked = trees.flatMap((tree) => requestsIn(tree).map((request) => [tree, ...request] as const));
  await Promise.all(
    asked.map(async ([{ tag, title, detail }, method, path, body]) => {
      const answer = await ask(origin, method, path, body);
      const text = await answer.text();
      const { headers } = answer;
      const told = [
        answer.status,
        headers.get('retry-after'),
        headers.get('content-language'),
        headers.get('content-type'),
      ];
      expect([method, path, ...told]).toEqual([method, path, 503, '1', tag, 'application/problem+json']);
      if (method === 'HEAD') expect(text).toBe('');
      else expect(JSON.parse(text)).toMatchObject({ status: 503, code: 'unavailable', title, detail });
    }),
  );
};

/** Waits until the service says that it has its database, or has not; `livez` is as it was. */
export const expectReadiness = async (origin: string, isReady: boolean): Promise<void> => {
  const told = async () => {
    const answer = await ask(origin, 'GET', '/readyz', undefined, 'es-MX');
    const { detail } = JSON.parse(await answer.text());
    return [answer.status, answer.headers.get('retry-after'), answer.headers.get('content-language'), detail];
  };
  const expected = isReady ? [200, null, 'es', undefined] : [503, '1', 'es', trees[1].detail];
  await expect.poll(told, { timeout: 60_000, interval: 50 }).toEqual(expected);
  expect((await ask(origin, 'GET', '/livez')).status).toBe(200);
};
