import { messageOf } from '../../gateway/port/unavailable.ts';
import { publicAddress } from '../../store/postgres/connection/addresses.ts';
import type { Log } from '../log/log.ts';
import { type Config, ConfigError, readConfig } from '../settings/config.ts';
import type { Service } from './service.ts';

/** @throws ConfigError if the URL names another database than at the start */
const changedSettings = (started: Config): Config => {
  const changed = readConfig();
  if (publicAddress(started.DATABASE_URL) !== publicAddress(changed.DATABASE_URL)) {
    throw new ConfigError(['DATABASE_URL: names another database, which takes a restart']);
  }
  return changed;
};

/** @returns a function that has a service take over changed secrets; where they are bad, that is logged, and the old ones are kept */
export const reloader =
  ({ reload }: Pick<Service, 'reload'>, started: Config, log: Pick<Log, 'info' | 'error'>): (() => Promise<void>) =>
  async () => {
    try {
      await reload(changedSettings(started));
      log.info('secrets, keys and the settings of tokens were read again');
    } catch (error) {
      const faults = error instanceof ConfigError ? error.faults : [`DATABASE_URL: ${messageOf(error)}`];
      for (const fault of faults) log.error(`reload: ${fault}; the old settings are kept`);
    }
  };
