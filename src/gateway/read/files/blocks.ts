/** What a network delivers, in pieces that are worth the while of a reader. */
import { randomUUID } from 'node:crypto';
import { readSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/**
 * Keeps blocks in a file that has no name any more, so that the operating system removes it however the process ends.
 *
 * @param limit bytes
 * @param excess makes the problem of more
 */
export const spooled = async (
  blocks: AsyncIterable<Uint8Array>,
  limit: number,
  excess: (limit: number) => Error,
): Promise<FileHandle> => {
  const path = join(tmpdir(), `catalogue-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let size = 0;
    for await (const block of blocks) {
      size += block.length;
      if (size > limit) throw excess(limit);
      await file.appendFile(block);
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};
