import type { Format } from '../../gateway/formats/representation.ts';
import { UsageError } from '../commands/command-error.ts';
import type { CommandContext } from '../commands/run.ts';

/**
 * @param formats those that a command supports
 * @returns the format of a file: that of `--format`, else `usual`, else by the extension
 */
export function chooseFormat<F extends Format>(
  formats: readonly F[],
  { say, options }: CommandContext,
  file: string,
  usual?: string,
): F {
  const option = options.get('format');
  const name = option ?? usual ?? /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase();
  const format = formats.find((each) => each.name === name);
  if (format !== undefined) return format;
  const known = formats.map((each) => each.name).join(', ');
  throw new UsageError([
    option === undefined ? say('format-needed', { file, known }) : say('option-choice', { option: '--format', known }),
  ]);
}
