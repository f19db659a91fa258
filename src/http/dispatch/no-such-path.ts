import type { Language } from '../../locale/language.ts';
import { TEXT_LIMIT } from '../../locale/truncate.ts';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import { unknownSentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import { decode, pathOf, segmentsOf } from '../target.ts';
import { ROOT } from '../urls.ts';

/** The problem of a path that matches no route. */
interface NoSuchPath {
  readonly problem: Problem;
  /** The language of the suggested path; `undefined` where there is no suggestion. */
  readonly language: Language | undefined;
}

export type PathProblem = (target: string, languages: readonly Language[]) => NoSuchPath;

const encode = (segments: readonly string[]): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');

/**
 * Goes through a path's segments, which are by turns the word of a collection and a key, and corrects each word that is misspelt
 * or of another language.
 *
 * @returns the path in one language's words, or `undefined` where its tree has no such path
 */
const corrected = (
  catalogue: Catalogue,
  language: Language,
  segments: readonly string[],
): readonly string[] | undefined => {
  const fixed: string[] = [];
  let parent: Collection | undefined;
  for (let at = 0; at < segments.length; at += 2) {
    const [sent = '', key] = segments.slice(at, at + 2);
    const words = language.paths(parent);
    const word = words.name(sent) === undefined ? words.suggest(sent) : sent;
    if (word === undefined || key === '') return undefined;
    fixed.push(word, ...(key === undefined ? [] : [key]));
    const name = words.name(word);
    parent = catalogue.find((each) => each.name === name);
  }
  return fixed;
};

/** @returns a function that makes `no-such-path` problems, with a suggestion in the first language that has such a path */
export const pathProblem =
  (catalogue: Catalogue): PathProblem =>
  (target, languages) => {
    const sent = pathOf(target);
    const path = decode(sent) ?? sent;
    const undecoded = sent.split('/');
    const [, root, ...segments] = segmentsOf(sent.replace(/\/$/, '')).map(
      (segment, at) => segment ?? undecoded[at] ?? '',
    );
    const candidates = `/${root}` === ROOT && segments.length > 0 ? languages : [];
    const [meant] = candidates.flatMap((language) => {
      const words = corrected(catalogue, language, segments);
      const suggestion = words && ROOT + encode(words);
      // A suggestion that is too long to be read is left out.
      return suggestion !== undefined && suggestion.length <= TEXT_LIMIT ? [{ language, suggestion }] : [];
    });
    const suggestion = meant?.suggestion;
    const problem = new Problem('no-such-path', unknownSentence('path', { path }, suggestion), { suggestion });
    return { problem, language: meant?.language };
  };
