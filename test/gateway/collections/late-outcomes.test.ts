import { expect, onTestFinished, test } from 'vitest';
import type { ChangeEvent } from '../../../src/gateway/collections/resource.ts';
import { OutcomeUnknown } from '../../../src/gateway/port/unavailable.ts';
import { openApp } from '../../support/app/app.ts';

const car = { identificador: 'ibiza-1', marca: 'Seat', modelo: 'Ibiza' };

test.each([
  ['POST', '/api/coches', car, 'created'],
  ['PATCH', '/api/coches/ibiza-1', { modelo: 'León' }, 'updated'],
  ['DELETE', '/api/coches/ibiza-1', undefined, 'deleted'],
])(
  '%s whose commit nobody waited for is 504, no 503 that says try again, and is logged once it is done',
  async (method, path, body, action) => {
    const changes: ChangeEvent[] = [];
    const commit = Promise.withResolvers<void>();
    let isSlow = method === 'POST';
    const app = await openApp({
      onChange: (change) => changes.push(change),
      spoil: ({ write }) => ({
        write: async (intent) => {
          if (!isSlow) return write(intent);
          throw new OutcomeUnknown({ outcome: commit.promise.then(() => write(intent)) });
        },
      }),
    });
    onTestFinished(app.close);
    if (!isSlow) await app.send('POST', '/api/coches', car);
    isSlow = true;
    changes.length = 0;
    const { status, json } = await app.send(method, path, body);
    expect([status, json.code, json.detail]).toEqual([504, 'outcome-unknown', expect.stringContaining('no se sabe')]);
    expect(changes).toEqual([]);
    commit.resolve();
    await expect.poll(() => changes).toMatchObject([{ action, collection: 'cars', identifiers: ['ibiza-1'] }]);
  },
);
