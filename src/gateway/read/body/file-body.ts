import type { Exchange } from '../../http/context.ts';
import { beginUpload } from '../../http/uploads.ts';
import { Problem } from '../../texts/problem.ts';
import { bodyChunks, brokenOff, tooLarge } from './body.ts';

/**
 * Reads a file as it arrives, with backpressure, so that no client fills the memory, and records its progress.
 *
 * @param limit bytes
 * @returns its chunks, which throw `body-too-large` beyond the limit and `bad-request` where the connection breaks off
 */
export async function* fileBody(c: Exchange, limit: number): AsyncGenerator<Uint8Array> {
  const upload = beginUpload(c.env?.incoming);
  const chunks = bodyChunks(c)?.[Symbol.asyncIterator]();
  try {
    while (chunks) {
      const since = performance.now();
      upload.waitsSince = since;
      const { done, value } = await chunks.next();
      upload.waited += performance.now() - since;
      upload.waitsSince = undefined;
      if (done) return;
      upload.received += value.length;
      if (upload.received > limit) throw tooLarge(limit);
      yield value;
    }
  } catch (error) {
    throw error instanceof Problem ? error : brokenOff();
  } finally {
    upload.waitsSince = undefined;
    await chunks?.return?.();
  }
}
