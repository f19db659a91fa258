import type { z } from 'zod';
import type { Catalogue } from '../model/catalogue.ts';
import { type Dictionary, type Locale, type Table, tableSchema } from './table.ts';

/** Below `/api`: what no language may call its collections. */
const NEUTRAL_PATH = /^(?:problems|docs|locales|openapi.*)$/;

/** A file that claims to be a table. */
export interface Candidate {
  /** Its name, as faults name it. */
  readonly file: string;
  readonly tag: string;
  /** Its JSON, whatever that is. */
  readonly content: unknown;
}

/** Why the tables cannot be used: every fault of every file, a line each. */
export class LocaleError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

const dotted = (path: readonly PropertyKey[]): string => path.map(String).join('.');

const describe = (issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): readonly string[] => {
  const path = [...above, ...issue.path];
  const at = path.length === 0 ? '' : `${dotted(path)}: `;
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return [`${at}missing`];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => `${dotted([...path, key])}: unknown key`);
    case 'invalid_union': {
      // A sentence, or its plural forms: the faults of whichever it is meant to be.
      const [ofText = [], ofForms = []] = issue.errors;
      const meant = typeof issue.input === 'object' ? ofForms : ofText;
      return meant.flatMap((inner) => describe(inner, path));
    }
    case 'invalid_type':
      return [`${at}must be of type ${issue.expected}`];
    default:
      return [`${at}${issue.message}`];
  }
};

/** Two names of one kind with one word: the second would never be reached. */
const twice = (kind: string, dictionary: Dictionary): readonly string[] => {
  const seen = new Map<string, string>();
  return Object.entries(dictionary).flatMap(([name, word]) => {
    const first = seen.get(word);
    seen.set(word, name);
    return first === undefined ? [] : [`${kind}.${name}: "${word}" is the word of ${first} already`];
  });
};

const siblings = (catalogue: Catalogue, { paths }: Table): readonly Dictionary[] =>
  [undefined, ...catalogue].map((parent) =>
    Object.fromEntries(
      catalogue.filter((each) => each.parent === parent).map((each) => [each.name, paths[each.name] ?? '']),
    ),
  );

/** A list's query holds parameters and fields. */
const fieldsAsParameters = (name: string, { fields, parameters }: Table): readonly string[] => {
  const taken = new Map(Object.entries(parameters).map(([parameter, word]) => [word, parameter]));
  return Object.entries(fields[name] ?? {}).flatMap(([field, word]) =>
    taken.has(word) ? [`fields.${name}.${field}: "${word}" is the word of ${taken.get(word)} already`] : [],
  );
};

/** What one table's words do to each other. */
const clashesWithin = (catalogue: Catalogue, table: Table): readonly string[] => [
  ...siblings(catalogue, table).flatMap((paths) => twice('paths', paths)),
  ...catalogue.flatMap(({ name }) => twice(`fields.${name}`, table.fields[name] ?? {})),
  ...catalogue.flatMap(({ name }) => fieldsAsParameters(name, table)),
  ...twice('parameters', table.parameters),
  ...twice('values', table.values),
];

const faultsOf = (
  catalogue: Catalogue,
  schema: ReturnType<typeof tableSchema>,
  content: unknown,
): readonly string[] => {
  const checked = schema.safeParse(content, { reportInput: true });
  return checked.success
    ? clashesWithin(catalogue, content as Table)
    : checked.error.issues.flatMap((issue) => describe(issue));
};

/** `es.json` and `ES.json` are one language. */
const languagesTwice = (candidates: readonly Candidate[]): readonly string[] =>
  candidates.flatMap(({ file, tag }, at) => {
    const first = candidates.slice(0, at).find((each) => each.tag === tag);
    return first ? [`${file}: ${tag} is the language of ${first.file} already`] : [];
  });

/** Paths at the top share one room: with every other language and with the neutral ones. */
const clashesBetween = (catalogue: Catalogue, candidates: readonly Candidate[]): readonly string[] => {
  const owners = new Map<string, string>();
  const roots = catalogue.filter((each) => each.parent === undefined);
  return candidates.flatMap(({ file, content }) =>
    roots.flatMap(({ name }) => {
      const path = (content as Partial<Table> | null)?.paths?.[name];
      if (typeof path !== 'string') return [];
      if (NEUTRAL_PATH.test(path)) return [`${file}: paths.${name}: "${path}" is a path of the service itself`];
      const owner = owners.get(path) ?? file;
      owners.set(path, owner);
      return owner === file ? [] : [`${file}: paths.${name}: "${path}" is a path of ${owner} already`];
    }),
  );
};

/**
 * @param candidates every table of the folder
 * @param defaultLanguage the tag that must be among them
 * @returns the locales, in the same order
 * @throws LocaleError with all faults of all files
 */
export const checkLocales = (
  catalogue: Catalogue,
  candidates: readonly Candidate[],
  defaultLanguage: string,
): readonly Locale[] => {
  const schema = tableSchema(catalogue);
  const faults = [
    ...candidates.flatMap(({ file, content }) =>
      faultsOf(catalogue, schema, content).map((fault) => `${file}: ${fault}`),
    ),
    ...languagesTwice(candidates),
    ...clashesBetween(catalogue, candidates),
    ...(candidates.some(({ tag }) => tag === defaultLanguage)
      ? []
      : [`DEFAULT_LANGUAGE=${defaultLanguage}: there is no table ${defaultLanguage}.json`]),
  ];
  if (faults.length > 0) throw new LocaleError(faults);
  return candidates.map(({ tag, content }) => ({ tag, table: content as Table }));
};
