/** A small API that records what it is asked, with its document and two tables. */
import { Hono } from 'hono';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const parameter = (name: string, schema: unknown = { type: 'string' }, more = {}) => ({
  name,
  in: 'query',
  schema,
  ...more,
});

export const document = {
  openapi: '3.1.0',
  info: { title: 'Boats', version: '1' },
  paths: {
    '/boats': {
      get: {
        operationId: 'listBoats',
        parameters: [
          parameter('kind', ref('Kind')),
          parameter('kinds', { type: 'array', items: ref('Kind') }, { explode: false }),
          parameter('sort', { type: 'string' }, { 'x-names': 'members of Boat' }),
          parameter(
            'filter',
            { type: 'object', properties: { length: { type: 'object', properties: { gte: {} } } } },
            { style: 'deepObject' },
          ),
          parameter('search'),
        ],
        responses: { 200: json({ type: 'array', items: ref('Boat') }), default: json(ref('Problem')) },
      },
      post: {
        operationId: 'createBoat',
        requestBody: {
          content: {
            'application/json': { schema: ref('Boat') },
            'application/x-www-form-urlencoded': { schema: ref('Boat') },
            'multipart/form-data': { schema: ref('Boat') },
            'application/x-ndjson': { schema: ref('Boat') },
          },
        },
        responses: { 201: json(ref('Boat')), 400: json(ref('Problem')) },
      },
    },
    '/boats/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'readBoat', responses: { 200: json(ref('Boat')), 404: { description: '' } } },
      put: { operationId: 'updateBoat', requestBody: json(ref('Boat')), responses: { 200: json(ref('Boat')) } },
    },
    '/boats/mine': { get: { operationId: 'myBoats', responses: { 200: json({ type: 'array', items: ref('Boat') }) } } },
    '/boats/{id}/owners': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'owners',
        responses: {
          200: {
            content: {
              'text/event-stream': { schema: ref('Owner') },
              'text/csv': { schema: { type: 'array', items: ref('Owner') } },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Kind: { type: 'string', enum: ['sail', 'motor'] },
      Boat: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          kind: ref('Kind'),
          length: { type: 'number' },
          owner: ref('Owner'),
          url: { type: 'string', format: 'uri-reference' },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      Owner: { type: 'object', properties: { name: { type: 'string' }, boats: { type: 'array', items: ref('Boat') } } },
      Problem: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          code: { type: 'string' },
          detail: { type: 'string' },
          errors: {
            type: 'array',
            items: {
              type: 'object',
              properties: { pointer: { type: 'string' }, parameter: { type: 'string' }, detail: { type: 'string' } },
            },
          },
        },
      },
    },
  },
};

export const es = {
  paths: { boats: 'barcos', owners: 'propietarios', mine: 'míos' },
  parameters: { kind: 'tipo', kinds: 'tipos', sort: 'orden', filter: 'filtro', search: 'buscar' },
  members: {
    Boat: { name: 'nombre', kind: 'tipo', length: 'eslora', owner: 'propietario' },
    Owner: { name: 'titular', boats: 'barcos' },
    '#/paths/~1boats/get/parameters/3/schema': { length: 'eslora' },
  },
  values: { Kind: { sail: 'vela' } },
  problems: { 'too-long': { title: 'Demasiado larga', detail: 'La eslora no puede pasar de {most} m.' } },
};

export const pt = {
  paths: { boats: 'embarcações' },
  parameters: { kind: 'classe' },
  members: { '*': { name: 'nome' } },
  values: { Kind: { sail: 'vela', motor: 'a-motor' } },
};

interface Seen {
  method: string;
  url: string;
  headers: Headers;
  body: string;
  request: Request;
}

/** @returns an app that answers every request with what a test says, and what it was asked last */
export function recordingApp(answer: (request: Request) => Response | Promise<Response> = () => Response.json({})) {
  const seen: Seen[] = [];
  const app = new Hono();
  app.all('*', async (c) => {
    const request = c.req.raw;
    const body = await request.clone().text();
    seen.push({
      method: request.method,
      url: request.url.replace('http://localhost', '').replaceAll(/%5[BD]/g, decodeURIComponent),
      headers: request.headers,
      body,
      request,
    });
    return answer(request);
  });
  return { app, seen };
}
