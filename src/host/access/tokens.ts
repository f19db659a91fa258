import { hash } from 'node:crypto';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { byteSize } from '../../gateway/texts/size.ts';
import type { Client } from './client.ts';

export interface TokenOptions {
  /** The value of `iss` in tokens, and the base URL of the OpenID Connect Discovery document. */
  readonly issuer: string;
  /** The value of `aud` in tokens for this service. */
  readonly audience: string;
  /** The claim with a token's scopes: a text with spaces between them, or a list. */
  readonly scopeClaim: string;
  /** Milliseconds between two requests for the issuer's keys, where tokens name an unknown key. */
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
const OF_TOKEN =
  /^ERR_(?:JWT_|JWS_|JOSE_ALG_NOT_ALLOWED|JOSE_NOT_SUPPORTED|JWKS_NO_MATCHING_KEY|JWKS_MULTIPLE_MATCHING_KEYS)/;

const isOfToken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && OF_TOKEN.test(String(error.code));

/** `fetch` only says that it failed, and why in the cause. */
const reasonOf = (error: unknown): string => {
  const reason = error instanceof Error ? (error.cause ?? error) : error;
  if (!(reason instanceof Error)) return String(reason);
  // Where several addresses of a host were tried, the error of all of them says nothing itself.
  return reason.message || ('code' in reason ? String(reason.code) : reason.name);
};

/** Bytes of a document of the issuer, which has some thousands. */
const LONGEST = 1_048_576;

/** @throws where the document is longer */
const fetchDocument = async (url: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(url, init);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > LONGEST) throw new Error(`${url} has more than ${byteSize(LONGEST)}`);
    chunks.push(chunk);
  }
  return new Response(new Blob(chunks), response);
};

const keysOf = async ({ issuer, cooldown = COOLDOWN }: TokenOptions): Promise<JWTVerifyGetKey> => {
  const { createRemoteJWKSet, customFetch } = await import('jose');
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetchDocument(url, { signal: AbortSignal.timeout(TIMEOUT) });
  const { issuer: named, jwks_uri: keys } = (await response.json()) as Readonly<Record<string, unknown>>;
  // OpenID Connect Discovery 1.0 §4.3
  if (named !== issuer) throw new Error(`${url} is of the issuer "${named}"`);
  return createRemoteJWKSet(new URL(String(keys)), {
    timeoutDuration: TIMEOUT,
    cooldownDuration: cooldown,
    cacheMaxAge: KEYS_AGE,
    [customFetch]: fetchDocument,
  });
};

const scopesIn = (claim: unknown): readonly string[] => {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((each) => typeof each === 'string') : [];
};

/** @returns a function that identifies clients by the tokens of an identity provider (OpenID Connect, RFC 9068) */
export const tokenVerifier = (options: TokenOptions): ((token: string) => Promise<Client | undefined>) => {
  const { issuer, audience, scopeClaim } = options;
  let keys: Promise<JWTVerifyGetKey> | undefined;

  const verify = async (token: string): Promise<JWTPayload> => {
    // Requested with the first token, and again with the next one where the issuer does not respond.
    keys ??= keysOf(options).catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    const { jwtVerify } = await import('jose');
    const requiredClaims = ['exp', 'sub'];
    // A set of keys verifies by asymmetric algorithms only: whoever can verify a token cannot make one.
    const checks = { issuer, audience, requiredClaims, clockTolerance: TOLERANCE };
    return (await jwtVerify(token, await keys, checks)).payload;
  };
  return async (token) => {
    try {
      const { sub = '', [scopeClaim]: claim } = await verify(token);
      const id = `token ${hash('sha256', sub)}`;
      return { id, name: sub, scopes: scopesIn(claim) };
    } catch (error) {
      if (isOfToken(error)) return undefined;
      const cause = new Error(`OIDC_ISSUER=${issuer}: ${reasonOf(error)}`, { cause: error });
      throw new Problem('unavailable', sentence('issuer-unavailable', {}), { cause });
    }
  };
};
