/** Finds which sentences a language has itself, and whether their sources have changed since: a start, `words status` and `words check` tell. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { listSentences, type WholeTable } from '../../gateway/locale/chain.ts';

/** @returns the file of the digests beside a file of sentences */
export function nameSourcesFile(messages: string): string {
  return messages.replace(/\.json$/, '.sources.json');
}

/**
 * `same`: as in the source, on purpose; `copied`: as in the source, and nobody has said yet that this is right; `stale`: the source has
 * changed since; `missing`: said in another language.
 */
type State = 'translated' | 'same' | 'copied' | 'stale' | 'missing';

export interface SurveyedSentence {
  /** Such as `phrases.internal`. */
  readonly place: string;
  readonly state: State;
  readonly text: unknown;
  readonly source: unknown;
}

/** @returns 12 digits that another text does not have */
export function digestSentence(text: unknown): string {
  return createHash('sha256').update(JSON.stringify(text)).digest('hex').slice(0, 12);
}

/**
 * Writes down from which sources some sentences of a table were translated, and forgets that of sentences that are gone.
 *
 * @param added are sources by the places of sentences
 * @returns the file
 */
export function recordSources(
  {
    folder = '',
    file,
    messages = file,
    sources = {},
    own,
  }: Omit<Partial<WholeTable>, 'file'> & { readonly file: string },
  newSources: ReadonlyMap<string, unknown>,
): string {
  const sentences = listSentences(own);
  const knownDigests = Object.entries(sources).filter(([place]) => sentences.has(place));
  const digests = new Map([
    ...knownDigests,
    ...[...newSources].map(([place, source]) => [place, digestSentence(source)] as const),
  ]);
  const path = join(folder, nameSourcesFile(messages));
  if (newSources.size > 0)
    writeFileSync(path, `${JSON.stringify(Object.fromEntries([...digests].sort()), undefined, 2)}\n`);
  return path;
}

function findState(text: unknown, source: unknown, digest: string | undefined): State {
  if (text === undefined) return 'missing';
  if (digest !== undefined && digest !== digestSentence(source)) return 'stale';
  if (!isDeepStrictEqual(text, source)) return 'translated';
  return digest === undefined ? 'copied' : 'same';
}

/** @returns the sentences that a table has or lacks, in the order of its source; a dialect lacks none that it inherits */
export function surveySentences({ borrowed, sources = {}, ...table }: WholeTable): readonly SurveyedSentence[] {
  const [own, content] = [listSentences(table.own), listSentences(table.content)];
  return [...listSentences(table.source?.content)].flatMap(([place, source]) => {
    const text = own.get(place);
    const isInherited = text === undefined && content.has(place) && !borrowed.has(place);
    return isInherited ? [] : [{ place, state: findState(text, source, sources[place]), text, source }];
  });
}
