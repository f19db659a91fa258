/** The process: settings → service → until a signal. */
import { flushCompileCache } from 'node:module';
import { catalogue } from './catalogue.ts';
import { readConfig } from './config.ts';
import { createLog } from './log.ts';
import { endWith, startOrExit } from './process.ts';
import { startService } from './service.ts';

const { service, log } = await startOrExit(async () => {
  const config = readConfig();
  const log = createLog({ level: config.LOG_LEVEL, format: config.LOG_FORMAT });
  return { service: await startService(catalogue, config, log), log };
});
endWith(service, log);
log.info(`serving ${[...service.trees].map(([tag, address]) => `${address} (${tag})`).join(', ')}`);
// Now, because a process that is killed writes nothing at its end.
flushCompileCache();
