import type { Language } from '../../../locale/language.ts';
import type { Collection } from '../../../model/catalogue.ts';
import type { Field } from '../../../model/field.ts';
import { groupsOf } from '../../../model/groups.ts';
import type { ListRepresentation } from '../representation.ts';
import { listRepresentations } from './formats.ts';

/**
 * @returns a function from a field and the chosen representation of the list to the same representation of groups by this
 *   field, made on first use
 */
export const groupRepresentations = (
  language: Language,
  collection: Collection,
): ((field: Field, ofItems: ListRepresentation) => ListRepresentation) => {
  const made = new Map<string, readonly ListRepresentation[]>();
  return (field, { type, variants }) => {
    const known = made.get(field.name) ?? listRepresentations(language, groupsOf(collection, field));
    made.set(field.name, known);
    const found = known.find((each) => each.type === type);
    if (!found) throw new TypeError(`no format of groups has the type "${type}"`);
    return variants?.asked.size ? (found.variants?.make(variants.asked) ?? found) : found;
  };
};
