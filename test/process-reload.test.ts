/** SIGHUP has every process of a service read secrets and the settings of tokens again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUDIENCE, openIssuer } from './support/app/issuer.ts';
import { temporaryFolder, type WhenOver } from './support/process/folder.ts';
import { type Serving, serve } from './support/process/service.ts';
import { childrenOf, onNewConnection } from './support/process/workers.ts';

/** More than enough for each of two workers to get one. */
const CONNECTIONS = 24;

/** @returns the statuses with which connections of their own, which all workers accept some of, are answered */
const statuses = async (service: Serving, token: string): Promise<readonly number[]> => {
  const headers = { authorization: `Bearer ${token}` };
  const answers = Array.from({ length: CONNECTIONS }, () =>
    onNewConnection(service, 'GET', '/api/cars', undefined, headers),
  );
  return [...new Set((await Promise.all(answers)).map(({ status }) => status))];
};

const start = async (workers: string, whenOver: WhenOver) => {
  const [first, second] = [await openIssuer(whenOver), await openIssuer(whenOver)];
  const file = join(temporaryFolder(whenOver), 'issuer');
  writeFileSync(file, first.name);
  const env = { WORKERS: workers, ACCESS: 'all', OIDC_ISSUER_FILE: file, OIDC_AUDIENCE: AUDIENCE };
  const service = await serve({ env, whenOver });
  const tokens = [await first.sign({ scope: 'read' }), await second.sign({ scope: 'read' })] as const;
  const change = async (issuer: string, told: RegExp, times: number): Promise<void> => {
    const count = () => service.output().match(told)?.length ?? 0;
    const before = count();
    writeFileSync(file, issuer);
    service.child.kill('SIGHUP');
    await expect.poll(count).toBe(before + times);
  };
  return { service, second, tokens, change };
};

/** One service for all tests, one after the other. */
describe.each([
  ['1', 1],
  ['2', 3],
] as const)('SIGHUP, with WORKERS=%s', (workers, processes) => {
  let started: Awaited<ReturnType<typeof start>>;
  const cleanUps: (() => unknown)[] = [];
  beforeAll(async () => {
    started = await start(workers, (cleanUp) => void cleanUps.push(cleanUp));
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  test('a setting that is wrong is told of, and the old one is kept', async () => {
    const { service, tokens, change } = started;
    const told =
      /error .*reload: OIDC_ISSUER: must be "https:\/\/…", without user and password; the old settings are kept/g;
    await change('http://other.example', told, 1);
    expect(await statuses(service, tokens[0])).toEqual([200]);
  });

  test.skipIf(processes === 1)('of one worker does nothing', async () => {
    const { service, tokens } = started;
    const children = childrenOf(service);
    for (const worker of children) process.kill(worker, 'SIGHUP');
    expect(await statuses(service, tokens[0])).toEqual([200]);
    expect(childrenOf(service)).toEqual(children);
  });

  test('another issuer is taken over by every process', async () => {
    const { service, second, tokens, change } = started;
    expect([await statuses(service, tokens[0]), await statuses(service, tokens[1])]).toEqual([[200], [401]]);
    await change(second.name, /info .*secrets, keys and the settings of tokens were read again/g, processes);
    expect([await statuses(service, tokens[0]), await statuses(service, tokens[1])]).toEqual([[401], [200]]);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
