/**
 * An API that knows nothing of any translation, in the manner of many that are written with Express: its names are English, it asks for
 * a token, puts lists in an envelope with offset and limit, and has errors of its own form.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Product {
  readonly product_id: number;
  readonly product_name?: unknown;
  readonly product_kind?: unknown;
  readonly price_per_kilo?: unknown;
  readonly created_at: string;
}

const TOKEN = 'Bearer let-me-in';
const KINDS = ['ground_coffee', 'whole_beans', 'capsules'];

/** The products of one API, by their ids. */
type Products = Map<number, Product>;

function fail(status: number, message: string, field?: string): Answer {
  return { status, body: { error: { message, field } } };
}

/** @returns the first member of a product that is wrong */
function findFault({
  product_name: name,
  product_kind: kind,
  price_per_kilo: price,
}: Partial<Product>): string | undefined {
  if (typeof name !== 'string' || name === '') return 'product_name';
  if (!KINDS.includes(String(kind))) return 'product_kind';
  return typeof price === 'number' && price > 0 ? undefined : 'price_per_kilo';
}

function listProducts(products: Products, url: URL): Answer {
  const [offset, limit] = [Number(url.searchParams.get('offset') ?? 0), Number(url.searchParams.get('limit') ?? 10)];
  if (!(Number.isInteger(offset) && offset >= 0)) return fail(400, 'must be a whole number', 'offset');
  const kind = url.searchParams.get('product_kind');
  const all = [...products.values()].filter((product) => kind === null || product.product_kind === kind);
  const data = all.slice(offset, offset + limit);
  const end = offset + data.length;
  const next = end < all.length ? `/products?offset=${end}&limit=${limit}${kind ? `&product_kind=${kind}` : ''}` : null;
  return { status: 200, body: { data, meta: { total_count: all.length, next_page: next } } };
}

function answer(products: Products, request: IncomingMessage, url: URL, sent: object): Answer {
  if (request.headers.authorization !== TOKEN) return fail(401, 'token required');
  const [, path, id] = url.pathname.split('/');
  if (path !== 'products') return fail(404, 'not found');
  const product = products.get(Number(id));
  if (id === undefined && request.method === 'GET') return listProducts(products, url);
  if (id !== undefined && !product) return fail(404, 'not found');
  if (request.method === 'GET') return { status: 200, body: { data: product } };
  if (request.method === 'DELETE') {
    products.delete(Number(id));
    return { status: 204 };
  }
  const fields: Partial<Product> = { ...product, ...sent };
  const fault = findFault(fields);
  if (fault) return fail(422, 'is invalid', fault);
  const newId = Math.max(0, ...products.keys()) + 1;
  const { product_id = newId, created_at = '2026-11-26T10:00:00Z' } = product ?? {};
  const written = { ...fields, product_id, created_at };
  products.set(product_id, written);
  return { status: product ? 200 : 201, headers: { location: `/products/${product_id}` }, body: { data: written } };
}

/** @returns the members of a body; nothing if it is no JSON object */
function parse(text: string): object | undefined {
  try {
    const body: unknown = text === '' ? {} : JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

/** @returns a server with products of its own; every write of a body is JSON */
export function createApi(): Server {
  const products: Products = new Map();
  return createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const sent = parse(text);
    const { status, headers, body } =
      sent === undefined
        ? fail(400, 'is invalid')
        : answer(products, request, new URL(request.url ?? '', 'http://localhost'), sent);
    response.writeHead(status, { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) });
    response.end(body ? JSON.stringify(body) : undefined);
  });
}
