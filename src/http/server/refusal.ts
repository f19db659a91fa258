import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hono } from 'hono';
import { andThen, type MaybePromise } from '../../model/maybe-promise.ts';
import { Problem } from '../../texts/problem.ts';
import type { Env } from '../context.ts';
import { REQUEST_ID_KEY } from '../headers.ts';
import type { Stage } from './pipeline.ts';
import type { GatewayResponse } from './response.ts';

/** Decides whether a request may pass. @returns the reason for refusal, if any; a policy that fails refuses, too */
export type Policy = (incoming: IncomingMessage, outgoing: GatewayResponse) => MaybePromise<Problem | undefined>;

/** @returns the same policy, which tells of each request that it refuses */
export const observedPolicy =
  (policy: Policy, onRefusal: (problem: Problem, incoming: IncomingMessage) => void): Policy =>
  (incoming, outgoing) =>
    andThen(policy(incoming, outgoing), (problem) => {
      if (problem) onRefusal(problem, incoming);
      return problem;
    });

/** Makes the response to a request that does not reach the app, in the right language. */
type Refuse = (target: string, refusal: unknown, headers?: Headers) => Promise<Response>;

/** Makes stages of policies. */
export interface Refusing {
  readonly refuse: Refuse;
  readonly refusing: (policy: Policy) => Stage;
  /** Whether a request was refused with a response that closes its connection. */
  readonly isLast: (outgoing: ServerResponse) => boolean;
}

/** As Node has their names. */
const SPOKEN_FOR = ['accept-language', REQUEST_ID_KEY];

/** The headers that a response depends on even where the request is refused. */
export const spokenFor = ({ headers }: IncomingMessage): Headers => {
  const kept = new Headers();
  for (const name of SPOKEN_FOR) {
    const value = headers[name];
    if (typeof value === 'string') kept.set(name, value);
  }
  return kept;
};

/** @param app makes the responses */
export const refusingWith = (app: Hono<Env>): Refusing => {
  const closing = new WeakSet<ServerResponse>();
  const refuse: Refuse = async (target, refusal, headers = new Headers()) =>
    app.fetch(new Request('http://localhost/', { headers }), { target, refusal });

  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse, refusal: unknown): Promise<void> => {
    if (refusal instanceof Problem && refusal.headers.Connection === 'close') closing.add(outgoing);
    const response = await refuse(incoming.url ?? '/', refusal, spokenFor(incoming));
    const body = await response.text();
    const length = { 'Content-Length': Buffer.byteLength(body) };
    outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...length });
    outgoing.end(incoming.method === 'HEAD' ? undefined : body);
    incoming.resume();
  };
  const refuseFor = (incoming: IncomingMessage, outgoing: ServerResponse, refusal: unknown): true => {
    void respond(incoming, outgoing, refusal);
    return true;
  };
  const refuseLater = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    later: Promise<Problem | undefined>,
  ): Promise<boolean> => {
    try {
      const refusal = await later;
      return refusal !== undefined && refuseFor(incoming, outgoing, refusal);
    } catch (error) {
      return refuseFor(incoming, outgoing, error);
    }
  };
  return {
    refuse,
    refusing: (policy) => (incoming, outgoing) => {
      try {
        const refusal = policy(incoming, outgoing);
        if (refusal === undefined) return false;
        if (refusal instanceof Promise) return refuseLater(incoming, outgoing, refusal);
        return refuseFor(incoming, outgoing, refusal);
      } catch (error) {
        return refuseFor(incoming, outgoing, error);
      }
    },
    isLast: (outgoing) => closing.has(outgoing),
  };
};
