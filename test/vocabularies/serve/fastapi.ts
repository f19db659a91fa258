/** An API in the manner of FastAPI: its document, as that framework writes it, and a Spanish table. */
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object) => ({
  200: { description: 'Successful Response', ...json(schema) },
  422: { description: 'Validation Error', ...json(ref('HTTPValidationError')) },
});

export const document = {
  openapi: '3.1.0',
  info: { title: 'FastAPI', version: '0.1.0' },
  paths: {
    '/orders/': {
      get: {
        operationId: 'list_orders_orders__get',
        parameters: [
          { name: 'page_size', in: 'query', required: false, schema: { type: 'integer', maximum: 100, default: 20 } },
          { name: 'status', in: 'query', required: false, schema: { anyOf: [ref('Status'), { type: 'null' }] } },
        ],
        responses: answers({ type: 'array', items: ref('Order') }),
      },
      post: {
        operationId: 'create_order_orders__post',
        requestBody: { ...json(ref('Order')), required: true },
        responses: answers(ref('Order')),
      },
    },
    '/orders/{order_id}': {
      get: {
        operationId: 'read_order_orders__order_id__get',
        parameters: [{ name: 'order_id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: answers(ref('Order')),
      },
    },
  },
  components: {
    schemas: {
      Status: { type: 'string', enum: ['open', 'paid'] },
      Line: {
        type: 'object',
        required: ['product_name', 'quantity'],
        properties: { product_name: { type: 'string' }, quantity: { type: 'integer' } },
      },
      Order: {
        type: 'object',
        required: ['lines'],
        properties: {
          status: { ...ref('Status'), default: 'open' },
          lines: { type: 'array', items: ref('Line') },
          customer: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
      },
      HTTPValidationError: { properties: { detail: { items: ref('ValidationError'), type: 'array' } }, type: 'object' },
      ValidationError: {
        type: 'object',
        properties: {
          loc: { items: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, type: 'array' },
          msg: { type: 'string' },
          type: { type: 'string' },
        },
      },
    },
  },
};

export const es = {
  paths: { orders: 'pedidos' },
  parameters: { page_size: 'por_pagina', status: 'estado', order_id: 'id_de_pedido' },
  members: {
    Order: { status: 'estado', lines: 'lineas', customer: 'cliente' },
    Line: { product_name: 'producto', quantity: 'cantidad' },
    HTTPValidationError: { detail: 'detalle' },
    ValidationError: { msg: 'mensaje', type: 'tipo' },
  },
  values: { Status: { open: 'abierto', paid: 'pagado' } },
};

interface Issue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

function findIssues(url: URL, order: { lines?: readonly Record<string, unknown>[] } | undefined): readonly Issue[] {
  const size = url.searchParams.get('page_size') ?? '1';
  const id = url.pathname.split('/')[2] || '1';
  const missing = (...loc: (string | number)[]) => ({ loc, msg: 'Field required', type: 'missing' });
  const parsing = (...loc: string[]) => ({ loc, msg: 'Input should be a valid integer', type: 'int_parsing' });
  const lines = order?.lines?.flatMap((line, at) =>
    ['product_name', 'quantity'].filter((name) => !(name in line)).map((name) => missing('body', 'lines', at, name)),
  );
  return [
    ...(/^\d+$/.test(size) ? [] : [parsing('query', 'page_size')]),
    ...(/^\d+$/.test(id) ? [] : [parsing('path', 'order_id')]),
    ...(order && !order.lines ? [missing('body', 'lines')] : (lines ?? [])),
  ];
}

/** @returns a server that says what is wrong as FastAPI does */
export function createApi(): Server {
  return createServer(async (request, response) => {
    const sent = await text(request);
    const order = sent === '' ? undefined : JSON.parse(sent);
    const issues = findIssues(new URL(request.url ?? '', 'http://localhost'), order);
    response.writeHead(issues.length > 0 ? 422 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(issues.length > 0 ? { detail: issues } : (order ?? [])));
  });
}
