/** Two documents and no table: what corresponds is proposed, and compared once somebody has said that it is right. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { document, app as tasks } from '../../examples/around-hono/app.ts';
import es from '../../examples/around-hono/es.json' with { type: 'json' };
import { translateDocument } from '../../packages/vocabularies/src/index.ts';
import { changeText } from '../support/parity/faults.ts';
import { through } from '../support/parity/proxy.ts';
import { createItems, runParity } from '../support/parity/run-parity.ts';
import { temporaryFolder } from '../support/process/folder.ts';

const ORIGIN = 'http://tasks.test';
const folder = temporaryFolder(afterAll);
const [english, spanish] = [join(folder, 'en.json'), join(folder, 'es.json')] as const;

beforeAll(async () => {
  writeFileSync(english, JSON.stringify(document));
  writeFileSync(spanish, JSON.stringify(translateDocument(document, es)));
  const some = [{ title: 'Leche' }, { title: 'Regalos', due: '2026-12-24' }, { title: 'x', state: 'done' }];
  await createItems(
    async (url, init) => tasks.request(url, init),
    some.map((task) => ['/tasks', task] as const),
  );
});

/** @returns the exit code, and what is printed */
async function compare(change: (text: string) => string, ...args: readonly string[]) {
  const send = through((url, init) => tasks.request(url, init), changeText(change), /^\/tareas/);
  const all = [ORIGIN, ORIGIN, '--document', english, '--document', spanish, '--seed', '7', '--cases', '80', ...args];
  return runParity(all, (url, init) => send(url.slice(ORIGIN.length), init));
}

test('the proposal is printed, saved, and refused as long as nobody accepts it', async () => {
  const table = join(folder, 'proposed.json');
  const { code, text } = await compare((sent) => sent, '--save-table', table);
  expect([code, text]).toEqual([2, expect.stringContaining('nobody has said that this is right')]);
  expect(JSON.parse(readFileSync(table, 'utf8'))).toEqual({
    paths: { tasks: 'tareas' },
    parameters: { state: 'estado' },
    members: { Task: { title: 'titulo', state: 'estado', due: 'vence' } },
    values: {
      '*': { open: 'pendiente', done: 'hecha' },
      '#/components/schemas/Task/properties/state': { open: 'pendiente', done: 'hecha' },
    },
  });
});

test('trees that say the same are told so, and a fault is found', async () => {
  const { code, text } = await compare((sent) => sent, '--yes');
  expect([code, text]).toEqual([0, expect.stringContaining(' 0 different (0 causes); documents: 0 differences')]);
  const faulty = await compare((sent) => sent.replaceAll('"vence"', '"due"'), '--yes');
  expect([faulty.code, faulty.text]).toEqual([1, expect.stringMatching(/A and B: body\/(?:due|vence)/)]);
});
