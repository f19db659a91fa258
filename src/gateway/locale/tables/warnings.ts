import type { Candidate } from './check.ts';
import { valueAt } from './value-at.ts';

/** @returns all sentences by key; every plural form has a key of its own */
const sentencesOf = (content: unknown, key = ''): readonly (readonly [key: string, sentence: string])[] =>
  typeof content === 'string'
    ? [[key, content]]
    : Object.entries(content ?? {}).flatMap(([name, each]) => sentencesOf(each, `${key}.${name}`));

/** Blocks of a table that contain sentences. */
const BLOCKS = ['phrases', 'problems', 'commands', 'pages', 'descriptions'];

/** Related languages have a few sentences in common, and names such as OpenAPI are the same in most. */
const SHARED = 1 / 4;

const sharedBy = (one: Candidate, other: Candidate): readonly string[] =>
  BLOCKS.flatMap((part) => {
    const own = sentencesOf(valueAt(one.content, part));
    const theirs = new Map(sentencesOf(valueAt(other.content, part)));
    const same = own.filter(([key, text]) => theirs.get(key) === text).length;
    return same <= own.length * SHARED
      ? []
      : [`${one.file}: ${part}: ${same} of ${own.length} sentences are the same as in ${other.file}: not translated?`];
  });

const primary = ({ tag }: Candidate): string => new Intl.Locale(tag).language;

/**
 * Finds copies of another language's table that are not completely translated.
 *
 * @param candidates tables, which may also have faults
 * @returns a line for each part that a translator should check, although the service can use the table
 */
export const untranslated = (candidates: readonly Candidate[]): readonly string[] =>
  candidates.flatMap((one, at) =>
    candidates
      .slice(0, at)
      .filter((other) => primary(other) !== primary(one))
      .flatMap((other) => sharedBy(one, other)),
  );
