import { appendFileSync, closeSync, openSync } from 'node:fs';
import type { Language } from '../../gateway/locale/language.ts';
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { ItemChange } from '../../gateway/model/import.ts';
import { changeWriter } from '../../gateway/write/changes.ts';
import { type CommandError, unusableFile } from '../commands/command-error.ts';

/** The file of what imports did, a line of NDJSON for each item. */
export class ChangesFile {
  /** Why it is not complete. */
  fault: CommandError | undefined;
  readonly #path: string;
  readonly #fd: number;
  readonly #write: (change: ItemChange) => string;

  /** @throws CommandError if it cannot be written, before anything is imported */
  constructor(path: string, language: Language, collection: Collection) {
    this.#path = path;
    this.#write = changeWriter(language, collection);
    try {
      this.#fd = openSync(path, 'w');
    } catch (error) {
      throw unusableFile(path, error);
    }
  }

  /** Adds changes; what is stored stays stored if they cannot be written. */
  add(changes: readonly ItemChange[]): void {
    if (this.fault) return;
    try {
      appendFileSync(this.#fd, changes.map((change) => `${this.#write(change)}\n`).join(''));
    } catch (error) {
      this.fault = unusableFile(this.#path, error);
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}
