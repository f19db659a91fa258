import { fieldLabel } from '../../locale/field-label.ts';
import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { ImportReport } from '../../model/import.ts';
import { sentence } from '../../texts/phrase.ts';
import type { ListedWarning } from '../write/report.ts';

/** @returns a function that puts the warnings of an import into words */
export const warningsIn = (language: Language, collection: Collection) => {
  const { word } = language.fields(collection);
  const label = fieldLabel(language, collection);
  return ({ warnings = [] }: ImportReport): readonly ListedWarning[] =>
    warnings.map(({ phrase, field: name, count, total, cells }) => {
      const { usualMax = 0 } = collection.fields.find((field) => field.name === name) ?? {};
      const values = { word: word(name), label: label(name), odd: count, total, most: usualMax };
      return { column: word(name), detail: sentence(phrase, values), cells };
    });
};
