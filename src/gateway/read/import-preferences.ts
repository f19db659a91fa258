import { PREFER_HEADER } from '../http/headers.ts';
import type { Language } from '../locale/language.ts';
import { vocabulary } from '../locale/vocabulary.ts';
import type { Collection } from '../model/catalogue.ts';
import type { OnDuplicate } from '../model/import.ts';
import { type Sentence, sentence, unknownSentence } from '../texts/phrase.ts';
import { headerProblem, Problem, type RequestError } from '../texts/problem.ts';
import { pointerTo } from './body/members.ts';
import { type NamedValue, type Preference, preferencesIn } from './prefer.ts';

/**
 * A client's preferences for an import. Names and values belong to the protocol, as methods do: they are the same in every
 * language.
 */
export interface ImportPreferences {
  readonly handling: Handling;
  readonly onDuplicate: OnDuplicate;
  readonly allowsDeletions: boolean;
  /** Whether an empty cell clears its field. */
  readonly clearsEmpty: boolean;
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
const ALLOW_NEW_KEYS = 'allow-new-keys';

/** The preferences of imports by their values. Those without a value may also be a parameter of another. */
const values: ReadonlyMap<string, readonly string[]> = new Map([
  ['handling', ['strict', 'lenient', 'check'] satisfies readonly Handling[]],
  ['resolution', Object.keys(resolutions)],
  ['absent-cells', ['clear']],
  ['missing-keys', ['reject']],
  [ALLOW_DELETIONS, []],
  [ALLOW_NEW_KEYS, []],
]);
/** Registered preferences that imports do not use (https://www.iana.org/assignments/http-parameters). */
const unused = ['depth-noroot', 'respond-async', 'return', 'safe', 'wait'];

const vocabularyOf = (words: readonly string[]) =>
  vocabulary(Object.fromEntries(words.map((word) => [word, word])), []);
const names = vocabularyOf([...values.keys()]);
const valuesOf = new Map([...values].map(([name, known]) => [name, vocabularyOf(known)]));
/** The name of the preference that has a value: no two have the same. */
const ownerOf = new Map([...values].flatMap(([name, known]) => known.map((value) => [value, name])));
const allValues = vocabularyOf([...ownerOf.keys()]);

const textOf = ({ name, value }: NamedValue): string => (value === '' ? name : `${name}=${value}`);
/** @returns whether a preference has no values */
const isBare = (name: string | undefined): boolean => values.get(name ?? '')?.length === 0;

/** @returns the preference that was probably intended, such as `handling=check` by `check` */
const intended = ({ name, value }: NamedValue): string | undefined => {
  const said = [name, value].map((word) => allValues.suggest(word)).find((word) => word !== undefined);
  if (said !== undefined) return `${ownerOf.get(said)}=${said}`;
  const meant = names.suggest(name);
  return isBare(meant) ? meant : undefined;
};

const isPlain = ({ name, value }: NamedValue): boolean => value === '' && isBare(name);

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
  const said = { sent: [...(before === undefined ? [] : [before]), textOf(sent)].join('; ') };
  return errorOf(unknownSentence('preference-name', { ...said, known: names.known }, suggestion), suggestion);
};

/** @returns the errors of a preference that is understood only in part: what is ignored may have been meant to store nothing */
const errorsOf = (preference: Preference): readonly RequestError[] => {
  const { name, value, parameters } = preference;
  const ofParameters = (isMeant: (sent: NamedValue) => boolean) =>
    parameters.filter((sent) => isMeant(sent)).map((sent) => notUnderstood(sent, textOf(preference)));
  const isOurs = (sent: NamedValue) => values.has(sent.name) || intended(sent) !== undefined;
  if (unused.includes(name)) {
    const hides = intended({ name: '', value }) !== undefined;
    return [...(hides ? [notUnderstood(preference)] : []), ...ofParameters(isOurs)];
  }
  const known = valuesOf.get(name);
  if (!known) return [notUnderstood(preference)];
  const rest = ofParameters((sent) => !isPlain(sent));
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
    return values.has(name) && value !== other
      ? [errorOf(sentence('preference-repeated', { name, value: other, other: value }))]
      : [];
  });
};

