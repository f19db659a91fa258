import { formats } from '../../gateway/formats/formats.ts';
import { queryReader } from '../../gateway/read/query/query.ts';
import { interruptible } from '../commands/interruptible.ts';
import { type CommandContext, DONE } from '../commands/run.ts';
import { checkDatabaseExists, withStore } from '../commands/with-store.ts';
import { exportFile } from './export-file.ts';
import { formatOf, targetListIn } from './options.ts';

/** Writes a list, which is selected by the parameters of its URL. @returns the exit code */
export const exportList = async (context: CommandContext): Promise<number> => {
  const { language, languages, parameters, operands } = context;
  const [file = ''] = operands;
  const target = targetListIn(context);
  const text = parameters
    .map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('='))
    .join('&');
  const others = languages.filter((each) => each !== language);
  const query = queryReader(language, others, target.collection)(text);
  const format = formatOf(formats, context, file, query.format);
  checkDatabaseExists(context.config);
  await interruptible((signal) =>
    withStore(context, (store) => exportFile(file, { ...target, query, format }, store, context, signal)),
  );
  return DONE;
};
