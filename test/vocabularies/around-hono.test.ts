/** The example of a task list that is given two languages. */
import { expect, test } from 'vitest';
import { app } from '../../examples/around-hono/app.ts';

const send = (path: string, body: unknown) =>
  app.request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test.each([
  ['/tasks', { title: 'Oil', state: 'done' }, '/tasks?state=done', 'title'],
  ['/tareas', { titulo: 'Aceite', estado: 'hecha' }, '/tareas?estado=hecha', 'titulo'],
  ['/tarefas', { titulo: 'Óleo', situacao: 'feita' }, '/tarefas?situacao=feita', 'titulo'],
])('%s', async (path, task, filtered, member) => {
  const created = await send(path, task);
  expect([created.status, await created.json()]).toEqual([201, task]);
  const found = (await (await app.request(filtered)).json()) as Record<string, unknown>[];
  expect(found).toContainEqual(task);
  expect(found.every((each) => member in each)).toBe(true);
});

test('fifty requests at once are answered by the validator, each in its language', async () => {
  const cases = [
    ['/tasks', { title: 1 }, '/title', /expected string/, 'Invalid request'],
    ['/tareas', { titulo: 1 }, '/titulo', /se esperaba texto/, 'Petición no válida'],
    ['/tarefas', { titulo: 1 }, '/titulo', /esperava um texto/, 'Pedido inválido'],
  ] as const;
  const ask = async (at: number) => {
    const [path, body, pointer, message, title] = cases[at % 3] ?? cases[0];
    const answer = await send(path, body);
    expect(answer.status).toBe(400);
    const problem = (await answer.json()) as { title: string; errors: { pointer: string; detail: string }[] };
    expect(problem.title).toBe(title);
    expect(problem.errors).toEqual([expect.objectContaining({ pointer, detail: expect.stringMatching(message) })]);
  };
  await Promise.all(Array.from({ length: 50 }, (_, at) => ask(at)));
});

test.each([
  ['/tareas', { title: 'x' }, '/title', 'titulo'],
  ['/tareas', { titulo: 'x', estado: 'done' }, '/estado', 'hecha'],
])('a foreign word is refused with the right one', async (path, body, pointer, suggestion) => {
  const answer = await send(path, body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ errors: [{ pointer, suggestion }] });
});
