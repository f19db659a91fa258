// @ts-nocheck: it is run from a folder in which the packed package is installed
/** A small API around which the packed package is laid. It runs wherever there are Request and Response. */
import { Hono } from 'hono';
import { addressesOf, findVocabulary, translateDocument, VocabularyError, vocabularies } from 'vocabularies';

const boat = { $ref: '#/components/schemas/Boat' };
const content = (schema) => ({ content: { 'application/json': { schema } } });
const document = {
  openapi: '3.1.0',
  info: { title: 'Boats', version: '1' },
  paths: {
    '/boats': {
      get: {
        parameters: [{ name: 'kind', in: 'query', schema: { enum: ['sail', 'motor'] } }],
        responses: { 200: content({ type: 'array', items: boat }) },
      },
      post: { requestBody: content(boat), responses: { 201: content(boat) } },
    },
  },
  components: {
    schemas: { Boat: { properties: { name: { type: 'string' }, kind: { enum: ['sail', 'motor'] } } } },
  },
};
const es = {
  paths: { boats: 'barcos' },
  parameters: { kind: 'tipo' },
  members: { Boat: { name: 'nombre', kind: 'tipo' } },
  values: { '*': { sail: 'vela' } },
};

const api = new Hono();
api.get('/boats', (c) => {
  if (c.req.query('kind') === 'motor') {
    // A long answer that comes in parts.
    const parts = Array.from({ length: 2000 }, (_, at) => `${at === 0 ? '[' : ','}{"name":"ñ${at}","kind":"sail"}`);
    const stream = new ReadableStream({
      pull(controller) {
        const part = parts.shift();
        controller.enqueue(new TextEncoder().encode(part ?? ']'));
        if (part === undefined) controller.close();
      },
    });
    return c.body(stream, 200, { 'content-type': 'application/json' });
  }
  return c.json([{ name: findVocabulary(c.req.raw)?.tag ?? 'none', kind: c.req.query('kind') }]);
});
api.post('/boats', async (c) => c.json(await c.req.json(), 201, { location: '/boats?kind=sail', etag: '"1"' }));

function expect(received, expected) {
  if (received !== expected) throw new Error(`expected ${expected}, and received ${received}`);
}

/** @returns how many checks have passed */
export async function check() {
  const app = new Hono().route('/', vocabularies(api, { document, tables: { es }, onNotice: () => {} }));
  const ask = async (path, init) => app.fetch(new Request(`http://localhost${path}`, init));
  const list = await ask('/barcos?tipo=vela');
  expect(await list.text(), '[{"nombre":"es","tipo":"vela"}]');
  expect(await (await ask('/boats?kind=sail')).text(), '[{"name":"none","kind":"sail"}]');
  const headers = { 'content-type': 'application/json' };
  const made = await ask('/barcos', { method: 'POST', headers, body: '{"nombre":"x","tipo":"vela"}' });
  expect(await made.text(), '{"nombre":"x","tipo":"vela"}');
  expect(made.headers.get('location'), '/barcos?tipo=vela');
  expect(made.headers.get('etag'), '"1.es"');
  const foreign = await ask('/barcos', { method: 'POST', headers, body: '{"name":"x"}' });
  expect(foreign.status, 400);
  const { title, errors } = await foreign.json();
  expect(errors[0].suggestion, 'nombre');
  expect(title, 'Campo desconocido');
  const long = await (await ask('/barcos?tipo=motor')).text();
  expect(JSON.parse(long).filter(({ nombre, tipo }) => nombre.startsWith('ñ') && tipo === 'vela').length, 2000);
  expect(Object.keys(translateDocument(document, es).paths).join(), '/barcos');
  expect(addressesOf(document, { es }).length, 4);
  try {
    vocabularies(api, { document, tables: { es: { paths: { boats: 'a/b' } } } });
    throw new Error('a fault did not stop the start');
  } catch (error) {
    expect(error instanceof VocabularyError, true);
  }
  return 13;
}
