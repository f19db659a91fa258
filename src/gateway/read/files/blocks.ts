/** What a network delivers, in pieces that are worth the while of a reader. */
import { readSync } from 'node:fs';
import { type UnnamedFile, unnamedFile } from '../../../util/unnamed-file.ts';

/** Bytes: fewer make reading slower, more delay the first row. */
const BLOCK = 65_536;

/** Joins chunks, of which a network may deliver some of a single byte. Each block has a buffer of its own. */
export async function* blocksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let block = new Uint8Array(BLOCK);
  let size = 0;
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + BLOCK - size);
      block.set(part, size);
      size += part.length;
      at += part.length;
      if (size < BLOCK) continue;
      yield block;
      block = new Uint8Array(BLOCK);
      size = 0;
    }
  }
  if (size > 0) yield block.subarray(0, size);
}

/** @returns the first KiB of a file. @param file its descriptor */
export const headOf = (file: number): Uint8Array => {
  const head = Buffer.alloc(1_024);
  return head.subarray(0, readSync(file, head, 0, head.length, 0));
};

/** Keeps blocks in a file. @param limit bytes. @param excess makes the problem of more */
export const spooled = async (
  blocks: AsyncIterable<Uint8Array>,
  limit: number,
  excess: (limit: number) => Error,
): Promise<UnnamedFile> => {
  const file = unnamedFile();
  try {
    for await (const block of blocks) {
      if (file.size() + block.length > limit) throw excess(limit);
      await file.append(block);
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};
