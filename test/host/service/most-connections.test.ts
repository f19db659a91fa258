import { expect, test } from 'vitest';
import { createLog } from '../../../src/host/log/log.ts';
import { limitConnections, warnOfAccess } from '../../../src/host/service/service.ts';
import { readConfig } from '../../../src/host/settings/config.ts';
import { collectInto } from '../../support/process/collect-into.ts';
import { launch } from '../../support/process/service.ts';

test.each([
  [4_000, 20_000, 4_000, []],
  [4_000, 4_150, 4_000, []],
  [
    4_000,
    1_024,
    874,
    [
      'MAX_CONNECTIONS=4000: the process may open 1024 files, which is enough for 874 connections; ulimit -Hn, or LimitNOFILE of systemd, allows more',
    ],
  ],
  [
    50,
    80,
    40,
    [
      'MAX_CONNECTIONS=50: the process may open 80 files, which is enough for 40 connections; ulimit -Hn, or LimitNOFILE of systemd, allows more',
    ],
  ],
])('of %i connections, where %s files may be open, there are %i', (wanted, files, most, told) => {
  const lines: string[] = [];
  expect(limitConnections({ MAX_CONNECTIONS: wanted }, { warn: (line) => void lines.push(line) }, files)).toBe(most);
  expect(lines).toEqual(told);
});

test.skipIf(process.platform !== 'linux')('the start tells of it once, and the service serves', async () => {
  const service = launch({
    command: 'sh',
    args: ['-c', 'ulimit -n 300; exec "$0" src/main.ts', process.execPath],
    cwd: process.cwd(),
  });
  const [, origin = ''] = await service.wrote(/serving (http:\/\/[^/]*)\//);
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  expect(
    service.output().match(/MAX_CONNECTIONS=4000: the process may open 300 files, .* 150 connections/g),
  ).toHaveLength(1);
  service.child.kill('SIGTERM');
  expect(await service.exit).toBe(0);
});

const OPEN = 'HOST=0.0.0.0 ACCESS=open: whoever reaches the service may write; ACCESS=write asks for a key';

test.each<readonly [environment: NodeJS.ProcessEnv, lines: readonly string[]]>([
  [{}, []],
  [{ HOST: '0.0.0.0' }, [OPEN]],
  [{ HOST: '0.0.0.0', ACCESS: 'write' }, []],
])('a start with %j says of access %j', (environment, lines) => {
  const texts: string[] = [];
  const log = createLog({ level: 'info', format: 'json', write: collectInto(texts) });
  warnOfAccess(readConfig(environment), log);
  expect(texts.map((text) => JSON.parse(text).message)).toEqual(lines);
});
