/**
 * A stand-in for PostgREST, whose program no package registry has: tables in memory that are asked as its documents say
 * (https://docs.postgrest.org/en/stable/references/api/tables_views.html, …/pagination_count.html, …/errors.html), and no more.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

type Cell = string | number | boolean | null;
type Row = Record<string, Cell>;

/** A table: its columns, and those whose values together name one row. */
export interface Table {
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly rows: Row[];
}

/** An error as PostgreSQL says it. */
const failure = (status: number, code: string, message: string, details: string | null = null) =>
  Object.assign(new Error(message), { status, body: { code, message, details, hint: null } });

/** Parameters that are no columns. */
const OTHERS = ['order', 'offset', 'limit', 'select'];
const LIST = /"((?:[^"\\]|\\.)*)"|([^,]+)/g;

const listed = (text: string): readonly string[] =>
  [...text.slice(1, -1).matchAll(LIST)].map(([, quoted, plain]) => quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '');

/** @returns the test that a value such as `gte.2000` is; `null` passes none */
const testOf = (condition: string): ((cell: Cell) => boolean) => {
  const [, operator = '', value = ''] = /^(\w+)\.(.*)$/s.exec(condition) ?? [];
  const tests: Readonly<Record<string, (cell: Cell) => boolean>> = {
    eq: (cell) => String(cell) === value,
    gte: (cell) => Number(cell) >= Number(value),
    lte: (cell) => Number(cell) <= Number(value),
    in: (cell) => listed(value).includes(String(cell)),
  };
  const test = tests[operator];
  if (!test) throw failure(400, 'PGRST100', `failed to parse filter (${condition})`);
  return (cell) => cell !== null && test(cell);
};

const columnOf = ({ columns }: Table, name: string): string => {
  if (columns.includes(name)) return name;
  throw failure(400, '42703', `column ${name} does not exist`);
};

const selected = (table: Table, asked: URLSearchParams): Row[] => {
  const tests = [...asked]
    .filter(([name]) => !OTHERS.includes(name))
    .map(([name, condition]) => [columnOf(table, name), testOf(condition)] as const);
  return table.rows.filter((row) => tests.every(([column, test]) => test(row[column] ?? null)));
};

const ordered = (table: Table, rows: readonly Row[], order: string): readonly Row[] => {
  const sorts = order.split(',').map((each) => each.split('.'));
  return rows.toSorted((one, other) => {
    for (const [name = '', direction] of sorts) {
      const [left, right] = [one, other].map((row) => row[columnOf(table, name)] ?? null);
      if (left === right || left === undefined || right === undefined) continue;
      // `nullslast`
      if (left === null || right === null) return left === null ? 1 : -1;
      return (left < right ? -1 : 1) * (direction === 'desc' ? -1 : 1);
    }
    return 0;
  });
};

const read = (table: Table, asked: URLSearchParams, prefer: string) => {
  const rows = selected(table, asked);
  const [offset, total] = [Number(asked.get('offset') ?? 0), prefer.includes('count=exact') ? rows.length : '*'];
  if (offset > rows.length) {
    throw failure(
      416,
      'PGRST103',
      'Requested range not satisfiable',
      `An offset of ${offset} was requested, but there are only ${rows.length} rows.`,
    );
  }
  const part = ordered(table, rows, asked.get('order') ?? table.key.join()).slice(offset);
  const page = part.slice(0, Number(asked.get('limit') ?? Number.POSITIVE_INFINITY));
  const range = page.length === 0 ? '*' : `${offset}-${offset + page.length - 1}`;
  return { status: page.length < rows.length && total !== '*' ? 206 : 200, rows: page, range: `${range}/${total}` };
};

const checked = (table: Table, sent: Row): Row => {
  for (const name of Object.keys(sent)) columnOf(table, name);
  return sent;
};

const insert = (table: Table, sent: Row) => {
  const row = { ...Object.fromEntries(table.columns.map((name) => [name, null])), ...checked(table, sent) };
  if (table.rows.some((other) => table.key.every((name) => other[name] === row[name]))) {
    throw failure(409, '23505', 'duplicate key value violates unique constraint', `Key (${table.key}) already exists.`);
  }
  row.seq = Math.max(0, ...table.rows.map(({ seq }) => Number(seq))) + 1;
  table.rows.push(row);
  return { status: 201, rows: [row] };
};

const change = (table: Table, asked: URLSearchParams, sent: Row) => {
  const rows = selected(table, asked);
  for (const row of rows) Object.assign(row, checked(table, sent));
  return { status: 200, rows };
};

const remove = (table: Table, asked: URLSearchParams) => {
  const rows = selected(table, asked);
  table.rows.splice(0, table.rows.length, ...table.rows.filter((row) => !rows.includes(row)));
  return { status: 200, rows };
};

const answer = async (tables: Readonly<Record<string, Table>>, incoming: IncomingMessage) => {
  const { pathname, searchParams: asked } = new URL(incoming.url ?? '', 'http://localhost');
  const table = tables[pathname.slice(1)];
  if (!table) throw failure(404, 'PGRST205', `Could not find the table ${pathname}`);
  const prefer = String(incoming.headers.prefer ?? '');
  if (incoming.method === 'GET') return read(table, asked, prefer);
  const sent = incoming.method === 'DELETE' ? {} : ((await json(incoming)) as Row);
  const writes = { POST: () => insert(table, sent), PATCH: () => change(table, asked, sent) };
  const { status, rows } = writes[incoming.method as 'POST' | 'PATCH']?.() ?? remove(table, asked);
  // Without that preference nothing comes back.
  return prefer.includes('return=representation') ? { status, rows } : { status: 204, rows: undefined };
};

export const postgrestStandIn =
  (tables: Readonly<Record<string, Table>>): RequestListener =>
  (incoming, outgoing: ServerResponse) => {
    const write = (status: number, body: unknown, range?: string): void => {
      const type = { 'content-type': 'application/json; charset=utf-8', ...(range ? { 'content-range': range } : {}) };
      outgoing.writeHead(status, type).end(body === undefined ? undefined : JSON.stringify(body));
    };
    answer(tables, incoming).then(
      ({ status, rows, ...more }) => write(status, rows, 'range' in more ? more.range : undefined),
      (error) => write(error.status ?? 500, error.body ?? { message: String(error) }),
    );
  };
