import { expect } from 'vitest';
import type { TestResponse } from '../app/app.ts';
import { counted, isSpoken } from '../language/speech.ts';
import type { CanonicalQuery, Resource, Target, Translator } from '../language/translate.ts';
import { type Exchange, pathIn, REQUEST_ID } from './context.ts';
import { addressed, parsed, readLinks } from './links.ts';
import type { Expectation, ExpectedError } from './scenario.ts';

const isList = (body: Expectation['body']): body is readonly Resource[] => Array.isArray(body);

const checkBody = ({ step, spoken, answer }: Exchange): void => {
  const { body } = step.expect;
  if (body === undefined) {
    expect(answer.text).toBe('');
    return;
  }
  const { collection } = step.target;
  const text = isList(body)
    ? `[${body.map((each) => spoken.text(collection, each)).join(',')}]`
    : spoken.text(collection, body);
  expect(answer.text).toBe(text);
  expect(answer.headers.get('content-type')).toBe('application/json');
  const total = isList(body) ? String(step.expect.total ?? body.length) : null;
  expect(answer.headers.get('x-total-count')).toBe(total);
};

/** The address of a target, whichever slash form was asked for. */
const address = (spoken: Translator, { collection, keys }: Target, query: CanonicalQuery = {}): string =>
  addressed(spoken.path({ collection, keys }), spoken.pairs(collection, query));

/** Takes the place of a position. */
const OPAQUE = 'opaque';

/** Every link that there must be, and no other. */
const checkLinks =
  (others: readonly Translator[]) =>
  ({ step, spoken, answer }: Exchange): void => {
    const { method, query, expect: expected } = step;
    if (expected.body === undefined) return;
    const { location: target = step.target, pages = {} } = expected;
    const after = spoken.parameter(target.collection, 'after');
    const found = readLinks(answer).map(({ rel, hreflang, address }) => [
      rel,
      hreflang,
      parsed(address.replace(new RegExp(`(?<=[?&]${encodeURIComponent(after)}=)[\\w-]+`), OPAQUE)),
    ]);
    const wanted = [
      ...Object.entries(pages).map(([rel, page]) => {
        // Without a number, and of items, the next page begins where this one ends.
        const isWalked = rel === 'next' && query?.page === undefined && query?.group_by === undefined;
        return [rel, undefined, address(spoken, target, { ...query, ...(isWalked ? { after: OPAQUE } : { page }) })];
      }),
      ...others.map((other) => ['alternate', other.tag, address(other, target, query)]),
    ];
    expect(found.toSorted(), `${method} links`).toEqual(wanted.toSorted());
  };

const checkLocation = ({ step, spoken, answer }: Exchange): void => {
  const { location } = step.expect;
  const expected = location ? spoken.path(location) : null;
  expect(answer.headers.get('location')).toBe(expected);
  if (location) expect(answer.headers.get('content-location')).toBe(expected);
};

const pointer = (member: string): string => (member === '' ? '' : `/${member}`);

const translateError = (spoken: Translator, { collection }: Target, error: ExpectedError) => {
  const { code, member, parameter } = error;
  if (parameter !== undefined) return { code, parameter: spoken.parameter(collection, parameter) };
  return { code, pointer: pointer(spoken.field(collection, member ?? '')) };
};

const byPlace = (errors: readonly object[]): readonly string[] => errors.map((error) => JSON.stringify(error)).sort();

interface WrittenError {
  readonly code: string;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly name?: string;
  readonly remedy?: string;
}

const checkErrors = ({ step, spoken, answer }: Exchange): void => {
  const { errors: expected = [], code } = step.expect;
  const written: readonly WrittenError[] = answer.json.errors ?? [];
  const places = written.map(({ code, pointer, parameter }) => ({ code, pointer, parameter }));
  expect(byPlace(places)).toEqual(byPlace(expected.map((error) => translateError(spoken, step.target, error))));
  const fields = Object.values(spoken.table.fields[step.target.collection]);
  for (const { code, detail, pointer, parameter, name, remedy } of written) {
    expect(remedy).toMatch(/\S/);
    if (name !== undefined) {
      // Of a comparison that there is not, the field.
      expect(expected.some(({ member, parameter = '' }) => member === name || parameter.startsWith(name))).toBe(true);
    } else if (code.startsWith('unknown-')) expect(fields.filter((word) => !detail.includes(word))).toEqual([]);
    expect(isSpoken(spoken.table, detail), detail).toBe(true);
    expect(detail).toContain(parameter ?? pointer?.slice(1));
  }
  const { detail } = answer.json;
  const { of } = spoken.table.nouns[step.target.collection];
  if (code === 'invalid-query') expect(detail).toBe(counted(spoken, 'query-errors', expected.length));
  if (code === 'invalid-body') expect(detail).toBe(counted(spoken, 'body-errors', expected.length, of));
};

/** Problems that one header is the cause of. */
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  'invalid-header': ['Idempotency-Key'],
  'idempotency-mismatch': ['Idempotency-Key'],
  'not-acceptable': ['Accept'],
  'precondition-failed': ['If-Match', 'If-None-Match'],
  'unsupported-media-type': ['Content-Type', 'Content-Encoding'],
};

const checkHeaderError = ({ code, detail, errors }: TestResponse['json'], causes: readonly string[]): void => {
  expect(errors).toEqual([expect.objectContaining({ header: expect.toBeOneOf([...causes]), code, detail })]);
  expect(errors[0].name).toBe(errors[0].header);
};

const PROBLEM_MEMBERS = ['type', 'title', 'status', 'code', 'detail'];

const checkProblem = (exchange: Exchange): void => {
  const { step, spoken, answer } = exchange;
  const { code = '', status, errors, missing, says = '' } = step.expect;
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  const causes = CAUSES[code];
  expect(Object.keys(answer.json)).toEqual([
    ...PROBLEM_MEMBERS,
    ...(errors || causes ? ['requestId', 'errors'] : ['remedy', 'requestId']),
  ]);
  expect(answer.json).toMatchObject({
    type: `/api/problems/${code}`,
    title: spoken.table.problems[code]?.title,
    status,
    code,
    requestId: REQUEST_ID,
  });
  const { detail } = answer.json;
  expect(isSpoken(spoken.table, detail), detail).toBe(true);
  expect(detail).toContain(says);
  if (missing) {
    const key = step.target.keys[missing === 'cars' ? 0 : 1];
    expect(detail).toContain(spoken.table.nouns[missing].the);
    expect(detail).toContain(key);
  }
  if (causes) checkHeaderError(answer.json, causes);
  else checkErrors(exchange);
};

const checkAllow = (answer: TestResponse, allow: readonly string[] | undefined): void => {
  const found = answer.headers.get('allow');
  expect(found?.split(/\s*,\s*/).sort()).toEqual(allow?.toSorted());
};

/** Compares an answer with what its step says, in the language that the request was sent in. */
export const checkAnswer = (others: readonly Translator[], exchange: Exchange): void => {
  const { step, spoken, answer } = exchange;
  const { status, allow } = step.expect;
  expect(answer.status, `${step.method} ${pathIn(spoken, step)}: ${answer.text.slice(0, 500)}`).toBe(status);
  expect(answer.headers.get('x-request-id')).toBe(REQUEST_ID);
  expect(answer.headers.get('content-language')).toBe(answer.text === '' ? null : spoken.tag);
  checkAllow(answer, allow);
  const checks = status >= 400 ? [checkProblem] : [checkBody, checkLinks(others), checkLocation];
  for (const check of checks) check(exchange);
};
