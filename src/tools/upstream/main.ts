/** Proposes a catalogue and `upstream.json` for an API that exists already. */
import { catalogue } from '../../catalogue.ts';
import { UsageError } from '../commands/command-error.ts';
import { runCommand } from '../commands/run.ts';
import { propose } from './propose.ts';
import { readSamples } from './sample.ts';

await runCommand(catalogue, {
  command: 'npm run upstream',
  options: [],
  operands: [0, Number.POSITIVE_INFINITY],
  help: 'upstream-help',
  work: async ({ operands: [verb, ...urls], say, print }) => {
    if (verb !== 'inspect' || urls.length === 0) throw new UsageError([say('upstream-usage')]);
    const read = await Promise.all(urls.map(readSamples));
    const { catalogue: lines, mapping } = propose(
      read[0]?.preset ?? 'json-server',
      read.flatMap(({ samples }) => samples),
    );
    print(`// src/catalogue.ts\n${lines}\n\n// upstream.json\n${mapping}`);
    return 0;
  },
});
