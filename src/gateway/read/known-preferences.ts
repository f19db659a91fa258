/** Which preferences imports understand, and what is said of others. */
import { PREFER_HEADER } from '../http/headers.ts';
import { vocabulary } from '../locale/vocabulary.ts';
import type { OnDuplicate } from '../model/import.ts';
import { type Sentence, sentence, unknownSentence } from '../texts/phrase.ts';
import type { RequestError } from '../texts/problem.ts';
import { headerPairs } from './column-choices.ts';
import { type NamedValue, type Preference, preferenceText } from './prefer.ts';

export type Handling = 'strict' | 'lenient' | 'check';

/** The values of `resolution`, and what each does. */
export const resolutions = {
  'merge-duplicates': 'merge',
  'ignore-duplicates': 'ignore',
  'replace-all': 'replace-all',
} as const satisfies Readonly<Record<string, OnDuplicate>>;

export const ALLOW_DELETIONS = 'allow-deletions';
export const ALLOW_NEW_KEYS = 'allow-new-keys';
export const IGNORE_UNKNOWN = 'ignore-unknown-columns';
export const DATE_AS_YEAR = 'date-as-year';
export const MAX_REJECTED = 'max-rejected';

/** The preferences of imports by their values. Those without a value may also be a parameter of another. */
export const values: ReadonlyMap<string, readonly string[]> = new Map([
  ['handling', ['strict', 'lenient', 'check'] satisfies readonly Handling[]],
  ['resolution', Object.keys(resolutions)],
  ['absent-cells', ['clear']],
  ['missing-keys', ['reject']],
  [ALLOW_DELETIONS, []],
  [ALLOW_NEW_KEYS, []],
  [IGNORE_UNKNOWN, []],
  [DATE_AS_YEAR, []],
]);
/** Those whose values are free: how one is written, and whether it is understood. */
export const forms: ReadonlyMap<string, { readonly example: string; readonly isValid: (value: string) => boolean }> =
  new Map([
    ['columns', { example: 'columns="CV=<field>; KW="', isValid: (value) => headerPairs(value) !== undefined }],
    ['sheet', { example: 'sheet="2026"', isValid: (value) => value.trim() !== '' }],
    ['skip-rows', { example: 'skip-rows="<field>=TOTAL"', isValid: (value) => headerPairs(value) !== undefined }],
    [MAX_REJECTED, { example: 'handling=lenient; max-rejected=5', isValid: (value) => /^\d{1,9}$/.test(value) }],
    ['header-row', { example: 'header-row=4', isValid: (value) => /^[1-9]\d{0,6}$/.test(value) }],
  ]);
/** The one value of `return` that imports use. */
export const LIST_CHANGES = 'return=representation';
/** Registered preferences of which imports use no other value (https://www.iana.org/assignments/http-parameters). */
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
export const isBare = (name: string | undefined): boolean => values.get(name ?? '')?.length === 0;

/** @returns the preference that was probably intended, such as `handling=check` by `check` */
const intended = ({ name, value }: NamedValue): string | undefined => {
  const said = [name, value].map((word) => allValues.suggest(word)).find((word) => word !== undefined);
  if (said !== undefined) return `${ownerOf.get(said)}=${said}`;
  const meant = names.suggest(name);
  if (meant !== undefined && forms.get(meant)?.isValid(value)) return preferenceText({ name: meant, value });
  return isBare(meant) ? meant : undefined;
};

export const isPlain = ({ name, value }: NamedValue): boolean => value === '' && isBare(name);
/** @returns whether a preference may also be a parameter of another */
export const isParameter = (sent: NamedValue): boolean =>
  isPlain(sent) || forms.get(sent.name)?.isValid(sent.value) === true;

export const errorOf = (detail: Sentence, suggestion?: string): RequestError => ({
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
export const errorsOf = (preference: Preference): readonly RequestError[] => {
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
  if (form?.isValid(value)) return rest;
  if (form) return [errorOf(sentence('preference-form', { name, value, example: form.example })), ...rest];
  const known = valuesOf.get(name);
  if (!known) return [notUnderstood(preference)];
  if (known.name(value) !== undefined || isPlain(preference)) return rest;
  if (isBare(name)) return [notUnderstood(preference), ...rest];
  const suggestion = known.suggest(value);
  return [errorOf(unknownSentence('preference', { name, value, known: known.known }, suggestion), suggestion), ...rest];
};

/** @returns the errors of preferences that are sent again with another value */
export const errorsOfRepeated = (sent: readonly NamedValue[]): readonly RequestError[] => {
  const first = new Map(sent.toReversed().map(({ name, value }) => [name, value]));
  return sent.flatMap(({ name, value }) => {
    const other = first.get(name) ?? '';
    return isOwn(name) && value !== other
      ? [errorOf(sentence('preference-repeated', { name, value: other, other: value }))]
      : [];
  });
};
