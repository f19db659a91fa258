/** What stands on a command line. */

export interface Arguments {
  readonly files: readonly string[];
  /** Options by their names, without dashes, in their order; `undefined` where one has no value. */
  readonly options: readonly (readonly [name: string, value: string | undefined])[];
}

/**
 * Unlike `parseArgs` of Node, takes options whose names are not known: an option that is no flag has a value, behind an equals
 * sign or as the next argument.
 *
 * @param flags options without a value
 */
export const readArguments = (args: readonly string[], flags: readonly string[]): Arguments => {
  const files: string[] = [];
  const options: (readonly [string, string | undefined])[] = [];
  const rest = [...args];
  for (let sent = rest.shift(); sent !== undefined; sent = rest.shift()) {
    if (sent === '--') files.push(...rest.splice(0));
    else if (!sent.startsWith('--')) files.push(sent);
    else {
      const equals = sent.indexOf('=');
      const name = sent.slice(2, equals === -1 ? undefined : equals);
      if (equals !== -1) options.push([name, sent.slice(equals + 1)]);
      else if (flags.includes(name) || rest[0]?.startsWith('--')) options.push([name, undefined]);
      else options.push([name, rest.shift()]);
    }
  }
  return { files, options };
};

/** @returns the last value of an option, whatever else is wrong with the command line */
export const optionIn = ({ options }: Arguments, name: string): string | undefined =>
  options.findLast(([each]) => each === name)?.[1];
