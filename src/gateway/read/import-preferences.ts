import { PREFER_HEADER } from '../http/headers.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { OnDuplicate } from '../model/import.ts';
import { sentence } from '../texts/phrase.ts';
import { headerProblem, Problem, type RequestError } from '../texts/problem.ts';
import { columnChoices, headerPairs } from './column-choices.ts';
import type { ReadingOptions } from './files/file-reader.ts';
import {
  ALLOW_DELETIONS,
  ALLOW_NEW_KEYS,
  DATE_AS_YEAR,
  errorOf,
  errorsOf,
  errorsOfRepeated,
  forms,
  type Handling,
  IGNORE_UNKNOWN,
  isBare,
  isParameter,
  isPlain,
  LIST_CHANGES,
  MAX_REJECTED,
  resolutions,
  values,
} from './known-preferences.ts';
import { preferencesIn, preferenceText, textOfHeader } from './prefer.ts';

/**
 * A client's preferences for an import. Names and values belong to the protocol, as methods do: they are the same in every
 * language.
 */
export interface ImportPreferences {
  readonly handling: Handling;
  /** Rows that may be rejected where it is lenient; any number if `undefined`. */
  readonly mostRejected: number | undefined;
  readonly onDuplicate: OnDuplicate;
  readonly allowsDeletions: boolean;
  /** Whether a row whose key does not exist is an error. */
  readonly rejectsMissing: boolean;
  /** Whether a file without keys may add items although it is merged. */
  readonly allowsNewKeys: boolean;
  /** Whether the report lists what the import does. */
  readonly listsChanges: boolean;
  /** How the file is read. */
  readonly reading: ReadingOptions;
  /** The value of `Preference-Applied`; empty where there was no preference. */
  readonly applied: string;
}

/** @throws Problem with errors of the header, if there are any */
const refuse = (errors: readonly RequestError[]): void => {
  const [first] = errors;
  if (first) throw new Problem(first.code, first.detail, { errors });
};

/**
 * Reads the preferences of an import. RFC 7240 §2 lets a service ignore what it does not know; here that could store what was
 * to be checked only, so that all must be understood but those that are registered for other requests.
 *
 * @param header `Prefer`, if sent
 * @param language whose words the fields of columns have
 * @throws Problem `invalid-header` where it violates the standard, or is not understood whole
 */
export const readPreferences = (
  header: string | null,
  language: Language,
  collection: Collection,
): ImportPreferences => {
  const sent = preferencesIn(textOfHeader(header ?? ''));
  if (!sent) {
    throw headerProblem(PREFER_HEADER, 'invalid-header', sentence('preferences-malformed', { header: PREFER_HEADER }));
  }
  refuse([...sent.flatMap(errorsOf), ...errorsOfRepeated(sent)]);
  const parameters = sent.flatMap((each) => each.parameters).filter(isParameter);
  const bare = new Set([...sent, ...parameters].filter(isPlain).map(({ name }) => name));
  const said = new Map(
    [...parameters.filter(({ name }) => forms.has(name)), ...sent].map(({ name, value }) => [name, value]),
  );
  const { choices, faults } = columnChoices(language, collection, headerPairs(said.get('columns') ?? '') ?? []);
  refuse(faults.map(({ detail, suggestion }) => errorOf(detail, suggestion)));
  const resolution = said.get('resolution') as keyof typeof resolutions | undefined;
  const rejectsMissing = said.has('missing-keys');
  const allows = (name: string, ...of: readonly (typeof resolution)[]): boolean =>
    of.includes(resolution) && bare.has(name);
  const allowsDeletions = allows(ALLOW_DELETIONS, 'replace-all');
  const allowsNewKeys = !rejectsMissing && allows(ALLOW_NEW_KEYS, 'merge-duplicates', 'replace-all');
  const allowed = [...(allowsDeletions ? [ALLOW_DELETIONS] : []), ...(allowsNewKeys ? [ALLOW_NEW_KEYS] : [])];
  const usual = rejectsMissing ? 'merge' : 'error';
  const handling = (said.get('handling') as Handling | undefined) ?? 'strict';
  // Only of lenient imports: others allow none.
  if (handling !== 'lenient') said.delete(MAX_REJECTED);
  const mostRejected = said.get(MAX_REJECTED);
  const texts = [...values.keys(), ...forms.keys()]
    .filter((name) => said.has(name) && !isBare(name))
    .map((name) => [preferenceText({ name, value: said.get(name) ?? '' }), ...(name === 'resolution' ? allowed : [])])
    .map((parts) => parts.join('; '));
  return {
    handling,
    mostRejected: mostRejected === undefined ? undefined : Number(mostRejected),
    onDuplicate: resolution === undefined ? usual : resolutions[resolution],
    allowsDeletions,
    rejectsMissing,
    allowsNewKeys,
    listsChanges: sent.some((each) => preferenceText(each) === LIST_CHANGES),
    reading: {
      clearsEmpty: resolution === 'replace-all' || said.has('absent-cells'),
      columns: choices,
      ignoresUnknown: bare.has(IGNORE_UNKNOWN),
      sheet: said.get('sheet'),
      headerRow: Number(said.get('header-row') ?? 0),
      takesDates: bare.has(DATE_AS_YEAR),
      skips: headerPairs(said.get('skip-rows') ?? ''),
    },
    applied: [...texts, ...[IGNORE_UNKNOWN, DATE_AS_YEAR].filter((name) => bare.has(name))].join(', '),
  };
};

/** @throws Problem `invalid-header` where a check is preferred for a single item, which would be stored */
export const refuseCheck = (header: string | null): void => {
  if (header === null || !/\bcheck\b/i.test(header)) return;
  throw headerProblem(PREFER_HEADER, 'invalid-header', sentence('check-single', { header: PREFER_HEADER }));
};
