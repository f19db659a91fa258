/** What sentences of a table must be. Hundreds are checked at each start: a regular expression for each would be half of its work. */
import { z } from 'zod';

export const nonBlank = z.string().regex(/\S/, 'is empty');

/** `{count}` may be left out: "one error" is a plural form too. */
const isRequired = (placeholder: string): boolean => placeholder !== 'count';

/** Placeholders, and braces that are not part of one. */
const BRACES = /\{([^{}]*)\}|[{}]/g;

/** @returns the placeholders of a text or of its plural forms, in an order that does not depend on it */
export const placeholdersIn = (text: string | Readonly<Record<string, string>>): readonly string[] => {
  const whole = typeof text === 'string' ? text : Object.values(text).join();
  return [...new Set([...whole.matchAll(BRACES)].flatMap(([, name]) => name ?? []))].sort();
};

/** Without `{word}`, for example, the client would not learn which word is wrong. */
const faultIn = (text: string, placeholders: readonly string[]): string | undefined => {
  const braces = [...text.matchAll(BRACES)];
  const found = braces.flatMap(([, name]) => name ?? []);
  const lacking = placeholders.filter((name) => isRequired(name) && !found.includes(name));
  const unknown = found.filter((name) => !placeholders.includes(name));
  if (lacking.length + unknown.length > 0) {
    return [
      ...lacking.map((name) => `is missing the placeholder {${name}}`),
      ...unknown.map((name) => `has a placeholder {${name}} that nothing fills`),
    ].join(', ');
  }
  const isRight = braces.length === found.length && /\S/.test(text);
  return isRight ? undefined : 'is empty, or has a brace that is not part of a placeholder';
};

/** The same for editors, which know regular expressions only. */
const patternOf = (placeholders: readonly string[]): string => {
  const required = placeholders.filter(isRequired).map((name) => `(?=[^]*\\{${name}\\})`);
  const allowed = placeholders.map((name) => `|\\{${name}\\}`);
  return `^(?=[^]*\\S)${required.join('')}(?:[^{}]${allowed.join('')})+$`;
};

/** @returns the schema of a text with every placeholder and no other */
export const template = (placeholders: readonly string[]) =>
  z
    .string()
    .check(({ value, issues }) => {
      const message = faultIn(value, placeholders);
      if (message !== undefined) issues.push({ code: 'custom', message, input: value });
    })
    .meta({ pattern: patternOf(placeholders) });

/** A text, or its plural forms where it has `{count}`. */
export const wording = (placeholders: readonly string[]) => {
  const text = template(placeholders);
  if (!placeholders.includes('count')) return text;
  const form = text.optional();
  return z.union([text, z.strictObject({ zero: form, one: form, two: form, few: form, many: form, other: text })]);
};
