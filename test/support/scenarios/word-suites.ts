import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { TestResponse } from '../app/app.ts';
import { isNear, slipsOf } from '../language/slips.ts';
import { type Translator, tagsIn, translatorsIn } from '../language/translate.ts';
import { contextOf, perform, type ScenarioContext, sentencesOf, type WithContext } from './context.ts';
import { cars, create, oils } from './scenario.ts';
import { CAR, OIL, type WordPosition, wordPositions } from './word-positions.ts';

const given = [create(cars(), { identifier: CAR, brand: 'Seat', model: 'Ibiza' }), create(oils(CAR), { type: OIL })];

/** A word to send, and the words that may be suggested for it. */
interface Attempt {
  readonly sent: string;
  readonly meant: readonly string[];
}

const wordsAt = (place: WordPosition, { table }: Pick<Translator, 'table'>): readonly string[] =>
  Object.values(place.words(table));

const refusalIn = ({ status, json }: TestResponse): unknown => {
  const [error, ...more] = json.errors ?? [];
  if (!error) return { status, code: json.code, suggestion: json.suggestion, place: undefined };
  const { code, suggestion, detail: _, name: __, value: ___, remedy: ____, ...place } = error;
  return { status, code: more.length === 0 && code === json.code ? code : json, suggestion, place };
};

/** What is wrong with the answer to an attempt; empty where nothing is. */
const faultsOf = async (
  context: ScenarioContext,
  place: WordPosition,
  { sent, meant }: Attempt,
): Promise<readonly unknown[]> => {
  const { method, path, body, headers } = place.request(sent);
  const answer = await context.send(method, path, body, headers);
  const got = refusalIn(answer);
  const wanted = meant.map((word) => place.refusal(sent, word));
  const tag = answer.headers.get('content-language');
  return [
    ...(wanted.some((each) => isDeepStrictEqual(got, each)) ? [] : [{ sent, got, wanted }]),
    ...(tag === context.own.tag ? [] : [{ sent, tag }]),
    ...context.foreign(sentencesOf(answer)).map((word) => ({ sent, word })),
  ];
};

const checkAttempts = (withContext: WithContext, place: WordPosition, attempts: readonly Attempt[]): Promise<void> =>
  withContext(async (context) => {
    for (const step of given) await perform(context, context.own, step);
    const faults: unknown[] = [];
    for (const attempt of attempts) faults.push(...(await faultsOf(context, place, attempt)));
    expect(faults).toEqual([]);
  });

/** Another language's words at a place. Languages may disagree on what a word means: then any of its meanings will do. */
const foreignAttempts = (place: WordPosition, own: Translator, other: Translator, all: readonly Translator[]) =>
  wordsAt(place, other)
    .filter((word) => !wordsAt(place, own).includes(word))
    .map((sent): Attempt => {
      const names = all.flatMap(({ table }) =>
        Object.entries(place.words(table)).flatMap(([name, word]) => (word === sent ? [name] : [])),
      );
      return { sent, meant: names.map((name) => place.words(own.table)[name] ?? '') };
    });

/** Long enough that a slip still shows what was meant. */
const LEAST_LETTERS = 4;

/** Of how many slips of a word one is sent: over all words each kind of slip at each place comes up, and all of them take minutes. */
const SAMPLE = 4;

/** Slips of a language's words at a place that can mean one word only. */
const slipAttempts = (place: WordPosition, own: Translator, others: readonly Translator[]): readonly Attempt[] => {
  const ours = wordsAt(place, own);
  const theirs = others.flatMap((other) => wordsAt(place, other));
  // At the top all languages stand side by side.
  const rivals = [...new Set(place.isRoot ? [...ours, ...theirs] : ours)];
  return ours
    .filter((word) => [...word].length >= LEAST_LETTERS)
    .flatMap((word, first) =>
      slipsOf(word).flatMap((sent, at): readonly Attempt[] =>
        at % SAMPLE === first % SAMPLE ? [{ sent, meant: [word] }] : [],
      ),
    )
    .filter(({ sent }) => !ours.includes(sent) && !theirs.includes(sent))
    .filter(({ sent }) => rivals.filter((rival) => isNear(rival, sent)).length === 1);
};

/**
 * Sends every word of other languages, once, wherever words can stand: each is an error that says the right one.
 *
 * @param others the languages whose words are sent; by default all
 */
export const foreignWordSuite = (folder: string, tag: string, others = tagsIn(folder)): void => {
  const all = translatorsIn(folder);
  const attemptsAt = (place: WordPosition, own: Translator): readonly Attempt[] => {
    const theirs = all.filter((each) => each !== own && others.includes(each.tag));
    const attempts = theirs.flatMap((other) => foreignAttempts(place, own, other, all));
    return [...new Map(attempts.map((each) => [each.sent, each])).values()];
  };
  const cases = all
    .filter((each) => each.tag === tag)
    .flatMap((own) =>
      wordPositions(own).map((place) => ({ place, name: place.name, attempts: attemptsAt(place, own) })),
    )
    .filter(({ place, attempts }) => !place.isRoot && attempts.length > 0);

  describe(`words of another language in ${tag}`, () => {
    const withContext = contextOf(folder, tag);
    test.each(cases)('words of others are put right as $name', ({ place, attempts }) =>
      checkAttempts(withContext, place, attempts),
    );
  });
};

/** Sends every word of a language with single slips of every kind: each is an error that says the word meant. */
export const slipSuite = (folder: string, tag: string): void => {
  const all = translatorsIn(folder);
  const cases = all
    .filter((each) => each.tag === tag)
    .flatMap((own) => wordPositions(own).map((place) => ({ place, own })))
    .map(({ place, own }) => ({
      place,
      name: place.name,
      attempts: slipAttempts(
        place,
        own,
        all.filter((each) => each !== own),
      ),
    }))
    .filter(({ attempts }) => attempts.length > 0);

  describe(`slips in ${tag}`, () => {
    const withContext = contextOf(folder, tag);
    test.each(cases)('slips are put right as $name', ({ place, attempts }) =>
      checkAttempts(withContext, place, attempts),
    );
  });
};
