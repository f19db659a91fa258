/**
 * Sentences of responses, by name. `{the}`, `{of}`, `{within}` are forms of a noun ("the car", "of the car", "for this car"),
 * `{word}` is a word of the tree, `{known}` a list of words, `{limit}` a size with its unit; `{count}` selects the plural form.
 */
import english from '../../../locales/messages/en.json' with { type: 'json' };

const { pages, descriptions } = english;

export const { phrases } = english;
export type PhraseName = keyof typeof phrases;

export const subjectTexts = english.subject;
export type SubjectText = keyof typeof subjectTexts;

export const pageTexts = pages.texts;
export type PageText = keyof typeof pageTexts;

export const swaggerLabels = pages.labels;

/** CommonMark. Parameters and directions (`{page}`, `{asc}`) are replaced by their words in the tree. */
export const documentTexts = descriptions.texts;
export type DocumentText = keyof typeof documentTexts;

export const commandTexts = english.commands;
export type CommandText = keyof typeof commandTexts;

const textsOfLists = ['name', 'about', 'list', 'select', 'group', 'export', 'follow', 'stream', 'import'] as const;
/** About a collection: the name of its group of operations, and a summary of each operation. */
export const collectionTexts = [...textsOfLists, 'create', 'read', 'update', 'patch', 'remove'] as const;

const schemasOfLists = ['schema', 'schema-selection', 'schema-group', 'schema-changed'] as const;
/** Schema names of an item, what is sent for it, and what there is beside a list: client generators turn them into types. */
export const schemaNames = [...schemasOfLists, 'schema-new', 'schema-changes'] as const;

/** The texts that a list across parents needs. It has none for writes, because it takes none. */
export const ofLists = [...textsOfLists, ...schemasOfLists] as const;
export type CollectionText = (typeof collectionTexts)[number] | (typeof schemaNames)[number];

const dictionarySchemas = ['Dictionary', 'DictionaryCollection', 'DictionaryField', 'DictionaryParameter'] as const;
const siteSchemas = ['ServiceIndex', 'LanguageIndex', 'DictionaryLink', 'Health', 'OpenApiDocument'] as const;
const problemSchemas = ['Problem', 'ProblemError', 'ProblemCode', 'ProblemExplanation'] as const;
const rowSchemas = ['ImportRepetition', 'ImportReason', 'ImportError', 'ImportChange'] as const;
const importSchemas = ['ImportReport', 'ImportWarning', 'ImportWarningCell', ...rowSchemas] as const;

/** Schemas that have the same name in every language: no collection's may have it, too. */
export const sharedSchemas = [...siteSchemas, ...dictionarySchemas, ...problemSchemas, ...importSchemas] as const;
export type SharedSchema = (typeof sharedSchemas)[number];

type Placeholders = Readonly<Record<string, string | number>>;

export interface Sentence {
  readonly phrase: PhraseName;
  readonly values: Placeholders;
}

export const sentence = (phrase: PhraseName, values: Placeholders): Sentence => ({ phrase, values });

type Unknown = Extract<PhraseName, `${string}-suggested`> extends `${infer Kind}-suggested` ? Kind : never;

/** @param kind what is unknown: the phrases are `<kind>-unknown` and `<kind>-suggested` */
export function unknownSentence(kind: Exclude<Unknown, 'value'>, values: Placeholders, suggestion?: string): Sentence {
  if (suggestion === undefined) return { phrase: `${kind}-unknown`, values };
  return { phrase: `${kind}-suggested`, values: { ...values, suggestion } };
}

/** Says something of an item, and of its parent: another one may have an item with the same key. */
export function itemSentence(kind: 'missing' | 'exists', values: Record<'the' | 'key', string>, within?: string) {
  return within === undefined ? sentence(`item-${kind}`, values) : sentence(`nested-${kind}`, { ...values, within });
}

/** Client text in responses is truncated to this many code points. */
export const TEXT_LIMIT = 200;

export function truncate(text: string): string {
  if (text.length <= TEXT_LIMIT) return text;
  // A surrogate pair is two units.
  const points = [...text.slice(0, 2 * TEXT_LIMIT + 2)];
  return points.length <= TEXT_LIMIT ? text : `${points.slice(0, TEXT_LIMIT).join('')}…`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB'];

/** @returns a size as people read it, exact and the same in every language: `8 KiB`, `1 MiB`, `1500 B` (IEC 80000-13) */
export function byteSize(bytes: number): string {
  let unit = 0;
  let size = bytes;
  while (size >= 1024 && size % 1024 === 0 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size} ${UNITS[unit]}`;
}
