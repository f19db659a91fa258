import type { Tree } from '../../http/urls.ts';
import type { Access } from '../../model/access.ts';
import type { Catalogue } from '../../model/catalogue.ts';
import type { JsonSchema } from '../../model/kinds/kind.ts';
import { DEFAULT_SIZE, directions, parameters } from '../../model/query.ts';
import type { DocumentText } from '../../texts/shown-text.ts';

/** A part of a document. */
export type Json = JsonSchema;

/** Options that all documents share. */
export interface DocumentOptions {
  readonly catalogue: Catalogue;
  readonly trees: readonly Tree[];
  /** Tag of the language of URLs outside the trees. */
  readonly defaultLanguage: string;
  /** What needs a key. */
  readonly access: Access;
  /** The most bytes of a body: of any but a file, and of a file. */
  readonly bodyLimit: number;
  readonly importLimit: number;
  /** The greatest share of a list, in percent, that an import may delete without `allow-deletions`. */
  readonly deletionShare: number;
}

/** The context in which each part of a document is written. */
export interface Context extends DocumentOptions {
  /** The tree of the language whose words the document contains. */
  readonly tree: Tree;
  /**
   * @returns a text in the tree's language; placeholders for words of parameters, members and directions, for the size of a
   *   page and for the fields that are searched are filled in automatically
   */
  readonly say: (text: DocumentText, values?: Readonly<Record<string, string | number>>) => string;
}

/** @returns the fields in which lists are searched, by collection */
function listSearchedFields({ language }: Tree, catalogue: Catalogue): string {
  return catalogue
    .map((each) => ({
      name: language.documents.collection(each).name,
      words: each.fields.filter(({ searchable }) => searchable).map((field) => language.fields(each).word(field.name)),
    }))
    .filter(({ words }) => words.length > 0)
    .map(({ name, words }) => `${name}: ${words.map((word) => `\`${word}\``).join(', ')}`)
    .join('; ');
}

export const contextOf = (tree: Tree, options: DocumentOptions): Context => {
  const { language } = tree;
  const words = Object.fromEntries([
    ['searched', listSearchedFields(tree, options.catalogue)],
    ...parameters.map((name) => [name, language.parameters.word(name)]),
    ...language.members.names.map((name) => [name, language.members.word(name)]),
    ...Object.keys(directions).map((name) => [name, language.directions.word(name)]),
  ]);
  return {
    ...options,
    tree,
    say: (text, values) => language.documents.say(text, { ...words, size: DEFAULT_SIZE, ...values }),
  };
};

/** @returns a reference to a component */
export const ref = (kind: 'schemas' | 'parameters' | 'headers' | 'responses' | 'examples', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});

/** @returns the schema of an object with these members and no other, all of them required but those named */
export const object = (properties: Readonly<Record<string, Json>>, optional: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
