import { open } from 'node:fs/promises';
import type { Language } from '../../gateway/locale/language.ts';
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { ItemChange } from '../../gateway/model/import.ts';
import { changeWriter } from '../../gateway/write/changes.ts';
import { commandError } from '../commands/command-error.ts';

export type ChangesFile = Awaited<ReturnType<typeof changesFile>>;

/**
 * The file of what imports did, a line of NDJSON for each item.
 *
 * @throws CommandError where it cannot be written, before anything is imported
 */
export const changesFile = async (path: string, language: Language, collection: Collection) => {
  const reasonOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
  const file = await open(path, 'w').catch((error: unknown) => {
    throw commandError('file-unusable', { file: path, reason: reasonOf(error) }, error);
  });
  const write = changeWriter(language, collection);
  let fault: string | undefined;
  return {
    path,
    /** What is stored stays stored where it cannot be written. */
    add: async (changes: readonly ItemChange[]): Promise<void> => {
      if (fault !== undefined) return;
      await file.appendFile(changes.map((change) => `${write(change)}\n`).join('')).catch((error: unknown) => {
        fault = reasonOf(error);
      });
    },
    /** The system's reason why it is not complete. */
    fault: (): string | undefined => fault,
    close: (): Promise<void> => file.close(),
  };
};
