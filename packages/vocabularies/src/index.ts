export { findVocabulary } from './canonical-request.ts';
export { VocabularyError } from './document.ts';
export type { Exchange } from './exchange.ts';
export { vocabularies } from './hono.ts';
export type { Conversion, Sentence, Table } from './table.ts';
export { createTableSchema } from './table-schema.ts';
export { type Address, addressesOf, translateDocument } from './translate-document.ts';
export { type Options, type Select, Translator } from './translator.ts';
export { answerIssues, type Issue, type Say } from './validation.ts';
