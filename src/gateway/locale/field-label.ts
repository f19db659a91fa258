import type { Collection } from '../model/catalogue.ts';
import type { Language } from './language.ts';

/** @returns a field's name for people with its unit; where the language has no texts of its own, its word in bodies */
export const fieldLabel =
  ({ tag, documents, fields }: Language, collection: Collection) =>
  (name: string): string => {
    const text = documents.tag === tag ? documents.field(collection, name)?.label : undefined;
    const unit = collection.fields.find((field) => field.name === name)?.unit;
    return (text ?? fields(collection).word(name)) + (unit === undefined ? '' : ` (${unit})`);
  };
