import type { Exchange } from '../../http/context.ts';
import { beginUpload, type Upload } from '../../http/uploads.ts';
import { Problem } from '../../texts/problem.ts';
import { bodyChunks, brokenOff, tooLarge } from './body.ts';

/** Records how long the service waits for a chunk from the client. */
const timed = async <T>(upload: Upload, arrives: Promise<T>): Promise<T> => {
  const since = performance.now();
  upload.waitsSince = since;
  try {
    return await arrives;
  } finally {
    upload.waited += performance.now() - since;
    upload.waitsSince = undefined;
  }
};

/**
 * Reads a file as it arrives, with backpressure, so that no client fills the memory, and records its progress.
 *
 * @param limit bytes
 * @param onChunk called with each chunk before it is read
 * @returns its chunks, which throw `body-too-large` beyond the limit and `bad-request` where the connection breaks off
 */
export const fileBody = (
  c: Exchange,
  limit: number,
  onChunk: (chunk: Uint8Array) => void = () => {},
): AsyncIterable<Uint8Array> => {
  const upload = beginUpload(c.env?.incoming);
  const read = async function* () {
    const chunks = bodyChunks(c)?.[Symbol.asyncIterator]();
    if (!chunks) return;
    try {
      for (;;) {
        const { done, value } = await timed(upload, chunks.next());
        if (done) return;
        upload.received += value.length;
        if (upload.received > limit) throw tooLarge(limit);
        onChunk(value);
        yield value;
      }
    } catch (error) {
      throw error instanceof Problem ? error : brokenOff();
    } finally {
      await chunks.return?.();
    }
  };
  return read();
};
