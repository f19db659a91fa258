import type { ToWorker } from '../../../src/host/workers/messages.ts';
import { linkToPrimary } from '../../../src/host/workers/primary-link.ts';
import { type PrimaryState, type WorkerLink, workerLinks } from '../../../src/host/workers/worker-link.ts';

/**
 * Links workers and their primary without processes: messages are copied, as between processes, and arrive later.
 *
 * @returns what each worker has of its primary, with what ends the worker
 */
export const linked = (shared: PrimaryState, workers = 2) => {
  const linkTo = workerLinks(shared);
  return Array.from({ length: workers }, (_, at) => {
    const link = linkToPrimary((message) => {
      setImmediate(() => other.heard(structuredClone(message) as Parameters<WorkerLink['heard']>[0]));
    });
    const other: WorkerLink = linkTo(at, (message: ToWorker) => {
      setImmediate(() => link.heard(structuredClone(message) as Parameters<typeof link.heard>[0]));
    });
    return { ...link, end: other.gone };
  });
};
