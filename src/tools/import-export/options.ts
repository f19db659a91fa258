/** The options that import and export share. */

import type { Format } from '../../gateway/formats/format.ts';
import type { Language } from '../../gateway/locale/language.ts';
import { type Catalogue, type Collection, listsOf } from '../../gateway/model/catalogue.ts';
import type { Keys } from '../../gateway/port/port.ts';
import { unknownSentence } from '../../gateway/texts/phrase.ts';
import { UsageError } from '../commands/command-error.ts';
import type { CommandContext } from '../commands/run.ts';

/** The list that a command is about. */
export interface TargetList {
  readonly collection: Collection;
  readonly parents: Keys;
}

/**
 * @returns the list that `--list` names by the end of its URL: `coches`, or `coches/<key>/aceites`; the first one by default
 * @throws UsageError where there is no such list
 */
export const targetListIn = ({ catalogue, language, options }: CommandContext): TargetList => {
  const path = options.get('list') ?? collectionPaths(catalogue, language)[0] ?? '';
  const segments = path.split('/').filter((segment) => segment !== '');
  let parent: Collection | undefined;
  const parents: string[] = [];
  for (;;) {
    const word = segments.shift() ?? '';
    const paths = language.paths(parent);
    const name = paths.name(word);
    if (name === undefined) {
      const detail = unknownSentence('path', { path }, paths.suggest(word));
      throw new UsageError([language.say(detail)]);
    }
    const collection = listsOf(catalogue).find((each) => each.name === name && each.parent === parent);
    if (!collection) throw new TypeError(`no collection "${name}"`);
    const key = segments.shift();
    if (key === undefined) return { collection, parents };
    try {
      parents.push(decodeURIComponent(key));
    } catch {
      throw new UsageError([language.say({ phrase: 'path-unknown', values: { path } })]);
    }
    parent = collection;
  }
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
