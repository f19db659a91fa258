import type { Tree } from '../../http/tree.ts';
import { fieldLabel } from '../../locale/field-label.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Browsing } from '../pages/browse-part.ts';

/**
 * The data of a list's table, in one language's words.
 *
 * @param size how many items a page of the table shows
 */
export const browsingOf = ({ language, paths }: Tree, collection: Collection, size: number): Browsing => {
  const { tag, pages, parameters, directions } = language;
  const { word } = language.fields(collection);
  const label = fieldLabel(language, collection);
  return {
    tag,
    list: paths(collection).list([]),
    key: word(collection.key.name),
    size: { word: parameters.word('number_of_elements'), count: size },
    page: parameters.word('page'),
    sort: parameters.word('sort_by'),
    order: parameters.word('order'),
    descending: directions.word('desc'),
    totals: pages.totalForms(collection),
    totalsTag: pages.tag,
    unreachable: pages.labels['Failed to fetch'] ?? '',
    // The key comes last: a generated one means nothing to people.
    columns: [...collection.fields.filter(({ isKey }) => !isKey), collection.key].map(
      ({ name, kind, isKey, indexed }) => ({
        word: word(name),
        label: label(name),
        kind,
        isCommon: indexed && !isKey,
      }),
    ),
  };
};
