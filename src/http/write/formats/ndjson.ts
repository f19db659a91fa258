import { NDJSON_TYPE } from '../../headers.ts';
import { type Format, type ListRepresentation, selectionMark } from '../representation.ts';
import { fileHeaders } from './file.ts';
import { itemWriter } from './json.ts';

/** An item on each line, so that programs can process a list as it arrives. */
export const ndjsonFormat: Format<ListRepresentation> = (language, collection, fields, nested) => {
  const item = itemWriter(language, collection, fields, nested);
  return {
    name: 'ndjson',
    type: NDJSON_TYPE,
    isKept: false,
    nests: true,
    headers: fileHeaders(language, collection, NDJSON_TYPE, 'ndjson'),
    tagMark: `${language.tag}.ndjson${selectionMark(collection, fields, nested)}`,
    select: (other) => ndjsonFormat(language, collection, other.fields, other.nested),
    list: { start: '', row: (row) => `${item(row)}\n`, separator: '', end: '' },
  };
};
