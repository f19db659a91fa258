import type { CanonicalQuery, CollectionName, Resource, Target } from '../language/translate.ts';

/** One error of a problem: where it is, as a canonical name; a name that is none stays as it is. */
export interface ExpectedError {
  readonly code: string;
  /** The member that the pointer points at; empty for the whole body. */
  readonly member?: string;
  readonly parameter?: string;
}

export interface Expectation {
  readonly status: number;
  /** Canonical: a resource, or a list of them. */
  readonly body?: Resource | readonly Resource[];
  /** `X-Total-Count`, where it is not the length of the list. */
  readonly total?: number;
  /** Page numbers of the links of a list that is paged. */
  readonly pages?: Readonly<Record<string, number>>;
  /** Of a created item. */
  readonly location?: Target;
  readonly allow?: readonly string[];
  /** Of a problem. */
  readonly code?: string;
  readonly errors?: readonly ExpectedError[];
  /** Whose noun a 404 names. */
  readonly missing?: CollectionName;
  /** What else the problem's sentence must say. */
  readonly says?: string;
}

export interface Step {
  readonly method: string;
  readonly target: Target;
  readonly query?: CanonicalQuery;
  /** A string is sent as it is, a record in canonical names, any other value as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expect: Expectation;
}

/** What a client does, without a language. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** What the service assigns where no identifier is sent. */
export const ASSIGNED = '7d2f6a0e-6f0c-4f4e-9d3c-1b5a2c8e9f10';
/** Bytes. */
export const BODY_LIMIT = 32_768;

export const cars = (...keys: readonly string[]): Target => ({ collection: 'cars', keys });
export const oils = (...keys: readonly string[]): Target => ({ collection: 'oils', keys });
export const slashed = (target: Target): Target => ({ ...target, slash: true });

const KEY = { cars: 'identifier', oils: 'type' } as const;

export const create = (target: Target, body: Resource, expected: Resource = body): Step => {
  const { collection, keys } = target;
  const location = { collection, keys: [...keys, String(expected[KEY[collection]])] };
  return { method: 'POST', target, body, expect: { status: 201, body: expected, location } };
};

export const idempotent = (step: Step): Step => ({ ...step, headers: { 'idempotency-key': '"8e03978e"' } });

export const read = (target: Target, body: Resource | readonly Resource[]): Step => ({
  method: 'GET',
  target,
  expect: { status: 200, body },
});

export const update = (target: Target, body: Resource, expected: Resource): Step => ({
  method: 'PUT',
  target,
  body,
  expect: { status: 200, body: expected },
});

export const patch = (target: Target, body: Resource, expected: Resource): Step => ({
  ...update(target, body, expected),
  method: 'PATCH',
});

export const remove = (target: Target): Step => ({ method: 'DELETE', target, expect: { status: 204 } });

const BODIED = ['POST', 'PUT', 'PATCH'];

export const missing = (method: string, target: Target, which: CollectionName): Step => ({
  method,
  target,
  ...(BODIED.includes(method) ? { body: {} } : {}),
  expect: { status: 404, code: 'not-found', missing: which },
});

/** A request that several things may be wrong with: one error lends the problem its code. */
export const refused = (step: Omit<Step, 'expect'>, several: string, ...errors: readonly ExpectedError[]): Step => ({
  ...step,
  expect: { status: 400, code: errors.length === 1 ? (errors[0]?.code ?? several) : several, errors },
});
