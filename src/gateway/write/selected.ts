import type { Representation } from '../formats/representation.ts';
import type { Language } from '../locale/language.ts';
import { type Collection, groupsOf } from '../model/catalogue.ts';
import type { Query } from '../model/query.ts';
import { invalid, throwAny } from '../read/query/parameter.ts';
import { sentence } from '../texts/phrase.ts';

/**
 * @param whole the chosen representation of whole items
 * @returns the representation of what a query asks for: of parts of items, or of groups
 * @throws Problem where it asks for nested items, and the format has no place for them
 */
export const selected = (
  whole: Representation,
  language: Language,
  collection: Collection,
  { fields: asked, group, include }: Query,
): Representation => {
  if (group) return whole.of(groupsOf(collection, group));
  if (include && !whole.format.nests) {
    const word = language.parameters.word('include');
    throwAny([invalid(word, sentence('include-flat', { word, type: whole.type }))]);
  }
  if (!asked && !include) return whole;
  const { fields } = collection;
  const chosen = asked ? fields.filter((field) => field.isKey || asked.includes(field)) : fields;
  return whole.of(collection, { fields: chosen, nested: include ?? [] });
};
