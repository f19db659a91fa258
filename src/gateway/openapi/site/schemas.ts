/** Schemas of responses outside the trees, whose names and members are the same in every language. */
import type { FormerWord } from '../../../../packages/vocabularies/src/words.ts';
import { delimiters } from '../../model/csv.ts';
import { kindNames } from '../../model/kinds/kinds.ts';
import { viewNames } from '../../model/views.ts';
import type { SharedSchema } from '../../texts/collection-text.ts';
import { type Context, type Json, object, ref } from '../shared/context.ts';

const listOf = (items: Json): Json => ({ type: 'array', items });

/** The schema of an object with a member for each canonical name. */
const map = (values: Json, description: string): Json => ({
  type: 'object',
  description,
  additionalProperties: values,
});

const url: Json = { type: 'string', format: 'uri-reference' };

/** Members of a word that another one has replaced. */
const FORMER: readonly (keyof FormerWord)[] = ['place', 'word', 'now', 'since', 'until'];

export const siteSchemas = ({ say }: Context) => {
  const text = (description: string): Json => ({ type: 'string', description });
  const urlOf = (description: string): Json => ({ ...url, description });
  const tag = text(say('language-tag'));
  const name = text(say('language-name'));
  const label = text(say('dictionary-label'));
  const description = text(say('dictionary-description'));
  return {
    ServiceIndex: object(
      {
        title: text(say('index-title')),
        description: text(say('index-description')),
        totals: map({ type: 'integer', format: 'int64', minimum: 0 }, say('index-totals')),
        hooks: { type: 'integer', format: 'int64', minimum: 0, description: say('index-hooks') },
        openapi: urlOf(say('index-openapi')),
        documentation: urlOf(say('index-documentation')),
        dictionaries: urlOf(say('index-dictionaries')),
        languages: { ...listOf(ref('schemas', 'LanguageIndex')), description: say('index-languages') },
      },
      ['hooks'],
    ),
    LanguageIndex: object({
      tag,
      name,
      collections: map(url, say('language-collections')),
      imports: map(url, say('language-imports')),
      openapi: urlOf(say('language-openapi')),
      dictionary: urlOf(say('language-dictionary')),
      documentation: urlOf(say('language-documentation')),
    }),
    DictionaryLink: object({
      tag,
      name,
      translatedName: text(say('language-translated-name')),
      url: urlOf(say('language-dictionary')),
    }),
    Dictionary: object(
      {
        tag,
        name,
        direction: { type: 'string', enum: ['ltr', 'rtl'], description: say('dictionary-direction') },
        version: { type: 'integer', format: 'int32', description: say('dictionary-version') },
        isDefault: { type: 'boolean', description: say('dictionary-default') },
        schema: urlOf(say('dictionary-own-schema')),
        collections: map(ref('schemas', 'DictionaryCollection'), say('dictionary-collections')),
        parameters: map(ref('schemas', 'DictionaryParameter'), say('dictionary-parameters')),
        suffixes: map({ type: 'string' }, say('dictionary-suffixes')),
        members: map({ type: 'string' }, say('dictionary-members')),
        report: map({ type: 'string' }, say('dictionary-report')),
        values: map({ type: 'string' }, say('dictionary-values')),
        flags: map(listOf({ type: 'string' }), say('dictionary-flags')),
        csv: {
          ...object({
            delimiter: { type: 'string', enum: Object.values(delimiters), description: say('dictionary-delimiter') },
            byteOrderMark: { type: 'boolean', description: say('dictionary-mark') },
            decimals: { type: 'string', enum: ['.', ','], description: say('dictionary-decimals') },
          }),
          description: say('dictionary-csv'),
        },
        problems: map({ type: 'string' }, say('dictionary-problems')),
        former: {
          ...listOf(object(Object.fromEntries(FORMER.map((member) => [member, { type: 'string' }])))),
          description: say('dictionary-former'),
        },
      },
      ['former'],
    ),
    DictionaryCollection: object(
      {
        parent: text(say('dictionary-parent')),
        word: text(say('dictionary-segment')),
        label,
        description,
        paths: {
          ...object({
            list: text(say('dictionary-list')),
            item: text(say('dictionary-item')),
            ...Object.fromEntries(viewNames.map((view) => [view, text(say('dictionary-view'))])),
          }),
          description: say('dictionary-paths'),
        },
        fields: map(ref('schemas', 'DictionaryField'), say('dictionary-fields')),
      },
      ['parent', 'label', 'description'],
    ),
    DictionaryField: object(
      {
        word: text(say('dictionary-word')),
        label,
        description,
        kind: { type: 'string', enum: kindNames, description: say('dictionary-kind') },
        range: {
          ...object({ from: text(say('dictionary-word')), to: text(say('dictionary-word')) }),
          description: say('dictionary-range'),
        },
        required: { type: 'boolean', description: say('dictionary-required') },
        searchable: { type: 'boolean', description: say('dictionary-searchable') },
        unique: { type: 'boolean', description: say('dictionary-unique') },
        refersTo: text(say('dictionary-refers')),
        unit: text(say('dictionary-unit')),
        choices: map({ type: 'string' }, say('dictionary-choices')),
        schema: { type: 'object', description: say('dictionary-schema') },
      },
      ['label', 'description', 'range', 'unique', 'refersTo', 'unit', 'choices'],
    ),
    DictionaryParameter: object(
      {
        word: text(say('dictionary-word')),
        description,
        kind: {
          type: 'string',
          enum: ['field', 'collection', 'value', 'integer', 'text', 'token'],
          description: say('dictionary-kind'),
        },
        lists: { ...listOf({ type: 'string' }), description: say('dictionary-lists') },
        items: { ...listOf({ type: 'string' }), description: say('dictionary-items') },
      },
      ['description'],
    ),
    ProblemExplanation: object({
      type: text(say('member-type')),
      title: text(say('member-title')),
      status: { type: 'integer', format: 'int32', description: say('member-status') },
      code: ref('schemas', 'ProblemCode'),
      detail: text(say('response-explanation')),
    }),
    Health: object({ status: { type: 'string', enum: ['ok'], description: say('health-status') } }),
    OpenApiDocument: {
      type: 'object',
      properties: {
        openapi: text(say('document-openapi')),
        info: { type: 'object', description: say('document-info') },
        paths: { type: 'object', description: say('document-paths') },
      },
      required: ['openapi', 'info', 'paths'],
    },
  } satisfies Partial<Record<SharedSchema, Json>>;
};
