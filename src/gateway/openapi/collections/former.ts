import { accepted } from '../../locale/former.ts';
import type { Collection } from '../../model/catalogue.ts';
import { viewNames } from '../../model/views.ts';
import type { Context } from '../shared/context.ts';
import type { Operation } from '../shared/operation.ts';

/** @returns the operations of a collection at paths with a word that another one has replaced, as long as that is accepted */
export const formerPaths = (
  { tree: { language } }: Context,
  { name, parent }: Collection,
  operations: readonly Operation[],
): readonly Operation[] => {
  const places = [name, parent?.name, ...viewNames].map((each) => `paths.${each}`);
  const former = accepted(language.former).filter(({ place }) => places.includes(place));
  return former.flatMap(({ word, now }, at) =>
    operations.flatMap((operation) => {
      const segments = operation.path.split('/');
      const path = segments
        .map((each) => (each === encodeURIComponent(now) ? encodeURIComponent(word) : each))
        .join('/');
      return path === operation.path
        ? []
        : { ...operation, path, id: `${operation.id}_former${at + 1}`, isFormer: true };
    }),
  );
};
