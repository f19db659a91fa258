/** Files that have no name, so that the operating system removes them however the process ends. */
import { randomUUID } from 'node:crypto';
import { appendFile, closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';

const append = promisify(appendFile);

export class UnnamedFile {
  /** The descriptor, which another thread may use while the file is open. */
  readonly fd: number;
  size = 0;
  #isOpen = true;

  constructor() {
    const path = join(tmpdir(), `catalogue-${randomUUID()}`);
    // Both calls block, so that nothing but a kill ends the process while the file has a name.
    this.fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
  }

  async append(bytes: Uint8Array): Promise<void> {
    await append(this.fd, bytes);
    this.size += bytes.length;
  }

  /** @param onChunk is called with each chunk before it is written. @returns a file with all of them, which the caller closes */
  static async receive(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    onChunk?: (chunk: Uint8Array) => void,
  ): Promise<UnnamedFile> {
    const file = new UnnamedFile();
    try {
      for await (const chunk of chunks) {
        onChunk?.(chunk);
        await file.append(chunk);
      }
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  close(): void {
    if (this.#isOpen) closeSync(this.fd);
    this.#isOpen = false;
  }
}

/** Bytes that are read at a time. */
const BLOCK = 65_536;

export function* readBlocks(fd: number, onRead?: (bytes: number) => void): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; ; ) {
    const block = new Uint8Array(BLOCK);
    const size = readSync(fd, block, 0, BLOCK, at);
    if (size === 0) return;
    at += size;
    onRead?.(at);
    yield block.subarray(0, size);
  }
}

/** Bytes before each batch that say how long it is. */
const LENGTH = 4;
/** Values that are serialized together. */
const BATCH = 500;

/** Appends values to a file in batches, which `readBatches` reads. */
export class BatchWriter<T> {
  readonly #fd: number;
  #batch: T[] = [];
  size = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  add(value: T): void {
    if (this.#batch.push(value) >= BATCH) this.flush();
  }

  flush(): void {
    if (this.#batch.length === 0) return;
    const batch = serialize(this.#batch);
    const bytes = Buffer.allocUnsafe(LENGTH + batch.length);
    bytes.writeUInt32LE(batch.length);
    batch.copy(bytes, LENGTH);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#fd, bytes, written);
    this.size += bytes.length;
    this.#batch = [];
  }
}

export function* readBatches<T>(fd: number, from = 0, to = Number.POSITIVE_INFINITY): Generator<readonly T[]> {
  const length = Buffer.alloc(LENGTH);
  for (let at = from; at < to && readSync(fd, length, 0, LENGTH, at) === LENGTH; ) {
    const bytes = Buffer.allocUnsafe(length.readUInt32LE());
    readSync(fd, bytes, 0, bytes.length, at + LENGTH);
    at += LENGTH + bytes.length;
    yield deserialize(bytes) as readonly T[];
  }
}
