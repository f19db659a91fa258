import type { IncomingMessage } from 'node:http';
import { type Upload, uploadOf } from '../../gateway/http/uploads.ts';

/** Bytes that the client of a long upload must send in each second for which the service waits for it. */
const LEAST_RATE = 8_192;

/**
 * Files may take longer to arrive than other requests, as long as they keep arriving.
 *
 * @param requestTimeout milliseconds
 */
export const slowUploads = (requestTimeout: number) => {
  /** The progress of each upload at its last check. */
  const judged = new WeakMap<Upload, Pick<Upload, 'received' | 'waited'>>();

  const isTooSlow = (upload: Upload): boolean => {
    const { received, waitsSince } = upload;
    const waited = upload.waited + (waitsSince === undefined ? 0 : performance.now() - waitsSince);
    const before = judged.get(upload) ?? { received: 0, waited: 0 };
    // The service itself was busy for most of the period, so the rate says little.
    if (waited - before.waited < requestTimeout / 2) return false;
    judged.set(upload, { received, waited });
    return received - before.received < ((waited - before.waited) / 1_000) * LEAST_RATE;
  };
  return {
    /**
     * @param again called after another period of `requestTimeout`, to check again
     * @returns whether a request whose time is up may continue
     */
    mayGoOn: (incoming: IncomingMessage, again: () => void): boolean => {
      const upload = uploadOf(incoming);
      if (!upload || incoming.complete || isTooSlow(upload)) return false;
      const cancel = (): void => clearTimeout(later);
      const later = setTimeout(() => {
        incoming.off('close', cancel);
        again();
      }, requestTimeout).unref();
      incoming.once('close', cancel);
      return true;
    },
  };
};

/** Whether the service is working on the part of a file that has arrived, so that an idle connection is not the client's fault. */
export const isBusyWith = (incoming: IncomingMessage): boolean => {
  const upload = uploadOf(incoming);
  return upload !== undefined && upload.waitsSince === undefined;
};
