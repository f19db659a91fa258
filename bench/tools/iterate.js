// What one connection of node:sqlite reads and concatenates in a bare program: node iterate.js <file of the service's>.
import { DatabaseSync } from 'node:sqlite';

const COLUMNS = 'identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel';
const text = (value) => JSON.stringify(value);
const number = (value) => `${value}`;
const flag = (value) => (value === 1 ? 'true' : 'false');
const WRITERS = [text, text, text, number, number, number, text, flag, flag, text];
const MEMBERS = COLUMNS.split(', ').map((name, at) => `${at === 0 ? '{' : ','}"${name}":`);

const database = new DatabaseSync(process.argv[2] ?? '', { readOnly: true });
const statement = database.prepare(`SELECT ${COLUMNS} FROM cars ORDER BY _created`);
statement.setReturnArrays(true);

const started = performance.now();
let bytes = 1;
let chunk = '';
let rows = 0;
for (const row of statement.iterate()) {
  chunk += rows === 0 ? '[' : ',';
  for (let at = 0; at < WRITERS.length; at++) if (row[at] !== null) chunk += MEMBERS[at] + WRITERS[at](row[at]);
  chunk += '}';
  if (++rows % 500 === 0) {
    bytes += Buffer.from(chunk).length;
    chunk = '';
  }
}
bytes += Buffer.from(chunk).length;
console.log(`RESULT ${JSON.stringify({ bytes, milliseconds: performance.now() - started })}`);
