import { afterAll, beforeAll, expect } from 'vitest';
import { type Dictionary, readDictionaries } from '../../../kit/src/dictionary.ts';
import { foreignWords } from '../../../kit/src/sentences.ts';
import { openApp, type Send, type TestResponse } from '../app/app.ts';
import { type Translator, translatorsIn } from '../language/translate.ts';
import { proseOf } from '../language/vocabulary.ts';
import { ASSIGNED, BODY_LIMIT, type Scenario, type Step } from './scenario.ts';

/** Sent with every request, so that no answer holds anything that differs from one run to the next. */
export const REQUEST_ID = 'r-1';

/** A service that is spoken to in one language. */
export interface ScenarioContext {
  readonly send: Send;
  readonly own: Translator;
  /** Every other language of the folder. */
  readonly others: readonly Translator[];
  /** One of them, by turns: asking each after each step would take as many times longer as there are pairs of languages. */
  readonly visitors: (exchange: Exchange) => readonly Translator[];
  /** What the service publishes of every language, with the sentences of its table. */
  readonly dictionaryOf: (spoken: Translator) => Dictionary;
  /** Words of other languages in texts, outside quotation marks. */
  readonly foreign: (texts: readonly unknown[]) => readonly string[];
}

/** One request of a scenario and how it was answered, in one language. */
export interface Exchange {
  readonly step: Step;
  readonly spoken: Translator;
  readonly answer: TestResponse;
}

/** @returns for each exchange the next one, and for the same exchange the same one */
const byTurns = (others: readonly Translator[]): ScenarioContext['visitors'] => {
  let at = 0;
  let current: Exchange | undefined;
  return (exchange) => {
    if (exchange !== current) at++;
    current = exchange;
    return others.length === 0 ? [] : [others[at % others.length] as Translator];
  };
};

/** Takes away whatever is left from before. */
const empty = async (send: Send, own: Translator): Promise<void> => {
  const { json } = await send('GET', own.path({ collection: 'cars', keys: [] }));
  const word = own.field('cars', 'identifier');
  const paths: readonly string[] = json.map((car: Record<string, string>) =>
    own.path({ collection: 'cars', keys: [car[word] ?? ''] }),
  );
  await Promise.all(paths.map((path) => send('DELETE', path)));
};

/** What a problem says to people. */
export const sentencesOf = ({ json }: TestResponse): readonly string[] =>
  [json, ...(json.errors ?? [])].flatMap(({ title, detail, remedy }) => [title, detail, remedy].filter(Boolean));

export type WithContext = (use: (context: ScenarioContext) => Promise<void>) => Promise<void>;

/**
 * Opens a service on a folder of tables for all tests of the `describe` that this is called in: reading the tables takes
 * longer than most tests.
 *
 * @returns lets a test use it, empty, in one language; nothing may have failed inside
 */
export const contextOf = (folder: string, tag: string): WithContext => {
  const [own, ...others] = translatorsIn(folder).toSorted((a, b) => Number(b.tag === tag) - Number(a.tag === tag));
  if (own?.tag !== tag) throw new TypeError(`no table for ${tag} in ${folder}`);
  const visitors = byTurns(others);
  // Inside a tree it must not count, so every request asks for a language that is not the tree's.
  const elsewhere = others[0]?.tag ?? 'qaa';
  let app: Awaited<ReturnType<typeof openApp>>;
  beforeAll(async () => {
    app = await openApp({ locales: folder, assignKey: () => ASSIGNED, bodyLimit: BODY_LIMIT });
    const get = async (url: string) => Response.json((await app.send('GET', url)).json);
    for (const dictionary of await readDictionaries('', get)) {
      const spoken = [own, ...others].find((each) => each.tag === dictionary.tag);
      if (spoken) dictionaries.set(spoken, { ...dictionary, prose: proseOf(spoken.table) });
    }
  });
  const dictionaries = new Map<Translator, Dictionary>();
  const dictionaryOf = (spoken: Translator): Dictionary => {
    const found = dictionaries.get(spoken);
    if (!found) throw new TypeError(`no dictionary for ${spoken.tag}`);
    return found;
  };
  const foreign: ScenarioContext['foreign'] = (texts) =>
    others.flatMap((other) =>
      texts.flatMap((text) => foreignWords(String(text), dictionaryOf(own), dictionaryOf(other))),
    );
  afterAll(() => app.close());

  return async (use) => {
    const send: Send = (method, path, body, headers) =>
      app.send(method, path, body, { 'x-request-id': REQUEST_ID, 'accept-language': elsewhere, ...headers });
    const before = app.faults.length;
    await empty(send, own);
    await use({ send, own, others, visitors, dictionaryOf, foreign });
    expect(app.faults.slice(before)).toEqual([]);
  };
};

const isRecord = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

export const pathIn = (spoken: Translator, { target, query = {} }: Pick<Step, 'target' | 'query'>): string =>
  spoken.path(target) + spoken.search(target.collection, query);

export const perform = async ({ send }: ScenarioContext, spoken: Translator, step: Step): Promise<Exchange> => {
  const { method, target, body, headers } = step;
  const sent = isRecord(body) ? spoken.body(target.collection, body) : body;
  return { step, spoken, answer: await send(method, pathIn(spoken, step), sent, headers) };
};

/** Plays a scenario in the context's own language and shows each exchange, while its effect is the last one. */
export const play = async (
  context: ScenarioContext,
  { steps }: Scenario,
  visit: (exchange: Exchange) => void | Promise<void>,
): Promise<void> => {
  for (const step of steps) await visit(await perform(context, context.own, step));
};
