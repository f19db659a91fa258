/** The list that a command is about. */
import type { Language } from '../../gateway/locale/language.ts';
import { type Catalogue, type Collection, listsOf, withAllListed } from '../../gateway/model/catalogue.ts';
import type { Keys } from '../../gateway/port/port.ts';
import { unknownSentence } from '../../gateway/texts/phrase.ts';
import { UsageError } from './command-error.ts';
import type { Arguments } from './options.ts';

export interface TargetList {
  readonly collection: Collection;
  readonly parents: Keys;
}

/** What stands before the words of a path in a URL. */
const BEFORE = /^(?:https?:\/\/.*?)?\/api\//i;

/** @returns the words and keys by turns; none if the path is malformed */
function splitPath(path: string): string[] {
  try {
    return path.replace(BEFORE, '').split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return [];
  }
}

/**
 * @param path in the words of the language: `coches`, `coches/<key>/aceites`, `/api/coches`, or a URL
 * @returns the list there; if there is none, the word that was probably intended
 */
export function findList(
  catalogue: Catalogue,
  language: Language,
  path: string,
): TargetList | { readonly suggestion: string | undefined } {
  const segments = splitPath(path);
  let parent: Collection | undefined;
  const parents: string[] = [];
  for (;;) {
    const word = segments.shift() ?? '';
    const paths = language.paths(parent);
    const name = paths.name(word);
    if (name === undefined) return { suggestion: paths.suggest(word) };
    const collection = listsOf(catalogue).find((each) => each.name === name && each.parent === parent);
    if (!collection) throw new TypeError(`no collection "${name}"`);
    const key = segments.shift();
    if (key === undefined) return { collection, parents };
    parents.push(key);
    parent = collection;
  }
}

function describePath(language: Language, { name, parent }: Collection): string {
  const word = language.paths(parent).word(name);
  if (!parent) return word;
  return `${describePath(language, parent)}/<${language.fields(parent).word(parent.key.name)}>/${word}`;
}

/** @returns the paths of all lists */
export function listPaths(catalogue: Catalogue, language: Language): readonly string[] {
  return listsOf(catalogue).map((list) => describePath(language, list));
}

interface ListContext extends Pick<Arguments, 'options'> {
  readonly catalogue: Catalogue;
  readonly language: Language;
  readonly languages: readonly Language[];
}

/**
 * @returns the list that `--list` names; the first one by default
 * @throws UsageError if there is no such list
 */
export function readTargetList({ catalogue, language, languages, options }: ListContext): TargetList {
  const all = withAllListed(catalogue);
  const path = options.get('list') ?? listPaths(catalogue, language)[0] ?? '';
  const own = findList(all, language, path);
  if ('collection' in own) return own;
  const list = languages.map((each) => findList(all, each, path)).find((each) => 'collection' in each);
  if (list) return list;
  throw new UsageError([language.say(unknownSentence('path', { path }, own.suggestion))]);
}

/** @returns the parameters of a list as they stand in its URL */
export function writeQuery(parameters: Arguments['parameters']): string {
  return parameters.map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('=')).join('&');
}
