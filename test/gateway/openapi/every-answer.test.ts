import { afterAll, beforeAll, expect, test } from 'vitest';
import { unavailable } from '../../../src/gateway/port/unavailable.ts';
import { openApp } from '../../support/app/app.ts';
import { openServer } from '../../support/app/server.ts';
import { entryOf, produced } from '../../support/documents/check.ts';
import type { Document } from '../../support/documents/documents.ts';
import { type Operation, operationsOf } from '../../support/documents/operations.ts';
import { servedDocuments } from '../../support/documents/served.ts';

/** How an operation is brought to an answer. */
interface Provocation {
  readonly target?: (operation: Operation) => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: (operation: Operation) => unknown;
  /** The state that the service is in. */
  readonly service?: 'broken' | 'unreachable';
  /** Whether it is sent to a server, as its bytes. */
  readonly isRaw?: boolean;
}

const CAR = { identifier: 'seat-ibiza-1', brand: 'Seat', model: 'Ibiza' };
const OIL = { type: '5W-30' };

const KEYS: Readonly<Record<string, string>> = { code: 'not-found', language: 'es' };
/** The example's own keys, from the top down. */
const addressOf = ({ path, query }: Operation): string => {
  const keys = [CAR.identifier, OIL.type];
  const address = path.replace(/\{([^}]*)\}/g, (_, name: string) => KEYS[name] ?? keys.shift() ?? '');
  return query === '' ? address : `${address}?${query}`;
};
const withLastParameter =
  (value: string) =>
  (operation: Operation): string => {
    const { path } = operation;
    const start = path.lastIndexOf('{');
    const rest = value + path.slice(path.lastIndexOf('}') + 1);
    return addressOf({ ...operation, path: path.slice(0, start), query: '' }) + rest;
  };
const missing = (operation: Operation): string =>
  operation.path.includes('{code}')
    ? withLastParameter('nada')(operation)
    : addressOf({ ...operation, path: operation.path.replaceAll(/\{[^}]*\}/g, 'nada') });
const withQuery =
  (query: string) =>
  (operation: Operation): string =>
    addressOf({ ...operation, query: [operation.query, query].filter(Boolean).join('&') });

const exampleOf = ({ example = {} }: Operation) => example;
/** The schemas of collections come first, six of each: an item and a new one before others. */
const schemaOf = ({ id, document }: Operation, purpose: 'item' | 'new'): Document => {
  const schemas = Object.values<Document>(document.components.schemas);
  return schemas[(id.startsWith('oils') ? 6 : 0) + (purpose === 'item' ? 0 : 1)];
};
const isImport = ({ id }: Operation): boolean => id.endsWith('Import');
/** A file, or a list without items, where it is an import. */
const fileOr =
  (file: string | readonly unknown[], body: (operation: Operation) => unknown) =>
  (operation: Operation): unknown =>
    isImport(operation) ? file : body(operation);
const withKey = (key: string) => (operation: Operation) => {
  const [word = ''] = Object.keys(schemaOf(operation, 'item').properties);
  return { ...exampleOf(operation), [word]: key };
};
/** A key that `seed` has used. */
const used = { 'idempotency-key': '"used"' };
let counter = 0;

const findCollection = ({ id }: Operation) => (id.startsWith('oils') ? 'oils' : 'cars');

const json = { 'content-type': 'application/json' };
const CSV = { 'content-type': 'text/csv' };

