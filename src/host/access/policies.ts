/** The policies of access: who may send which request, and how many. They refuse a request before it reaches a route. */
import type { IncomingMessage } from 'node:http';
import type { AddressOf } from '../../gateway/http/context.ts';
import { isSafe } from '../../gateway/http/exchange.ts';
import { type Access, requiredScope, type Scope } from '../../gateway/model/access.ts';
import { type Sentence, sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { Store } from '../../store/store.ts';
import type { Admission, Policy } from '../server/server.ts';
import type { Config } from '../settings/config.ts';
import { createBrowserPolicies } from './browsers.ts';
import { type Client, findAccount, type Identify, type KnownClients, readCredential } from './client.ts';
import { createKeyIdentifier, findKeyId } from './keys.ts';
import { createTokenVerifier } from './tokens.ts';

/** @param error parameters of the challenge, by RFC 6750 §3 none for a request without a credential */
function challenge(code: 'unauthorized' | 'forbidden', detail: Sentence, error = ''): Problem {
  return new Problem(code, detail, { headers: { 'WWW-Authenticate': `Bearer realm="car-dealer-catalogue"${error}` } });
}

function checkScope(client: Client | undefined, scope: Scope): Problem | undefined {
  if (!client) return challenge('unauthorized', sentence('key-invalid', {}), ', error="invalid_token"');
  if (client.scopes.includes(scope)) return undefined;
  return challenge('forbidden', sentence('scope-missing', { scope }), `, error="insufficient_scope", scope="${scope}"`);
}

export function createAccessGate(
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

/** Creates the function that finds the client of a key, or of a token if `OIDC_ISSUER` is set. A further kind of credential is added here. */
function createIdentify(config: Config, { apiKeys }: Store): Identify {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience = '', OIDC_SCOPE_CLAIM: scopeClaim } = config;
  const identifyByKey = createKeyIdentifier(apiKeys);
  const identifyByToken = issuer === undefined ? undefined : createTokenVerifier({ issuer, audience, scopeClaim });
  return (credential) =>
    findKeyId(credential) === undefined ? identifyByToken?.(credential) : identifyByKey(credential);
}

/** @returns the policies in their order, and `mayRead`, by which a stream asks whether its client may still read */
export function createPolicies(config: Config, store: Store, readAddress: AddressOf, clients: KnownClients) {
  const { HOST: listensOn, ALLOWED_HOSTS: allowedHosts, CORS_ORIGINS: allowedOrigins } = config;
  const { ACCESS, RATE_LIMIT: quota, RATE_WINDOW: window } = config;
  const policies = createBrowserPolicies({ listensOn, allowedHosts, allowedOrigins });
  if (ACCESS === 'open' && quota === undefined) return { policies, mayRead: undefined };
  const identify = createIdentify(config, store);
  const limit = quota === undefined ? undefined : createRequestLimit({ quota, window }, readAddress);
  const gate = createAccessGate(ACCESS, identify);
  return {
    policies: [...policies, createAccessGate(ACCESS, identify, limit, clients)],
    mayRead: async (incoming: IncomingMessage): Promise<boolean> =>
      (await gate(incoming, { kind: 'tree' })) === undefined,
  };
}

interface RateLimit {
  readonly quota: number;
  /** Seconds. */
  readonly window: number;
}

const MOST_CLIENTS = 50_000;

/** Counts the requests of each client in fixed windows of the clock, in the memory of this process. */
export class RequestCounter {
  /** Milliseconds. */
  readonly #length: number;
  readonly #counts = new Map<string, number>();
  /** Milliseconds since 1970 at which the window ends. */
  #end = 0;

  constructor(seconds: number) {
    this.#length = seconds * 1_000;
  }

  count(client: string, time: number): { readonly count: number; readonly end: number } {
    if (time >= this.#end || time < this.#end - this.#length) {
      this.#counts.clear();
      this.#end = (Math.floor(time / this.#length) + 1) * this.#length;
    }
    const count = (this.#counts.get(client) ?? 0) + 1;
    this.#counts.delete(client);
    this.#counts.set(client, count);
    if (this.#counts.size > MOST_CLIENTS) this.#counts.delete(this.#counts.keys().next().value ?? '');
    return { count, end: this.#end };
  }
}

/** Counts a request, of a client if one is known. @returns the problem if its limit is exceeded */
export type LimitRequests = (incoming: IncomingMessage, admission: Admission, client?: Client) => Problem | undefined;

export function createRequestLimit({ quota, window }: RateLimit, readAddress: AddressOf): LimitRequests {
  const counter = new RequestCounter(window);
  return (incoming, admission, client) => {
    // A monitoring system sends many health checks from one address.
    if (admission.kind === 'probe') return undefined;
    const time = Date.now();
    const { count, end } = counter.count(findAccount(client, readAddress(incoming)), time);
    const seconds = Math.ceil((end - time) / 1_000);
    // draft-ietf-httpapi-ratelimit-headers-11 §3 and §4
    admission.policyHeaders = {
      'RateLimit-Policy': `"default";q=${quota};w=${window}`,
      RateLimit: `"default";r=${Math.max(0, quota - count)};t=${seconds}`,
    };
    if (count <= quota) return undefined;
    const headers = { 'Retry-After': String(seconds) };
    return new Problem('rate-limited', sentence('rate-limited', { seconds }), { headers });
  };
}
