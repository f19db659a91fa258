import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import { json } from './json.ts';
import type { Format, Representation } from './representation.ts';

/** Every format that resources are written in, the first for clients that take any: a new one is one more here. */
const formats: readonly [Format, ...Format[]] = [json];

export type Representations = readonly [Representation, ...Representation[]];

export const representationsOf = (language: Language, collection: Collection): Representations => {
  const [first, ...others] = formats;
  return [first(language, collection), ...others.map((format) => format(language, collection))];
};
