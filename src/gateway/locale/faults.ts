/** Describes faults of tables in the language of the terminal, where the author of a table reads them at a start. */
import { fillIn } from '../../../packages/vocabularies/src/words.ts';
import { readTerminalLanguage } from '../../util/terminal-language.ts';
import texts from './faults.json' with { type: 'json' };

const ownTexts = readTerminalLanguage()?.split('-')[0] === 'es' ? texts.es : texts.en;

export function describeFault(text: keyof typeof ownTexts, values: Readonly<Record<string, string>> = {}): string {
  return fillIn(ownTexts[text], values);
}
