import { valueAt } from '../../../../packages/vocabularies/src/words.ts';
import type { Catalogue } from '../../model/catalogue.ts';
import type { Candidate } from './check.ts';

/** @returns all sentences by key; every plural form has a key of its own */
const sentencesOf = (content: unknown, key = ''): readonly (readonly [key: string, sentence: string])[] =>
  typeof content === 'string'
    ? [[key, content]]
    : Object.entries(content ?? {}).flatMap(([name, each]) => sentencesOf(each, `${key}.${name}`));

/** Blocks of a table that contain sentences. */
const BLOCKS = ['phrases', 'problems', 'commands', 'pages', 'descriptions'];

/** @returns the file with the sentences of a table */
const fileOf = ({ file, messages = file }: Candidate): string => messages;

/** Related languages have a few sentences in common, and names such as OpenAPI are the same in most. */
const SHARED = 1 / 4;

const sharedBy = (one: Candidate, other: Candidate): readonly string[] =>
  BLOCKS.flatMap((part) => {
    const own = sentencesOf(valueAt(one.content, part));
    const theirs = new Map(sentencesOf(valueAt(other.content, part)));
    const same = own.filter(([key, text]) => theirs.get(key) === text).length;
    return same <= own.length * SHARED
      ? []
      : [
          `${fileOf(one)}: ${part}: ${same} of ${own.length} sentences are the same as in ${fileOf(other)}: not translated?`,
        ];
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

/** @returns a line for each table whose sentences speak of other collections than the catalogue has */
export const stale = (catalogue: Catalogue, candidates: readonly Candidate[]): readonly string[] =>
  candidates.flatMap((candidate) => {
    const { content } = candidate;
    const spoken = valueAt(content, 'subject', 'collections');
    if (!Array.isArray(spoken)) return [];
    const named = new Set(spoken);
    const names = catalogue.map(({ name }) => name);
    if (named.size === names.length && names.every((name) => named.has(name))) return [];
    const [said, there] = [spoken, names].map((each) => each.join(', '));
    return [
      `${fileOf(candidate)}: subject: its sentences speak of ${said}, but the catalogue has ${there}: check them, and those of descriptions.collections, then "collections"`,
    ];
  });
