import { ConcurrencyLimiter } from '../../util/concurrency-limiter.ts';
import { batchesIn, UnnamedFile } from '../../util/unnamed-file.ts';
import type { ItemChange } from '../model/import.ts';
import { refuseAs } from '../port/unavailable.ts';

/** Limits the lists that clients read at a time, of which one client may have half: each may take twice as much of a disk as the imported file. */
const openLists = new ConcurrencyLimiter({ limit: 16, refuse: refuseAs('imports') }, 0.5);

/** The changes of an import, in a temporary file until the client has read them, so that no import waits for a client. */
export class ChangeList {
  readonly file = new UnnamedFile();
  readonly #release: () => void;

  private constructor(release: () => void) {
    this.#release = release;
  }

  /** @throws Unavailable if too many lists are being read */
  static async open(client: string | undefined): Promise<ChangeList> {
    const release = await openLists.acquire({ client });
    try {
      return new ChangeList(release);
    } catch (error) {
      release();
      throw error;
    }
  }

  close(): undefined {
    this.file.close();
    this.#release();
  }

  /** @param write writes a change as a line. @returns the list between two texts, which is closed once it is read */
  stream(write: (change: ItemChange) => string, start: string, end: string): ReadableStream<Uint8Array> {
    const texts = this.#write(write, start, end);
    return new ReadableStream({
      pull: (controller) => {
        const { done, value } = texts.next();
        if (!done) return controller.enqueue(Buffer.from(value));
        this.close();
        controller.close();
      },
      cancel: () => this.close(),
    });
  }

  *#write(write: (change: ItemChange) => string, start: string, end: string): Generator<string> {
    yield start;
    let between = '';
    for (const batch of batchesIn<ItemChange>(this.file.fd)) {
      yield between + batch.map((change) => `\n${write(change)}`).join(',');
      between = ',';
    }
    yield end;
  }
}
