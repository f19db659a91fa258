import { expect, test } from 'vitest';
import { useApp } from './app.ts';

/** What is said of one error, and the word, the piece of a query or the path to use instead. */
type Said = readonly [detail: string, suggestion?: string];

/** What somebody tries first: method, URL, perhaps headers; the body; the status, and what is said. */
export type Try = readonly [request: string, body: string | undefined, status: number, ...said: readonly Said[]];

/** Sends each, and expects it to be told what a person needs to know, in the language of the URL. */
export const tryAll = (tries: readonly Try[]): void => {
  const { send } = useApp({
    given: [
      ['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza', year: 2008 }],
      ['/api/cars/a-1/oils', { type: '5W-30' }],
    ],
  });
  const named = tries.map(([request, body, status, ...said]) => ({ request, body, status, said }));
  test.each(named)('$request $body', async ({ request, body, status, said }) => {
    const [start = '', ...lines] = request.split(/ (?=[A-Z][\w-]+: )/);
    const [method = '', path = ''] = start.split(' ');
    const headers = Object.fromEntries(
      lines.map((line) => line.split(': ')).map(([name = '', value = '']) => [name.toLowerCase(), value]),
    );
    const { json, ...answer } = await send(method, path, body, headers);
    const errors: readonly { detail: string; suggestion?: string }[] = json.errors ?? [json];
    expect([answer.status, ...errors.map(({ detail, suggestion }) => [detail, suggestion])]).toEqual([
      status,
      ...said.map(([detail, suggestion]) => [detail, suggestion]),
    ]);
    expect(errors).toEqual(errors.map(() => expect.objectContaining({ remedy: expect.stringMatching(/\S/) })));
  });
};
