/** Who may ask for what, and how often: the readable list of what is refused before the routes. */
import type { IncomingMessage } from 'node:http';
import type { AddressOf } from '../../gateway/http/context.ts';
import { isSafe } from '../../gateway/http/exchange.ts';
import { type Access, requiredScope, type Scope } from '../../gateway/model/access.ts';
import { type Sentence, sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { Store } from '../../store/store.ts';
import type { Policy } from '../server/requests.ts';
import type { Config } from '../settings/config.ts';
import { browserPolicies } from './browsers.ts';
import { type Client, type Identify, type KnownClients, readCredential } from './client.ts';
import { findKeyId, keyRing } from './keys.ts';
import { type LimitRequests, limitRequests } from './limit-requests.ts';
import { tokenVerifier } from './tokens.ts';

/** @param error parameters of the challenge, by RFC 6750 §3 none for a request without a credential */
function challenge(code: 'unauthorized' | 'forbidden', detail: Sentence, error = ''): Problem {
  return new Problem(code, detail, { headers: { 'WWW-Authenticate': `Bearer realm="car-dealer-catalogue"${error}` } });
}

function checkScope(client: Client | undefined, scope: Scope): Problem | undefined {
  if (!client) return challenge('unauthorized', sentence('key-invalid', {}), ', error="invalid_token"');
  if (client.scopes.includes(scope)) return undefined;
  return challenge('forbidden', sentence('scope-missing', { scope }), `, error="insufficient_scope", scope="${scope}"`);
}

/** @returns the policy that refuses what a client may not do */
export function accessGate(
  access: Access,
  identify: Identify,
  limit: LimitRequests = () => undefined,
  clients?: KnownClients,
): Policy {
  if (access === 'open') return limit;
  return async (incoming, admission) => {
    const scope = requiredScope(access, !isSafe(incoming.method ?? ''), admission.kind !== 'tree');
    const credential = readCredential(incoming.headers);
    const client = credential === undefined ? undefined : await identify(credential);
    if (client) clients?.set(incoming, client);
    const refusal = limit(incoming, admission, client);
    if (refusal || scope === undefined) return refusal;
    return credential === undefined
      ? challenge('unauthorized', sentence('key-missing', {}))
      : checkScope(client, scope);
  };
}

/** @returns identifies by keys, and by tokens if `OIDC_ISSUER` is set; another kind of credential is another line here */
function createIdentify(config: Config, { apiKeys }: Store): Identify {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience = '', OIDC_SCOPE_CLAIM: scopeClaim } = config;
  const identifyByKey = keyRing(apiKeys);
  const identifyByToken = issuer === undefined ? undefined : tokenVerifier({ issuer, audience, scopeClaim });
  return (credential) =>
    findKeyId(credential) === undefined ? identifyByToken?.(credential) : identifyByKey(credential);
}

/** @returns what every request must pass, in this order, and for later whether its client may still read */
export function createPolicies(config: Config, store: Store, addressOf: AddressOf, clients: KnownClients) {
  const { HOST: listensOn, ALLOWED_HOSTS: allowedHosts, CORS_ORIGINS: allowedOrigins } = config;
  const { ACCESS, RATE_LIMIT: quota, RATE_LIMITS: others, RATE_WINDOW: window } = config;
  const policies = browserPolicies({ listensOn, allowedHosts, allowedOrigins });
  if (ACCESS === 'open' && quota === undefined) return { policies, mayRead: undefined, reload: undefined };
  let identifyNow = createIdentify(config, store);
  const identify: Identify = (credential) => identifyNow(credential);
  const limit = quota === undefined ? undefined : limitRequests({ quota, others, window }, addressOf);
  const gate = accessGate(ACCESS, identify);
  return {
    policies: [...policies, accessGate(ACCESS, identify, limit, clients)],
    mayRead: async (incoming: IncomingMessage): Promise<boolean> =>
      (await gate(incoming, { kind: 'tree' })) === undefined,
    reload: (changed: Config): void => {
      identifyNow = createIdentify(changed, store);
    },
  };
}
