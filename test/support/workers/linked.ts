import { linkToPrimary, workerLinks } from '../../../src/host/workers/worker-link.ts';

/**
 * Links workers and their primary without processes: messages are copied, as between processes, and arrive later.
 *
 * @returns what each worker has of its primary, with what ends the worker
 */
export const linked = (store: Parameters<typeof workerLinks>[0], workers = 2) => {
  const linkTo = workerLinks(store);
  const unused = { stop: () => {}, reload: () => {}, measure: () => new Promise<never>(() => {}) };
  return Array.from({ length: workers }, (_, at) => {
    const link = linkToPrimary((messages) => {
      setImmediate(() => other.heard(structuredClone(messages)));
    }, unused);
    const other: ReturnType<typeof linkTo> = linkTo(at, (messages) => {
      setImmediate(() => link.heard(structuredClone(messages)));
    });
    return { ...link, end: other.gone, measured: () => other.call('measure') };
  });
};
