import type { Fetch } from '../../../packages/parity/src/kit/dictionary.ts';
import type { Fault } from './faults.ts';

export type { Fault };

type Send = (url: string, init?: RequestInit) => Promise<Response> | Response;

/** A request of the Spanish tree of the catalogue, or of what there is of it beside. */
const CATALOGUE = /^\/api\/(?:coches\b|openapi\.es\.|locales\/es\b)/;

/** @param spoilt which paths have the fault @returns what asks a service through a proxy with a fault */
export const through =
  (send: Send, { request = (one) => one, response = (one) => one }: Partial<Fault> = {}, spoilt = CATALOGUE): Fetch =>
  async (url, init = {}) => {
    if (!spoilt.test(url)) return send(url, init);
    const headers = Object.fromEntries(new Headers(init.headers));
    const { method = 'GET', body } = init;
    const original = { method, url, headers, body };
    const damaged = request(original);
    const answer = await send(damaged.url, { ...init, headers: { ...damaged.headers }, body: damaged.body ?? null });
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
    const damagedAnswer = response({ status: answer.status, headers: answer.headers, text }, original);
    const { status } = damagedAnswer;
    const isEmpty = damagedAnswer.text === '' || status === 204 || status === 304;
    return new Response(isEmpty ? null : damagedAnswer.text, { status, headers: damagedAnswer.headers });
  };
