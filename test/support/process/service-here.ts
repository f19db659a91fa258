import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Catalogue } from '../../../src/gateway/model/catalogue.ts';
import { makeKey } from '../../../src/host/access/keys.ts';
import { createLog, type logFormats } from '../../../src/host/log/log.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import { startService } from '../../../src/host/service/service.ts';
import { readConfig } from '../../../src/host/settings/config.ts';
import { localesFolder } from '../app/app.ts';
import { catalogue } from '../cars/catalogue.ts';
import { temporaryFolder, type WhenOver } from './folder.ts';
import { sendTo } from './service.ts';

interface Options {
  readonly served?: Catalogue;
  readonly format?: (typeof logFormats)[number];
  /** Names of clients, each of which has a key that may read and write. */
  readonly clients?: readonly string[];
  readonly whenOver?: WhenOver;
}

/** Starts the service in this process, as its settings say: for what is no business of a process. */
export const serveHere = async (
  env: Readonly<Record<string, string>> = {},
  { served = catalogue, format = 'json', clients = [], whenOver = onTestFinished }: Options = {},
) => {
  const own = {
    PORT: '0',
    DATABASE_URL: `sqlite:${join(temporaryFolder(whenOver), 'cars.db')}`,
    LOCALES_DIR: localesFolder,
  };
  const config = readConfig({ ...own, ...env });
  const keys = clients.map((name) => makeKey({ name, scopes: ['read', 'write'], created: 0, expires: undefined }));
  if (keys.length > 0) {
    const store = await openStore(config.DATABASE_URL, served);
    for (const { stored } of keys) await store.apiKeys.add(stored);
    await store.close();
  }
  const written: string[] = [];
  const write = (bytes: Buffer): number => {
    written.push(bytes.toString());
    return bytes.length;
  };
  const log = createLog({ level: config.LOG_LEVEL, format, write });
  const service = await startService(served, config, log);
  whenOver(service.stop);
  /** @returns what the log has until now */
  const lines = (): readonly string[] => {
    log.close();
    return written
      .join('')
      .split('\n')
      .filter((line) => line !== '');
  };
  return { ...service, port: Number(new URL(service.origin).port), keys, send: sendTo(service.origin), lines };
};