/**
 * Reads the preferences of an import. RFC 7240 §2 lets a service ignore what it does not know; here that could store what was
 * to be checked only, so that all must be understood but those that are registered for other requests.
 *
 * @param header `Prefer`, if sent
 * @throws Problem `invalid-header` where it violates the standard, or is not understood whole
 */
export const readPreferences = (header: string | null): ImportPreferences => {
  const sent = preferencesIn(header ?? '');
  if (!sent) {
    throw headerProblem(PREFER_HEADER, 'invalid-header', sentence('preferences-malformed', { header: PREFER_HEADER }));
  }
  const errors = [...sent.flatMap(errorsOf), ...errorsOfRepeated(sent)];
  const [first] = errors;
  if (first) throw new Problem(first.code, first.detail, { errors });

  const bare = new Set(
    sent
      .flatMap((each) => [each, ...each.parameters])
      .filter(isPlain)
      .map(({ name }) => name),
  );
  const said = new Map(sent.map(({ name, value }) => [name, value]));
  const resolution = said.get('resolution') as keyof typeof resolutions | undefined;
  const rejectsMissing = said.has('missing-keys');
  const allows = (name: string, ...of: readonly (typeof resolution)[]): boolean =>
    of.includes(resolution) && bare.has(name);
  const allowsDeletions = allows(ALLOW_DELETIONS, 'replace-all');
  const allowsNewKeys = !rejectsMissing && allows(ALLOW_NEW_KEYS, 'merge-duplicates', 'replace-all');
  const allowed = [...(allowsDeletions ? [ALLOW_DELETIONS] : []), ...(allowsNewKeys ? [ALLOW_NEW_KEYS] : [])];
  const usual = rejectsMissing ? 'merge' : 'error';
  return {
    handling: (said.get('handling') as Handling | undefined) ?? 'strict',
    onDuplicate: resolution === undefined ? usual : resolutions[resolution],
    allowsDeletions,
    clearsEmpty: resolution === 'replace-all' || said.has('absent-cells'),
    rejectsMissing,
    allowsNewKeys,
    applied: [...values.keys()]
      .filter((name) => said.has(name) && !isBare(name))
      .map((name) => [`${name}=${said.get(name)}`, ...(name === 'resolution' ? allowed : [])].join('; '))
      .join(', '),
  };
};

interface Rules extends Pick<ImportPreferences, 'onDuplicate' | 'rejectsMissing' | 'allowsNewKeys'> {
  /** Of a request. */
  readonly applied?: string;
}

/** @returns a function that returns the problem of a file without keys, whose rows would all be new; `undefined` where it is none */
export const withoutKeys =
  (language: Language, collection: Collection) =>
  ({ onDuplicate, rejectsMissing, allowsNewKeys, applied }: Rules): Problem | undefined => {
    const { key, name, parent } = collection;
    const word = language.fields(collection).word(key.name);
    const refused = (detail: Sentence): Problem =>
      new Problem('missing-field', detail, {
        errors: [{ place: { pointer: pointerTo(word) }, code: 'missing-field', detail }],
      });
    if (rejectsMissing) return refused(sentence('keys-needed', { word }));
    const merges = onDuplicate === 'merge' || onDuplicate === 'replace-all';
    if (!merges || allowsNewKeys || !key.assigned) return undefined;
    const option = applied === undefined ? `--${ALLOW_NEW_KEYS}` : `${PREFER_HEADER}: ${applied}, ${ALLOW_NEW_KEYS}`;
    return refused(sentence('keys-absent', { word, list: language.paths(parent).word(name), option }));
  };

/** @throws Problem `invalid-header` where a check is preferred for a single item, which would be stored */
export const refuseCheck = (header: string | null): void => {
  if (header === null || !/\bcheck\b/i.test(header)) return;
  throw headerProblem(PREFER_HEADER, 'invalid-header', sentence('check-single', { header: PREFER_HEADER }));
};
