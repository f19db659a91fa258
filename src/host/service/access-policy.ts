/** Who may ask for what, and how often. Loaded only where a setting restricts it. */
import type { IncomingMessage } from 'node:http';
import type { AddressOf } from '../../gateway/http/context.ts';
import type { Store } from '../../store/store.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import { isKey } from '../access/api-key.ts';
import type { Identify, KnownClients } from '../access/client.ts';
import { accessGate } from '../access/gate.ts';
import { keyRing } from '../access/key-ring.ts';
import { type LimitRequests, limitRequests } from '../access/limit-requests.ts';
import { tokenVerifier } from '../access/tokens.ts';
import type { Policy } from '../server/requests.ts';
import type { Config } from '../settings/config.ts';

/** @returns a function that counts the requests of each client; `undefined` without a limit */
const limitOf = (config: Config, addressOf: AddressOf): LimitRequests | undefined => {
  const { RATE_LIMIT: quota, RATE_LIMITS: others, RATE_WINDOW: window } = config;
  return quota === undefined ? undefined : limitRequests({ quota, others, window }, addressOf);
};

/** @returns identifies by keys, and by tokens where `OIDC_ISSUER` is set; another kind of credential is another line here */
const identifierOf = (
  { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience = '', OIDC_SCOPE_CLAIM: scopeClaim }: Config,
  { apiKeys }: Store,
): Identify => {
  const ofKey = keyRing(apiKeys);
  const ofToken = issuer === undefined ? undefined : tokenVerifier({ issuer, audience, scopeClaim });
  return (credential) => (isKey(credential) ? ofKey(credential) : ofToken?.(credential));
};

/** Whether who has sent a request to read may still do so. */
export type MayRead = (incoming: IncomingMessage) => MaybePromise<boolean>;

/** @returns the policy, and what reads keys and the settings of tokens again */
export const accessPolicy = (
  config: Config,
  store: Store,
  addressOf: AddressOf,
  clients: KnownClients,
): { readonly policy: Policy; readonly mayRead: MayRead; readonly reload: (changed: Config) => void } => {
  let identify = identifierOf(config, store);
  const limit = limitOf(config, addressOf);
  const gate = accessGate(config.ACCESS, (credential) => identify(credential));
  return {
    mayRead: (incoming) => andThen(gate(incoming, { kind: 'tree' }), (refusal) => refusal === undefined),
    policy: accessGate(config.ACCESS, (credential) => identify(credential), limit, clients.add),
    reload: (changed) => {
      identify = identifierOf(changed, store);
    },
  };
};
