/** Profiles of imports: files of JSON that say how the files of another program are read, to requests and to the command alike. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Language, unitKey, withUnits } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { findCharset } from '../model/csv.ts';
import { findUnit, quantities } from '../model/units.ts';
import { unitPairs } from '../read/units.ts';
import { sentence, unknownSentence } from '../texts/phrase.ts';
import {
  type Fault,
  indexWords,
  isTimeZone,
  names,
  plainOptions,
  readColumnChoices,
  readValueChoices,
  refuseFaults,
} from './preferences.ts';
import { listSeparators, type ReadingOptions, readDelimiters } from './reader.ts';

/** The members that are options of reading as they are. */
const profileOptions = { ...plainOptions, 'null-values': 'nullValues', charset: 'charset' } as const satisfies Partial<
  Record<Member, keyof ReadingOptions>
>;

const EXTENSION = '.json';
const EMPTY: readonly (string | undefined)[] = ['{}', '[]'];

const nonBlank = z.string().regex(/\S/);
const meanings = z.record(nonBlank, z.string().nullable());
const isKnown = <T>(value: T | undefined): value is T => value !== undefined;
const charset = z.string().transform(findCharset).refine(isKnown);

/** The members of a profile, which are the names of preferences and the same in every language, described by examples. */
const members = z.strictObject({
  list: nonBlank.describe('"cars"'),
  columns: meanings.describe('{"CV": "<field>", "KW": null}'),
  values: z.record(nonBlank, meanings).describe('{"<field>": {"GASOLEO": "diesel", "-": null}}'),
  'null-values': z.array(nonBlank).describe('["N/D", "00/00/0000"]'),
  lists: z.enum(names(listSeparators)).describe(names(listSeparators).map(quote).join(', ')),
  delimiter: z.enum(names(readDelimiters)).describe(names(readDelimiters).map(quote).join(', ')),
  charset: charset.describe('"windows-1252"'),
  sheet: nonBlank.describe('"2026"'),
  'header-row': z.int().min(1).max(9_999_999).describe('4'),
  'skip-rows': z.record(nonBlank, z.string()).describe('{"<field>": "TOTAL"}'),
  units: z.record(nonBlank, nonBlank).describe('{"<field>": "kW"}'),
  decimals: z.enum(['comma', 'point']).describe('"comma", "point"'),
  'time-zone': z.string().refine(isTimeZone).describe('"Europe/Madrid"'),
  'absent-cells': z.literal('clear').describe('"clear"'),
  'ignore-unknown-columns': z.boolean().describe('true'),
  'date-as-year': z.boolean().describe('true'),
});
type Member = keyof typeof members.shape;
const schema = members.partial();

export type Profile = z.infer<typeof schema>;

function quote(text: string): string {
  return JSON.stringify(text);
}

const memberNames = indexWords(Object.keys(members.shape));

/** @returns the result of some work, or of a failed one a substitute */
function attempt<T>(work: () => T, substitute: T): T {
  try {
    return work();
  } catch {
    return substitute;
  }
}

/** Reads the text of a profile, whose words nobody has looked up yet. @param name is what faults call it */
export function parseProfile(text: string, name: string): { profile: Profile; faults: readonly Fault[] } {
  const content = attempt((): unknown => JSON.parse(text.replace(/^\uFEFF/, '')), undefined);
  const { success, data, error } = schema.safeParse(content, { jitless: true });
  if (success) return { profile: data, faults: [] };
  const faults = error.issues.flatMap((issue): Fault[] => {
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
      return issue.keys.map((word) => {
        const suggestion = memberNames.suggest(word);
        return { detail: unknownSentence('profile-member', { name, word, known: memberNames.known }, suggestion) };
      });
    }
    const word = Object.keys(members.shape).find((member): member is Member => member === issue.path[0]);
    if (word === undefined) return [{ detail: sentence('profile-syntax', { name }) }];
    return [{ detail: sentence('profile-value', { name, word, example: members.shape[word].description ?? '' }) }];
  });
  return { profile: {}, faults };
}

function readUnits(language: Language, collection: Collection, units: Profile['units'] = {}) {
  const words = Object.keys(units).map((word) => [word, word] as const);
  const { choices, faults } = readColumnChoices(language, collection, words);
  const pairs = choices.flatMap(([word, name]): readonly (readonly [string, string])[] => {
    const field = collection.fields.find((other) => other.name === name);
    if (!field) return [];
    const unit = findUnit(field, units[word] ?? '');
    if (unit !== undefined) return [[unitKey(collection, field), unit]];
    const known = quantities(collection).flatMap((quantity) => unitPairs(language, collection, quantity));
    const value = `${word}=${units[word]}`;
    const values = { name: 'units', value, known: known.join(', ') };
    faults.push({ detail: unknownSentence('preference', values, undefined) });
    return [];
  });
  return { pairs, faults };
}

