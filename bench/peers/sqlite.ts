/**
 * node:sqlite: statements prepared once, a transaction per write. `TECHNIQUE` lists what is added: `counter` (the total is looked up,
 * triggers keep it), `group` (group commit), `alike` (triggers keep what the service keeps of each car).
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

/** Totals of each indexed field's values, and an index of the words of the searchable texts. */
const ALIKE = `
  CREATE TABLE totals (field TEXT, value, total INTEGER NOT NULL, PRIMARY KEY (field, value)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE words USING fts5 (brand, model, version, fuel, content = '', tokenize = 'unicode61');
  CREATE TRIGGER cars_kept AFTER INSERT ON cars BEGIN
    INSERT INTO totals VALUES ('', '', 1), ('brand', new.brandKey, 1), ('model', new.modelKey, 1), ('year', coalesce(new.year, ''), 1)
      ON CONFLICT DO UPDATE SET total = total + 1;
    INSERT INTO words (rowid, brand, model, version, fuel) VALUES (new.seq, new.brand, new.model, new.version, new.fuel);
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

export const openSqlite = (file: string, technique = ''): Cars => {
  const database = new DatabaseSync(file);
  const has = (name: string): boolean => technique.split(',').includes(name);
  database.exec(PRAGMAS);
  if (has('counter')) database.exec(COUNTER);
  if (has('alike')) database.exec(ALIKE);
  const item = database.prepare(`SELECT ${COLUMNS} FROM cars WHERE identifier = ?`);
  const list = database.prepare(`SELECT ${COLUMNS} FROM cars WHERE brandKey = ? ORDER BY seq LIMIT ? OFFSET ?`);
  const total = has('counter') ? 'total FROM brandTotals' : 'count(*) AS total FROM cars';
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
    insert: has('group') ? insertLater : insertNow,
    update: (power, identifier, done) => {
      update.run(power, identifier);
      done(item.get(identifier));
    },
  };
};
