import type { z } from 'zod';
import { isObject, valueAt } from '../../../../packages/vocabularies/src/words.ts';
import { FaultsError } from '../../../util/faults-error.ts';
import { type Catalogue, listsOf } from '../../model/catalogue.ts';
import { type Locale, type Table, tableSchema } from '../table.ts';
import { clashesBetween, clashesWithin } from './clashes.ts';
import { messageParts } from './message-parts.ts';

/** A file whose name is that of a table. */
export interface Candidate {
  readonly file: string;
  readonly tag: string;
  /** Parsed JSON of any shape. */
  readonly content: unknown;
  /** The file of its sentences, unless the words stand in the same one. */
  readonly messages?: string;
}

/** @returns the file, and the fault, which begins with the part of the table that it is in */
const inFile = ({ file, messages = file }: Candidate, fault: string): string =>
  `${messageParts.includes(fault.split(/[.:]/, 1)[0] ?? '') ? messages : file}: ${fault}`;

/** The tables cannot be used: one line for each fault of each file. */
export class LocaleError extends FaultsError {}

const dotted = (path: readonly PropertyKey[]): string => path.map(String).join('.');

const describe = (issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): readonly string[] => {
  const path = [...above, ...issue.path];
  const at = path.length === 0 ? '' : `${dotted(path)}: `;
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return [`${at}missing`];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => `${dotted([...path, key])}: unknown key`);
    case 'invalid_union': {
      // Either a sentence or its plural forms: only the faults of the one that was probably intended.
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

/** Parts whose sentences may have plural forms. */
const COUNTED = [['phrases'], ['commands'], ['pages', 'totals']];

/** @returns a fault for each plural form of the language (CLDR) that a sentence with plural forms lacks */
const missingForms = (tag: string, content: unknown): readonly string[] => {
  // If the runtime does not know the language, the schema checks `other` alone.
  const isKnown = Intl.PluralRules.supportedLocalesOf(tag).length > 0;
  const categories = isKnown ? new Intl.PluralRules(tag).resolvedOptions().pluralCategories : [];
  return COUNTED.flatMap((path) =>
    Object.entries(valueAt(content, ...path) ?? {})
      .filter(([, forms]) => valueAt(forms, 'other') !== undefined)
      .flatMap(([name, forms]) =>
        categories
          .filter((category) => valueAt(forms, category) === undefined)
          .map((category) => `${[...path, name, category].join('.')}: missing, a plural form of ${tag}`),
      ),
  );
};

/** The default language needs every part, because it is shown for parts that other languages leave out. */
const missingParts = ({ commands, pages, descriptions }: Partial<Table>): readonly string[] =>
  Object.entries({ commands, pages, descriptions })
    .filter(([, part]) => part === undefined)
    .map(([name]) => `${name}: missing, and the default language must have them`);

/** Parts with an object for each collection. Where one is not there, each word that it lacks is named. */
const BY_COLLECTION = [
  [['fields'], (catalogue: Catalogue) => catalogue],
  [['nouns'], (catalogue: Catalogue) => catalogue],
  [['descriptions', 'collections'], listsOf],
] as const;

const opened = (part: unknown, [name, ...path]: readonly string[], collections: readonly string[]): unknown => {
  if (!isObject(part)) return part;
  if (name === undefined) return { ...Object.fromEntries(collections.map((each) => [each, {}])), ...part };
  return name in part ? { ...part, [name]: opened(part[name], path, collections) } : part;
};

const faultsIn = (catalogue: Catalogue, { tag, content }: Candidate, isDefault: boolean): readonly string[] => {
  const whole = BY_COLLECTION.reduce((part, [path, of]) => {
    const ids = of(catalogue).map(({ id }) => id);
    return opened(part, path, ids);
  }, content);
  const { error } = tableSchema(catalogue, isDefault).safeParse(whole, { reportInput: true, jitless: true });
  return [
    ...(error?.issues ?? []).flatMap((issue) => describe(issue)),
    ...clashesWithin(catalogue, content),
    ...missingForms(tag, content),
    ...(isDefault ? missingParts(Object(content)) : []),
  ];
};

/** `es.json` and `ES.json` are the same language. */
const languagesTwice = (candidates: readonly Candidate[]): readonly string[] =>
  candidates.flatMap(({ file, tag }, at) => {
    const first = candidates.slice(0, at).find((each) => each.tag === tag);
    return first ? [`${file}: ${tag} is already the language of ${first.file}`] : [];
  });

/**
 * @param candidates all tables of the folder
 * @param defaultLanguage a tag; its table must be among them
 * @returns the locales, in the same order
 * @throws LocaleError with every fault of every file
 */
export const checkLocales = (
  catalogue: Catalogue,
  candidates: readonly Candidate[],
  defaultLanguage: string,
): readonly Locale[] => {
  const faults = [
    ...candidates.flatMap((candidate) =>
      faultsIn(catalogue, candidate, candidate.tag === defaultLanguage).map((fault) => inFile(candidate, fault)),
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
