import { itemWriter } from '../formats/json.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import type { ItemChange } from '../model/import.ts';
import type { ReportMember } from '../model/report.ts';

/** @returns a function that writes what an import does with an item, in a language's words: of an update, what differs */
export const changeWriter = (language: Language, collection: Collection): ((change: ItemChange) => string) => {
  const write = itemWriter({ language, collection, fields: collection.fields, included: [] });
  const member = (name: ReportMember, json: string): string => `${JSON.stringify(language.report.word(name))}:${json}`;
  const item = (cells: readonly Cell[], other: readonly Cell[] | undefined): string =>
    write([0, ...cells.map((cell, at) => (other && cell === other[at] ? null : cell))]);
  return ({ row, before, after }) => {
    const action = after ? (before ? 'updated' : 'created') : 'deleted';
    const members = [
      ...(row === null ? [] : [member('row', String(row))]),
      member('key', JSON.stringify((after ?? before)?.[0])),
      member('action', JSON.stringify(language.actions.word(action))),
      ...(before ? [member('before', item(before, after))] : []),
      ...(after ? [member('after', item(after, before))] : []),
    ];
    return `{${members.join(',')}}`;
  };
};
