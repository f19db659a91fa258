import { readFileSync } from 'node:fs';

/** Settings that may also be read from a file, and again while the service runs: `DATABASE_URL_FILE` names it. */
const IN_FILES = ['DATABASE_URL', 'OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_SCOPE_CLAIM'] as const;
const inFile = (name: string): string => `${name}_FILE`;

export const fileSettings: readonly string[] = IN_FILES.map(inFile);

type Variables = Readonly<Record<string, string>>;

/** Without the end of its line, as secrets are mounted. @returns its content, or why it cannot be read */
const readSecret = (file: string): readonly [content: string, fault?: string] => {
  try {
    return [readFileSync(file, 'utf8').trim()];
  } catch (error) {
    return ['', `cannot be read (${(error as NodeJS.ErrnoException).code})`];
  }
};

/** @returns the variables with those that stand in files, and a line for each that is at fault */
export const withFiles = (set: Variables): readonly [Variables, faults: readonly string[]] => {
  const present = IN_FILES.filter((name) => set[inFile(name)] !== undefined);
  const twice = present.filter((name) => set[name] !== undefined);
  if (twice.length > 0) {
    return [set, twice.map((name) => `${inFile(name)}: must be left out where ${name} is set`)];
  }
  const read = present.map((name) => [name, ...readSecret(set[inFile(name)] ?? '')] as const);
  return [
    { ...set, ...Object.fromEntries(read) },
    read.flatMap(([name, , fault]) => (fault === undefined ? [] : [`${inFile(name)}: ${fault}`])),
  ];
};
