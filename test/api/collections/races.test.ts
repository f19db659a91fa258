import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';
import { sharedDatabase } from '../../support/database/database.ts';

interface Reply {
  readonly status: number;
  readonly etag: string;
  readonly location: string;
  readonly text: string;
}
interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly tag?: string | undefined;
  readonly idempotencyKey?: string;
}
/** Asks all questions at once, each on a connection of its own. */
type AskAll = (questions: readonly Question[]) => Promise<readonly Reply[]>;
type Ask = (method: string, path: string, body?: object) => Promise<Reply>;

const written = ({ method, path, body, tag, idempotencyKey }: Question): string => {
  const text = body === undefined ? '' : JSON.stringify(body);
  const condition = tag === undefined ? '' : `If-Match: ${tag}\r\n`;
  const key = idempotencyKey === undefined ? '' : `Idempotency-Key: ${idempotencyKey}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\n${condition}${key}Content-Length: ${text.length}\r\n\r\n${text}`;
};
const replyOf = (answer: string): Reply => {
  const [head = '', text = ''] = answer.split('\r\n\r\n');
  const header = (name: string): string => new RegExp(`\\r\\n${name}: (.*)`, 'i').exec(head)?.[1] ?? '';
  return { status: Number(head.slice(9, 12)), etag: header('etag'), location: header('location'), text };
};

const openAsking = async (): Promise<{ readonly ask: Ask; readonly askAll: AskAll }> => {
  const server = await openServer({ database: await sharedDatabase() });
  onTestFinished(() => server.close());
  /** A connection that the server has begun to read. */
  const ready = async (): Promise<Socket> => {
    const socket = server.open().setEncoding('latin1');
    socket.write('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    return socket;
  };
  return {
    ask: async (method, path, body) => replyOf(await server.raw(written({ method, path, body }))),
    askAll: async (questions) => {
      const sockets = await Promise.all(questions.map(ready));
      const answers = sockets.map((socket) => once(socket, 'data'));
      // All in one turn, so that the server finds all of them in one turn of its own.
      for (const [at, question] of questions.entries()) sockets[at]?.write(written(question));
      const replies = (await Promise.all(answers)).map(([answer]) => replyOf(String(answer)));
      for (const socket of sockets) socket.destroy();
      return replies;
    },
  };
};

const trees = [
  { cars: '/api/cars', identifier: 'identifier', brand: 'brand', model: 'model', power: 'enginePower' },
  { cars: '/api/coches', identifier: 'identificador', brand: 'marca', model: 'modelo', power: 'cilindrada' },
] as const;
type Tree = (typeof trees)[number];

const RACERS = 20;
const ROUNDS = 3;

/** Twenty questions, in turns through each tree. */
const racers = (question: (tree: Tree, at: number) => Question): readonly Question[] =>
  Array.from({ length: RACERS }, (_, at) => question(trees[at % 2 === 0 ? 0 : 1], at));

const tally = (replies: readonly Reply[]): Readonly<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const winnerOf = (replies: readonly Reply[]): number => replies.findIndex(({ status }) => status < 300);
const carOf = ({ identifier, brand, model }: Tree, key: string): object => ({
  [identifier]: key,
  [brand]: 'Seat',
  [model]: 'Ibiza',
});
const tagsOf = async (ask: Ask, path: string): Promise<ReadonlyMap<string, string>> =>
  new Map(await Promise.all(trees.map(async ({ cars }) => [cars, (await ask('GET', cars + path)).etag] as const)));

describe('of twenty at once', () => {
  test('one PUT with the tag of the same revision is done and nineteen are 412', async () => {
    const { ask, askAll } = await openAsking();
    await ask('POST', '/api/cars', carOf(trees[0], 'a'));
    for (let round = 0; round < ROUNDS; round++) {
      const tags = await tagsOf(ask, '/a');
      const powerOf = (at: number) => round * RACERS + at + 1;
      const replies = await askAll(
        racers(({ cars, power }, at) => ({
          method: 'PUT',
          path: `${cars}/a`,
          body: { [power]: powerOf(at) },
          tag: tags.get(cars),
        })),
      );
      expect(tally(replies)).toEqual({ 200: 1, 412: 19 });
      const { text, etag } = await ask('GET', '/api/cars/a');
      expect(JSON.parse(text).enginePower).toBe(powerOf(winnerOf(replies)));
      expect(etag).not.toBe(tags.get('/api/cars'));
    }
  });

  test.each(['', ' with its tag'])('one DELETE%s is done and nineteen find nothing', async (conditional) => {
    const { ask, askAll } = await openAsking();
    for (let round = 0; round < ROUNDS; round++) {
      await ask('POST', '/api/coches', carOf(trees[1], 'a'));
      const tags = await tagsOf(ask, '/a');
      const tagOf = (cars: string) => (conditional === '' ? undefined : tags.get(cars));
      const replies = await askAll(racers(({ cars }) => ({ method: 'DELETE', path: `${cars}/a`, tag: tagOf(cars) })));
      expect(tally(replies)).toEqual({ 204: 1, 404: 19 });
      expect((await ask('GET', '/api/cars')).text).toBe('[]');
    }
  });

  test('POSTs with one idempotency key make one car, and all have its location', async () => {
    const { ask, askAll } = await openAsking();
    for (let round = 0; round < ROUNDS; round++) {
      const idempotencyKey = `"round ${round}"`;
      const bodyOf = ({ brand, model }: Tree, at: number) =>
        at % 4 < 2 ? { [brand]: 'Seat', [model]: 'Ibiza' } : { [model]: 'Ibiza', [brand]: 'Seat' };
      const replies = await askAll(
        racers((tree, at) => ({ method: 'POST', path: tree.cars, body: bodyOf(tree, at), idempotencyKey })),
      );
      expect(tally(replies)).toEqual({ 201: 20 });
      const made = JSON.parse((await ask('GET', '/api/cars')).text);
      expect(made).toHaveLength(round + 1);
      const { identifier } = made[round];
      expect(new Set(replies.map(({ location }) => location))).toEqual(
        new Set(trees.map(({ cars }) => `${cars}/${identifier}`)),
      );
      const tags = await tagsOf(ask, `/${identifier}`);
      expect(new Set(replies.map(({ etag }) => etag))).toEqual(new Set(tags.values()));
    }
  });
});
