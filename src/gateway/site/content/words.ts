import type { Tree } from '../../http/tree.ts';
import { fieldLabel } from '../../locale/field-label.ts';
import type { Language } from '../../locale/language.ts';
import type { Vocabulary } from '../../locale/vocabulary.ts';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import { reportMembers } from '../../model/import.ts';
import { type Direction, directions, parameters, suffixes, TOTAL, withSuffix } from '../../model/query.ts';
import type { PageText } from '../../texts/shown-text.ts';
import type { Label, WordGroup } from '../pages/words-part.ts';

/** @returns a collection's name for people; where the language has no texts of its own, its word in paths */
const collectionLabel = (language: Language, collection: Collection): Label => {
  const { tag, documents, paths } = language;
  const text =
    documents.tag === tag ? documents.collection(collection).name : paths(collection.parent).word(collection.name);
  return { tag, text };
};

/**
 * Every word of every language, in groups: a row for each name, with its word in each language.
 *
 * @param language the language of headings and meanings
 */
export const wordGroups = (language: Language, trees: readonly Tree[], catalogue: Catalogue): readonly WordGroup[] => {
  const fromPage = (text: PageText): Label => ({ tag: language.pages.tag, text: language.pages.say(text) });
  const rows = <Name extends string>(
    names: readonly Name[],
    label: (name: Name) => Label,
    words: (each: Language) => Pick<Vocabulary, 'word'>,
  ) =>
    names.map((name) => ({
      label: label(name),
      words: trees.map((tree) => ({ tag: tree.language.tag, text: words(tree.language).word(name) })),
    }));
  const paths = catalogue.map((collection) => ({
    label: collectionLabel(language, collection),
    words: trees.map((tree) => ({
      tag: tree.language.tag,
      text: tree.paths(collection).listPattern.replaceAll(/:\w+/g, '…'),
    })),
  }));
  const ranges = suffixes.map((suffix) => ({
    label: fromPage(suffix),
    words: trees.map((tree) => ({
      tag: tree.language.tag,
      text: withSuffix('…', tree.language.suffixes.word(suffix)),
    })),
  }));
  return [
    { heading: fromPage('paths'), rows: paths },
    ...catalogue.map((collection) => ({
      heading: collectionLabel(language, collection),
      rows: rows(
        collection.fields.map(({ name }) => name),
        (name) => ({ tag: language.tag, text: fieldLabel(language, collection)(name) }),
        (each) => each.fields(collection),
      ),
    })),
    {
      heading: fromPage('parameters'),
      rows: [...rows(parameters, fromPage, (each) => each.parameters), ...ranges],
    },
    { heading: fromPage('members'), rows: rows([TOTAL], fromPage, (each) => each.members) },
    {
      heading: fromPage('report'),
      rows: rows(
        reportMembers,
        (name) => ({ tag: language.documents.tag, text: language.documents.say(`report-${name}`, {}) }),
        (each) => each.report,
      ),
    },
    {
      heading: fromPage('values'),
      rows: rows(Object.keys(directions) as Direction[], fromPage, (each) => each.directions),
    },
  ];
};
