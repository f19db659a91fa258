import { databaseUrl, isInMemory } from '../../host/settings/database-url.ts';
import { isTlsKnown, TLS_PARAMETERS } from '../../store/postgres/connection/addresses.ts';
import { UsageError } from '../commands/command-error.ts';
import type { CommandContext } from '../commands/run.ts';

export type Options = ReturnType<typeof readOptions>;

export const TRANSFER_OPTIONS = ['from', 'to'];

/** @throws UsageError with a line for each fault, without any value: a URL may contain a password */
export const readOptions = ({ flags, options, say }: Pick<CommandContext, 'flags' | 'options' | 'say'>) => {
  const faults = TRANSFER_OPTIONS.flatMap((name) => {
    const option = `--${name}`;
    const url = options.get(name);
    if (url === undefined) return [say('option-needed', { option })];
    if (isInMemory(url)) return [say('url-in-memory', { option })];
    if (!isTlsKnown(url)) return [say('url-tls', { option, known: TLS_PARAMETERS.join(', ') })];
    return databaseUrl.safeParse(url).success ? [] : [say('url-invalid', { option })];
  });
  if (faults.length > 0) throw new UsageError(faults);
  return { from: options.get('from') ?? '', to: options.get('to') ?? '', replace: flags.has('replace') };
};
