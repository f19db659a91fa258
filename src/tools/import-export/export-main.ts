/** Writes a list to a file. Messages go to standard error. */
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { catalogue } from '../../catalogue.ts';
import { formats } from '../../gateway/formats/formats.ts';
import { createRepresentation, type Format } from '../../gateway/formats/representation.ts';
import { toQueryText } from '../../gateway/locale/language.ts';
import { withAllTopLevel } from '../../gateway/model/catalogue.ts';
import { countSelectedRows, type Query } from '../../gateway/model/query.ts';
import type { Chunks } from '../../gateway/port/port.ts';
import { createQueryReader } from '../../gateway/read/query/query.ts';
import { itemSentence, sentence } from '../../gateway/texts/phrase.ts';
import { selectParts, streamList } from '../../gateway/write/list.ts';
import type { Store } from '../../store/store.ts';
import { toFileError, UsageError } from '../commands/command-error.ts';
import { checkReplaceable, chooseFormat, withPartialFile } from '../commands/files.ts';
import { listPaths, readTargetList, type TargetList, writeQuery } from '../commands/language-choice.ts';
import {
  type CommandContext,
  checkDatabaseExists,
  DONE,
  runCommand,
  runInterruptibly,
  withStore,
} from '../commands/run.ts';

/** Wraps chunks of rows so that it is said how many have been read. */
function countRows(chunks: Chunks, onRows: (count: number) => void): Chunks {
  return {
    next: async () => {
      const chunk = await chunks.next();
      if (!chunk.done) onRows(chunk.value.length);
      return chunk;
    },
    return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
  };
}

async function exportFile(
  { language, say, progress, note, flags }: CommandContext,
  store: Store,
  { collection, parents }: TargetList,
  { file, format, query }: { readonly file: string; readonly format: Format; readonly query: Query },
  signal: AbortSignal,
): Promise<void> {
  checkReplaceable(file);
  const startedAt = performance.now();
  const typeParameters = new Map(flags.has('tags') ? [['tags', 'present']] : []);
  const representation = createRepresentation(format, language, collection, undefined, typeParameters);
  const { list, pack } = selectParts(representation, language, collection, query);
  const result = await store.read(store.plan({ of: 'list', collection, keys: parents, query }));
  if (!result) {
    const { the } = language.nouns(collection.parent ?? collection);
    throw new UsageError([language.format(itemSentence('missing', { the, key: parents.join('/') }, undefined))]);
  }
  const total = countSelectedRows(query, result.total);
  if (format.maxRows !== undefined && total > format.maxRows) {
    await result.rest?.return?.();
    throw new UsageError([language.format(sentence('list-too-long', { rows: total, most: format.maxRows }))]);
  }
  let fault: unknown;
  const { rows, rest } = result;
  let count = 0;
  const onRows = (more: number) => {
    count += more;
    progress.showRows('writing-rows', count / Math.max(total, 1), count);
  };
  onRows(rows.length);
  const text = streamList({ rows, rest: rest && countRows(rest, onRows) }, list, (error) => {
    fault = error;
  });
  const bytes = Readable.fromWeb(pack ? pack(text) : text);
  await withPartialFile(file, async (part) => {
    await pipeline(bytes, createWriteStream(part, { flush: true }), { signal });
    await rename(part, file);
  }).catch((error: NodeJS.ErrnoException) => {
    throw fault ?? (error.code?.startsWith('E') ? toFileError(file, error) : error);
  });
  progress.end();
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  note(`${file}: ${say('rows-written', { count: total, seconds })}`);
}

/** Writes a list to a file; the parameters of its URL select what. @returns the exit code */
async function exportList(context: CommandContext): Promise<number> {
  const { language, languages, parameters, operands } = context;
  const [file = ''] = operands;
  const target = readTargetList(context);
  const others = languages.filter((other) => other !== language);
  const options = parameters.map(
    ([word, value]) => [word, toQueryText(language, target.collection, word, value)] as const,
  );
  const query = createQueryReader(language, others, target.collection)(writeQuery(options));
  const format = chooseFormat(formats, context, file, query.format);
  checkDatabaseExists(context.config);
  await runInterruptibly((signal) =>
    withStore(context, (store) => exportFile(context, store, target, { file, format, query }, signal)),
  );
  return DONE;
}

await runCommand(catalogue, {
  command: 'npm run export',
  flags: ['tags'],
  options: ['language', 'list', 'format'],
  repeatable: 'all',
  operands: [1, 1],
  hasFiles: true,
  help: 'export-help',
  helpValues: (all, language) => ({
    collections: listPaths(withAllTopLevel(all), language).join(', '),
    parameters: language.parameters.known,
  }),
  work: exportList,
});
