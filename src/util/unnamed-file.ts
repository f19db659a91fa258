/** Files that have no name, so that the operating system removes them however the process ends. */
import { randomUUID } from 'node:crypto';
import { appendFile, close, createReadStream, openSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';

const append = promisify(appendFile);

export interface UnnamedFile {
  /** Its descriptor. */
  readonly fd: number;
  /** How many bytes it has. */
  readonly size: () => number;
  readonly append: (bytes: Uint8Array) => Promise<void>;
  /** Returns all of it, and closes it at the end. */
  readonly read: () => ReadableStream<Uint8Array>;
  readonly close: () => Promise<void>;
}

/** @param onClose called once it is closed */
export const unnamedFile = (onClose = (): void => {}): UnnamedFile => {
  const path = join(tmpdir(), `catalogue-${randomUUID()}`);
  // Nothing can stop the process in between.
  const fd = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  let size = 0;
  return {
    fd,
    size: () => size,
    append: async (bytes) => {
      await append(fd, bytes);
      size += bytes.length;
    },
    read: () => Readable.toWeb(createReadStream('', { fd, start: 0 }).once('close', onClose)),
    close: () => promisify(close)(fd).finally(onClose),
  };
};
