import { NDJSON_TYPE } from '../headers.ts';
import { fileHeaders } from './file.ts';
import { itemWriter } from './json.ts';
import type { Format, ListRepresentation } from './representation.ts';

/** An item on each line: JSON that programs can read while it arrives. */
export const ndjson: Format<ListRepresentation> = (language, collection, fields) => {
  const item = itemWriter(language, collection, fields);
  return {
    name: 'ndjson',
    type: NDJSON_TYPE,
    headers: fileHeaders(language, collection, NDJSON_TYPE, 'ndjson'),
    tagMark: `${language.tag}.ndjson`,
    list: { start: '', row: (row) => `${item(row)}\n`, separator: '', end: '' },
    isKept: false,
  };
};
