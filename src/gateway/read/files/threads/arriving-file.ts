import { UnnamedFile } from '../../../../util/unnamed-file.ts';

/** Bytes that are written at once: a network may deliver single ones. */
const BLOCK = 65_536;

/** Joins chunks. Each block has a buffer of its own. */
async function* blocksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
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

/** A file that arrives. */
export class ArrivingFile {
  /** Resolves once its first block is there; rejects if there is none. */
  readonly arrived: Promise<void>;
  readonly #blocks: AsyncGenerator<Uint8Array>;
  #first: IteratorResult<Uint8Array> | undefined;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#blocks = blocksOf(body);
    this.arrived = this.#blocks.next().then((first) => {
      this.#first = first;
    });
    // Thrown where it is awaited.
    this.arrived.catch(() => {});
  }

  /** @returns all of it, which the caller closes */
  async whole(): Promise<UnnamedFile> {
    await this.arrived;
    const file = new UnnamedFile();
    try {
      for (let next = this.#first; next && !next.done; next = await this.#blocks.next()) {
        await file.append(next.value);
      }
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Reads no more of it. What waits for a slow client would wait here, too. */
  leave(): void {
    void this.#blocks.return(undefined).catch(() => {});
  }
}
