/** What fields have to do with items of other collections. */
import type { Field } from './field.ts';

/** What is asked of a collection here. */
interface WithFields {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly parent: unknown;
}

/** What each item includes: the items of a collection nested in it, or the one that one of its fields refers to. */
export interface Included {
  /** Of the nested collection, or of the field. */
  readonly name: string;
  /** Of what is included, like its key. */
  readonly fields: readonly Field[];
  readonly key: Field;
  /** The field that refers to it. */
  readonly through?: Field;
}

/** @returns the name of the collection whose items are included */
export const sourceOf = ({ name, through }: Included): string => through?.refersTo ?? name;

/** @returns the fields whose values are keys of a collection */
export const referringTo = <C extends WithFields>(catalogue: readonly C[], { name }: Pick<WithFields, 'name'>) =>
  catalogue.flatMap((collection) =>
    collection.fields.filter(({ refersTo }) => refersTo === name).map((field) => ({ collection, field })),
  );

/** @throws TypeError where a field refers to no other collection at the top, or has the name of one that is nested beside it */
export const refuseLost = (catalogue: readonly WithFields[]): void => {
  const tops = catalogue.filter(({ parent }) => !parent).map(({ name }) => name);
  for (const collection of catalogue) {
    const { name, fields } = collection;
    const nested = catalogue.filter(({ parent }) => parent === collection).map((each) => each.name);
    const both = fields.find((field) => field.refersTo && nested.includes(field.name));
    if (both) throw new TypeError(`"${both.name}" is a reference of ${name}, and the name of what is nested in it`);
    const lost = fields.find(({ refersTo: to }) => to && (to === name || !tops.includes(to)));
    if (lost) {
      throw new TypeError(
        `"${lost.name}" of ${name} refers to "${lost.refersTo}", which is no other collection at the top`,
      );
    }
  }
};
