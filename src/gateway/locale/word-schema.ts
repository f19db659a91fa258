/** What words and values of a table must be. */
import { z } from 'zod';

/** A word is used in paths, queries and bodies: no characters that a URL or a person could lose, and no comma, which separates words. */
export const WORD = /^(?!\.+$)[^,/*\p{White_Space}\p{Cc}\p{Cs}]+$/u;
export const word = z
  .string()
  .regex(
    WORD,
    'is not a valid word: it is empty, consists of dots, or contains a space, a slash, a comma, an asterisk or a control character',
  );
/** A value is used in bodies, queries and files; a comma would separate it from others in an error. */
const value = z
  .string()
  .regex(
    /^(?![\s]|.*\s$)[^,\p{Cc}\p{Cs}]+$/u,
    'is not a valid value: it is empty, or has a comma, a control character or space around it',
  );
/** Client generators use it as the name of a type; most programming languages allow ASCII only. */
export const typeName = z
  .string()
  .regex(/^[A-Z][A-Za-z0-9]*$/, 'is not a type name: a capital letter, then letters and digits, without accents');

/** A day of the calendar. */
const day = z.iso.date('is not a day such as "2027-06-30"');

/** A word or value, and perhaps what it was before. */
const entry = (now: typeof word) => {
  const former = z
    .strictObject({ word: now, since: day, until: day })
    .refine(({ since, until }) => since <= until, 'is former since a day after its last one');
  return z.union([now, z.strictObject({ word: now, former: z.array(former).min(1) })]);
};
export const [wordEntry, valueEntry] = [entry(word).meta({ id: 'word' }), entry(value).meta({ id: 'value' })];

/** A word; where it was another one before, what that was, since when it is former, and the last day on which it is accepted (UTC). */
export type Entry = z.infer<typeof wordEntry>;
