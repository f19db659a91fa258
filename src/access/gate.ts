import { isSafe } from '../http/methods.ts';
import type { Policy } from '../http/server/refusal.ts';
import { originForm, routePath } from '../http/target.ts';
import { isPublic } from '../http/urls.ts';
import { type Access, requiredScope, type Scope } from '../model/access.ts';
import { andThen } from '../model/maybe-promise.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { type Client, credentialIn, type Identify } from './client.ts';

const CHALLENGE = 'Bearer realm="car-dealer-catalogue"';

/** RFC 6750 §3: whoever brings no credential is told no error. */
const missing = (): Problem =>
  new Problem('unauthorized', sentence('key-missing', {}), { headers: { 'WWW-Authenticate': CHALLENGE } });

const invalid = (): Problem =>
  new Problem('unauthorized', sentence('key-invalid', {}), {
    headers: { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"` },
  });

const insufficient = (scope: Scope): Problem =>
  new Problem('forbidden', sentence('scope-missing', { scope }), {
    headers: { 'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` },
  });

const check = (client: Client | undefined, scope: Scope): Problem | undefined => {
  if (!client) return invalid();
  return client.scopes.includes(scope) ? undefined : insufficient(scope);
};

/** @returns what clients may not do; preflights, which browsers send without a key, are let pass */
export const gate =
  (access: Access, identify: Identify): Policy =>
  ({ method = '', url = '/', headers }) => {
    const isWrite = !isSafe(method);
    const mayBePublic = (): boolean => method === 'OPTIONS' || isPublic(routePath(originForm(url)));
    const scope = requiredScope(access, isWrite, access === 'all' && !isWrite && mayBePublic());
    if (scope === undefined) return undefined;
    const credential = credentialIn(headers);
    if (credential === undefined) return missing();
    return andThen(identify(credential), (client) => check(client, scope));
  };
