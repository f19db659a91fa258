/** What the command says, in the language of the terminal. */
import { fillIn } from '../../vocabularies/src/words.ts';
import en from './locales/en.json' with { type: 'json' };
import es from './locales/es.json' with { type: 'json' };

type Text = Exclude<keyof typeof en, 'help'>;

/** A text with its values, which is put into words when it is printed. */
export interface Message {
  readonly text: Text;
  readonly values: Readonly<Record<string, unknown>>;
}

export type Say = (text: Text, values?: Message['values']) => string;

/** @returns the texts of a language: `es` or `es_ES.UTF-8` is Spanish, any other is English */
export function readTexts(language = ''): { readonly help: string; readonly say: Say } {
  const texts: typeof en = /^es/i.test(language) ? es : en;
  return { help: texts.help.join('\n'), say: (text, values = {}) => fillIn(texts[text], values) };
}

/** What cannot be compared, and why. */
export class NotComparable extends Error implements Message {
  readonly text: Text;
  readonly values: Message['values'];

  constructor(text: Text, values: Message['values'] = {}) {
    super(fillIn(en[text], values));
    this.text = text;
    this.values = values;
  }
}