/** @returns how files are read by a profile, and which of its words the language does not have */
export function readProfile(profile: Profile, language: Language, collection: Collection) {
  const plain: ReadingOptions = Object.fromEntries(
    names(profileOptions).map((member) => [profileOptions[member], profile[member]]),
  );
  const pairs = Object.entries(profile.columns ?? {}).map(([header, word]) => [header, word ?? ''] as const);
  const columns = readColumnChoices(language, collection, pairs, true);
  const triples = Object.entries(profile.values ?? {}).flatMap(([field, all]) =>
    Object.entries(all).map(([text, meaning]) => [field, text, meaning ?? ''] as const),
  );
  const units = readUnits(language, collection, profile.units);
  const inUnits = withUnits(language, new Map(units.pairs));
  const values = readValueChoices(inUnits, collection, triples, plain);
  const reading: ReadingOptions = {
    ...plain,
    columns: columns.choices,
    values: values.choices,
    skips: Object.entries(profile['skip-rows'] ?? {}),
    units: units.pairs,
    clearsEmpty: profile['absent-cells'] === 'clear',
  };
  return { reading, faults: [...columns.faults, ...units.faults, ...values.faults] as readonly Fault[] };
}

/** @returns the text of a profile that reads files in the same way, by the names that all languages share */
export function writeProfile(reading: ReadingOptions, list: string, language: Language, collection: Collection) {
  const values: Record<string, Record<string, string | null>> = {};
  for (const [name, text, meaning] of reading.values ?? []) {
    const field = collection.fields.find((other) => other.name === name);
    const choices = field?.choices && language.valueWords(collection, field).choices;
    values[name] = { ...values[name], [text]: (choices?.inFile(meaning) ?? meaning) || null };
  }
  const units = new Map(reading.units);
  const profile = {
    list,
    columns: Object.fromEntries((reading.columns ?? []).map(([header, field]) => [header, field ?? null])),
    values,
    'skip-rows': Object.fromEntries(reading.skips ?? []),
    units: Object.fromEntries(collection.fields.map((field) => [field.name, units.get(unitKey(collection, field))])),
    'absent-cells': reading.clearsEmpty ? 'clear' : undefined,
    ...Object.fromEntries(
      names(profileOptions).map((member) => [member, reading[profileOptions[member]] || undefined]),
    ),
  };
  // Without empty objects and lists.
  const text = JSON.stringify(profile, (_, value) => (EMPTY.includes(JSON.stringify(value)) ? undefined : value), 2);
  return `${text}\n`;
}

/**
 * Reads the profile that a request names, in any of some languages: a file of the folder, whose name is never a path.
 *
 * @throws Problem `invalid-header` if there is no such profile, or the profile is wrong
 */
export function loadProfile(
  folder: string | undefined,
  name: string,
  language: Language,
  collection: Collection,
  languages: readonly Language[],
): ReadingOptions {
  // The folder may be gone since the start.
  const all = attempt(() => readdirSync(folder ?? ''), []);
  const files = all.filter((file) => file.endsWith(EXTENSION));
  const known = indexWords(files.map((file) => file.slice(0, -EXTENSION.length)));
  if (!files.includes(name + EXTENSION)) {
    const suggestion = known.suggest(name);
    const detail = unknownSentence('profile', { name, known: known.known }, suggestion);
    refuseFaults([{ detail: files.length === 0 ? sentence('profile-none', { name }) : detail, suggestion }]);
  }
  const text = attempt(() => readFileSync(join(folder ?? '', name + EXTENSION), 'utf8'), '');
  const { profile, faults } = parseProfile(text, name);
  refuseFaults(faults);
  const list = profile.list?.split('/').at(-1) ?? collection.name;
  const areSame = languages.some(({ paths }) => paths(collection.parent).name(list) === collection.name);
  if (!areSame && list !== collection.name) {
    const other = language.paths(collection.parent).word(collection.name);
    refuseFaults([{ detail: sentence('profile-list', { name, word: list, other }) }]);
  }
  const { reading, faults: unknown } = readProfile(profile, language, collection);
  refuseFaults(unknown);
  return reading;
}
