/** The header `Prefer` (RFC 7240 §2). */

/** The value of a preference, and those of its parameters by name. Names are in lower case; a missing value is empty. */
export interface Preference {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
/** A preference or a parameter, which may be empty, and the separator after it. */
const MEMBER = new RegExp(
  `[\\t ]*(?:(${TOKEN})[\\t ]*(?:=[\\t ]*(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)")?[\\t ]*)?)?([;,]|$)`,
  'y',
);

/** @returns the preferences of a header by their names, the first of each; `undefined` where the header is malformed */
export const preferencesIn = (header: string): ReadonlyMap<string, Preference> | undefined => {
  const preferences = new Map<string, Preference>();
  let parameters: Map<string, string> | undefined;
  MEMBER.lastIndex = 0;
  while (MEMBER.lastIndex < header.length) {
    const found = MEMBER.exec(header);
    if (!found) return undefined;
    const [, sent, bare, quoted, end] = found;
    const name = sent?.toLowerCase();
    const value = bare ?? quoted?.replace(/\\(.)/g, '$1') ?? '';
    if (parameters === undefined) {
      parameters = new Map();
      if (name !== undefined && !preferences.has(name)) preferences.set(name, { value, parameters });
    } else if (name !== undefined && !parameters.has(name)) parameters.set(name, value);
    if (end === ',') parameters = undefined;
  }
  return preferences;
};
