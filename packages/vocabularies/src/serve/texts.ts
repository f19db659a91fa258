/** What the commands say, in the language of the terminal. */
import { tagFinder } from '../accept-language.ts';
import type { Fault } from '../document.ts';
import { fillIn } from '../words.ts';
import en from './locales/en.json' with { type: 'json' };
import es from './locales/es.json' with { type: 'json' };

/** A further language is a file and its name here. */
const LANGUAGES: Readonly<Record<string, typeof en>> = { en, es };
const { LC_ALL, LC_MESSAGES, LANG } = process.env;
/** The locale of the terminal, such as `es_AR.UTF-8`, as a tag. */
const tag = (LC_ALL || LC_MESSAGES || LANG || '').replace(/[.@].*/, '').replace('_', '-');

export const texts = LANGUAGES[tagFinder(Object.keys(LANGUAGES))(tag) ?? ''] ?? en;

/** A command that cannot begin: its options, or a file that cannot be read. */
export class StartError extends Error {
  constructor(code: keyof typeof en.errors, values: Readonly<Record<string, unknown>> = {}) {
    super(fillIn(texts.errors[code], values));
  }
}

/** Sentences of the core, which speaks English, each with a group for every name in it, beside those of the terminal's language. */
const SENTENCES = Object.entries(en.faults).map(([code, sentence]) => {
  const parts = sentence.replaceAll(/[.*+?^(){}|]/g, '\\$&').replaceAll(/\\\{(\w+)\\\}/g, '(?<$1>.*)');
  return { pattern: new RegExp(`^${parts}$`, 's'), translation: texts.faults[code as keyof typeof en.faults] };
});

/** @param files names of files by the tags of their tables. @returns a fault in the language of the terminal */
export function localizeFault({ file, pointer, message }: Fault, files: Readonly<Record<string, string>>): Fault {
  const sentence = SENTENCES.find(({ pattern }) => pattern.test(message));
  const names = sentence?.pattern.exec(message)?.groups ?? {};
  return { file: files[file] ?? file, pointer, message: sentence ? fillIn(sentence.translation, names) : message };
}

/** Escapes what in names of a document could command a terminal, as JSON and YAML escape it. */
export function escapeControls(text: string): string {
  const controls = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;
  return text.replaceAll(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function print(text: string, stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(escapeControls(text));
}
