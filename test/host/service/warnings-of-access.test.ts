import { expect, test } from 'vitest';
import { createLog } from '../../../src/host/log/log.ts';
import { warnOfAccess } from '../../../src/host/service/service.ts';
import { readConfig } from '../../../src/host/settings/config.ts';
import { collectInto } from '../../support/process/collect-into.ts';

const LIMIT =
  'RATE_LIMIT=600: each instance counts for itself, so a client may send as many requests to every one of them';
const OPEN = 'HOST=0.0.0.0 ACCESS=open: whoever reaches the service may write; ACCESS=write asks for a key';
const SERVER = 'postgres://cars@db/cars';

test.each<readonly [environment: NodeJS.ProcessEnv, lines: readonly string[]]>([
  [{}, []],
  [{ RATE_LIMIT: '600' }, []],
  [{ RATE_LIMIT: '600', DATABASE_URL: SERVER }, [LIMIT]],
  [{ DATABASE_URL: SERVER }, []],
  [{ HOST: '0.0.0.0' }, [OPEN]],
  [{ HOST: '0.0.0.0', ACCESS: 'write' }, []],
  [{ HOST: '0.0.0.0', RATE_LIMIT: '600', DATABASE_URL: SERVER }, [LIMIT, OPEN]],
])('a start with %j says of access %j', (environment, lines) => {
  const texts: string[] = [];
  const log = createLog({
    level: 'info',
    format: 'json',
    write: collectInto(texts),
  });
  warnOfAccess(readConfig(environment), log);
  expect(texts.map((text) => JSON.parse(text).message)).toEqual(lines);
});
