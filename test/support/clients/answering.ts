import { connect } from '../../../clients/en/index.js';

interface Sent {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: Headers;
}

export type Answer = (init: RequestInit | undefined) => Response | Promise<Response>;

export const ORIGIN = 'http://catalogue.test';

/** @returns cars of a service that answers so, and what it was sent; the last answer is repeated */
export const answering = (
  answers: readonly Answer[],
  settings: { readonly retries?: number; readonly timeout?: number } = {},
) => {
  const sent: Sent[] = [];
  const answer = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const next = answers[Math.min(sent.length, answers.length - 1)];
    sent.push({ url: String(url), method: init?.method, headers: new Headers(init?.headers) });
    if (!next) throw new TypeError('no answer');
    return next(init);
  };
  return { cars: connect(ORIGIN, { key: 'secret', fetch: answer, ...settings }).cars, sent };
};

export const refused =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json(
      { type: `/api/problems/${code}`, title: code, status, code, detail: code, requestId: 'r' },
      { status, headers: { 'content-type': 'application/problem+json', ...headers } },
    );
export const list =
  (items: readonly object[] = [], headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json(items, { headers: { 'x-change': 'p', ...headers } });
export const created: Answer = () => Response.json({ identifier: 'a' }, { status: 201, headers: { etag: '"1"' } });
export const unreachable: Answer = () => {
  throw new TypeError('fetch failed');
};
