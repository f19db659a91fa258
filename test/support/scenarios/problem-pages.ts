import { describe, expect, test } from 'vitest';
import { contextOf, sentencesOf } from './context.ts';

/** Contract §8, typed out. */
const STATUSES: Readonly<Record<number, readonly string[]>> = {
  400: [
    'bad-request',
    'malformed-json',
    'malformed-path',
    'unknown-parameter',
    'invalid-parameter',
    'invalid-query',
    'invalid-header',
    'unknown-field',
    'missing-field',
    'invalid-value',
    'invalid-body',
  ],
  403: ['forbidden'],
  404: ['not-found', 'no-such-path'],
  405: ['method-not-allowed'],
  406: ['not-acceptable'],
  409: ['already-exists', 'key-mismatch'],
  412: ['precondition-failed'],
  413: ['body-too-large'],
  414: ['uri-too-long'],
  415: ['unsupported-media-type'],
  417: ['expectation-failed'],
  422: ['idempotency-mismatch'],
  500: ['internal'],
  503: ['unavailable'],
  504: ['outcome-unknown'],
};

const codes = Object.entries(STATUSES).flatMap(([status, all]) =>
  all.map((code) => ({ code, status: Number(status) })),
);

/** Every code explains itself in the language asked for. */
export const problemPageSuite = (folder: string, tag: string): void => {
  describe(`problem pages in ${tag}`, () => {
    const withContext = contextOf(folder, tag);
    test.each(codes)('$code is explained', ({ code, status }) =>
      withContext(async ({ send, own, foreign }) => {
        const answer = await send('GET', `/api/problems/${code}`, undefined, { 'accept-language': `${tag}, *;q=0.1` });
        const { title, explanation } = own.table.problems[code] ?? {};
        expect(title).toBeTruthy();
        expect([answer.status, answer.headers.get('content-language')]).toEqual([200, tag]);
        expect(answer.headers.get('vary')?.split(/\s*,\s*/)).toContain('Accept-Language');
        expect(answer.json).toMatchObject({ type: `/api/problems/${code}`, title, status, code });
        expect(JSON.stringify(answer.json)).toContain(JSON.stringify(explanation).slice(1, -1));
        expect(foreign(sentencesOf(answer))).toEqual([]);
      }),
    );

    test('an address of no language is refused in the language asked for', () =>
      withContext(async ({ send, own, foreign }) => {
        for (const path of ['/zzzqqq', '/api/zzzqqq', '/api/problems/zzzqqq']) {
          const answer = await send('GET', path, undefined, { 'accept-language': tag });
          expect([answer.status, answer.headers.get('content-language')], path).toEqual([404, tag]);
          expect(answer.headers.get('vary')?.split(/\s*,\s*/), path).toContain('Accept-Language');
          expect(answer.json.title).toBe(own.table.problems[answer.json.code]?.title);
          expect(foreign(sentencesOf(answer))).toEqual([]);
        }
      }));
  });
};
