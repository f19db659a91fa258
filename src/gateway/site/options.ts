import type { LanguageOf } from '../dispatch/language-of.ts';
import type { Tree } from '../http/tree.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { Items } from '../port/port.ts';

/** Options of the routes outside the trees. */
export interface SiteOptions {
  readonly catalogue: Catalogue;
  readonly trees: readonly Tree[];
  readonly store: Items;
  /** @returns whether the service is about to end */
  readonly isStopping: () => boolean;
  readonly responseLanguage: LanguageOf;
}
