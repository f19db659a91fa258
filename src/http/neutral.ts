import type { Language } from '../locale/language.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { Store } from '../store/port.ts';
import type { LanguageOf } from './language-of.ts';
import { ROOT, type Tree } from './tree.ts';

/** What the addresses that belong to no language are made of. */
export interface NeutralOptions {
  readonly catalogue: Catalogue;
  readonly trees: readonly Tree[];
  readonly store: Store;
  readonly answersIn: LanguageOf;
}

/** What the index depends on. */
export const INDEX_VARY = 'Accept, Accept-Language';

/** Where things stand that belong to no language. */
export const PLACES = {
  index: ROOT,
  openapi: `${ROOT}/openapi.json`,
  dictionaries: `${ROOT}/locales`,
  documentation: '/docs/',
  ready: '/readyz',
} as const;

/** The same, of one language. */
export const placesIn = ({ tag }: Pick<Language, 'tag'>) => ({
  openapi: `${ROOT}/openapi.${tag}.json`,
  dictionary: `${PLACES.dictionaries}/${tag}`,
  documentation: `${PLACES.documentation}?lang=${tag}`,
});
