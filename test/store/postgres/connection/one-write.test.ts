import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inOneWrite } from '../../../../src/store/postgres/connection/one-write.ts';

/** A client that writes the texts of its statements, and what reaches the system with each write. */
const recorder = () => {
  const writes: (readonly string[])[] = [];
  const stream = new Duplex({
    read: () => {},
    write: (chunk, _encoding, done) => {
      writes.push([String(chunk)]);
      done();
    },
    writev: (chunks, done) => {
      writes.push(chunks.map(({ chunk }) => String(chunk)));
      done();
    },
  });
  const client = inOneWrite({
    connection: { stream },
    query: async ({ text }) => {
      stream.write(text);
      return { rows: [], command: text };
    },
  });
  return { writes, send: (text: string) => client.query({ text }) };
};

test('statements that are sent together leave in one write', async () => {
  const { writes, send } = recorder();
  await Promise.all(['BEGIN', 'SELECT 1', 'COMMIT'].map(send));
  await turn();
  expect(writes).toEqual([['BEGIN', 'SELECT 1', 'COMMIT']]);
});

test('so do those that follow others at once; what is sent later leaves later', async () => {
  const { writes, send } = recorder();
  await send('BEGIN');
  await send('SELECT 1');
  await turn();
  await send('COMMIT');
  await turn();
  expect(writes).toEqual([['BEGIN', 'SELECT 1'], ['COMMIT']]);
});
