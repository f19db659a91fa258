import { PREFER_HEADER } from '../http/respond.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { type Sentence, sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { pointerTo } from './body/members.ts';
import { ALLOW_NEW_KEYS, type ImportPreferences } from './import-preferences.ts';

interface Rules extends Pick<ImportPreferences, 'onDuplicate' | 'rejectsMissing' | 'allowsNewKeys'> {
  /** The value of `Preference-Applied`; absent for a command. */
  readonly applied?: string;
}

/** @returns the problem of a file without keys, whose rows would all be new; `undefined` if they may be */
export function withoutKeys(language: Language, collection: Collection, rules: Rules): Problem | undefined {
  const { key, name, parent } = collection;
  const { onDuplicate, rejectsMissing, allowsNewKeys, applied } = rules;
  const word = language.fields(collection).word(key.name);
  const refuse = (detail: Sentence): Problem =>
    new Problem('missing-field', detail, {
      errors: [{ place: { pointer: pointerTo(word) }, code: 'missing-field', detail }],
    });
  if (rejectsMissing) return refuse(sentence('keys-needed', { word }));
  const merges = onDuplicate === 'merge' || onDuplicate === 'replace-all';
  if (!merges || allowsNewKeys || !key.assigned) return undefined;
  const option = applied === undefined ? `--${ALLOW_NEW_KEYS}` : `${PREFER_HEADER}: ${applied}, ${ALLOW_NEW_KEYS}`;
  return refuse(sentence('keys-absent', { word, list: language.paths(parent).word(name), option }));
}
