// What a car is to a peer, as it would stand in any such project.

const MARKS = /\p{M}/gu;

/** @param {string} text */
export const fold = (text) => text.normalize('NFD').replace(MARKS, '').toLowerCase();

// In SQLite, which has no booleans.
export const COLUMNS = 'identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel';
export const FILL = `INSERT INTO cars (${COLUMNS}, brandKey, modelKey) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The same safety as the service's: a commit is on the disk before it is answered. */
export const PRAGMAS = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON';
export const SCHEMA = `
  CREATE TABLE cars (seq INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, brand TEXT NOT NULL, model TEXT NOT NULL,
    year INTEGER, doors INTEGER, enginePower INTEGER, version TEXT, clima INTEGER, ac INTEGER, fuel TEXT,
    brandKey TEXT NOT NULL, modelKey TEXT NOT NULL);
  CREATE INDEX cars_brand ON cars (brandKey, seq);
  CREATE INDEX cars_model ON cars (modelKey, seq);
  CREATE INDEX cars_year ON cars (year, seq)`;
/** @param {boolean | undefined} flag */
const bit = (flag) => (flag === undefined ? null : Number(flag));

/** @param {any} car */
export const valuesOf = (car) => [
  ...[car.identifier, car.brand, car.model, car.year ?? null, car.doors ?? null, car.enginePower ?? null],
  ...[car.version ?? null, bit(car.clima), bit(car.ac), car.fuel ?? null, fold(car.brand), fold(car.model)],
];

/** @param {boolean | number | null} cell */
const flagOf = (cell) => (cell === null ? undefined : cell === true || cell === 1);

/** Constant shape; `undefined` is left out of JSON. @param {any} row */
export const carOf = (row) => ({
  identifier: row.identifier,
  brand: row.brand,
  model: row.model,
  year: row.year ?? undefined,
  doors: row.doors ?? undefined,
  enginePower: row.enginePower ?? undefined,
  version: row.version ?? undefined,
  clima: flagOf(row.clima),
  ac: flagOf(row.ac),
  fuel: row.fuel ?? undefined,
});

/** @param {string} brand @param {number} size @param {number} page @param {number} total */
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

const text = { type: 'string', maxLength: 200 };
const properties = {
  identifier: { type: 'string', minLength: 1, maxLength: 128 },
  brand: { ...text, minLength: 1 },
  model: { ...text, minLength: 1 },
  year: { type: 'integer', minimum: 1886, maximum: 2100 },
  doors: { type: 'integer', minimum: 0, maximum: 20 },
  enginePower: { type: 'integer', minimum: 0, maximum: 10000 },
  version: text,
  clima: { type: 'boolean' },
  ac: { type: 'boolean' },
  fuel: text,
};
const pages = {
  number_of_elements: { type: 'integer', minimum: 1 },
  page: { type: 'integer', minimum: 1, default: 1 },
};
/** @param {object} properties @param {string[]} required */
const closed = (properties, required) => ({ type: 'object', properties, required, additionalProperties: false });

// Fastify compiles these once: bodies and queries are checked by them.
export const listQuery = closed({ brand: properties.brand, ...pages }, ['brand', 'number_of_elements']);
export const carBody = closed(properties, ['brand', 'model']);
export const carChanges = closed({ enginePower: properties.enginePower }, ['enginePower']);
