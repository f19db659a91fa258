import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Format } from '../../gateway/formats/format.ts';
import { formats } from '../../gateway/formats/formats.ts';
import { represent } from '../../gateway/formats/representation.ts';
import { countOfRows, type Query } from '../../gateway/model/query.ts';
import type { Found } from '../../gateway/port/port.ts';
import { queryReader } from '../../gateway/read/query/query.ts';
import { itemSentence, sentence } from '../../gateway/texts/phrase.ts';
import { streamList } from '../../gateway/write/list.ts';
import { selected } from '../../gateway/write/selected.ts';
import type { Store } from '../../store/store.ts';
import { commandError, UsageError } from '../commands/command-error.ts';
import { interruptible } from '../commands/interruptible.ts';
import type { TargetList } from '../commands/list-path.ts';
import { checkReplaceable, withPartialFile } from '../commands/replaceable.ts';
import { type CommandContext, DONE } from '../commands/run.ts';
import { checkDatabaseExists, withStore } from '../commands/with-store.ts';
import { formatOf, targetListIn } from './options.ts';

/** @returns the same list, which says how many of its rows have been read */
function countRead({ rows, rest }: Found, onRows: (rows: number) => void): Pick<Found, 'rows' | 'rest'> {
  let count = rows.length;
  onRows(count);
  const next = async (chunks: NonNullable<Found['rest']>) => {
    const chunk = await chunks.next();
    count += chunk.value?.length ?? 0;
    onRows(count);
    return chunk;
  };
  return { rows, rest: rest && { ...rest, next: () => next(rest) } };
}

/** Writes a text to a file, which has another name until it is complete. */
async function writeFile(file: string, text: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
  await withPartialFile(file, async (part) => {
    await pipeline(Readable.fromWeb(text), createWriteStream(part, { flush: true }), { signal });
    await rename(part, file);
  });
}

async function exportFile(
  context: CommandContext,
  store: Store,
  { collection, parents }: TargetList,
  query: Query,
  format: Format,
  signal: AbortSignal,
): Promise<void> {
  const { language, operands, say, progress, note } = context;
  const [file = ''] = operands;
  checkReplaceable(file);
  const begun = performance.now();
  const { list, pack } = selected(represent(format, language, collection), language, collection, query);
  const found = await store.read(store.plan({ of: 'list', collection, keys: parents, query }));
  if (!found) {
    const { the } = language.nouns(collection.parent ?? collection);
    throw new UsageError([language.say(itemSentence('missing', { the, key: parents.join('/') }, undefined))]);
  }
  const total = countOfRows(query, found.total);
  if (format.maxRows !== undefined && total > format.maxRows) {
    await found.rest?.return?.();
    throw new UsageError([language.say(sentence('list-too-long', { rows: total, most: format.maxRows }))]);
  }
  let fault: unknown;
  const read = countRead(found, (rows) => progress.showRows('writing-rows', rows / Math.max(total, 1), rows));
  const text = streamList(read, list, (error) => {
    fault = error;
  });
  await writeFile(file, pack ? pack(text) : text, signal).catch((error: NodeJS.ErrnoException) => {
    if (fault !== undefined || !error.code?.startsWith('E')) throw fault ?? error;
    throw commandError('file-unusable', { file, reason: error.code }, error);
  });
  progress.end();
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  note(`${file}: ${say('rows-written', { count: total, seconds })}`);
}

/** Writes a list to a file; the parameters of its URL select what. @returns the exit code */
export async function exportList(context: CommandContext): Promise<number> {
  const { language, languages, parameters, operands } = context;
  const target = targetListIn(context);
  const text = parameters
    .map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('='))
    .join('&');
  const others = languages.filter((each) => each !== language);
  const query = queryReader(language, others, target.collection)(text);
  const format = formatOf(formats, context, operands[0] ?? '', query.format);
  checkDatabaseExists(context.config);
  await interruptible((signal) =>
    withStore(context, (store) => exportFile(context, store, target, query, format, signal)),
  );
  return DONE;
}
