import { hash } from 'node:crypto';
import type { JWTVerifyGetKey } from 'jose';
import { describeCause } from '../../gateway/port/unavailable.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { Client } from './client.ts';

export interface TokenOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly scopeClaim: string;
  /** Milliseconds between two requests for the issuer's keys, if tokens name an unknown key. */
  readonly cooldown?: number;
}

/** Milliseconds in which the issuer must respond. */
const TIMEOUT = 5_000;
/** Milliseconds between two requests for the issuer's keys, and for which they are cached. */
const COOLDOWN = 30_000;
const KEYS_AGE = 600_000;
/** Seconds by which clocks may differ. */
const TOLERANCE = 5;

/** Codes of the errors of `jose` that an invalid token causes; the issuer or the network causes all others. */
const TOKEN_FAULT =
  /^ERR_(?:JWT_|JWS_|JOSE_ALG_NOT_ALLOWED|JOSE_NOT_SUPPORTED|JWKS_NO_MATCHING_KEY|JWKS_MULTIPLE_MATCHING_KEYS)/;

async function fetchKeys({ issuer, cooldown = COOLDOWN }: TokenOptions): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet } = await import('jose');
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) });
  const { issuer: name, jwks_uri: keys } = (await response.json()) as Readonly<Record<string, unknown>>;
  // OpenID Connect Discovery 1.0 §4.3
  if (name !== issuer) throw new Error(`${url} is of the issuer "${name}"`);
  return createRemoteJWKSet(new URL(String(keys)), {
    timeoutDuration: TIMEOUT,
    cooldownDuration: cooldown,
    cacheMaxAge: KEYS_AGE,
  });
}

function readScopes(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string') : [];
}

export function createTokenVerifier(options: TokenOptions): (token: string) => Promise<Client | undefined> {
  const { issuer, audience, scopeClaim } = options;
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return async (token) => {
    try {
      // Fetched with the first token, and again with the next one if the issuer does not respond.
      keys ??= fetchKeys(options).catch((error: unknown) => {
        keys = undefined;
        throw error;
      });
      const { jwtVerify } = await import('jose');
      const requiredClaims = ['exp', 'sub'];
      // A set of keys verifies by asymmetric algorithms only: whoever can verify a token cannot make one.
      const checks = { issuer, audience, requiredClaims, clockTolerance: TOLERANCE };
      const { sub = '', [scopeClaim]: claim } = (await jwtVerify(token, await keys, checks)).payload;
      return { id: `token ${hash('sha256', sub)}`, name: sub, scopes: readScopes(claim) };
    } catch (error) {
      if (error instanceof Error && 'code' in error && TOKEN_FAULT.test(String(error.code))) return undefined;
      // `fetch` only says that it failed, and why in the cause.
      const reason = error instanceof Error ? (error.cause ?? error) : error;
      const cause = new Error(`OIDC_ISSUER=${issuer}: ${describeCause(reason)}`, { cause: error });
      throw new Problem('unavailable', sentence('issuer-unavailable', {}), { cause });
    }
  };
}
