import { ECHO_LIMIT, type Language } from '../../locale/language.ts';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import { unknownSentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import { decode, pathOf } from '../target.ts';
import { ROOT } from '../urls.ts';

/** How a path that leads nowhere is answered, with the path that was probably meant. */
export type PathProblem = (target: string, languages: readonly Language[]) => Problem;

const encode = (segments: readonly string[]): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');

/**
 * Walks a path's segments, a collection's word and a key by turns, and puts every word right that another language or a
 * slip made wrong.
 *
 * @returns the path in one language's words, or `undefined` where it is not one of its tree even then
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

/**
 * @param catalogue what has paths
 * @returns a maker of `no-such-path` problems; the first of its languages is preferred
 */
export const pathProblem =
  (catalogue: Catalogue): PathProblem =>
  (target, languages) => {
    const sent = pathOf(target);
    const path = decode(sent) ?? sent;
    const [root, ...segments] = sent
      .replace(/\/$/, '')
      .slice(1)
      .split('/')
      .map((segment) => decode(segment) ?? segment);
    const found =
      `/${root}` === ROOT && segments.length > 0
        ? languages.map((language) => corrected(catalogue, language, segments)).find((each) => each !== undefined)
        : undefined;
    const meant = found && ROOT + encode(found);
    // What nobody would type or read is not echoed.
    const suggestion = meant !== undefined && meant.length <= ECHO_LIMIT ? meant : undefined;
    return new Problem('no-such-path', unknownSentence('path', { path }, suggestion), { suggestion });
  };
