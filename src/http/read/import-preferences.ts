import { vocabulary } from '../../locale/vocabulary.ts';
import type { OnDuplicate } from '../../model/import.ts';
import { sentence, unknownSentence } from '../../texts/phrase.ts';
import { Problem, type RequestError } from '../../texts/problem.ts';
import { PREFER_HEADER } from '../headers.ts';
import { headerProblem } from './header-problem.ts';
import { type Preference, preferencesIn } from './prefer.ts';

/**
 * A client's preferences for an import. Names and values belong to the protocol, as methods do: they are the same in every
 * language.
 */
export interface ImportPreferences {
  readonly handling: Handling;
  readonly onDuplicate: OnDuplicate;
  readonly allowsDeletions: boolean;
  /** The value of `Preference-Applied`; empty where there was no preference. */
  readonly applied: string;
}

const handlings = ['strict', 'lenient', 'check'] as const;
type Handling = (typeof handlings)[number];

/** The values of `resolution`, and what each does. */
const resolutions = {
  'merge-duplicates': 'merge',
  'ignore-duplicates': 'ignore',
  'replace-all': 'replace-all',
} as const satisfies Readonly<Record<string, OnDuplicate>>;
type Resolution = keyof typeof resolutions;

export const ALLOW_DELETIONS = 'allow-deletions';

/** @returns a function that reads a preference with a fixed set of values */
const valueReader = <V extends string>(name: string, values: readonly V[]) => {
  const words = vocabulary(Object.fromEntries(values.map((value) => [value, value])), []);
  /** A misspelt value is an error, never ignored. */
  const refusal = (value: string): RequestError => {
    const suggestion = words.suggest(value);
    const detail = unknownSentence('preference', { name, value, known: words.known }, suggestion);
    return { place: { header: PREFER_HEADER }, code: 'invalid-header', detail, suggestion };
  };
  return (sent: Preference | undefined): { readonly value?: V; readonly error?: RequestError } => {
    if (!sent) return {};
    const value = values.find((each) => each === sent.value);
    return value === undefined ? { error: refusal(sent.value) } : { value };
  };
};

const readHandling = valueReader('handling', handlings);
const readResolution = valueReader('resolution', Object.keys(resolutions) as readonly Resolution[]);

/**
 * @returns whether a client allows deletions, by a preference of its own or by a parameter of another. With a value, such as
 *   `false`, the preference is ignored
 */
const allowsDeletionsIn = (sent: ReadonlyMap<string, Preference>): boolean => {
  const [handling, resolution] = ['handling', 'resolution'].map((name) => sent.get(name)?.parameters);
  return [sent.get(ALLOW_DELETIONS)?.value, handling?.get(ALLOW_DELETIONS), resolution?.get(ALLOW_DELETIONS)].includes(
    '',
  );
};

/**
 * Reads the preferences of an import; unknown preferences are ignored (RFC 7240 §2).
 *
 * @param header `Prefer`, if sent
 * @throws Problem `invalid-header` where it violates the standard, or one of our preferences has an unknown value
 */
export const readPreferences = (header: string | null): ImportPreferences => {
  const sent = preferencesIn(header ?? '');
  if (!sent) {
    throw headerProblem(PREFER_HEADER, 'invalid-header', sentence('preferences-malformed', { header: PREFER_HEADER }));
  }
  const handling = readHandling(sent.get('handling'));
  const resolution = readResolution(sent.get('resolution'));
  const errors = [handling.error, resolution.error].filter((error) => error !== undefined);
  const [first] = errors;
  if (first) throw new Problem(first.code, first.detail, { errors });

  const allowsDeletions = resolution.value === 'replace-all' && allowsDeletionsIn(sent);
  const deletions = allowsDeletions ? `; ${ALLOW_DELETIONS}` : '';
  return {
    handling: handling.value ?? 'strict',
    onDuplicate: resolution.value === undefined ? 'error' : resolutions[resolution.value],
    allowsDeletions,
    applied: [
      ...(handling.value === undefined ? [] : [`handling=${handling.value}`]),
      ...(resolution.value === undefined ? [] : [`resolution=${resolution.value}${deletions}`]),
    ].join(', '),
  };
};
