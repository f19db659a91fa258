/** A program: services in one process, each with one of the environments of its argument. */
import { catalogue } from '../../src/catalogue.ts';
import { createLog } from '../../src/log/log.ts';
import { startService } from '../../src/service/service.ts';
import { readConfig } from '../../src/settings/config.ts';

for (const settings of JSON.parse(process.argv[2] ?? '[]')) {
  const config = readConfig({ ...process.env, ...settings });
  await startService(catalogue, config, createLog({ level: config.LOG_LEVEL, format: config.LOG_FORMAT }));
}
