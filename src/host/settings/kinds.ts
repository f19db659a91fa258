/** What kinds of settings there are. Every fault says what a setting must be, after its name. */
import { isIP } from 'node:net';
import { z } from 'zod';

export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
};

/** Such as `write=600,read=60`. */
export const numbersByName = (max: number) =>
  z
    .string()
    .transform((text) => text.split(',').map((member) => /^\s*(\w+)=(\d+)\s*$/.exec(member)?.slice(1) ?? []))
    .refine((members) => members.every(([, number]) => Number(number) >= 1 && Number(number) <= max), {
      error: `must be names with whole numbers from 1 to ${max} such as "write=600,read=60", separated by commas`,
      abort: true,
    })
    .transform((members) => new Map(members.map(([name = '', number]) => [name, Number(number)])));

export const choice = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values, `must be ${values.join(' or ')}`);

export const languageTag = z.string().transform((text, context) => {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? text;
  } catch {
    context.addIssue('must be a language tag (BCP 47) such as "en"');
    return z.NEVER;
  }
});

/** Members separated by commas, in lower case. */
export const commaSeparated = (isMember: (text: string) => boolean, message: string) =>
  z
    .string()
    .transform((text) =>
      text
        .toLowerCase()
        .split(',')
        .map((member) => member.trim()),
    )
    .refine((members) => members.every((member) => member === '*' || isMember(member)), message)
    .default([]);

/** As browsers send it: without the default port of its scheme, and without a path. */
export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}

function isRange(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    bits > 0 && more.length === 0 && (length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits))
  );
}

export const rangeList = z
  .string()
  .transform((text) => text.split(',').map((member) => member.trim()))
  .refine(
    (members) => members.every(isRange),
    'must be addresses or subnets such as "10.0.0.0/8", separated by commas',
  );

const SECURE = /^(?:https:\/\/|http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$))\S+$/;

/** Without a user and a password, which requests do not send. */
export const issuer = z.string().refine((text) => {
  const url = SECURE.test(text) ? URL.parse(text) : null;
  return url?.username === '' && url.password === '';
}, 'must be "https://…", without user and password');
