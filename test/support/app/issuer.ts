/** A small identity provider. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import type { WhenOver } from '../process/folder.ts';

/** What its tokens are for. */
export const AUDIENCE = 'https://cars.example';

export const openIssuer = async (whenOver: WhenOver = onTestFinished) => {
  const pairs = new Map<string, Awaited<ReturnType<typeof generateKeyPair>>>();
  let isDown = false;
  let asked = 0;
  let name = '';
  const server = createServer(async (request, response) => {
    asked += 1;
    response.setHeader('content-type', 'application/json');
    if (isDown) return response.writeHead(503).end('{}');
    if (request.url === '/.well-known/openid-configuration') {
      return response.end(JSON.stringify({ issuer: name, jwks_uri: `${name}/keys` }));
    }
    const keys = [...pairs].map(async ([kid, { publicKey }]) => ({
      ...(await exportJWK(publicKey)),
      kid,
      alg: 'RS256',
    }));
    return response.end(JSON.stringify({ keys: await Promise.all(keys) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  whenOver(() => void server.close());
  name = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rotate = async (kid: string): Promise<void> => {
    pairs.clear();
    pairs.set(kid, await generateKeyPair('RS256'));
  };
  await rotate('one');
  const sign = (claims: object, kid = [...pairs.keys()][0] ?? '', key?: CryptoKey): Promise<string> =>
    new SignJWT({ iss: name, aud: AUDIENCE, sub: 'shop', exp: Math.floor(Date.now() / 1_000) + 3_600, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(key ?? (pairs.get(kid)?.privateKey as CryptoKey));
  return {
    name,
    sign,
    rotate,
    asked: () => asked,
    setDown: (value: boolean) => {
      isDown = value;
    },
  };
};

export type Issuer = Awaited<ReturnType<typeof openIssuer>>;
