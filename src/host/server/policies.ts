import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Gateway } from '../../gateway/http/context.ts';
import type { HeaderRecord } from '../../gateway/http/headers.ts';
import { originForm, pathOf } from '../../gateway/http/target.ts';
import { type AddressKind, addressKind } from '../../gateway/http/urls.ts';
import type { Problem } from '../../gateway/texts/problem.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';

/** What policies know of a request beside the request itself. */
export interface Admission {
  readonly kind: AddressKind;
  /** What a policy adds to the headers of the response, whatever that is. */
  added?: HeaderRecord | undefined;
}

/**
 * Decides whether a request may pass. Health checks always do: a policy that forgets them would have a service restarted.
 *
 * @returns the reason for refusal, if any; a policy that fails refuses, too
 */
export type Policy = (incoming: IncomingMessage, admission: Admission) => MaybePromise<Problem | undefined>;

/** @returns the same policy, which tells of each request that it refuses */
export const observedPolicy =
  (policy: Policy, onRefusal: (problem: Problem, incoming: IncomingMessage) => void): Policy =>
  (incoming, admission) =>
    andThen(policy(incoming, admission), (problem) => {
      if (problem) onRefusal(problem, incoming);
      return problem;
    });

export type Fetch = (request: Request, bindings: HttpBindings) => MaybePromise<Response>;

/** @returns a policy of all, which are asked in this order until one refuses */
const allOf = (policies: readonly Policy[]): Policy =>
  policies.reduce<Policy>(
    (before, next) => (incoming, admission) =>
      andThen(before(incoming, admission), (refusal) => refusal ?? next(incoming, admission)),
    () => undefined,
  );

/**
 * @param policies in the order in which they are asked
 * @param next responds to requests that all of them let pass
 */
export const guarded = (policies: readonly Policy[], refuse: Gateway['refuse'], next: Fetch): Fetch => {
  const policy = allOf(policies);
  return (request, { incoming, outgoing }) => {
    const { method = '', url = '/' } = incoming;
    const kind = addressKind(method, pathOf(originForm(url)));
    const bindings = { incoming, outgoing, kind, added: undefined };
    const decide = (refusal: unknown): MaybePromise<Response> =>
      refusal === undefined || kind === 'probe' ? next(request, bindings) : refuse(refusal, request, bindings);
    try {
      const refusal = policy(incoming, bindings);
      return refusal instanceof Promise ? refusal.then(decide, decide) : decide(refusal);
    } catch (error) {
      return decide(error);
    }
  };
};
