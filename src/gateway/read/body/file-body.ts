import type { Exchange } from '../../http/context.ts';
import { Problem } from '../../texts/problem.ts';
import { bodyChunks, brokenOff, tooLarge } from './body.ts';

/**
 * Reads a file as it arrives, with backpressure, so that no client fills the memory.
 *
 * @param limit bytes
 * @returns its chunks, which throw `body-too-large` beyond the limit and `bad-request` where the connection breaks off
 */
export async function* fileBody(c: Exchange, limit: number): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    for await (const chunk of bodyChunks(c) ?? []) {
      received += chunk.length;
      if (received > limit) throw tooLarge(limit);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Problem ? error : brokenOff();
  }
}
