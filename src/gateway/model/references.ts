/** What fields have to do with items of other collections. */
import type { Field } from './field.ts';

/** What is asked of a collection here. */
interface WithFields {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly parent: unknown;
}

/** @returns the fields whose values are keys of a collection */
export const referringTo = <C extends WithFields>(catalogue: readonly C[], { name }: Pick<WithFields, 'name'>) =>
  catalogue.flatMap((collection) =>
    collection.fields.filter(({ refersTo }) => refersTo === name).map((field) => ({ collection, field })),
  );

/** @throws TypeError where a field refers to no other collection at the top */
export const refuseLost = (catalogue: readonly WithFields[]): void => {
  const tops = catalogue.filter(({ parent }) => !parent).map(({ name }) => name);
  for (const { name, fields } of catalogue) {
    const lost = fields.find(({ refersTo: to }) => to && (to === name || !tops.includes(to)));
    if (lost) {
      throw new TypeError(
        `"${lost.name}" of ${name} refers to "${lost.refersTo}", which is no other collection at the top`,
      );
    }
  }
};
