/** The options that import and export share. */

import type { Format } from '../../gateway/formats/format.ts';
import type { Language } from '../../gateway/locale/language.ts';
import { type Catalogue, type Collection, listsOf, withAllListed } from '../../gateway/model/catalogue.ts';
import { unknownSentence } from '../../gateway/texts/phrase.ts';
import { UsageError } from '../commands/command-error.ts';
import { listAt, type TargetList } from '../commands/list-path.ts';
import type { CommandContext } from '../commands/run.ts';

/**
 * @returns the list that `--list` names; the first one by default
 * @throws UsageError where there is no such list
 */
export const targetListIn = ({ language, languages, options, ...context }: CommandContext): TargetList => {
  const catalogue = withAllListed(context.catalogue);
  const path = options.get('list') ?? collectionPaths(context.catalogue, language)[0] ?? '';
  const own = listAt(catalogue, language, path);
  if ('collection' in own) return own;
  const list = languages.map((each) => listAt(catalogue, each, path)).find((each) => 'collection' in each);
  if (list) return list;
  throw new UsageError([language.say(unknownSentence('path', { path }, own.suggestion))]);
};

/** @returns the paths of all lists */
export const collectionPaths = (catalogue: Catalogue, language: Language): readonly string[] => {
  const pathOf = ({ name, parent }: Collection): string => {
    const word = language.paths(parent).word(name);
    return parent ? `${pathOf(parent)}/<${language.fields(parent).word(parent.key.name)}>/${word}` : word;
  };
  return listsOf(catalogue).map(pathOf);
};

/**
 * @param formats those that a command supports
 * @returns the format of a file: that of `--format`, else `usual`, else by the extension
 */
export const formatOf = <F extends Format>(
  formats: readonly F[],
  { say, options }: CommandContext,
  file: string,
  usual?: string,
): F => {
  const extension = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  const said = options.get('format');
  const name = said ?? usual ?? extension;
  const format = formats.find((each) => each.name === name);
  if (format !== undefined) return format;
  const known = formats.map((each) => each.name).join(', ');
  throw new UsageError([
    said === undefined ? say('format-needed', { file, known }) : say('option-choice', { option: '--format', known }),
  ]);
};
