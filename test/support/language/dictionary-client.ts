import type { Send } from '../app/app.ts';

/**
 * A client that knows nothing of the catalogue: whatever it does follows from the dictionaries that the service sends.
 * Nothing here may import from `src/` or read a table.
 */

interface Named {
  readonly word: string;
  readonly kind: string;
  readonly range?: Readonly<Record<string, string>>;
}
type Words = Readonly<Record<string, Named>>;

interface Dictionary {
  readonly tag: string;
  readonly collections: Readonly<
    Record<
      string,
      {
        readonly word: string;
        readonly parent?: string;
        readonly paths: Readonly<Record<string, string>>;
        readonly fields: Words;
      }
    >
  >;
  readonly parameters: Words;
  readonly values: Readonly<Record<string, string>>;
}

/** One request, or what an answer holds, in one language. */
export interface Spoken {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body?: unknown;
}

/** Every dictionary that the service lists. */
export const readDictionaries = async (send: Send): Promise<readonly Dictionary[]> => {
  const { json } = await send('GET', '/api/locales');
  return Promise.all(json.map(async ({ url }: { url: string }) => (await send('GET', url)).json));
};

const nameOf = (words: Words, word: string): string | undefined =>
  Object.keys(words).find((name) => words[name]?.word === word);

const known = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new TypeError(`the dictionary does not say ${what}`);
  return value;
};

/** What a path is the address of: which collection's list or item, and the keys in it. */
const locate = ({ collections }: Dictionary, path: string) => {
  for (const [collection, { paths }] of Object.entries(collections)) {
    for (const [form, template] of Object.entries(paths)) {
      const parts = template.split(/\{(\w+)\}/);
      const pattern = parts.map((part, at) => (at % 2 ? `(?<${part}>[^/]+)` : RegExp.escape(part))).join('');
      const found = new RegExp(`^${pattern}$`).exec(path);
      if (found) return { collection, form, keys: found.groups ?? {} };
    }
  }
  return undefined;
};

/** @returns a function that says in one language what was said in another */
export const translatorBetween = (from: Dictionary, to: Dictionary) => {
  const fieldsOf = (collection: string) => ({
    own: from.collections[collection]?.fields ?? {},
    other: to.collections[collection]?.fields ?? {},
  });
  const fieldWord = (collection: string, word: string): string => {
    const { own, other } = fieldsOf(collection);
    return known(other[known(nameOf(own, word), word)]?.word, word);
  };
  const rangeWord = (collection: string, word: string): string | undefined => {
    const { own, other } = fieldsOf(collection);
    for (const [name, { range = {} }] of Object.entries(own)) {
      const end = Object.keys(range).find((each) => range[each] === word);
      if (end !== undefined) return known(other[name]?.range?.[end], word);
    }
    return undefined;
  };
  /** @returns the name of a collection that is nested in another, by its word */
  const nestedIn = (collection: string, word: string): string | undefined =>
    Object.entries(from.collections).find(([, each]) => each.parent === collection && each.word === word)?.[0];
  const collectionWord = (collection: string, word: string): string =>
    known(to.collections[nestedIn(collection, word) ?? '']?.word, word);
  const place = (path: string) => known(locate(from, path), path);

  const pathIn = (path: string): string => {
    const { collection, form, keys } = place(path);
    const template = known(to.collections[collection]?.paths[form], path);
    return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => keys[name] ?? '');
  };
  const pairIn =
    (collection: string) =>
    ([word, value]: readonly [string, string]): readonly [string, string] => {
      const parameter = nameOf(from.parameters, word);
      if (parameter === undefined) return [rangeWord(collection, word) ?? fieldWord(collection, word), value];
      const { word: other, kind } = known(to.parameters[parameter], parameter);
      const each = (translated: (part: string) => string): string => value.split(',').map(translated).join(',');
      if (kind === 'collection') return [other, each((part) => collectionWord(collection, part))];
      if (kind === 'field') return [other, each((part) => fieldWord(collection, part))];
      if (kind !== 'value') return [other, value];
      const valueWord = (part: string): string =>
        known(to.values[Object.keys(from.values).find((name) => from.values[name] === part) ?? ''], part);
      return [other, each(valueWord)];
    };
  const itemsIn = (collection: string, content: unknown): unknown => {
    if (Array.isArray(content)) return content.map((each) => itemsIn(collection, each));
    if (typeof content !== 'object' || content === null) return content;
    return Object.fromEntries(
      Object.entries(content).map(([word, value]) => {
        const nested = nestedIn(collection, word);
        if (nested === undefined) return [fieldWord(collection, word), value];
        return [collectionWord(collection, word), itemsIn(nested, value)];
      }),
    );
  };
  const contentIn = (path: string, content: unknown): unknown => itemsIn(place(path).collection, content);
  return {
    path: pathIn,
    content: contentIn,
    request: ({ method, path, query, body }: Spoken): Spoken => ({
      method,
      path: pathIn(path),
      query: query.map(pairIn(place(path).collection)),
      body: contentIn(path, body),
    }),
  };
};
