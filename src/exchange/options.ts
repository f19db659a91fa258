/** What the options of both commands mean. */
import type { Language } from '../locale/language.ts';
import { type Catalogue, type Collection, collectionOf } from '../model/catalogue.ts';
import { type FormatName, formatNames } from '../model/query.ts';
import type { Keys } from '../store/port.ts';
import { unknownSentence } from '../texts/phrase.ts';
import type { Problem } from '../texts/problem.ts';
import type { Arguments } from './arguments.ts';

/** Says what is wrong with a command line, a line for each fault. */
export class UsageError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** The list that a command is about. */
export interface Place {
  readonly collection: Collection;
  readonly parents: Keys;
}

/**
 * @param path of a list as URLs have it, without what is before it: `coches`, or `coches/<key>/aceites`
 * @throws UsageError where there is no such list
 */
export const placeIn = (catalogue: Catalogue, language: Language, path: string): Place => {
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
    const collection = collectionOf(catalogue, name);
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

/** @returns the paths of all lists, the first of them for who names none */
export const collectionPaths = (catalogue: Catalogue, language: Language): string => {
  const pathOf = ({ name, parent }: Collection): string => {
    const word = language.paths(parent).word(name);
    return parent ? `${pathOf(parent)}/<${language.fields(parent).word(parent.key.name)}>/${word}` : word;
  };
  return catalogue.map(pathOf).join(', ');
};

const isFormat = (text: string): text is FormatName => formatNames.some((name) => name === text);

/** @returns the format that a file is in: what is said, or else what its name ends with */
export const formatOf = ({ commands }: Language, file: string, said: string | undefined): FormatName => {
  const extension = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  const name = said ?? extension;
  if (isFormat(name)) return name;
  const known = formatNames.join(', ');
  throw new UsageError([
    said === undefined
      ? commands('format-needed', { file, known })
      : commands('option-choice', { option: '--format', known }),
  ]);
};

/** @returns a line for each option that is not known, comes twice, or has a value where it takes none, or none where it needs one */
export const optionFaults = (
  { options }: Arguments,
  { commands }: Language,
  flags: readonly string[],
  known: (name: string) => boolean,
): readonly string[] =>
  options.flatMap(([name, value], at) => {
    const option = `--${name}`;
    if (flags.includes(name)) return value === undefined ? [] : [commands('option-flag', { option })];
    if (value === undefined) return [commands('option-empty', { option })];
    if (!known(name)) return [commands('option-unknown', { option })];
    return options.findIndex(([each]) => each === name) < at ? [commands('option-repeated', { option })] : [];
  });

/** @returns what a problem says, and then each of its errors, where these are several */
export const formatFaults = ({ say }: Language, { detail, errors }: Problem): readonly string[] =>
  [detail, ...(errors.length > 1 ? errors.map((error) => error.detail) : [])].map(say);
