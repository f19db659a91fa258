import type { Fetch } from '../../../packages/parity/src/kit/dictionary.ts';
import type { Fault } from './faults.ts';

type Send = (url: string, init?: RequestInit) => Promise<Response> | Response;

/** Whether a request is one of the Spanish tree, or of its document. */
const isSpanish = (url: string): boolean => /^\/api\/(?:(?:[a-z]+\/)?coches\b|openapi\.es\.)/.test(url);

/** @returns what asks a service through a proxy with a fault */
export const through =
  (send: Send, { request = (sent) => sent, response = (given) => given }: Partial<Fault> = {}): Fetch =>
  async (url, init) => {
    const headers = Object.fromEntries(Object.entries(init?.headers ?? {}));
    const sent = { method: init?.method ?? 'GET', url, headers };
    if (!isSpanish(url)) return send(url, init);
    const damaged = request(sent);
    const answer = await send(damaged.url, { ...init, headers: { ...damaged.headers } });
    const given = {
      status: answer.status,
      headers: answer.headers,
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer()),
    };
    const { status, headers: answered, text } = response(given, sent);
    return new Response(text === '' || status === 204 || status === 304 ? null : text, { status, headers: answered });
  };
