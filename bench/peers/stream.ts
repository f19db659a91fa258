/** What one connection of node:sqlite reads and concatenates in a bare program: the least that a stream of everything costs. */
import { DatabaseSync } from 'node:sqlite';

const flag = (cell: unknown): string => (cell === 1 ? 'true' : 'false');
const WRITERS: Readonly<Record<string, (cell: unknown) => string>> = {
  ...{ identifier: JSON.stringify, brand: JSON.stringify, model: JSON.stringify, year: String, doors: String },
  ...{ enginePower: String, version: JSON.stringify, clima: flag, ac: flag, fuel: JSON.stringify },
};
const MEMBERS = Object.entries(WRITERS);
const LIST = `SELECT ${Object.keys(WRITERS).join(', ')} FROM cars ORDER BY _created`;
const ROWS = 500;

/** @returns bytes */
export const stream = (file: string): number => {
  const database = new DatabaseSync(file, { readOnly: true });
  const statement = database.prepare(LIST, { returnArrays: true });
  let [bytes, chunk, rows] = [1, '', 0];
  for (const row of statement.iterate()) {
    chunk += rows === 0 ? '[' : ',';
    for (const [at, [name, write]] of MEMBERS.entries()) {
      if (row[at] !== null) chunk += `${at === 0 ? '{' : ','}"${name}":${write(row[at])}`;
    }
    chunk += '}';
    if (++rows % ROWS !== 0) continue;
    bytes += Buffer.from(chunk).length;
    chunk = '';
  }
  database.close();
  return bytes + Buffer.from(chunk).length;
};
