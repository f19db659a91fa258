/** Finds what no start refuses in tables, and natives or clients may stumble over. */
import { execFileSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { fold, readWord, valueAt } from '../../../packages/vocabularies/src/words.ts';
import { listSentences, type WholeTable } from '../../gateway/locale/chain.ts';
import { listTexts, wordParts } from '../../gateway/locale/layers.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { CommandError, type Text, type Values } from '../commands/command-error.ts';

/** A remark on a place of a table, or of its sentences. */
export interface Remark {
  readonly table: WholeTable;
  readonly place: string;
  readonly text: Text;
  readonly values: Values;
}

/** @returns the words of a table by their places such as `fields.cars.brand` */
function listWords(content: unknown): readonly (readonly [place: string, word: string])[] {
  return [...listTexts(content, wordParts)].flatMap(([place, entry]) => {
    const word = readWord(entry);
    return word === undefined ? [] : [[place, word] as const];
  });
}

/** @returns a remark for each word that is the word of something else in another language, beside it in a path, a query or a body */
function findFalseFriends(catalogue: Catalogue, tables: readonly WholeTable[]): readonly Remark[] {
  const neighbours = [
    ['paths'],
    ['report'],
    ['values'],
    ...catalogue.map(({ name }) => [`fields.${name}`, 'parameters', 'members']),
  ];
  const isBeside = (place: string, other: string): boolean =>
    neighbours.some((parts) => [place, other].every((path) => parts.includes(path.replace(/\.[^.]*$/, ''))));
  const all = tables.flatMap((table) => listWords(table.content).map(([place, word]) => ({ table, place, word })));
  const byWord = Map.groupBy(all, ({ word }) => fold(word));
  return all.flatMap(({ table, place, word }): readonly Remark[] => {
    const friend = byWord
      .get(fold(word))
      ?.find((candidate) => candidate.table !== table && candidate.place !== place && isBeside(candidate.place, place));
    if (!friend || valueAt(table.own, ...place.split('.')) === undefined) return [];
    return [{ table, place, text: 'words-friend', values: { word, other: friend.place, tag: friend.table.tag } }];
  });
}

/** The least sentences of a language whose letters are probably all there. */
const ENOUGH = 200;

/** @returns a remark for each word with a letter that no sentence of the language has, or that no keyboard has */
function findUntypable(table: WholeTable): readonly Remark[] {
  const sentences = [...listSentences(table.own).values()];
  const letters = new Set(JSON.stringify(sentences).toLowerCase());
  return listWords(table.own).flatMap(([place, word]): readonly Remark[] => {
    const character =
      /[\p{Cf}\p{M}‘’“”«»–—…]/u.exec(word)?.[0] ??
      [...word.toLowerCase()].find(
        (letter) => sentences.length > ENOUGH && /[^\0-\x7f]/.test(letter) && !letters.has(letter),
      );
    if (character === undefined) return [];
    return [{ table, place, text: 'words-typing', values: { word, character } }];
  });
}

/** An article or a preposition that loses its vowel before one, and a placeholder that may begin with a consonant. */
const ELIDED = /(?:^|[^\p{L}])(?:[cdjlmnst]|qu)['’]\{[\w-]+\}/iu;

function findElided(table: WholeTable): readonly Remark[] {
  return [...listSentences(table.own)].flatMap(([place, text]): readonly Remark[] => {
    const [part] = ELIDED.exec(JSON.stringify(text)) ?? [];
    return part === undefined ? [] : [{ table, place, text: 'words-elided', values: { part: part.trim() } }];
  });
}

/** @returns a remark for each sentence that is also another one's, although their sources differ */
function findTwins(table: WholeTable): readonly Remark[] {
  const source = listSentences(table.source?.content);
  const sentences = [...listSentences(table.own)].filter(([place]) => /^(?:phrases|problems|commands)\./.test(place));
  const bySentence = Map.groupBy(sentences, ([, text]) => JSON.stringify(text));
  return [...bySentence].flatMap(([sentence, [[first] = [''], ...more]]) =>
    more
      .filter(([place]) => !isDeepStrictEqual(source.get(place), source.get(first)))
      .map(([place]): Remark => ({ table, place, text: 'words-twin', values: { other: first, sentence } })),
  );
}

export function findRemarks(catalogue: Catalogue, tables: readonly WholeTable[]): readonly Remark[] {
  return [
    ...findFalseFriends(catalogue, tables),
    ...tables.flatMap((table) => [...findUntypable(table), ...findElided(table), ...findTwins(table)]),
  ];
}

/** @returns the output of git in a folder; `undefined` if git refuses, or there is none */
export function runGit(folder: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    });
  } catch {
    return undefined;
  }
}

/** @returns a remark for each word that is another one since a version of the repository, or gone. @throws CommandError if git has no such version */
export function findChanges(tables: readonly WholeTable[], ref: string): readonly Remark[] {
  return tables.flatMap((table) => {
    const folder = table.folder ?? '.';
    if (runGit(folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`) === undefined)
      throw new CommandError('words-ref', { ref });
    const text = runGit(folder, 'show', `${ref}:./${table.file}`);
    if (text === undefined) return [];
    const currentWords = new Map(listWords(table.content));
    return listWords(JSON.parse(text)).flatMap(([place, oldWord]): readonly Remark[] => {
      const word = currentWords.get(place);
      if (word === oldWord) return [];
      if (word === undefined) return [{ table, place, text: 'words-gone', values: { was: oldWord } }];
      const former = valueAt(table.content, ...place.split('.'), 'former');
      const formerWord = (Array.isArray(former) ? former : []).find((entry) => readWord(entry) === oldWord);
      const values = { was: oldWord, now: word };
      return formerWord
        ? [{ table, place, text: 'words-kept', values: { ...values, until: String(valueAt(formerWord, 'until')) } }]
        : [{ table, place, text: 'words-broken', values }];
    });
  });
}
