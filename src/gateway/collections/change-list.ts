import type { ImportChanges, ItemChange } from '../model/import.ts';
import { Unavailable } from '../port/unavailable.ts';

/** Lists that clients read at a time, because each may take twice as much of a disk as the file that was imported. */
const MOST = 8;
let open = 0;

/** What an import did, which waits in a file until the client has read it: no import waits for a client. */
export class ChangeList {
  readonly #write: (change: ItemChange) => string;
  #changes: ImportChanges | undefined;
  #isOpen = true;

  /** @param write writes a change as a line. @throws Unavailable if too many lists are being read */
  constructor(write: (change: ItemChange) => string) {
    if (open >= MOST) throw new Unavailable('imports');
    open++;
    this.#write = write;
  }

  close(): void {
    this.#changes?.close();
    if (this.#isOpen) open--;
    this.#isOpen = false;
  }

  /** @returns the list between two texts, which is closed once it is read */
  within(changes: ImportChanges, start: string, end: string): ReadableStream<Uint8Array> {
    this.#changes = changes;
    const write = this.#write;
    function* texts(): Generator<string> {
      yield start;
      let between = '';
      for (const batch of changes.batches()) {
        let lines = '';
        for (const change of batch) {
          lines += `${between}\n${write(change)}`;
          between = ',';
        }
        yield lines;
      }
      yield end;
    }
    const all = texts();
    const close = (): void => this.close();
    return new ReadableStream({
      pull: (controller) => {
        const { done, value } = all.next();
        if (!done) controller.enqueue(Buffer.from(value));
        else {
          close();
          controller.close();
        }
      },
      cancel: close,
    });
  }
}
