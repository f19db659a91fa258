import type { Representation } from '../formats/representation.ts';
import type { Language } from '../locale/language.ts';
import { type Collection, deriveChanges, deriveGroups, identifies } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import type { Query } from '../model/query.ts';
import { invalid, throwAny } from '../read/query/parameter.ts';
import { sentence } from '../texts/phrase.ts';

/** What tells changes of whole items, made once: every stream would hold its own. */
const ofChanges = new WeakMap<Representation, Representation>();

/**
 * @param whole the chosen representation of whole items
 * @returns the representation of what a query asks for: of parts of items, or of groups
 * @throws Problem where it asks for items within items, and the format has no place for them
 */
export function selectParts(
  whole: Representation,
  language: Language,
  collection: Collection,
  { fields: wanted, group, include, changesAfter: since }: Query,
): Representation {
  if (group) return whole.withSelection(deriveGroups(collection, group));
  if (include && !whole.format.nests) {
    const word = language.parameters.word('include');
    throwAny([invalid(word, sentence('include-flat', { word, type: whole.type }))]);
  }
  const isWhole = !wanted && !include;
  if (isWhole && !since) return whole;
  const known = isWhole ? ofChanges.get(whole) : undefined;
  if (known) return known;
  const items = since ? deriveChanges(collection) : collection;
  const isSelected = (field: Field): boolean =>
    identifies(field) ||
    !collection.fields.some(({ name }) => field.name === name) ||
    include?.some(({ through }) => field.name === through?.name) ||
    wanted?.some(({ name }) => field.name === name) !== false;
  const part = whole.withSelection(items, { fields: items.fields.filter(isSelected), included: include ?? [] });
  if (isWhole) ofChanges.set(whole, part);
  return part;
}
