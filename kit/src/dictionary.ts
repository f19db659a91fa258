/** The words of a language, as the service publishes them (`/api/locales/<tag>`); see the documentation of the kit. */

/** Words by the names that all languages share. */
export type Words = Readonly<Record<string, string>>;

interface Field {
  readonly word: string;
  readonly kind: string;
  readonly label?: string;
  readonly description?: string;
  readonly range?: Words;
  readonly required?: boolean;
  readonly searchable?: boolean;
  /** The collection to whose items its values refer. */
  readonly refersTo?: string;
  /** The words of its values, where these are a closed list. */
  readonly choices?: Words;
  /** JSON Schema of its values. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

interface Collection {
  readonly parent?: string;
  readonly word: string;
  readonly description?: string;
  /** URL templates, in which the name of a collection stands for the key of its item. */
  readonly paths: { readonly list: string; readonly item: string } & Words;
  readonly fields: Readonly<Record<string, Field>>;
}

interface Parameter {
  readonly word: string;
  readonly kind: string;
  readonly description?: string;
  readonly lists: readonly string[];
  readonly items: readonly string[];
}

export interface Dictionary {
  readonly tag: string;
  readonly version: number;
  readonly collections: Readonly<Record<string, Collection>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly members: Words;
  readonly report: Words;
  readonly values: Words;
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly csv: { readonly delimiter: string; readonly byteOrderMark: boolean; readonly decimals?: string };
  /** More of what is said in this language, to tell its words from those of others. */
  readonly prose?: string;
  /** Titles by code. */
  readonly problems: Words;
}

/** The version of the format that this kit reads. */
const VERSION = 1;

/** What `fetch` is, as far as it is needed. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

const readJson = async (url: string, get: Fetch): Promise<unknown> => {
  const response = await get(url, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`${url} is answered with ${response.status}`);
  return response.json();
};

/**
 * @param origin of the service, such as `http://localhost:3000`
 * @param get what asks, such as `app.request`; by default `fetch`
 * @returns the dictionary of every language, in the order of the service
 * @throws Error where one is of a later version of the format, or cannot be read
 */
export const readDictionaries = async (origin: string, get: Fetch = fetch): Promise<readonly Dictionary[]> => {
  const links = (await readJson(`${origin}/api/locales`, get)) as readonly { readonly url: string }[];
  const read = links.map(({ url }) => readJson(origin + url, get) as Promise<Dictionary>);
  const dictionaries = await Promise.all(read);
  const later = dictionaries.find(({ version }) => !(version <= VERSION));
  if (later)
    throw new Error(`the dictionary ${later.tag} has version ${later.version}; this kit reads version ${VERSION}`);
  return dictionaries;
};

const mapped = <T, U>(record: Readonly<Record<string, T>>, change: (value: T, name: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));

const named = (words: Words): Words => mapped(words, (_, name) => name);

/** The path below which all trees are: `/api`. */
export const rootOf = ({ collections }: Dictionary): string => {
  const [top] = Object.values(collections).filter(({ parent }) => parent === undefined);
  return top?.paths.list.slice(0, top.paths.list.lastIndexOf('/')) ?? '';
};

/** What there is beside lists, such as `groups`, by their names: the first segments of its paths below the root. */
export const viewsOf = (dictionary: Dictionary): Words => {
  const below = rootOf(dictionary).length + 1;
  const paths = Object.values(dictionary.collections).flatMap((each) => Object.entries(each.paths));
  const views = paths.filter(([name]) => name !== 'list' && name !== 'item');
  const wordIn = (path: string): string => decodeURIComponent(path.slice(below, path.indexOf('/', below)));
  return Object.fromEntries(views.map(([name, path]) => [name, wordIn(path)]));
};

/**
 * @param dictionary of any language of the service
 * @returns the dictionary of a language whose words are the names that all languages share
 */
export const namesOf = (dictionary: Dictionary): Dictionary => {
  const { collections, parameters, problems } = dictionary;
  const pathOf = (name: string): string => {
    const parent = collections[name]?.parent;
    return `${parent === undefined ? rootOf(dictionary) : `${pathOf(parent)}/{${parent}}`}/${name}`;
  };
  const viewPath = (name: string, view: string): string => {
    const root = rootOf(dictionary);
    return `${root}/${view}${pathOf(name).slice(root.length)}`;
  };
  const choicesOf = ({ choices }: Field) => choices && { choices: named(choices) };
  const rangeOf = ({ range }: Field, name: string) => range && { range: mapped(range, (_, end) => `${name}_${end}`) };
  return {
    tag: 'zxx',
    version: VERSION,
    collections: mapped(collections, ({ fields, ...each }, name) => ({
      ...each,
      word: name,
      paths: {
        ...mapped(each.paths, (_, view) => viewPath(name, view)),
        list: pathOf(name),
        item: `${pathOf(name)}/{${name}}`,
      },
      fields: mapped(fields, (field, own) => ({ ...field, word: own, ...rangeOf(field, own), ...choicesOf(field) })),
    })),
    parameters: mapped(parameters, (parameter, name) => ({ ...parameter, word: name })),
    members: named(dictionary.members),
    report: named(dictionary.report),
    values: named(dictionary.values),
    flags: { true: ['true'], false: ['false'] },
    csv: { delimiter: ',', byteOrderMark: false, decimals: '.' },
    problems: named(problems),
  };
};
