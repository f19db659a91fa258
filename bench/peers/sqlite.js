// node:sqlite: statements prepared once, a transaction per write. TECHNIQUE may be `counter` (the total is looked up,
// triggers keep it) or `group` (group commit), to tell what these two are worth.
import { DatabaseSync } from 'node:sqlite';
import { COLUMNS, FILL, PRAGMAS, valuesOf } from './cars.js';

const COUNTER = `
  CREATE TABLE brandTotals (brandKey TEXT PRIMARY KEY, total INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO brandTotals SELECT brandKey, count(*) FROM cars GROUP BY brandKey;
  CREATE TRIGGER cars_counted AFTER INSERT ON cars BEGIN
    INSERT INTO brandTotals VALUES (new.brandKey, 1) ON CONFLICT DO UPDATE SET total = total + 1;
  END`;

/** @param {string} file @param {string} technique */
export const openSqlite = (file, technique) => {
  const database = new DatabaseSync(file);
  database.exec(PRAGMAS);
  if (technique === 'counter') database.exec(COUNTER);
  const item = database.prepare(`SELECT ${COLUMNS} FROM cars WHERE identifier = ?`);
  const list = database.prepare(`SELECT ${COLUMNS} FROM cars WHERE brandKey = ? ORDER BY seq LIMIT ? OFFSET ?`);
  const total = technique === 'counter' ? 'total FROM brandTotals' : 'count(*) AS total FROM cars';
  const count = database.prepare(`SELECT ${total} WHERE brandKey = ?`);
  const insert = database.prepare(FILL);
  const update = database.prepare('UPDATE cars SET enginePower = ? WHERE identifier = ?');

  let waiting = [];
  const commitGroup = () => {
    const group = waiting;
    waiting = [];
    database.exec('BEGIN IMMEDIATE');
    for (const [write] of group) write();
    database.exec('COMMIT');
    for (const [, done] of group) done();
  };
  const commit = (write, done) => {
    if (technique !== 'group') {
      // One statement is a transaction of its own.
      write();
      done();
    } else if (waiting.push([write, done]) === 1) setImmediate(commitGroup);
  };
  // `done` is called at once, or once it is durable.
  return {
    item: (identifier, done) => done(item.get(identifier)),
    list: (key, size, offset, done) => done(list.all(key, size, offset), count.get(key)?.total ?? 0),
    insert: (car, done) => commit(() => insert.run(...valuesOf(car)), done),
    update: (power, identifier, done) =>
      commit(
        () => update.run(power, identifier),
        () => done(item.get(identifier)),
      ),
  };
};
