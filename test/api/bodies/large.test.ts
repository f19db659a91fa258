/** A body that is large is read by a thread, and answered as any other. */
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { en, es } from '../../support/app/trees.ts';

const app = useApp();
const LARGE = ' '.repeat(65_537);

const bodies: readonly (readonly [method: string, body: string])[] = [
  ['POST', '{"identifier":"a","brand":"Seat","model":"Ibiza"}'],
  ['POST', '{"identificador":"a","marca":"Seat","modelo":"Ibiza"}'],
  ['POST', '{"brand":"Seat","year":"2008","marca":"x","potencia":105,"oils":[]}'],
  ['POST', '{"brand":"Seat","brand":"Opel"}'],
  ['POST', '{"brand":'],
  ['POST', '"Seat"'],
  ['POST', ''],
  ['POST', '[{"brand":"Seat","model":"Ibiza"},{"brand":"Seat","year":1},7]'],
  ['POST', '[{"brand":"Seat",]'],
  ['PUT', '{"doors":5,"version":null}'],
  ['PUT', '{"doors":"5","identifier":null}'],
  ['PUT', '{"puertas":5,"identificador":"b"}'],
  ['PATCH', '[{"doors":5}]'],
  ['PATCH', '{"climatizador":true,"clima":1}'],
];

test.each(bodies.flatMap(([method, body]) => [en, es].map((tree) => ({ method, body, tree }))))(
  '$method $body, $tree.tag',
  async ({ method, body, tree: { cars } }) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = async (text: string) => {
      await app.send('DELETE', '/api/cars/a');
      if (method !== 'POST') await app.send('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza' });
      const path = method === 'POST' ? cars : `${cars}/a`;
      const headers = { 'content-type': type, ...(text.startsWith('[') ? { prefer: 'handling=check' } : {}) };
      const { status, json } = await app.send(method, path, text, headers);
      return [status, { ...json, requestId: '' }];
    };
    expect(await answer(body + LARGE)).toEqual(await answer(body));
  },
);
