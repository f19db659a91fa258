// What the SQL peers share: the statements and the shape of a car, as they would stand in any such project.
export const COLUMNS = 'identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel';

export const SQL = {
  item: `SELECT ${COLUMNS} FROM cars WHERE identifier = ?`,
  list: `SELECT ${COLUMNS} FROM cars WHERE brandKey = ? ORDER BY seq LIMIT ? OFFSET ?`,
  count: 'SELECT count(*) AS total FROM cars WHERE brandKey = ?',
  counted: 'SELECT total FROM brandTotals WHERE brandKey = ?',
  insert: `INSERT INTO cars (${COLUMNS}, brandKey, modelKey) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  update: 'UPDATE cars SET enginePower = ? WHERE identifier = ?',
};

/** The same safety as the service's: a commit is on the disk before it is answered. */
export const PRAGMAS = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON';

const MARKS = /\p{M}/gu;

/** @param {string} text */
export const fold = (text) => text.normalize('NFD').replace(MARKS, '').toLowerCase();

/** Constant shape; `undefined` is left out of JSON. @param {any} row */
export const carOf = (row) => ({
  identifier: row.identifier,
  brand: row.brand,
  model: row.model,
  year: row.year ?? undefined,
  doors: row.doors ?? undefined,
  enginePower: row.enginePower ?? undefined,
  version: row.version ?? undefined,
  clima: row.clima === null ? undefined : row.clima === 1,
  ac: row.ac === null ? undefined : row.ac === 1,
  fuel: row.fuel ?? undefined,
});

/** @param {boolean | undefined} flag */
const bit = (flag) => (flag === undefined ? null : Number(flag));

/** @param {any} car */
export const valuesOf = (car) => [
  car.identifier,
  car.brand,
  car.model,
  car.year ?? null,
  car.doors ?? null,
  car.enginePower ?? null,
  car.version ?? null,
  bit(car.clima),
  bit(car.ac),
  car.fuel ?? null,
  fold(car.brand),
  fold(car.model),
];

/**
 * @param {string} brand
 * @param {number} size
 * @param {number} page
 * @param {number} total
 */
export const linkOf = (brand, size, page, total) => {
  const last = Math.max(1, Math.ceil(total / size));
  const to = (/** @type {number} */ number, /** @type {string} */ relation) =>
    `</api/cars?brand=${encodeURIComponent(brand)}&number_of_elements=${size}&page=${number}>; rel="${relation}"`;
  const links = [to(1, 'first')];
  if (page > 1) links.push(to(Math.min(page - 1, last), 'prev'));
  if (page < last) links.push(to(page + 1, 'next'));
  links.push(to(last, 'last'));
  return links.join(', ');
};
