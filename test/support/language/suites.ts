/** Everything that can be asked of a language without knowing it. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Dictionary, readDictionaries } from '../../../packages/parity/src/kit/dictionary.ts';
import { findForeignWords } from '../../../packages/parity/src/kit/sentences.ts';
import { openApp, type Send, type TestResponse } from '../app/app.ts';
import {
  COLLECTIONS,
  type CollectionName,
  type LocaleTable,
  proseOf,
  rangeWords,
  type Translator,
  tagsIn,
  translatorsIn,
  type Words,
} from './translate.ts';

/** A service that is spoken to in one language. */
interface LanguageContext {
  readonly send: Send;
  readonly own: Translator;
  /** @returns words of other languages in texts, outside quotation marks */
  readonly foreign: (texts: readonly unknown[]) => readonly string[];
}

type WithContext = (use: (context: LanguageContext) => Promise<void>) => Promise<void>;

/**
 * Opens a service on a folder of tables, with a car and an oil, for all tests of the `describe` that this is called in: reading
 * the tables takes longer than most tests.
 *
 * @returns lets a test use it in one language; nothing may have failed inside
 */
const contextOf = (folder: string, tag: string): WithContext => {
  const [own, ...others] = translatorsIn(folder).toSorted((a, b) => Number(b.tag === tag) - Number(a.tag === tag));
  if (own?.tag !== tag) throw new TypeError(`no table for ${tag} in ${folder}`);
  // Inside a tree it must not count, so every request asks for a language that is not the tree's.
  const elsewhere = { 'accept-language': others[0]?.tag ?? 'qaa' };
  const dictionaries = new Map<string, Dictionary>();
  let app: Awaited<ReturnType<typeof openApp>>;
  beforeAll(async () => {
    const car = { identifier: CAR, brand: 'Seat', model: 'Ibiza' };
    app = await openApp({ locales: folder });
    await app.send('POST', '/api/cars', car);
    await app.send('POST', `/api/cars/${CAR}/oils`, { type: OIL });
    const get = async (url: string) => Response.json((await app.send('GET', url)).json);
    for (const dictionary of await readDictionaries('', get)) {
      const spoken = [own, ...others].find((each) => each.tag === dictionary.tag);
      if (spoken) dictionaries.set(spoken.tag, { ...dictionary, prose: proseOf(spoken.table) });
    }
  });
  afterAll(() => app.close());
  const foreign = (texts: readonly unknown[]): readonly string[] =>
    others.flatMap((other) => {
      const [mine, theirs] = [dictionaries.get(tag), dictionaries.get(other.tag)];
      if (!mine || !theirs) throw new TypeError(`no dictionary for ${tag} or ${other.tag}`);
      return texts.flatMap((text) => findForeignWords(String(text), mine, theirs));
    });
  return async (use) => {
    const before = app.faults.length;
    const send: Send = (method, path, body, headers) => app.send(method, path, body, { ...elsewhere, ...headers });
    await use({ send, own, foreign });
    expect(app.faults.slice(before)).toEqual([]);
  };
};

/** What a problem says to people. */
const sentencesOf = ({ json }: TestResponse): readonly string[] =>
  [json, ...(json.errors ?? [])].flatMap(({ title, detail, remedy }) => [title, detail, remedy].filter(Boolean));

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  /** Of the one error of the problem, or of the problem itself where a path is wrong. */
  readonly suggestion: string;
  readonly place: { readonly pointer: string } | { readonly parameter: string } | undefined;
}

/** Somewhere that a word can be sent to, in one language. */
interface WordPosition {
  readonly name: string;
  /** By canonical name, all words that stand there in a language. */
  readonly words: (table: LocaleTable) => Words;
  readonly request: (word: string) => Request;
  /** What must come back for a wrong word. */
  readonly refusal: (sent: string, meant: string) => Refusal;
}

/** What all requests are about. */
const CAR = 'a-1';
const OIL = '5W-30';

const encode = encodeURIComponent;

const memberPlace = ({ path }: Translator, collection: CollectionName): WordPosition => ({
  name: `a member of ${collection}`,
  words: ({ fields }) => fields[collection],
  request: (word) => ({
    method: 'PUT',
    path: path({ collection, keys: collection === 'cars' ? [CAR] : [CAR, OIL] }),
    body: { [word]: 1 },
  }),
  refusal: (sent, suggestion) => ({
    status: 400,
    code: 'unknown-field',
    suggestion,
    place: { pointer: `/${sent.replaceAll('~', '~0')}` },
  }),
});

const listOf = (collection: CollectionName) => ({ collection, keys: collection === 'cars' ? [] : [CAR] });

/** Nothing can be included where nothing is nested. */
const parametersOf = ({ parameters: { include, ...others } }: LocaleTable, collection: CollectionName): Words =>
  collection === 'cars' && include !== undefined ? { ...others, include } : others;

