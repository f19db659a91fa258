import { html } from 'hono/html';
import type { Tree } from '../../http/urls.ts';
import { fieldLabel } from '../../locale/field-label.ts';
import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import { DELETED, type Direction, directions, parameters, suffixes, TOTAL, withSuffix } from '../../model/query.ts';
import { actions, reportMembers } from '../../model/report.ts';
import type { PageText } from '../../texts/shown-text.ts';
import type { Site } from '../content/service.ts';
import { type Frame, folded, langOf } from './frame.ts';

/** A text for people, and the tag of its language. */
interface Label {
  readonly tag: string;
  readonly text: string;
}

/** @returns a collection's name for people; where the language has no texts of its own, its word in paths */
const collectionLabel = (language: Language, collection: Collection): Label => {
  const { tag, documents, paths } = language;
  const text =
    documents.tag === tag ? documents.collection(collection).name : paths(collection.parent).word(collection.name);
  return { tag, text };
};

/**
 * The words of all languages, side by side, in groups: a row for each name, with its word in each language.
 *
 * @param language the language of headings and meanings
 */
export const wordsPart = (frame: Frame, { trees, catalogue }: Site, language: Language) => {
  const { say, choices } = frame;
  const fromPage = (text: PageText): Label => ({ tag: frame.tag, text: say(text) });
  const rows = <T>(named: readonly T[], label: (each: T) => Label, word: (tree: Tree, each: T) => string) =>
    named.map((each) => {
      const { tag, text } = label(each);
      return html`<tr><th scope="row" translate="yes"${langOf(frame, tag)}>${text}</th>${trees.map(
        (tree) => html`<td${langOf(frame, tree.language.tag)}><code>${word(tree, each)}</code></td>`,
      )}</tr>`;
    });
  const group = ({ tag, text }: Label, ...content: readonly ReturnType<typeof rows>[]) => html`
          <tbody translate="no">
            <tr class="group"><th colspan="${trees.length + 1}" scope="rowgroup" translate="yes"${langOf(frame, tag)}>${text}</th></tr>${content}
          </tbody>`;
  const ofCollection = (collection: Collection) =>
    group(
      collectionLabel(language, collection),
      rows(
        collection.fields,
        ({ name }) => ({ tag: language.tag, text: fieldLabel(language, collection)(name) }),
        (tree, { name }) => tree.language.fields(collection).word(name),
      ),
    );
  const groups = [
    group(
      fromPage('paths'),
      rows(
        catalogue,
        (each) => collectionLabel(language, each),
        ({ paths }, each) => paths(each).listPattern.replaceAll(/:\w+/g, '…'),
      ),
    ),
    ...catalogue.map(ofCollection),
    group(
      fromPage('parameters'),
      rows(parameters, fromPage, (tree, name) => tree.language.parameters.word(name)),
      rows(suffixes, fromPage, (tree, suffix) => withSuffix('…', tree.language.suffixes.word(suffix))),
    ),
    group(
      fromPage('members'),
      rows([TOTAL, DELETED] as const, fromPage, (tree, name) => tree.language.members.word(name)),
    ),
    group(
      fromPage('report'),
      rows(
        reportMembers,
        (name) => ({
          tag: language.documents.languageOf(`report-${name}`),
          text: language.documents.say(`report-${name}`, {}),
        }),
        (tree, name) => tree.language.report.word(name),
      ),
    ),
    group(
      fromPage('values'),
      rows(Object.keys(directions) as Direction[], fromPage, (tree, name) => tree.language.directions.word(name)),
      rows(actions, fromPage, (tree, name) => tree.language.actions.word(name)),
    ),
  ];
  const table = html`
        <p class="about">${say('words-about')}</p>
        <div class="scroll" role="region" aria-labelledby="words-heading" tabindex="0">
        <table class="words">
          <thead>
            <tr><th scope="col">${say('meaning')}</th>${choices.map(
              ({ tag, name }) => html`<th scope="col" class="name"${langOf(frame, tag)}>${name}</th>`,
            )}</tr>
          </thead>${groups}
        </table>
        </div>`;
  return folded(frame, 'words', 'words', table);
};
