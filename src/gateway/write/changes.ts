import { itemWriter } from '../formats/json.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import type { ItemChange } from '../model/import.ts';
import type { ReportMember } from '../model/report.ts';

/** @returns a function that writes what an import does with an item, in a language's words: of an update, what differs */
export const changeWriter = (language: Language, collection: Collection): ((change: ItemChange) => string) => {
  const write = itemWriter({ language, collection, fields: collection.fields, included: [] });
  const start = (name: ReportMember): string => `${JSON.stringify(language.report.word(name))}:`;
  const [row, key, action, before, after] = [
    start('row'),
    start('key'),
    start('action'),
    start('before'),
    start('after'),
  ];
  const item = (cells: readonly Cell[], other: readonly Cell[] | undefined): string =>
    write([0, ...cells.map((cell, at) => (other && cell === other[at] ? null : cell))]);
  return (change) => {
    const done = change.after ? (change.before ? 'updated' : 'created') : 'deleted';
    const members = [
      ...(change.row === null ? [] : [row + change.row]),
      key + JSON.stringify((change.after ?? change.before)?.[0]),
      action + JSON.stringify(language.actions.word(done)),
      ...(change.before ? [before + item(change.before, change.after)] : []),
      ...(change.after ? [after + item(change.after, change.before)] : []),
    ];
    return `{${members.join(',')}}`;
  };
};