/** By status where the answer is no problem, else by code. */
const provocations: Readonly<Record<string, Provocation>> = {
  200: {},
  201: { body: (operation) => withKey(`new-${counter++}`)(operation) },
  204: {},
  304: { headers: { 'if-none-match': '*' } },
  'bad-request': { headers: { host: 'a b' }, isRaw: true },
  'malformed-path': { target: withLastParameter('%zz') },
  'no-such-path': { target: withLastParameter('tlh') },
  'unknown-parameter': { target: withQuery('nada=1') },
  'invalid-parameter': { target: withQuery('nada=%zz') },
  'invalid-query': { target: withQuery('nada=1&nula=1') },
  'not-found': { target: missing },
  gone: { target: ({ query, ...rest }) => addressOf({ ...rest, query: query.replace(/[^=]*$/, 'zzzzzzzzzz') }) },
  'precondition-failed': { headers: { 'if-match': '"0"' } },
  'already-exists': {
    body: (operation) => withKey(findCollection(operation) === 'cars' ? CAR.identifier : OIL.type)(operation),
  },
  'invalid-header': { headers: { 'idempotency-key': '', 'if-match': 'none', prefer: 'units=none' } },
  'idempotency-mismatch': { headers: used, body: fileOr([], (operation) => withKey(`new-${counter++}`)(operation)) },
  'key-mismatch': { body: (operation) => withKey('another')(operation) },
  'malformed-json': { headers: json, body: () => '{' },
  'unknown-field': { body: fileOr('nada', (operation) => ({ ...exampleOf(operation), nada: 1 })) },
  'missing-field': {
    headers: { prefer: 'missing-keys=reject' },
    body: (operation) => {
      const { properties, required } = schemaOf(operation, 'new');
      const [left] = isImport(operation) ? Object.keys(properties) : required;
      const rest = Object.fromEntries(Object.entries(exampleOf(operation)).filter(([member]) => member !== left));
      return isImport(operation) ? [rest] : rest;
    },
  },
  'invalid-value': {
    body: (operation) => {
      const [last = ''] = Object.keys(exampleOf(operation)).slice(-1);
      return { ...exampleOf(operation), [last]: [] };
    },
  },
  'invalid-body': { body: fileOr('nada,nula', () => ({ nada: 1, nula: 2 })) },
  'body-too-large': { headers: json, body: () => 'x'.repeat(2_000) },
  'unsupported-media-type': { headers: { 'content-type': 'text/plain' } },
  'malformed-file': { headers: CSV, body: () => '' },
  'rejected-rows': {
    headers: CSV,
    body: (operation) => `${Object.keys(schemaOf(operation, 'item').properties)[0]}\n.`,
  },
  internal: { service: 'broken' },
  unavailable: { service: 'unreachable' },
};

const failing = (error: unknown) => () => {
  const fail = () => {
    throw error;
  };
  return {
    read: fail,
    summarize: fail,
    countRows: fail,
    ready: fail,
    write: async () => fail(),
    importRows: async () => fail(),
  };
};

const sound = await openApp({ bodyLimit: 1_500 });
const services = {
  sound,
  broken: await openApp({ spoil: failing(new Error('broken')) }),
  unreachable: await openApp({ spoil: failing(unavailable(new Error('no answer'))) }),
};
const server = await openServer();
afterAll(() => Promise.all([...Object.values(services).map(({ close }) => close()), server.close()]));

const seed = async (): Promise<void> => {
  await sound.request('/api/cars', { method: 'POST', body: JSON.stringify(CAR), headers: json });
  const once = JSON.stringify({ ...CAR, identifier: 'once' });
  await sound.request('/api/cars', { method: 'POST', body: once, headers: { ...json, ...used } });
  await sound.request(`/api/cars/${CAR.identifier}/oils`, { method: 'POST', body: JSON.stringify(OIL), headers: json });
};

const provoke = async (operation: Operation, provocation: Provocation): Promise<void> => {
  const {
    target = addressOf,
    headers = {},
    body = fileOr([], exampleOf),
    service = 'sound',
    isRaw = false,
  } = provocation;
  const { method } = operation;
  const address = target(operation);
  if (isRaw) {
    const lines = Object.entries({ connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    await server.raw(`${method} ${address} HTTP/1.1\r\n${lines.join('')}\r\n`);
    return;
  }
  const sent = operation.example ? body(operation) : undefined;
  const type = isImport(operation) && typeof sent === 'string' ? CSV : json;
  await services[service].request(address, {
    method,
    headers: { ...(sent === undefined ? {} : type), ...headers },
    ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
  });
};

const operations = operationsOf(await servedDocuments());

const documented = operations.flatMap((operation) =>
  operation.answers.map(([status, code]) => ({
    operation,
    provocation: provocations[code ?? status],
    entry: entryOf(operation.tag, operation.id, status, code),
  })),
);

beforeAll(async () => {
  for (const { operation, provocation = {} } of documented) {
    await seed();
    await provoke(operation, provocation);
  }
});

test('every documented answer of every operation is one that the service gives', () => {
  expect(documented.length).toBeGreaterThan(200);
  expect([...new Set(documented.map(({ entry }) => entry))].filter((entry) => !produced.has(entry))).toEqual([]);
});

test('and it gives no other: what is not documented is refused where it is answered', () => {
  const entries = new Set(documented.map(({ entry }) => entry));
  expect([...produced].filter((entry) => !entries.has(entry))).toEqual([]);
});
