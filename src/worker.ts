import cluster from 'node:cluster';
import type { Catalogue } from './gateway/model/catalogue.ts';
import type { Log } from './host/log/log.ts';
import { endOnError } from './host/service/process.ts';
import { reloader } from './host/service/reload.ts';
import { type Service, startService } from './host/service/service.ts';
import type { Config } from './host/settings/config.ts';
import { batched, type FromWorker, type ToWorker } from './host/workers/messages.ts';
import { linkToPrimary } from './host/workers/primary-link.ts';

/** @returns a log that writes errors only until `speak` is called: the primary logs the start */
const quietAtFirst = (log: Log): { readonly log: Log; readonly speak: () => void } => {
  let isQuiet = true;
  const later =
    (tell: Log['info']): Log['info'] =>
    (...told) => {
      if (!isQuiet) tell(...told);
    };
  return {
    log: { ...log, info: later(log.info), warn: later(log.warn) },
    speak: () => {
      isQuiet = false;
    },
  };
};

/** Serves as one of several processes, until the primary stops it or is gone. */
export const startWorker = async (catalogue: Catalogue, config: Config, log: Log): Promise<void> => {
  const tell = batched<FromWorker>((messages) => {
    // Without a primary this process ends at once.
    if (process.connected) process.send?.(messages, undefined, undefined, () => {});
  });
  const link = linkToPrimary(tell);
  const quiet = quietAtFirst(log);
  let service: Service | undefined;
  const stop = async (): Promise<void> => {
    await service?.stop();
    process.exit(0);
  };
  const measure = async (): Promise<void> => {
    tell({ kind: 'measured', families: (await service?.metrics?.ofProcess()) ?? [] });
  };
  const reload = async (): Promise<void> => {
    if (service) await reloader(service, config, log)();
  };
  process.on('message', (messages: readonly ToWorker[]) => {
    for (const message of messages) {
      if (message.kind === 'stop') void stop();
      else if (message.kind === 'reload') void reload();
      else if (message.kind === 'measure') void measure();
      else link.heard(message);
    }
  });
  // A terminal, or a service manager, sends its signals to all processes: the primary decides.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  cluster.worker?.once('disconnect', () => log.error('the primary is gone, the worker ends'));
  endOnError(log);
  service = await startService(catalogue, config, quiet.log, link);
  quiet.speak();
  tell({ kind: 'serving', origin: service.origin, trees: service.trees });
};
