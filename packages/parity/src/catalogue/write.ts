/** What two languages answer to writes, each on items of its own, which are removed at the end. */
import type { Answer } from '../kit/canonical.ts';
import type { Dictionary } from '../kit/dictionary.ts';
import { type Request, translate } from '../kit/translate.ts';
import { differing, type Mismatch, type Trial } from './check.ts';
import { type Item, NotComparable, readKey, type Service } from './service.ts';

/** Begins the key of every item that is created, so that those of a run that was ended can be found. */
const PREFIX = 'parity-';

const JSON_TYPE = { 'Content-Type': 'application/json' };

interface Schema {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

const listFields = ({ collections }: Dictionary, collection: string) =>
  Object.entries(collections[collection]?.fields ?? {});

const nestedIn = ({ collections }: Dictionary, parent: string | undefined): readonly string[] =>
  Object.keys(collections).filter((name) => collections[name]?.parent === parent);

/** Values that no schema has to be asked for. */
const VALUES: Readonly<Record<string, unknown>> = {
  flag: true,
  date: '2008-11-30',
  timestamp: '2024-05-06T07:08:09Z',
  url: 'https://example.com/a?b=1&c=2',
  list: ['Ñ «1»; "x", y', 'z'],
};

function chooseValue(kind: string, { minimum = 0, maximum = 100, maxLength = 40 }: Schema = {}): unknown {
  if (kind === 'integer' || kind === 'decimal') return Math.min(maximum, minimum + 1);
  return VALUES[kind] ?? 'Ñ «1»; "x", y'.slice(0, maxLength);
}

/** @returns an item with values that the dictionary allows */
const makeItem = (names: Dictionary, collection: string, key: string): Item =>
  Object.fromEntries(
    listFields(names, collection).map(([name, { kind, schema, choices }]) => {
      const [choice = chooseValue(kind, schema)] = Object.keys(choices ?? {});
      return [name, kind === 'key' ? key : choice];
    }),
  );

/** One request of a client that writes, by its list and its key. */
interface Step {
  readonly kind: string;
  readonly request: (list: string, key: string) => Request;
}

const itemUrl = (list: string, key: string): string => `${list}/${encodeURIComponent(key)}`;

const send = (method: string, url: string, body: unknown, headers = {}): Request => ({
  method,
  url,
  headers: { ...JSON_TYPE, ...headers },
  body,
});

const post = (kind: string, body: unknown): Step => ({ kind, request: (list) => send('POST', list, body) });

const change = (method: string, kind: string, body: unknown, headers = {}): Step => ({
  kind,
  request: (list, key) => send(method, itemUrl(list, key), body, headers),
});

const remove = (kind: string): Step => ({
  kind,
  request: (list, key) => ({ method: 'DELETE', url: itemUrl(list, key) }),
});

function listSteps(names: Dictionary, collection: string): readonly Step[] {
  const fields = listFields(names, collection);
  const [[keyField = ''] = [], [text = ''] = []] = fields;
  const create = (kind: string): Step => ({
    kind,
    request: (list, key) => send('POST', list, makeItem(names, collection, key)),
  });
  return [
    create('create'),
    create('create again'),
    { kind: 'read', request: (list, key) => ({ url: itemUrl(list, key) }) },
    change('PUT', 'change', { [text]: 'changed' }),
    change('PUT', 'change nothing', {}),
    change('PATCH', 'patch', { [text]: 'patched' }),
    change('PUT', 'change the key', { [keyField]: 'other' }),
    change('PUT', 'change what has changed', { [text]: 'x' }, { 'If-Match': '"none"' }),
    post('create with faults', { [keyField]: '', [text]: 5, zzzzzz: 1 }),
    post('create without JSON', '{"'),
    // If nothing is required, it would create an item.
    ...(fields.some(([, { required }]) => required) ? [post('create with nothing', {})] : []),
    {
      kind: 'check a file',
      request: (list, key) =>
        send('POST', list, [makeItem(names, collection, `${key}-file`), { [keyField]: '' }], {
          Prefer: 'handling=check',
        }),
    },
  ];
}

/** Everything that is done with an item, and what is nested in it. */
const stepsWithin = (names: Dictionary, collection: string): readonly Step[] => [
  ...listSteps(names, collection),
  ...nestedIn(names, collection).flatMap((name) =>
    listSteps(names, name).map(({ kind, request }) => ({
      kind: `${kind} (${name})`,
      request: (list: string, key: string) => request(`${itemUrl(list, key)}/${name}`, key),
    })),
  ),
  remove('delete'),
  remove('delete again'),
];

/** Each language has a key of its own; compared, they are one. */
const withoutKey = (answer: Answer, key: string): Answer => JSON.parse(JSON.stringify(answer).replaceAll(key, 'KEY'));

/** Does a step in a language, on an item of its own. @throws NotComparable if nothing may be written */
async function doStep({ names, ask }: Service, { request }: Step, list: string, run: string, language: Dictionary) {
  const key = `${PREFIX}${run}-${language.tag.toLowerCase()}`;
  const own = translate(request(list, key), names, language);
  const answer = await ask(own, language);
  if (answer.status === 401 || answer.status === 403)
    throw new NotComparable(`${own.method} ${own.url} is answered with ${answer.status}: give a --key that may write`);
  return { request: own, spoken: { answer: withoutKey(answer, key), language } };
}

/**
 * Does the same in two languages, each on an item of its own.
 *
 * @param run of this run alone; letters, digits and hyphens
 * @yields what is compared, and how it is answered
 */
export async function* writes(service: Service, one: Dictionary, other: Dictionary, run: string) {
  const { names, languages } = service;
  for (const collection of nestedIn(names, undefined)) {
    const list = names.collections[collection]?.paths.list ?? '';
    for (const step of stepsWithin(names, collection)) {
      const first = await doStep(service, step, list, run, one);
      const second = await doStep(service, step, list, run, other);
      const answers = [first.spoken, second.spoken] as const;
      const trial: Trial = { asked: { ...step.request(list, 'KEY'), kind: `write: ${step.kind}` }, one, other };
      const differences = differing(answers, languages);
      const mismatch: Mismatch = { requests: [first.request, second.request], answers, differences };
      yield { trial, mismatch };
    }
  }
}

/** Removes what runs have left. @returns how many items */
export const clean = async ({ names, languages: [language], ask }: Service): Promise<number> => {
  if (!language) return 0;
  let removed = 0;
  for (const name of nestedIn(names, undefined)) {
    const list = names.collections[name]?.paths.list ?? '';
    const [[keyField = ''] = []] = listFields(names, name);
    const { url } = translate({ url: `${list}?fields=${keyField}` }, names, language);
    const { body } = await ask({ url }, language);
    const items = translate({ url, body }, language, names).body;
    const keys = Array.isArray(items) ? items.map((item: Item) => readKey(names, name, item)) : [];
    for (const key of keys.filter((each) => each.startsWith(PREFIX))) {
      const { status } = await ask(translate(remove('').request(list, key), names, language), language);
      if (status === 204) removed += 1;
    }
  }
  return removed;
};
