import type { Config } from './config.ts';
import { portToShare } from './listen.ts';
import type { Log } from './log.ts';
import type { Catalogue } from './model/catalogue.ts';
import { openDatabase, readLocales, warnOfAccess } from './prepare.ts';
import type { Service } from './service.ts';
import { importLine } from './store/imports/line.ts';
import { attendants } from './workers/attendant.ts';
import { staffOf } from './workers/staff.ts';

/** Connections to a server: one commits, one tells whether that can be done. */
const POOL = 2;

/**
 * Starts the process that serves nothing itself: it says what there is to say, creates what the database lacks, starts the
 * workers, and commits what all of them write, so that it goes into as few transactions as one process would need.
 *
 * @throws LocaleError, DatabaseError or ListenError where it cannot start
 */
export const startPrimary = async (catalogue: Catalogue, config: Config, log: Log): Promise<Service> => {
  readLocales(catalogue, config, log);
  const store = await openDatabase(catalogue, config, log, POOL);
  warnOfAccess(config, log);
  const stop = async (): Promise<void> => {
    await staff.stop(config.STOP_TIMEOUT);
    await store.close();
  };
  const PORT = String(await portToShare({ port: config.PORT, host: config.HOST }));
  const staff = staffOf({
    count: config.WORKERS,
    env: { PORT },
    attend: attendants({
      store,
      importLine: importLine(config.CLIENT_SHARE / 100),
      limits: { most: config.MAX_CONNECTIONS, mostOfClient: config.CLIENT_CONNECTIONS },
    }),
    log,
    giveUp: async () => {
      await stop();
      process.exit(1);
    },
  });
  const { origin, trees } = await staff.start();
  return { origin, trees, stop };
};
