import { PREFER_HEADER } from '../http/headers.ts';
import type { Language } from '../locale/language.ts';
import { vocabulary } from '../locale/vocabulary.ts';
import type { Collection } from '../model/catalogue.ts';
import type { OnDuplicate } from '../model/import.ts';
import { type Sentence, sentence, unknownSentence } from '../texts/phrase.ts';
import { headerProblem, Problem, type RequestError } from '../texts/problem.ts';
import { columnChoices, headerPairs } from './column-choices.ts';
import type { TableOptions } from './files/file-reader.ts';
import { type NamedValue, type Preference, preferencesIn, preferenceText, textOfHeader } from './prefer.ts';

/**
 * A client's preferences for an import. Names and values belong to the protocol, as methods do: they are the same in every
 * language.
 */
export interface ImportPreferences extends TableOptions {
  readonly handling: Handling;
  readonly onDuplicate: OnDuplicate;
  readonly allowsDeletions: boolean;
  /** Whether a row whose key does not exist is an error. */
  readonly rejectsMissing: boolean;
  /** Whether a file without keys may add items although it is merged. */
  readonly allowsNewKeys: boolean;
  /** The value of `Preference-Applied`; empty where there was no preference. */
  readonly applied: string;
}

type Handling = 'strict' | 'lenient' | 'check';

/** The values of `resolution`, and what each does. */
const resolutions = {
  'merge-duplicates': 'merge',
  'ignore-duplicates': 'ignore',
  'replace-all': 'replace-all',
} as const satisfies Readonly<Record<string, OnDuplicate>>;

export const ALLOW_DELETIONS = 'allow-deletions';
export const ALLOW_NEW_KEYS = 'allow-new-keys';
const IGNORE_UNKNOWN = 'ignore-unknown-columns';

/** The preferences of imports by their values. Those without a value may also be a parameter of another. */
const values: ReadonlyMap<string, readonly string[]> = new Map([
  ['handling', ['strict', 'lenient', 'check'] satisfies readonly Handling[]],
  ['resolution', Object.keys(resolutions)],
  ['absent-cells', ['clear']],
  ['missing-keys', ['reject']],
  [ALLOW_DELETIONS, []],
  [ALLOW_NEW_KEYS, []],
  [IGNORE_UNKNOWN, []],
]);
/** Those whose values are free: how one is written, and whether it is understood. */
const forms: ReadonlyMap<string, { readonly example: string; readonly isValid: (value: string) => boolean }> = new Map([
  ['columns', { example: 'columns="CV=enginePower; KW="', isValid: (value) => headerPairs(value) !== undefined }],
]);
/** Registered preferences that imports do not use (https://www.iana.org/assignments/http-parameters). */
const unused = ['depth-noroot', 'respond-async', 'return', 'safe', 'wait'];

const vocabularyOf = (words: readonly string[]) =>
  vocabulary(Object.fromEntries(words.map((word) => [word, word])), []);
const isOwn = (name: string): boolean => values.has(name) || forms.has(name);
const names = vocabularyOf([...values.keys(), ...forms.keys()]);
const valuesOf = new Map([...values].map(([name, known]) => [name, vocabularyOf(known)]));
/** The name of the preference that has a value: no two have the same. */
const ownerOf = new Map([...values].flatMap(([name, known]) => known.map((value) => [value, name])));
const allValues = vocabularyOf([...ownerOf.keys()]);

/** @returns whether a preference has no values */
const isBare = (name: string | undefined): boolean => values.get(name ?? '')?.length === 0;

/** @returns the preference that was probably intended, such as `handling=check` by `check` */
const intended = ({ name, value }: NamedValue): string | undefined => {
  const said = [name, value].map((word) => allValues.suggest(word)).find((word) => word !== undefined);
  if (said !== undefined) return `${ownerOf.get(said)}=${said}`;
  const meant = names.suggest(name);
  if (meant !== undefined && forms.get(meant)?.isValid(value)) return preferenceText({ name: meant, value });
  return isBare(meant) ? meant : undefined;
};

