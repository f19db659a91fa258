/**
 * What responses, pages, documents and commands say, in English. Its names are written nowhere else: any other table has exactly
 * the same, with the same placeholders.
 */
import english from '../../../locales/messages/en.json' with { type: 'json' };

const { pages, descriptions, commands, subject } = english;

/** Sentences of responses; one with `{count}` may have plural forms. */
export const { phrases } = english;

const { collections: _, ...about } = subject;
/** Sentences of pages and documents about what the catalogue has. */
export const subjectTexts = about;
export type SubjectText = keyof typeof subjectTexts;

/** Texts of the HTML pages. */
export const pageTexts = pages.texts;
export type PageText = keyof typeof pageTexts;

/** Texts of Swagger UI, which is in English only, by those texts. */
export const swaggerLabels = pages.labels;

/**
 * Texts of the OpenAPI documents, in CommonMark. Parameters and directions (`{page}`, `{asc}`) are replaced by their words in the
 * tree.
 */
export const documentTexts = descriptions.texts;
export type DocumentText = keyof typeof documentTexts;

/** What the commands of operators print; a text with `{count}` may have plural forms. */
export const commandTexts = commands;
export type CommandText = keyof typeof commandTexts;
