import {
  COLLECTIONS,
  type CollectionName,
  type LocaleTable,
  rangeWords,
  type Translator,
  type Words,
} from '../language/translate.ts';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  /** Of the one error of the problem, or of the problem itself where a path is wrong. */
  readonly suggestion: string;
  readonly place: { readonly pointer: string } | { readonly parameter: string } | undefined;
}

/** Somewhere that a word can be sent to, in one language. */
export interface WordPosition {
  readonly name: string;
  /** By canonical name, all words that stand there in a language. */
  readonly words: (table: LocaleTable) => Words;
  /** A path at the top chooses the language, so that another language's word is right there. */
  readonly isRoot: boolean;
  readonly request: (word: string) => Request;
  /** What must come back for a wrong word. */
  readonly refusal: (sent: string, meant: string) => Refusal;
}

/** What all requests are about. */
export const CAR = 'a-1';
export const OIL = '5W-30';

const encode = encodeURIComponent;

const memberPlace = ({ path }: Translator, collection: CollectionName): WordPosition => ({
  name: `a member of ${collection}`,
  words: ({ fields }) => fields[collection],
  isRoot: false,
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
  isRoot: false,
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
    isRoot: false,
    request: (sent) => ({ method: 'GET', path: `${path(listOf(collection))}?${encode(word)}=${encode(sent)}` }),
    refusal: (_, suggestion) => ({ status: 400, code: 'invalid-parameter', suggestion, place: { parameter: word } }),
  };
};

const pathPlace = (
  name: string,
  words: WordPosition['words'],
  isRoot: boolean,
  tag: string,
  pathOf: (word: string) => string,
): WordPosition => ({
  name: `the path of ${name}`,
  words,
  isRoot,
  request: (word) => ({ method: 'GET', path: pathOf(word), headers: isRoot ? { 'accept-language': tag } : {} }),
  refusal: (_, meant) => ({ status: 404, code: 'no-such-path', suggestion: pathOf(meant), place: undefined }),
});

const pathPlaces = ({ tag, path }: Translator): readonly WordPosition[] => {
  const nested: WordPosition['words'] = ({ paths }) => ({ oils: paths.oils ?? '' });
  const top: WordPosition['words'] = ({ paths }) => ({ cars: paths.cars ?? '' });
  const car = path({ collection: 'cars', keys: [CAR] });
  const oils = path({ collection: 'oils', keys: [CAR] }).slice(car.length);
  return [
    pathPlace('oils', nested, false, tag, (word) => `${car}/${encode(word)}`),
    pathPlace('an oil', nested, false, tag, (word) => `${car}/${encode(word)}/${OIL}`),
    pathPlace('cars', top, true, tag, (word) => `/api/${encode(word)}`),
    pathPlace('a car with its oils', top, true, tag, (word) => `/api/${encode(word)}/${CAR}${oils}`),
  ];
};

/** Every place of every kind in one language. */
export const wordPositions = (own: Translator): readonly WordPosition[] => [
  ...COLLECTIONS.flatMap((collection) => [
    memberPlace(own, collection),
    parameterPlace(own, collection),
    valuePlace(own, collection, 'sort_by', ({ fields }) => fields[collection]),
    valuePlace(own, collection, 'order', ({ values: { asc = '', desc = '' } }) => ({ asc, desc })),
  ]),
  valuePlace(own, 'cars', 'include', ({ paths }) => ({ oils: paths.oils ?? '' })),
  ...pathPlaces(own),
];
