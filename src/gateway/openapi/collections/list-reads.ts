import { listRepresentations } from '../../formats/formats.ts';
import { EVENT_STREAM, LAST_EVENT_HEADER, PREFER_HEADER } from '../../http/headers.ts';
import type { Collection } from '../../model/catalogue.ts';
import { eventPrefix } from '../../model/derived.ts';
import type { Field } from '../../model/field.ts';
import { valueChecker } from '../../model/kinds/check-value.ts';
import { TOTAL } from '../../model/query.ts';
import type { View } from '../../model/views.ts';
import type { Row } from '../../port/port.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import type { DocumentText } from '../../texts/shown-text.ts';
import { writeWhole } from '../../write/list.ts';
import { type Context, type Json, ref } from '../shared/context.ts';
import { CONDITIONS, type Content, jsonContent, known, OF_QUERY, OF_STORE, type Own } from '../shared/operation.ts';
import { listComponents } from './parameters.ts';
import { exampleItems, type Purpose, schemaName } from './schemas.ts';

/** The example items as rows of the store. */
const exampleRows = ({ key, fields }: Collection): readonly Row[] =>
  key.examples.map((_, at) => {
    return [0, ...fields.map((field) => valueChecker(field)(field.examples[at]).cell ?? null)];
  });

/** Bytes, for which a binary file has no example in JSON. */
export const BYTES: Json = { type: 'string', format: 'binary' };

/** The content of a list in every format of files, whose schema cannot describe what is in them. */
export const fileContents = (context: Context, collection: Collection): readonly Content[] => {
  const { language } = context.tree;
  const { name } = language.documents.collection(collection);
  const item = ref('schemas', schemaName(context, collection, 'selection'));
  return listRepresentations(language, collection)
    .filter(({ format }) => format.isFile)
    .toSorted((one, other) => one.format.name.localeCompare(other.format.name))
    .map(({ type, list, pack }) => {
      if (pack) return { type, schema: BYTES, examples: {} };
      const value = writeWhole(list, exampleRows(collection));
      return { type, schema: { type: 'string' }, item, examples: { [name]: { value } } };
    });
};

type ContentOf = (context: Context, collection: Collection) => readonly Content[];

/** @returns the fields in the examples of an array: all of an item, and otherwise one that all items have */
const exampleFields = ({ fields, key }: Collection, purpose: Purpose): readonly Field[] => {
  const shown = fields.find(({ isKey, required }) => required && !isKey) ?? key;
  return fields.filter((each) => purpose === 'item' || each === shown || (purpose !== 'group' && each.isKey));
};

const arrayOf =
  (purpose: Purpose): ContentOf =>
  (context, collection) => {
    const { documents, members } = context.tree.language;
    const more = purpose === 'group' ? { [members.word(TOTAL)]: 1 } : {};
    const examples = Object.values(exampleItems(context, collection, exampleFields(collection, purpose)));
    const value = examples.map((each) => ({ ...Object(each.value), ...more }));
    const schema = { type: 'array', items: ref('schemas', schemaName(context, collection, purpose)) };
    return jsonContent(schema, value.length > 0 ? { [documents.collection(collection).name]: { value } } : {});
  };

/** What the operations of one list have in common. */
export interface ListParts {
  readonly context: Context;
  readonly collection: Collection;
  /** Problems where a parent does not exist. */
  readonly missingParent: readonly ProblemCode[];
}

const readOf =
  (about: DocumentText, text: DocumentText, contentOf: ContentOf, view?: View) =>
  ({ context, collection, missingParent }: ListParts): Own => ({
    description: context.say(about),
    parameters: [
      ...listComponents(context, collection, view),
      ...CONDITIONS,
      ...(view === 'changes' ? [`${PREFER_HEADER}_wait`] : []),
    ],
    successes: [
      {
        status: 200,
        text,
        headers: [
          ...(['Link_list', 'ETag_list', 'X-Total-Count', 'X-Change', 'X-Hint'] as const),
          ...(collection.nested && view !== 'groups' ? (['Link-Template'] as const) : []),
          ...(view === 'exports' ? (['Content-Disposition'] as const) : []),
          ...(view === 'changes' ? (['Preference-Applied'] as const) : []),
        ],
        content: contentOf(context, collection),
      },
      // What has changed has no tag.
      ...(view === 'changes' ? [] : [known('ETag_list')]),
    ],
    problems: [
      ...OF_QUERY,
      ...missingParent,
      ...(view === 'changes' ? (['gone'] as const) : []),
      'precondition-failed',
      ...OF_STORE,
    ],
  });

export const list = readOf('list-about', 'response-list', arrayOf('item'));
export const select = readOf('selections-about', 'response-selections', arrayOf('selection'), 'selections');
export const group = readOf('groups-about', 'response-groups', arrayOf('group'), 'groups');
export const exportFile = readOf('files-about', 'response-file', fileContents, 'exports');
export const follow = readOf('changes-about', 'response-changes', arrayOf('changed'), 'changes');

/** Follows a list without an end. */
export const stream = ({ context, collection, missingParent }: ListParts): Own => {
  const [example] = Object.values(exampleItems(context, collection));
  const prefix = eventPrefix(collection);
  const value = `retry: 1000\nid: 5fgf2cgi3\n\nevent: ${prefix}created\nid: 5fgf2cgi8\ndata: ${JSON.stringify(example?.value)}\n\n`;
  const { name } = context.tree.language.documents.collection(collection);
  const item = ref('schemas', schemaName(context, collection, 'changed'));
  return {
    description: context.say('events-about', { prefix }),
    parameters: [...listComponents(context, collection, 'events'), LAST_EVENT_HEADER],
    successes: [
      {
        status: 200,
        text: 'response-events',
        headers: ['X-Change', 'X-Accel-Buffering'],
        content: [{ type: EVENT_STREAM, schema: { type: 'string' }, item, examples: { [name]: { value } } }],
      },
    ],
    problems: [...OF_QUERY, ...missingParent, ...OF_STORE],
  };
};
