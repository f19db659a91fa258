/** What two languages answer to writes, each on items of its own, which are removed at the end. */
import type { Answer } from '../kit/src/canonical.ts';
import type { Dictionary } from '../kit/src/dictionary.ts';
import { type Request, translate } from '../kit/src/translate.ts';
import { differing, type Mismatch, type Trial } from './check.ts';
import { type Item, keyOf, NotComparable, type Service } from './service.ts';

/** Begins the key of every item that is created, so that those of a run that was ended can be found. */
const PREFIX = 'parity-';

const JSON_TYPE = { 'Content-Type': 'application/json' };

interface Schema {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

const fieldsOf = ({ collections }: Dictionary, collection: string) =>
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

/** Values that the dictionary allows. */
const itemOf = (names: Dictionary, collection: string, key: string): Item => {
  const valueOfKind = (kind: string, { minimum = 0, maximum = 100, maxLength = 40 }: Schema = {}): unknown => {
    if (kind === 'integer' || kind === 'decimal') return Math.min(maximum, minimum + 1);
    return VALUES[kind] ?? 'Ñ «1»; "x", y'.slice(0, maxLength);
  };
  return Object.fromEntries(
    fieldsOf(names, collection).map(([name, { kind, schema, choices }]) => {
      const [choice = valueOfKind(kind, schema)] = Object.keys(choices ?? {});
      return [name, kind === 'key' ? key : choice];
    }),
  );
};

/** One request of a client that writes, by its list and its key. */
interface Step {
  readonly kind: string;
  readonly request: (list: string, key: string) => Request;
}

const itemUrl = (list: string, key: string): string => `${list}/${encodeURIComponent(key)}`;

const stepsOf = (names: Dictionary, collection: string): readonly Step[] => {
  const [[keyField = ''] = [], [text = ''] = []] = fieldsOf(names, collection);
  const send = (method: string, url: string, body: unknown, headers = {}): Request => ({
    method,
    url,
    headers: { ...JSON_TYPE, ...headers },
    body,
  });
  const post = (kind: string, body: unknown): Step => ({ kind, request: (list) => send('POST', list, body) });
  const put = (kind: string, body: unknown, headers = {}): Step => ({
    kind,
    request: (list, key) => send('PUT', itemUrl(list, key), body, headers),
  });
  const create = (kind: string): Step => ({
    kind,
    request: (list, key) => send('POST', list, itemOf(names, collection, key)),
  });
  return [
    create('create'),
    create('create again'),
    { kind: 'read', request: (list, key) => ({ url: itemUrl(list, key) }) },
    put('change', { [text]: 'changed' }),
    put('change nothing', {}),
    { kind: 'patch', request: (list, key) => send('PATCH', itemUrl(list, key), { [text]: 'patched' }) },
    put('change the key', { [keyField]: 'other' }),
    put('change what has changed', { [text]: 'x' }, { 'If-Match': '"none"' }),
    post('create with faults', { [keyField]: '', [text]: 5, zzzzzz: 1 }),
    post('create without JSON', '{"'),
    // Where nothing is required, it would create an item.
    ...(fieldsOf(names, collection).some(([, { required }]) => required) ? [post('create with nothing', {})] : []),
    {
      kind: 'check a file',
      request: (list, key) =>
        send('POST', list, [itemOf(names, collection, `${key}-file`), { [keyField]: '' }], {
          Prefer: 'handling=check',
        }),
    },
  ];
};

const remove = (kind: string): Step => ({
  kind,
  request: (list, key) => ({ method: 'DELETE', url: itemUrl(list, key) }),
});

/** Everything that is done with an item, and what is nested in it. */
const stepsWithin = (names: Dictionary, collection: string): readonly Step[] => [
  ...stepsOf(names, collection),
  ...nestedIn(names, collection).flatMap((name) =>
    stepsOf(names, name).map(({ kind, request }) => ({
      kind: `${kind} (${name})`,
      request: (list: string, key: string) => request(`${itemUrl(list, key)}/${name}`, key),
    })),
  ),
  remove('delete'),
  remove('delete again'),
];

/** Each language has a key of its own; compared, they are one. */
const withoutKey = (answer: Answer, key: string): Answer => JSON.parse(JSON.stringify(answer).replaceAll(key, 'KEY'));

/**
 * Does the same in two languages, each on an item of its own.
 *
 * @param run of this run alone; letters, digits and hyphens
 * @yields what is compared, and how it is answered
 * @throws NotComparable where nothing may be written
 */
export const writes = async function* (
  service: Service,
  one: Dictionary,
  other: Dictionary,
  run: string,
): AsyncGenerator<{ trial: Trial; mismatch: Mismatch }> {
  const { names, languages } = service;
  for (const collection of nestedIn(names, undefined)) {
    const list = names.collections[collection]?.paths.list ?? '';
    for (const { kind, request } of stepsWithin(names, collection)) {
      const say = async (language: Dictionary) => {
        const key = `${PREFIX}${run}-${language.tag.toLowerCase()}`;
        const sent = translate(request(list, key), names, language);
        const answer = await service.ask(sent, language);
        if (answer.status === 401 || answer.status === 403) {
          throw new NotComparable(
            `${sent.method} ${sent.url} is answered with ${answer.status}: give a --key that may write`,
          );
        }
        return { sent, spoken: { answer: withoutKey(answer, key), language } };
      };
      const [first, second] = [await say(one), await say(other)];
      const answers = [first.spoken, second.spoken] as const;
      yield {
        trial: { asked: { ...request(list, 'KEY'), kind: `write: ${kind}` }, one, other },
        mismatch: { requests: [first.sent, second.sent], answers, differences: differing(answers, languages) },
      };
    }
  }
};

/** Removes what runs have left. @returns how many items */
export const clean = async ({ names, languages: [language], ask }: Service): Promise<number> => {
  if (!language) return 0;
  let removed = 0;
  for (const name of nestedIn(names, undefined)) {
    const list = names.collections[name]?.paths.list ?? '';
    const [[keyField = ''] = []] = fieldsOf(names, name);
    const { url } = translate({ url: `${list}?fields=${keyField}` }, names, language);
    const { body } = await ask({ url }, language);
    const items = translate({ url, body }, language, names).body;
    const keys = Array.isArray(items) ? items.map((item: Item) => keyOf(names, name, item)) : [];
    for (const key of keys.filter((each) => each.startsWith(PREFIX))) {
      const { status } = await ask(translate(remove('').request(list, key), names, language), language);
      if (status === 204) removed += 1;
    }
  }
  return removed;
};