const parameterPlace = ({ path }: Translator, collection: CollectionName): WordPosition => ({
  name: `a parameter of ${collection}`,
  words: (table) => ({
    ...table.fields[collection],
    ...parametersOf(table, collection),
    ...rangeWords(table, collection),
  }),
  request: (word) => ({ method: 'GET', path: `${path(listOf(collection))}?${encode(word)}=1` }),
  refusal: (parameter, suggestion) => ({ status: 400, code: 'unknown-parameter', suggestion, place: { parameter } }),
});

/** `sort_by`, `order` and `include`. */
const valuePlace = (
  { path, parameter }: Translator,
  collection: CollectionName,
  canonical: string,
  words: WordPosition['words'],
): WordPosition => {
  const word = parameter(collection, canonical);
  return {
    name: `a value of ${canonical} of ${collection}`,
    words,
    request: (sent) => ({ method: 'GET', path: `${path(listOf(collection))}?${encode(word)}=${encode(sent)}` }),
    refusal: (_, suggestion) => ({ status: 400, code: 'invalid-parameter', suggestion, place: { parameter: word } }),
  };
};

/** Paths of what is nested: one at the top chooses the language, so that another language's word is right there. */
const pathPlaces = ({ path }: Translator): readonly WordPosition[] => {
  const car = path({ collection: 'cars', keys: [CAR] });
  return [
    ['the path of oils', ''],
    ['the path of an oil', `/${OIL}`],
  ].map(([name = '', rest]) => {
    const pathOf = (word: string) => `${car}/${encode(word)}${rest}`;
    return {
      name,
      words: ({ paths }) => ({ oils: paths.oils ?? '' }),
      request: (word) => ({ method: 'GET', path: pathOf(word) }),
      refusal: (_, meant) => ({ status: 404, code: 'no-such-path', suggestion: pathOf(meant), place: undefined }),
    };
  });
};

/** Every place of every kind in one language. */
const wordPositions = (own: Translator): readonly WordPosition[] => [
  ...COLLECTIONS.flatMap((collection) => [
    memberPlace(own, collection),
    parameterPlace(own, collection),
    valuePlace(own, collection, 'sort_by', ({ fields }) => fields[collection]),
    valuePlace(own, collection, 'order', ({ values: { asc = '', desc = '' } }) => ({ asc, desc })),
  ]),
  valuePlace(own, 'cars', 'include', ({ paths }) => ({ oils: paths.oils ?? '' })),
  ...pathPlaces(own),
];

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
  context: LanguageContext,
  place: WordPosition,
  { sent, meant }: Attempt,
): Promise<readonly unknown[]> => {
  const { method, path, body } = place.request(sent);
  const answer = await context.send(method, path, body);
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
    .filter(({ attempts }) => attempts.length > 0);

  describe(`words of another language in ${tag}`, () => {
    const withContext = contextOf(folder, tag);
    test.each(cases)('words of others are put right as $name', ({ place, attempts }) =>
      checkAttempts(withContext, place, attempts),
    );
  });
};

/** Asks every code to explain itself in a language. */
const problemPageSuite = (folder: string, tag: string): void => {
  describe(`problem pages in ${tag}`, () => {
    const withContext = contextOf(folder, tag);
    test('every code is explained', () =>
      withContext(async ({ send, own, foreign }) => {
        for (const [code, { title, explanation }] of Object.entries(own.table.problems)) {
          const type = `/api/problems/${code}`;
          const answer = await send('GET', type, undefined, { 'accept-language': `${tag}, *;q=0.1` });
          expect([type, answer.status, answer.headers.get('content-language')]).toEqual([type, 200, tag]);
          expect(answer.headers.get('vary')?.split(/\s*,\s*/)).toContain('Accept-Language');
          expect(answer.json).toMatchObject({ type, title, code });
          expect(JSON.stringify(answer.json)).toContain(JSON.stringify(explanation).slice(1, -1));
          expect(foreign(sentencesOf(answer))).toEqual([]);
        }
      }));

    test('an address of no language is refused in the language asked for', () =>
      withContext(async ({ send, own, foreign }) => {
        for (const path of ['/zzzqqq', '/api/zzzqqq', '/api/problems/zzzqqq']) {
          const answer = await send('GET', path, undefined, { 'accept-language': tag });
          expect([answer.status, answer.headers.get('content-language')], path).toEqual([404, tag]);
          expect(answer.headers.get('vary')?.split(/\s*,\s*/), path).toContain('Accept-Language');
          expect(answer.json.title).toBe(own.table.problems[answer.json.code]?.title);
          expect(foreign(sentencesOf(answer))).toEqual([]);
        }
      }));
  });
};

/** Declares all of them for one language of a folder. */
export const languageSuite = (folder: string, tag: string): void => {
  foreignWordSuite(folder, tag);
  problemPageSuite(folder, tag);
};
