/** The header `Prefer` (RFC 7240 §2). */

/** A name in lower case and its value, which is empty if it is missing. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

export interface Preference extends NamedValue {
  readonly parameters: readonly NamedValue[];
}

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
/** Names of time zones have a slash, which clients leave without quotation marks. */
const VALUE = TOKEN.replace('[', '[/');
const WHOLE_TOKEN = new RegExp(`^${TOKEN}$`);
/** A preference or a parameter, which may be empty, and the separator after it. */
const MEMBER = new RegExp(
  `[\\t ]*(?:(${TOKEN})[\\t ]*(?:=[\\t ]*(?:(?:(${VALUE})|"((?:[^"\\\\]|\\\\.)*)")[\\t ]*)?)?)?([;,]|$)`,
  'y',
);

/** @returns the preferences of a header in their order; `undefined` if the header is malformed */
export function parsePreferences(header: string): readonly Preference[] | undefined {
  const preferences: Preference[] = [];
  let parameters: NamedValue[] | undefined;
  MEMBER.lastIndex = 0;
  while (MEMBER.lastIndex < header.length) {
    const member = MEMBER.exec(header);
    if (!member) return undefined;
    const [, sentName, token, quoted, end] = member;
    const name = sentName?.toLowerCase();
    const value = token ?? quoted?.replace(/\\(.)/g, '$1') ?? '';
    if (parameters) {
      if (name !== undefined) parameters.push({ name, value });
    } else {
      parameters = [];
      if (name !== undefined) preferences.push({ name, value, parameters });
    }
    if (end === ',') parameters = undefined;
  }
  return preferences;
}

/** @returns the text of a header, which is UTF-8, else ISO-8859-1. @param header its bytes, each as a character */
export function decodeHeader(header: string): string {
  const text = Buffer.from(header, 'latin1').toString();
  return text.includes('\uFFFD') ? header : text;
}

/** @returns the header of a text, percent-encoded but for ASCII: Node.js may write a header in UTF-8 or byte by byte */
export const encodeHeader = (text: string): string => text.toWellFormed().replaceAll(/[^ -~]|%/gu, encodeURIComponent);

/** @returns a preference as it is sent, its value in quotation marks if it needs them */
export function writePreference({ name, value }: NamedValue): string {
  if (value === '') return name;
  return `${name}=${WHOLE_TOKEN.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`}`;
}

type HeaderPair = readonly [header: string, text: string];

export function readHeaderPair(text: string): HeaderPair | undefined {
  const at = text.lastIndexOf('=');
  const header = text.slice(0, Math.max(at, 0)).trim();
  return header === '' ? undefined : [header, text.slice(at + 1).trim()];
}

/** @returns the members of a list with semicolons between them; `undefined` if there are none, or one cannot be read */
export function listMembers<T>(text: string, read: (part: string) => T | undefined): readonly T[] | undefined {
  const parts = text.split(';').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  const members = parts.map(read).filter((member) => member !== undefined);
  return members.length === parts.length && members.length > 0 ? members : undefined;
}

/** The most seconds that a client may wait: a connection without any byte is closed after 30 (`IDLE_TIMEOUT`). */
const LONGEST_WAIT = 25;

/** @returns the seconds for which a client waits for changes (`wait`, RFC 7240 §4.3); 0 if it does not wait, or writes it in another way */
export function readWait(headers: Headers): number {
  const header = headers.get('Prefer');
  if (header === null) return 0;
  const value = parsePreferences(decodeHeader(header))?.find(({ name }) => name === 'wait')?.value ?? '';
  return /^\d{1,9}$/.test(value) ? Math.min(Number(value), LONGEST_WAIT) : 0;
}
