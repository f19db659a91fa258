/** Who may ask for what, and how often. */
import type { IncomingMessage } from 'node:http';
import type { AddressOf } from '../../gateway/http/context.ts';
import type { Store } from '../../store/store.ts';
import { isKey } from '../access/api-key.ts';
import { browserPolicies } from '../access/browsers.ts';
import type { Identify, KnownClients } from '../access/client.ts';
import { accessGate } from '../access/gate.ts';
import { keyRing } from '../access/key-ring.ts';
import { limitRequests } from '../access/limit-requests.ts';
import { tokenVerifier } from '../access/tokens.ts';
import type { Policy } from '../server/requests.ts';
import type { Config } from '../settings/config.ts';

interface Policies {
  /** What every request must pass, in this order. */
  readonly policies: readonly Policy[];
  /** Tells whether who has sent a request to read may still do so; `undefined` if everybody may. */
  readonly mayRead?: (incoming: IncomingMessage) => Promise<boolean>;
  /** Reads keys and the settings of tokens again. */
  readonly reload?: (changed: Config) => void;
}

/** @returns identifies by keys, and by tokens where `OIDC_ISSUER` is set; another kind of credential is another line here */
function createIdentify(config: Config, { apiKeys }: Store): Identify {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience = '', OIDC_SCOPE_CLAIM: scopeClaim } = config;
  const identifyByKey = keyRing(apiKeys);
  const identifyByToken = issuer === undefined ? undefined : tokenVerifier({ issuer, audience, scopeClaim });
  return (credential) => (isKey(credential) ? identifyByKey(credential) : identifyByToken?.(credential));
}

export function createPolicies(config: Config, store: Store, addressOf: AddressOf, clients: KnownClients): Policies {
  const { HOST: listensOn, ALLOWED_HOSTS: allowedHosts, CORS_ORIGINS: allowedOrigins } = config;
  const { ACCESS, RATE_LIMIT: quota, RATE_LIMITS: others, RATE_WINDOW: window } = config;
  const policies = browserPolicies({ listensOn, allowedHosts, allowedOrigins });
  if (ACCESS === 'open' && quota === undefined) return { policies };
  let identifyNow = createIdentify(config, store);
  const identify: Identify = (credential) => identifyNow(credential);
  const limit = quota === undefined ? undefined : limitRequests({ quota, others, window }, addressOf);
  const gate = accessGate(ACCESS, identify);
  return {
    policies: [...policies, accessGate(ACCESS, identify, limit, clients.add)],
    mayRead: async (incoming) => (await gate(incoming, { kind: 'tree' })) === undefined,
    reload: (changed) => {
      identifyNow = createIdentify(changed, store);
    },
  };
}
