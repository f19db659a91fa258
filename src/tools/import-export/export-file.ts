import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Format } from '../../gateway/formats/format.ts';
import { represent } from '../../gateway/formats/representation.ts';
import { countOfRows, type Query } from '../../gateway/model/query.ts';
import type { Found } from '../../gateway/port/port.ts';
import { itemSentence, sentence } from '../../gateway/texts/phrase.ts';
import { streamList } from '../../gateway/write/list.ts';
import { selected } from '../../gateway/write/selected.ts';
import type { Store } from '../../store/store.ts';
import { commandError, UsageError } from '../commands/command-error.ts';
import type { TargetList } from '../commands/list-path.ts';
import { checkReplaceable, withPartialFile } from '../commands/replaceable.ts';
import type { CommandContext } from '../commands/run.ts';

/** A list to export. */
interface Source extends TargetList {
  readonly query: Query;
  readonly format: Format;
}

/** @returns the same list, which reports how many of its rows have been read */
const counted = ({ rows, rest }: Found, onRows: (rows: number) => void): Pick<Found, 'rows' | 'rest'> => {
  let count = rows.length;
  onRows(count);
  const next = async (chunks: NonNullable<Found['rest']>) => {
    const chunk = await chunks.next();
    count += chunk.value?.length ?? 0;
    onRows(count);
    return chunk;
  };
  return { rows, rest: rest && { ...rest, next: () => next(rest) } };
};

/** Writes a list to a file, which has another name until it is complete. */
export const exportFile = async (
  file: string,
  source: Source,
  store: Store,
  { language, say, progress, note }: CommandContext,
  signal: AbortSignal,
): Promise<void> => {
  const { collection, parents, query, format } = source;
  checkReplaceable(file);
  const begun = performance.now();
  const { list, pack } = selected(represent(format, language, collection), language, collection, query);
  const { maxRows } = format;
  const found = await store.read(store.plan({ of: 'list', collection, keys: parents, query }));
  if (!found) {
    const { the } = language.nouns(collection.parent ?? collection);
    throw new UsageError([language.say(itemSentence('missing', { the, key: parents.join('/') }, undefined))]);
  }
  const total = countOfRows(query, found.total);
  const read = counted(found, (rows) => progress.showRows('writing-rows', rows / Math.max(total, 1), rows));
  if (maxRows !== undefined && total > maxRows) {
    await found.rest?.return?.();
    throw new UsageError([language.say(sentence('list-too-long', { rows: total, most: maxRows }))]);
  }
  let fault: unknown;
  const text = streamList(read, list, (error) => {
    fault = error;
  });
  const write = async (part: string): Promise<void> => {
    await pipeline(Readable.fromWeb(pack ? pack(text) : text), createWriteStream(part, { flush: true }), { signal });
    await rename(part, file);
  };
  try {
    await withPartialFile(file, write);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (fault === undefined && code?.startsWith('E')) {
      throw commandError('file-unusable', { file, reason: code }, error);
    }
    throw fault ?? error;
  } finally {
    progress.end();
  }
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  note(`${file}: ${say('rows-written', { count: total, seconds })}`);
};
