import { catalogue } from '../../catalogue.ts';
import { runWords } from './words.ts';

await runWords(catalogue, process.argv.slice(2));
