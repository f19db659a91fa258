/**
 * node:sqlite: statements prepared once, a transaction per write. `TECHNIQUE` may be `counter` (the total is looked up, triggers
 * keep it) or `group` (group commit), to tell what these two are worth.
 */
import { DatabaseSync } from 'node:sqlite';
import type { Car } from '../support/records.ts';
import { ALL_COLUMNS, type Cars, COLUMNS, cellsOf, tableWith } from './cars.ts';

/** The same safety as the service's: a commit is on the disk before it is answered. */
const PRAGMAS = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON';
const COUNTER = `
  CREATE TABLE brandTotals (brandKey TEXT PRIMARY KEY, total INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO brandTotals SELECT brandKey, count(*) FROM cars GROUP BY brandKey;
  CREATE TRIGGER cars_counted AFTER INSERT ON cars BEGIN
    INSERT INTO brandTotals VALUES (new.brandKey, 1) ON CONFLICT DO UPDATE SET total = total + 1;
  END`;

const inserting = (database: DatabaseSync): ((car: Car) => unknown) => {
  const statement = database.prepare(`INSERT INTO cars (${ALL_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return (car) => statement.run(...cellsOf(car).map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell)));
};

export const fillSqlite = (file: string, cars: readonly Car[]): void => {
  const database = new DatabaseSync(file);
  database.exec(`${PRAGMAS}; ${tableWith('INTEGER PRIMARY KEY')}; BEGIN`);
  const insert = inserting(database);
  for (const car of cars) insert(car);
  database.exec('COMMIT');
  database.close();
};

export const openSqlite = (file: string, technique: string | undefined): Cars => {
  const database = new DatabaseSync(file);
  database.exec(PRAGMAS);
  if (technique === 'counter') database.exec(COUNTER);
  const item = database.prepare(`SELECT ${COLUMNS} FROM cars WHERE identifier = ?`);
  const list = database.prepare(`SELECT ${COLUMNS} FROM cars WHERE brandKey = ? ORDER BY seq LIMIT ? OFFSET ?`);
  const total = technique === 'counter' ? 'total FROM brandTotals' : 'count(*) AS total FROM cars';
  const count = database.prepare(`SELECT ${total} WHERE brandKey = ?`);
  const insert = inserting(database);
  const update = database.prepare('UPDATE cars SET enginePower = ? WHERE identifier = ?');

  let waiting: (readonly [car: Car, done: () => void])[] = [];
  const insertGroup = () => {
    const group = waiting;
    waiting = [];
    database.exec('BEGIN IMMEDIATE');
    for (const [car] of group) insert(car);
    database.exec('COMMIT');
    for (const [, done] of group) done();
  };
  const insertLater = (car: Car, done: () => void): void => {
    if (waiting.push([car, done]) === 1) setImmediate(insertGroup);
  };
  // One statement is a transaction of its own.
  const insertNow = (car: Car, done: () => void): void => {
    insert(car);
    done();
  };
  return {
    item: (identifier, done) => done(item.get(identifier)),
    list: (key, size, offset, done) => done(list.all(key, size, offset), Number(count.get(key)?.total ?? 0)),
    insert: technique === 'group' ? insertLater : insertNow,
    update: (power, identifier, done) => {
      update.run(power, identifier);
      done(item.get(identifier));
    },
  };
};
