/** The process: settings → service → until a signal. */
import { flushCompileCache } from 'node:module';
import { catalogue } from './catalogue.ts';
import { readStart } from './config.ts';
import { createLog } from './log.ts';
import { endWith, startOrExit } from './process.ts';
import { startService } from './service.ts';
import { startLine } from './start-line.ts';

const { service, log } = await startOrExit(async () => {
  const started = readStart();
  const { config, misspelt } = started;
  const log = createLog({ level: config.LOG_LEVEL, format: config.LOG_FORMAT });
  log.info(startLine(started));
  for (const line of misspelt) log.warn(line);
  return { service: await startService(catalogue, config, log), log };
});
endWith(service, log);
log.info(`serving ${[...service.trees].map(([tag, address]) => `${address} (${tag})`).join(', ')}`);
// Now, because a process that is killed writes nothing at its end.
flushCompileCache();
