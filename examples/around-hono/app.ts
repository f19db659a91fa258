/** A task list in English, written without a thought of languages, and given Spanish and Portuguese. */
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { Hono } from 'hono';
import { answerIssues, vocabularies } from '../../packages/vocabularies/src/index.ts';
import es from './es.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };

const Task = z
  .object({
    title: z.string().min(1),
    state: z.enum(['open', 'done']).default('open'),
    due: z.iso.date().optional(),
  })
  .openapi('Task');
const tasks: z.infer<typeof Task>[] = [];

const locales = { es: z.locales.es().localeError, pt: z.locales.pt().localeError };
const api = new OpenAPIHono({ defaultHook: answerIssues(locales) });
const json = <T extends z.ZodType>(schema: T) => ({ content: { 'application/json': { schema } }, description: '' });

const list = createRoute({
  method: 'get',
  path: '/tasks',
  operationId: 'listTasks',
  request: { query: z.object({ state: Task.shape.state.removeDefault().optional() }) },
  responses: { 200: json(z.array(Task)) },
});
api.openapi(list, (c) => {
  const { state } = c.req.valid('query');
  return c.json(
    tasks.filter((task) => state === undefined || task.state === state),
    200,
  );
});

const create = createRoute({
  method: 'post',
  path: '/tasks',
  operationId: 'createTask',
  request: { body: { ...json(Task), required: true } },
  responses: { 201: json(Task) },
});
api.openapi(create, (c) => {
  const task = c.req.valid('json');
  const at = tasks.push(task) - 1;
  return c.json(task, 201, { Location: `/tasks/${at}` });
});

export const document = api.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Tasks', version: '1' } });
export const app = new Hono().route('/', vocabularies(api, { document, tables: { es, pt } }));
