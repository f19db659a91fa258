import { isSafe } from '../../gateway/http/request.ts';
import { type Access, requiredScope, type Scope } from '../../gateway/model/access.ts';
import { type Sentence, sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { Policy } from '../server/requests.ts';
import { type Client, credentialIn, type Identify, type KnownClients } from './client.ts';
import type { LimitRequests } from './limit-requests.ts';

/** @param error parameters of the challenge, by RFC 6750 §3 none for a request without a credential */
const refused = (code: 'unauthorized' | 'forbidden', detail: Sentence, error = ''): Problem =>
  new Problem(code, detail, { headers: { 'WWW-Authenticate': `Bearer realm="car-dealer-catalogue"${error}` } });

const check = (client: Client | undefined, scope: Scope): Problem | undefined => {
  if (!client) return refused('unauthorized', sentence('key-invalid', {}), ', error="invalid_token"');
  return client.scopes.includes(scope)
    ? undefined
    : refused('forbidden', sentence('scope-missing', { scope }), `, error="insufficient_scope", scope="${scope}"`);
};

/**
 * @param limit counts requests by client, or by address where the key is missing or invalid; without it there is no limit
 * @param add called with each request whose client was identified
 * @returns the policy that refuses what a client may not do
 */
export const accessGate = (
  access: Access,
  identify: Identify,
  limit: LimitRequests = () => undefined,
  add: KnownClients['add'] = () => {},
): Policy => {
  if (access === 'open') return limit;
  return async (incoming, admission) => {
    const scope = requiredScope(access, !isSafe(incoming.method ?? ''), admission.kind !== 'tree');
    const credential = credentialIn(incoming.headers);
    const client = credential === undefined ? undefined : await identify(credential);
    if (client) add(incoming, client);
    const limited = limit(incoming, admission, client);
    if (limited || scope === undefined) return limited;
    return credential === undefined ? refused('unauthorized', sentence('key-missing', {})) : check(client, scope);
  };
};
