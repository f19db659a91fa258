import { blocksIn } from '../../../../util/unnamed-file.ts';
import type { ReadableFormat } from '../../../formats/representation.ts';
import type { Language } from '../../../locale/language.ts';
import type { Collection } from '../../../model/catalogue.ts';
import { misnamed } from '../../misnamed.ts';
import type { FileReader } from '../file-reader.ts';
import type { RowSpool } from './row-spool.ts';

interface FileSource {
  readonly language: Language;
  readonly collection: Collection;
  readonly format: ReadableFormat;
  readonly options: Parameters<FileReader>[1];
  /** Its descriptor. */
  readonly file: number;
}

/** Reads all rows of a file. Throws a Problem if the file as a whole is wrong. */
export async function readFile(
  { language, collection, format, options, file }: FileSource,
  spool: RowSpool,
  signal?: AbortSignal,
): Promise<void> {
  const [head] = blocksIn(file);
  const problem = head && misnamed(head, format.name);
  if (problem) throw problem;
  const { rows } = await format.reading.load();
  for await (const some of rows(language, collection, spool.isSeen)(file, options)) {
    spool.add(some);
    signal?.throwIfAborted();
  }
}
