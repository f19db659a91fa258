/** Writes a list to a file. What happens goes to standard error. */
import { catalogue } from '../catalogue.ts';
import { queryReader } from '../http/read/query/list-query.ts';
import { optionIn } from './arguments.ts';
import { exportFile } from './export-file.ts';
import { collectionPaths, formatOf, optionFaults, placeIn, UsageError } from './options.ts';
import { DONE, runCommand, withStore } from './run.ts';

const OPTIONS = ['language', 'list', 'format'];

await runCommand(catalogue, {
  name: 'export',
  flags: [],
  help: (_, language) =>
    language.commands('export-help', {
      collections: collectionPaths(catalogue, language),
      parameters: language.parameters.known,
    }),
  run: async (args, surroundings) => {
    const { language, languages } = surroundings;
    const { commands } = language;
    const [file, ...others] = args.files;
    // Whatever else is sent is a parameter of the list, which says itself what is wrong with it; filters come several times.
    const own = {
      ...args,
      options: args.options.filter(([name, value]) => OPTIONS.includes(name) || value === undefined),
    };
    const faults = [
      ...optionFaults(own, language, [], () => true),
      ...(file === undefined || others.length > 0 ? [commands('file-single', {})] : []),
    ];
    if (faults.length > 0 || file === undefined) throw new UsageError(faults);
    const [first] = collectionPaths(catalogue, language).split(', ');
    const place = placeIn(catalogue, language, optionIn(args, 'list') ?? first ?? '');
    const parameters = args.options
      .filter(([name]) => !OPTIONS.includes(name))
      .map((pair) => pair.map((part) => encodeURIComponent((part ?? '').toWellFormed())).join('='));
    const query = queryReader(
      language,
      languages.filter((each) => each !== language),
      place.collection,
    )(parameters.join('&'));
    const format = formatOf(language, file, optionIn(args, 'format') ?? query.format);
    return withStore(surroundings, async (store) => {
      await exportFile(file, format, place, query, store, surroundings);
      return DONE;
    });
  },
});
