import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app/app.ts';

const LIMIT = 1_000;

const json = { 'content-type': 'application/json' };
const coche = '{"identificador":"there","marca":"Seat","modelo":"Ibiza"}';

const app = useApp({
  bodyLimit: LIMIT,
  given: [
    ['/api/coches', JSON.parse(coche)],
    ['/api/coches/there/aceites', { tipo: 'taken' }],
  ],
});

/** A request in parts, so that faults can be put together. */
interface Draft {
  readonly method: string;
  readonly car: string;
  readonly tail: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: readonly string[];
  readonly end: string;
}

interface Fault {
  readonly code: string;
  readonly status: number;
  readonly add: (draft: Draft) => Draft;
}

const malformedJson: Fault = {
  code: 'malformed-json',
  status: 400,
  add: (draft) => ({ ...draft, end: `}}${draft.end}` }),
};
const unknownParameter: Fault = {
  code: 'unknown-parameter',
  status: 400,
  add: (draft) => ({ ...draft, query: `${draft.query}&x=1` }),
};

/** In the order of the contract: the first of a request's faults answers. */
const inPath: readonly Fault[] = [
  { code: 'uri-too-long', status: 414, add: (draft) => ({ ...draft, query: `${draft.query}&y=${'x'.repeat(8_192)}` }) },
  { code: 'malformed-path', status: 400, add: (draft) => ({ ...draft, tail: `${draft.tail}/%zz` }) },
  { code: 'no-such-path', status: 404, add: (draft) => ({ ...draft, tail: `${draft.tail}/nada/nada/nada` }) },
  { code: 'method-not-allowed', status: 405, add: (draft) => ({ ...draft, method: 'PURGE' }) },
];
const inHeaders: readonly Fault[] = [
  {
    code: 'not-acceptable',
    status: 406,
    add: (draft) => ({ ...draft, headers: { ...draft.headers, accept: 'text/html' } }),
  },
  {
    code: 'unsupported-media-type',
    status: 415,
    add: (draft) => ({ ...draft, headers: { ...draft.headers, 'content-type': 'text/plain' } }),
  },
  { code: 'body-too-large', status: 413, add: (draft) => ({ ...draft, end: draft.end + ' '.repeat(LIMIT) }) },
];
const invalidHeader: Fault = {
  code: 'invalid-header',
  status: 400,
  add: (draft) => ({ ...draft, headers: { ...draft.headers, 'idempotency-key': '"' } }),
};
/** Whatever is asked of its state: that comes last. */
const unmet: Fault = {
  code: 'precondition-failed',
  status: 412,
  add: (draft) => ({ ...draft, headers: { ...draft.headers, 'if-match': '"old"' } }),
};
const notFound: Fault = { code: 'not-found', status: 404, add: (draft) => ({ ...draft, car: 'missing' }) };
const member = (code: string, status: number, text: string): Fault => ({
  code,
  status,
  add: (draft) => ({ ...draft, members: [...draft.members, text] }),
});

const operations = [
  {
    title: 'changing a car',
    draft: { method: 'PUT', car: 'there', tail: '', query: '', headers: json, members: [], end: '' },
    faults: [
      ...inPath,
      ...inHeaders,
      malformedJson,
      notFound,
      member('invalid-value', 400, '"puertas":"5"'),
      member('key-mismatch', 409, '"identificador":"other"'),
      unmet,
    ],
  },
  {
    title: 'changing a car with parameters',
    draft: { method: 'PATCH', car: 'there', tail: '', query: '', headers: json, members: [], end: '' },
    faults: [
      ...inPath,
      ...inHeaders,
      unknownParameter,
      notFound,
      member('unknown-field', 400, '"brand":"Seat"'),
      member('key-mismatch', 409, '"identificador":"other"'),
      unmet,
    ],
  },
  {
    title: 'adding an oil',
    draft: { method: 'POST', car: 'there', tail: '/aceites', query: '', headers: json, members: [], end: '' },
    faults: [
      ...inPath,
      ...inHeaders,
      malformedJson,
      invalidHeader,
      notFound,
      member('invalid-value', 400, '"otros_datos":5'),
      member('already-exists', 409, '"tipo":"taken"'),
    ],
  },
  {
    title: 'reading a car',
    draft: { method: 'GET', car: 'there', tail: '', query: '', headers: {}, members: [], end: '' },
    faults: [...inPath, ...inHeaders.slice(0, 1), unknownParameter, notFound, unmet],
  },
  {
    title: 'reading the oils',
    draft: { method: 'GET', car: 'there', tail: '/aceites', query: '', headers: {}, members: [], end: '' },
    faults: [...inPath, ...inHeaders.slice(0, 1), unknownParameter, notFound, unmet],
  },
  {
    title: 'deleting a car',
    draft: { method: 'DELETE', car: 'there', tail: '', query: '', headers: {}, members: [], end: '' },
    faults: [...inPath, unknownParameter, notFound, unmet],
  },
] as const;

/** Where a request fits in its stage alone: an oil that is added lacks its type otherwise. */
const withKey = (draft: Draft): Draft =>
  draft.tail.startsWith('/aceites') && !draft.members.some((text) => text.startsWith('"tipo"'))
    ? { ...draft, members: [...draft.members, '"tipo":"free"'] }
    : draft;

const send = async (draft: Draft) => {
  const { method, car, tail, query, headers, members, end } = withKey(draft);
  const body = method === 'GET' || method === 'DELETE' ? null : `{${members.join(',')}}${end}`;
  const target = `/api/coches/${car}${tail}${query === '' ? '' : `?${query.slice(1)}`}`;
  const answer = await app.request(target, { method, headers, body });
  const problem = (await answer.json()) as Readonly<Record<string, string>>;
  return [answer.status, problem.code];
};

describe.each(operations)('$title', ({ draft, faults }) => {
  const pairs = faults.flatMap((first, at) => faults.slice(at + 1).map((second) => ({ first, second })));

  test.each(faults)('$code answers alone', async ({ code, status, add }) => {
    expect(await send(add(draft))).toEqual([status, code]);
  });
  test.each(pairs)('$first.code comes before $second.code', async ({ first, second }) => {
    expect(await send(first.add(second.add(draft)))).toEqual([first.status, first.code]);
  });
  test('of all faults at once, each comes before those after it', async () => {
    for (const [at, { code, status }] of faults.entries()) {
      const all = faults.slice(at).reduceRight((each, fault) => fault.add(each), draft as Draft);
      expect(await send(all)).toEqual([status, code]);
    }
  });
});

test('none of these requests changed anything', async () => {
  expect(await (await app.request('/api/coches')).text()).toBe(`[${coche}]`);
  expect(await (await app.request('/api/coches/there/aceites')).text()).toBe('[{"tipo":"taken"}]');
});
