/** About a collection: the name of its group of operations, and a summary of each operation. */
export const collectionTexts = [
  'name',
  'about',
  'list',
  'select',
  'group',
  'export',
  'follow',
  'stream',
  'create',
  'import',
  'read',
  'update',
  'patch',
  'remove',
] as const;

/** Schema names of an item, what is sent for it, and what there is beside a list: client generators turn them into types. */
export const schemaNames = [
  'schema',
  'schema-new',
  'schema-changes',
  'schema-selection',
  'schema-group',
  'schema-changed',
] as const;

/** What a list across parents needs of them. */
export const ofLists = [
  'name',
  'about',
  'list',
  'select',
  'group',
  'export',
  'follow',
  'stream',
  'import',
  'schema',
  'schema-selection',
  'schema-group',
  'schema-changed',
] as const satisfies readonly (CollectionText | 'schema')[];

/** Schemas that have the same name in every language: no collection's may have it, too. */
export const sharedSchemas = [
  'ServiceIndex',
  'LanguageIndex',
  'DictionaryLink',
  'Dictionary',
  'DictionaryCollection',
  'DictionaryField',
  'DictionaryParameter',
  'ProblemExplanation',
  'Health',
  'OpenApiDocument',
  'Problem',
  'ProblemError',
  'ProblemCode',
  'ImportReport',
  'ImportRepetition',
  'ImportWarning',
  'ImportWarningCell',
  'ImportReason',
  'ImportError',
  'ImportChange',
] as const;
export type SharedSchema = (typeof sharedSchemas)[number];

export type CollectionText = (typeof collectionTexts)[number] | (typeof schemaNames)[number];
