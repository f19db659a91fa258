import cluster from 'node:cluster';
import type { Catalogue } from './gateway/model/catalogue.ts';
import type { Log } from './host/log/log.ts';
import { endOnError } from './host/service/process.ts';
import { reloader } from './host/service/reload.ts';
import { type Service, startService } from './host/service/service.ts';
import type { Config } from './host/settings/config.ts';
import { linkToPrimary } from './host/workers/worker-link.ts';

/** Serves as one of several processes, until the primary stops it or is gone. */
export const startWorker = async (catalogue: Catalogue, config: Config, log: Log): Promise<void> => {
  let service: Service | undefined;
  const link = linkToPrimary(
    (messages) => {
      // Without a primary this process ends at once.
      if (process.connected) process.send?.(messages, undefined, undefined, () => {});
    },
    {
      stop: async () => {
        await service?.stop();
        process.exit(0);
      },
      reload: async () => {
        if (service) await reloader(service, config, log)();
      },
      measure: async () => (await service?.metrics?.ofProcess()) ?? [],
    },
  );
  process.on('message', link.heard);
  // A terminal, or a service manager, sends its signals to all processes: the primary decides.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  cluster.worker?.once('disconnect', () => log.error('the primary is gone, the worker ends'));
  endOnError(log);
  // The primary logs the start.
  let isQuiet = true;
  const unlessQuiet =
    (tell: Log['info']): Log['info'] =>
    (...told) => {
      if (!isQuiet) tell(...told);
    };
  const own = { ...log, info: unlessQuiet(log.info), warn: unlessQuiet(log.warn) };
  service = await startService(catalogue, config, own, link);
  isQuiet = false;
  link.tell('serving', { origin: service.origin, trees: service.trees });
};
