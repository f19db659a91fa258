import type { z } from 'zod';
import type { Catalogue } from '../model/catalogue.ts';
import { clashesBetween, clashesWithin } from './clashes.ts';
import type { Locale, Table } from './table.ts';
import { tableSchema } from './table-schema.ts';

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

/** The default language says what the others leave out. */
const missingParts = ({ pages, descriptions }: Partial<Table>): readonly string[] =>
  Object.entries({ pages, descriptions })
    .filter(([, part]) => part === undefined)
    .map(([name]) => `${name}: missing, and the default language must have them`);

const faultsIn = (
  catalogue: Catalogue,
  schema: ReturnType<typeof tableSchema>,
  content: unknown,
  isDefault: boolean,
): readonly string[] => {
  const { error } = schema.safeParse(content, { reportInput: true });
  return [
    ...(error?.issues ?? []).flatMap((issue) => describe(issue)),
    ...clashesWithin(catalogue, content),
    ...(isDefault ? missingParts(Object(content)) : []),
  ];
};

/** `es.json` and `ES.json` are one language. */
const languagesTwice = (candidates: readonly Candidate[]): readonly string[] =>
  candidates.flatMap(({ file, tag }, at) => {
    const first = candidates.slice(0, at).find((each) => each.tag === tag);
    return first ? [`${file}: ${tag} is the language of ${first.file} already`] : [];
  });

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
    ...candidates.flatMap(({ file, tag, content }) =>
      faultsIn(catalogue, schema, content, tag === defaultLanguage).map((fault) => `${file}: ${fault}`),
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
