/** What a service without its database must answer, in each language: words typed out. */
import { expect } from 'vitest';
import { trees } from '../app/trees.ts';
import { RESPONSE_LIMIT } from './persistent-writers.ts';

const told = {
  en: {
    title: 'Service unavailable',
    detail: 'The database is not responding at the moment. Try again in a few seconds.',
  },
  es: {
    title: 'Servicio no disponible',
    detail: 'La base de datos no responde en este momento. Vuelva a intentarlo dentro de unos segundos.',
  },
} as const;

const requestsIn = (tree: (typeof trees)[number]): readonly [string, string, object?][] => {
  const [all, car] = [tree.cars, `${tree.cars}/kept`];
  return [
    ['GET', car],
    ['HEAD', car],
    ['GET', `${all}?${tree.brand}=Seat&${tree.page}=1`],
    ['GET', all],
    ['HEAD', all],
    ['GET', `${car}/${tree.oils}`],
    ['POST', all, { [tree.identifier]: 'refused', [tree.brand]: 'Seat', [tree.model]: 'Ibiza' }],
    ['POST', `${car}/${tree.oils}`, { [tree.type]: '5W-30' }],
    ['PUT', car, { [tree.doors]: 3 }],
    ['DELETE', car],
  ];
};

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
    asked.map(async ([{ tag }, method, path, body]) => {
      const answer = await ask(origin, method, path, body);
      const text = await answer.text();
      const { headers } = answer;
      const said = ['retry-after', 'content-language', 'content-type'].map((name) => headers.get(name));
      expect([method, path, answer.status, ...said]).toEqual([method, path, 503, '1', tag, 'application/problem+json']);
      if (method === 'HEAD') expect(text).toBe('');
      else expect(JSON.parse(text)).toMatchObject({ status: 503, code: 'unavailable', ...told[tag] });
    }),
  );
};

/** Waits until the service says that it has its database, or has not; `livez` is as it was. */
export const expectReadiness = async (origin: string, isReady: boolean): Promise<void> => {
  const said = async () => {
    const answer = await ask(origin, 'GET', '/readyz', undefined, 'es-MX');
    const { detail } = JSON.parse(await answer.text());
    return [answer.status, answer.headers.get('retry-after'), answer.headers.get('content-language'), detail];
  };
  const expected = isReady ? [200, null, 'es', undefined] : [503, '1', 'es', told.es.detail];
  await expect.poll(said, { timeout: 60_000, interval: 50 }).toEqual(expected);
  expect((await ask(origin, 'GET', '/livez')).status).toBe(200);
};
