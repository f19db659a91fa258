/** Tokens of an identity provider: a small one of the test's own. */
import { generateKeyPair, SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Identify } from '../../../src/host/access/client.ts';
import { createKeyIdentifier, findKeyId, makeKey } from '../../../src/host/access/keys.ts';
import { createAccessGate } from '../../../src/host/access/policies.ts';
import { createTokenVerifier } from '../../../src/host/access/tokens.ts';
import type { ApiKeyStore } from '../../../src/store/clients.ts';
import { AUDIENCE, type Issuer, openIssuer } from '../../support/app/issuer.ts';
import { openServer } from '../../support/app/server.ts';
import { freePort } from '../../support/process/free-port.ts';

const verifierOf = ({ name }: Issuer, scopeClaim = 'scope') =>
  createTokenVerifier({ issuer: name, audience: AUDIENCE, scopeClaim, cooldown: 0 });

test('a token is known by its subject, with the scopes of its claim', async () => {
  const issuer = await openIssuer();
  const verify = verifierOf(issuer);
  const known = await verify(await issuer.sign({ scope: 'openid read write' }));
  const id = expect.stringMatching(/^token [0-9a-f]{64}$/);
  expect(known).toEqual({ id, name: 'shop', scopes: ['openid', 'read', 'write'] });
  expect(await verify(await issuer.sign({ scope: 'read', sub: 'another' }))).not.toMatchObject({ id: known?.id });
  expect(await verify(await issuer.sign({}))).toMatchObject({ scopes: [] });
  expect(await verify(await issuer.sign({ aud: ['x', AUDIENCE], scope: 7 }))).toMatchObject({ scopes: [] });
  // The issuer is asked once for what it says of itself, and once for its keys.
  expect(issuer.asked()).toBe(2);
  const roles = verifierOf(issuer, 'roles');
  expect(await roles(await issuer.sign({ roles: ['read', 1] }))).toMatchObject({ scopes: ['read'] });
});

test('a token that is not for this service, from this issuer and of this hour is nobody’s', async () => {
  const issuer = await openIssuer();
  const verify = verifierOf(issuer);
  const { privateKey } = await generateKeyPair('RS256');
  const past = Math.floor(Date.now() / 1_000) - 60;
  const good = await issuer.sign({ scope: 'write' });
  const [head = '', body = '', signature = ''] = good.split('.');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
  // A key of the issuer's that everybody knows, taken for a secret.
  const byHash = await new SignJWT({ iss: issuer.name, aud: AUDIENCE, sub: 'shop', exp: past + 120 })
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(new TextEncoder().encode('x'.repeat(32)));
  const bad = [
    await issuer.sign({ aud: 'https://other.example' }),
    await issuer.sign({ iss: 'https://other.example' }),
    await issuer.sign({ exp: past }),
    await issuer.sign({ exp: undefined }),
    await issuer.sign({ sub: undefined }),
    await issuer.sign({ nbf: past + 600 }),
    await issuer.sign({}, 'one', privateKey),
    await issuer.sign({}, 'unknown', privateKey),
    unsigned,
    byHash,
    `${head}.${body}.${signature.slice(0, -4)}AAAA`,
    `${head}.${Buffer.from('{"sub":"shop"}').toString('base64url')}.${signature}`,
    'x',
    'a.b.c',
    '..',
  ];
  for (const [at, token] of bad.entries()) expect([at, await verify(token)]).toEqual([at, undefined]);
  expect(await verify(good)).toBeDefined();
});

test('a key that the issuer has changed is fetched, and the one before it is good for nothing', async () => {
  const issuer = await openIssuer();
  const verify = verifierOf(issuer);
  const before = await issuer.sign({});
  expect(await verify(before)).toBeDefined();
  await issuer.rotate('two');
  expect(await verify(await issuer.sign({}))).toBeDefined();
  expect(await verify(before)).toBeUndefined();
});

test('while the issuer does not respond nobody is known, and later they are; keys that are known are enough', async () => {
  const issuer = await openIssuer();
  const verify = verifierOf(issuer);
  const token = await issuer.sign({});
  issuer.setDown(true);
  await expect(verify(token)).rejects.toMatchObject({ code: 'unavailable' });
  issuer.setDown(false);
  expect(await verify(token)).toBeDefined();
  issuer.setDown(true);
  expect(await verify(token)).toBeDefined();
});

test('the log is told which issuer does not respond, and why', async () => {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const verify = createTokenVerifier({ issuer, audience: AUDIENCE, scopeClaim: 'scope' });
  const token = await (await openIssuer()).sign({});
  const message = expect.stringMatching(`^OIDC_ISSUER=${issuer}: .*ECONNREFUSED`);
  await expect(verify(token)).rejects.toMatchObject({ cause: { message } });
});

const identifierOf = (keys: ApiKeyStore, issuer: Issuer): Identify => {
  const [ofKey, ofToken] = [createKeyIdentifier(keys), verifierOf(issuer)];
  return (credential) => (findKeyId(credential) ? ofKey(credential) : ofToken(credential));
};

describe('a service', () => {
  test('takes tokens and keys, and says in the language of the path what is wrong', async () => {
    const issuer = await openIssuer();
    const server = await openServer({
      access: 'write',
      guards: ({ apiKeys }) => [createAccessGate('write', identifierOf(apiKeys, issuer))],
    });
    onTestFinished(server.close);
    const { key, stored } = makeKey({ name: 'x', scopes: ['write'], created: 0, expires: undefined });
    await server.store.apiKeys.add(stored);
    const remove = (credential: string) =>
      server.ask('DELETE', '/api/coches/a', { Authorization: `Bearer ${credential}` });
    issuer.setDown(true);
    const down = await remove(await issuer.sign({ scope: 'write' }));
    expect([down.status, down.text]).toEqual([503, expect.stringContaining('el proveedor de identidad no responde')]);
    expect((await remove(key)).status).toBe(404);
    issuer.setDown(false);
    expect((await remove(await issuer.sign({ scope: 'write' }))).status).toBe(404);
    const reading = await remove(await issuer.sign({ scope: 'read' }));
    expect([reading.status, reading.text]).toEqual([403, expect.stringContaining('le falta el permiso «write»')]);
    expect((await remove(await issuer.sign({ scope: 'write', aud: 'x' }))).status).toBe(401);
  });
});
