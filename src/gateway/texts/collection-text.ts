const textsOfLists = ['name', 'about', 'list', 'select', 'group', 'export', 'follow', 'stream', 'import'] as const;

/** About a collection: the name of its group of operations, and a summary of each operation. */
export const collectionTexts = [...textsOfLists, 'create', 'read', 'update', 'patch', 'remove'] as const;

const schemasOfLists = ['schema', 'schema-selection', 'schema-group', 'schema-changed'] as const;

/** Schema names of an item, what is sent for it, and what there is beside a list: client generators turn them into types. */
export const schemaNames = [...schemasOfLists, 'schema-new', 'schema-changes'] as const;

/** What a list across parents, where nothing is written, needs of them. */
export const ofLists = [...textsOfLists, ...schemasOfLists] as const;

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
