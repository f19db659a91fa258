import { z } from 'zod';
import type { Catalogue } from '../model/catalogue.ts';
import { type PhraseName, phrases } from '../model/phrase.ts';
import { type ProblemCode, problems } from '../model/problem.ts';
import { type Direction, directions, type ParameterName, parameters } from '../model/query.ts';

/** Canonical names onto the words of one language. */
export type Dictionary<Name extends string = string> = Readonly<Record<Name, string>>;

/** One sentence, or one per plural category (CLDR) of its `{count}`. */
export type Wording = string | ({ readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>);

/** The whole of `locales/<tag>.json`. */
export interface Table {
  /** Path segments by collection, without slashes. */
  readonly paths: Dictionary;
  /** Body members, filters and sort values, by collection and field. */
  readonly fields: Readonly<Record<string, Dictionary>>;
  readonly parameters: Dictionary<ParameterName>;
  readonly values: Dictionary<Direction>;
  /** By collection: how its item is named inside sentences. */
  readonly nouns: Readonly<Record<string, { readonly the: string; readonly of: string }>>;
  readonly problems: Readonly<Record<ProblemCode, { readonly title: string; readonly explanation: string }>>;
  readonly phrases: Readonly<Record<PhraseName, Wording>>;
}

/** A table with the language that its file is named for. */
export interface Locale {
  /** BCP 47 tag in canonical case. */
  readonly tag: string;
  readonly table: Table;
}

/** A word stands in paths, queries and bodies: nothing that a URL or a person would lose on the way. */
const WORD = /^(?![\p{White_Space}.]+$)(?!\p{White_Space})[^/\p{Cc}\p{Cs}]+(?<!\p{White_Space})$/u;
const word = z
  .string()
  .regex(WORD, 'is no usable word: it is empty, or holds a slash, a control character or space at an end');
const said = z.string().regex(/\S/, 'is empty');

const each = <S extends z.ZodType>(names: readonly string[], schema: S) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, schema])));

const PLACEHOLDER = /\{(\w+)\}/g;

/** Every placeholder of the phrase, and no other: a forgotten one would hide the client's own word from it. */
const wording = (placeholders: readonly string[]) => {
  const text = said.superRefine((value, context) => {
    const found = new Set([...value.matchAll(PLACEHOLDER)].map(([, name]) => name));
    for (const name of found) {
      if (!placeholders.includes(name ?? '')) context.addIssue(`has a placeholder {${name}} that nothing fills`);
    }
    for (const name of placeholders) {
      if (!found.has(name)) context.addIssue(`lacks the placeholder {${name}}`);
    }
  });
  if (!placeholders.includes('count')) return text;
  const form = text.optional();
  return z.union([text, z.strictObject({ zero: form, one: form, two: form, few: form, many: form, other: text })]);
};

/**
 * What a locale table must be for this catalogue.
 *
 * @returns a zod schema; its issues name the keys at fault
 */
export const tableSchema = (catalogue: Catalogue) =>
  z.strictObject({
    $schema: z.string().optional(),
    paths: each(
      catalogue.map((collection) => collection.name),
      word,
    ),
    fields: z.strictObject(
      Object.fromEntries(
        catalogue.map((collection) => [
          collection.name,
          each(
            collection.fields.map((field) => field.name),
            word,
          ),
        ]),
      ),
    ),
    parameters: each(Object.keys(parameters), word),
    values: each(Object.keys(directions), word),
    nouns: each(
      catalogue.map((collection) => collection.name),
      z.strictObject({ the: said, of: said }),
    ),
    problems: each(Object.keys(problems), z.strictObject({ title: said, explanation: said })),
    phrases: z.strictObject(
      Object.fromEntries(Object.entries(phrases).map(([name, placeholders]) => [name, wording(placeholders)])),
    ),
  });
