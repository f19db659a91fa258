import type { Language } from '../../gateway/locale/language.ts';
import { type Catalogue, type Collection, listsOf } from '../../gateway/model/catalogue.ts';
import type { Keys } from '../../gateway/port/port.ts';

/** The list that a command is about. */
export interface TargetList {
  readonly collection: Collection;
  readonly parents: Keys;
}

/** What stands before the words of a path in a URL. */
const BEFORE = /^(?:https?:\/\/.*?)?\/api\//i;

/** @returns the words and keys by turns; none where the path is malformed */
const segmentsOf = (path: string): string[] => {
  try {
    return path.replace(BEFORE, '').split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return [];
  }
};

/**
 * @param path in the words of the language: `coches`, `coches/<key>/aceites`, `/api/coches`, or a URL
 * @returns the list there; where there is none, the word that was probably intended
 */
export const listAt = (
  catalogue: Catalogue,
  language: Language,
  path: string,
): TargetList | { readonly suggestion: string | undefined } => {
  const segments = segmentsOf(path);
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
};
