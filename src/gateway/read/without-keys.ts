import { PREFER_HEADER } from '../http/headers.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { type Sentence, sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { pointerTo } from './body/member-errors.ts';
import type { ImportPreferences } from './import-preferences.ts';
import { ALLOW_NEW_KEYS } from './known-preferences.ts';

interface Rules extends Pick<ImportPreferences, 'onDuplicate' | 'rejectsMissing' | 'allowsNewKeys'> {
  /** Of a request. */
  readonly applied?: string;
}

/** @returns a function that returns the problem of a file without keys, whose rows would all be new; `undefined` where it is none */
export const withoutKeys =
  (language: Language, collection: Collection) =>
  ({ onDuplicate, rejectsMissing, allowsNewKeys, applied }: Rules): Problem | undefined => {
    const { key, name, parent } = collection;
    const word = language.fields(collection).word(key.name);
    const refused = (detail: Sentence): Problem =>
      new Problem('missing-field', detail, {
        errors: [{ place: { pointer: pointerTo(word) }, code: 'missing-field', detail }],
      });
    if (rejectsMissing) return refused(sentence('keys-needed', { word }));
    const merges = onDuplicate === 'merge' || onDuplicate === 'replace-all';
    if (!merges || allowsNewKeys || !key.assigned) return undefined;
    const option = applied === undefined ? `--${ALLOW_NEW_KEYS}` : `${PREFER_HEADER}: ${applied}, ${ALLOW_NEW_KEYS}`;
    return refused(sentence('keys-absent', { word, list: language.paths(parent).word(name), option }));
  };