const isPlain = ({ name, value }: NamedValue): boolean => value === '' && isBare(name);
/** @returns whether a preference may also be a parameter of another */
const isParameter = (sent: NamedValue): boolean => isPlain(sent) || forms.get(sent.name)?.isValid(sent.value) === true;

const errorOf = (detail: Sentence, suggestion?: string): RequestError => ({
  place: { header: PREFER_HEADER },
  code: 'invalid-header',
  detail,
  suggestion,
});

/** @returns the error of what is no preference of imports. @param before the preference whose parameter it is */
const notUnderstood = (sent: NamedValue, before?: string): RequestError => {
  const { name, value } = sent;
  if (isBare(name)) return errorOf(sentence('preference-bare', { name, value }));
  const meant = intended(sent);
  const suggestion = before === undefined || meant === undefined ? meant : `${before}, ${meant}`;
  const said = { sent: [...(before === undefined ? [] : [before]), preferenceText(sent)].join('; ') };
  return errorOf(unknownSentence('preference-name', { ...said, known: names.known }, suggestion), suggestion);
};

/** @returns the errors of a preference that is understood only in part: what is ignored may have been meant to store nothing */
const errorsOf = (preference: Preference): readonly RequestError[] => {
  const { name, value, parameters } = preference;
  const ofParameters = (isMeant: (sent: NamedValue) => boolean) =>
    parameters.filter((sent) => isMeant(sent)).map((sent) => notUnderstood(sent, preferenceText(preference)));
  const isOurs = (sent: NamedValue) => isOwn(sent.name) || intended(sent) !== undefined;
  if (unused.includes(name)) {
    const hides = intended({ name: '', value }) !== undefined;
    return [...(hides ? [notUnderstood(preference)] : []), ...ofParameters(isOurs)];
  }
  const rest = ofParameters((sent) => !isParameter(sent));
  const form = forms.get(name);
  if (form && form.isValid(value)) return rest;
  if (form) return [errorOf(sentence('preference-form', { name, value, example: form.example })), ...rest];
  const known = valuesOf.get(name);
  if (!known) return [notUnderstood(preference)];
  if (known.name(value) !== undefined || isPlain(preference)) return rest;
  if (isBare(name)) return [notUnderstood(preference), ...rest];
  const suggestion = known.suggest(value);
  return [errorOf(unknownSentence('preference', { name, value, known: known.known }, suggestion), suggestion), ...rest];
};

/** @returns the errors of preferences that are sent again with another value */
const errorsOfRepeated = (sent: readonly NamedValue[]): readonly RequestError[] => {
  const first = new Map(sent.toReversed().map(({ name, value }) => [name, value]));
  return sent.flatMap(({ name, value }) => {
    const other = first.get(name) ?? '';
    return isOwn(name) && value !== other
      ? [errorOf(sentence('preference-repeated', { name, value: other, other: value }))]
      : [];
  });
};

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
  const texts = [...values.keys(), ...forms.keys()]
    .filter((name) => said.has(name) && !isBare(name))
    .map((name) => [preferenceText({ name, value: said.get(name) ?? '' }), ...(name === 'resolution' ? allowed : [])])
    .map((parts) => parts.join('; '));
  return {
    handling: (said.get('handling') as Handling | undefined) ?? 'strict',
    onDuplicate: resolution === undefined ? usual : resolutions[resolution],
    allowsDeletions,
    clearsEmpty: resolution === 'replace-all' || said.has('absent-cells'),
    rejectsMissing,
    allowsNewKeys,
    columns: choices.length > 0 ? choices : undefined,
    ignoresUnknown: bare.has(IGNORE_UNKNOWN) || undefined,
    applied: [...texts, ...(bare.has(IGNORE_UNKNOWN) ? [IGNORE_UNKNOWN] : [])].join(', '),
  };
};

/** @throws Problem `invalid-header` where a check is preferred for a single item, which would be stored */
export const refuseCheck = (header: string | null): void => {
  if (header === null || !/\bcheck\b/i.test(header)) return;
  throw headerProblem(PREFER_HEADER, 'invalid-header', sentence('check-single', { header: PREFER_HEADER }));
};
