/** Writes a list to a file. Messages go to standard error. */
import { catalogue } from '../../catalogue.ts';
import { withAllListed } from '../../gateway/model/catalogue.ts';
import { runCommand } from '../commands/run.ts';
import { exportList } from './export.ts';
import { collectionPaths } from './options.ts';

await runCommand(catalogue, {
  command: 'npm run export',
  options: ['list', 'format'],
  hasParameters: true,
  operands: [1, 1],
  isAcrossParents: true,
  help: 'export-help',
  helpValues: (of, language) => ({
    collections: collectionPaths(withAllListed(of), language).join(', '),
    parameters: language.parameters.known,
  }),
  work: exportList,
});
