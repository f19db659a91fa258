import type { Fetch } from '../../../packages/parity/src/kit/dictionary.ts';
import type { Fault } from './faults.ts';

export type { Fault };

type Send = (url: string, init?: RequestInit) => Promise<Response> | Response;

/** A request of the Spanish tree of the catalogue, or of what there is of it beside. */
const CATALOGUE = /^\/api\/(?:coches\b|openapi\.es\.|locales\/es\b)/;

/** @param spoilt which paths have the fault @returns what asks a service through a proxy with a fault */
export const through =
  (
    send: Send,
    { request = (sent) => sent, response = (given) => given }: Partial<Fault> = {},
    spoilt = CATALOGUE,
  ): Fetch =>
  async (url, init) => {
    const headers = Object.fromEntries(Object.entries(init?.headers ?? {}));
    const sent = { method: init?.method ?? 'GET', url, headers, body: init?.body };
    if (!spoilt.test(url)) return send(url, init);
    const damaged = request(sent);
    const answer = await send(damaged.url, {
      ...init,
      headers: { ...damaged.headers },
      ...(damaged.body !== undefined && damaged.body !== null && { body: damaged.body }),
    });
    const given = {
      status: answer.status,
      headers: answer.headers,
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer()),
    };
    const { status, headers: answered, text } = response(given, sent);
    return new Response(text === '' || status === 204 || status === 304 ? null : text, { status, headers: answered });
  };
