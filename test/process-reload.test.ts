/** SIGHUP has a service read secrets and the settings of tokens again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUDIENCE, openIssuer } from './support/app/issuer.ts';
import { temporaryFolder, type WhenOver } from './support/process/folder.ts';
import { onNewConnection } from './support/process/new-connection.ts';
import { type Serving, serve } from './support/process/service.ts';

const statusOf = async (service: Serving, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await onNewConnection(service, 'GET', '/api/cars', undefined, headers)).status;
};

const start = async (whenOver: WhenOver) => {
  const [first, second] = [await openIssuer(whenOver), await openIssuer(whenOver)];
  const file = join(temporaryFolder(whenOver), 'issuer');
  writeFileSync(file, first.name);
  const env = { ACCESS: 'all', OIDC_ISSUER_FILE: file, OIDC_AUDIENCE: AUDIENCE };
  const service = await serve({ env, whenOver });
  const tokens = [await first.sign({ scope: 'read' }), await second.sign({ scope: 'read' })] as const;
  const change = async (issuer: string, told: RegExp): Promise<void> => {
    const count = () => service.output().match(told)?.length ?? 0;
    const before = count();
    writeFileSync(file, issuer);
    service.child.kill('SIGHUP');
    await expect.poll(count).toBe(before + 1);
  };
  return { service, second, tokens, change };
};

/** One service for all tests, one after the other. */
describe('SIGHUP', () => {
  let started: Awaited<ReturnType<typeof start>>;
  const cleanUps: (() => unknown)[] = [];
  beforeAll(async () => {
    started = await start((cleanUp) => void cleanUps.push(cleanUp));
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  test('a setting that is wrong is told of, and the old one is kept', async () => {
    const { service, tokens, change } = started;
    const told =
      /error .*reload: OIDC_ISSUER: must be "https:\/\/…", without user and password; the old settings are kept/g;
    await change('http://other.example', told);
    expect(await statusOf(service, tokens[0])).toBe(200);
  });

  test('another issuer is taken over', async () => {
    const { service, second, tokens, change } = started;
    expect([await statusOf(service, tokens[0]), await statusOf(service, tokens[1])]).toEqual([200, 401]);
    await change(second.name, /info .*secrets, keys and the settings of tokens were read again/g);
    expect([await statusOf(service, tokens[0]), await statusOf(service, tokens[1])]).toEqual([401, 200]);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
