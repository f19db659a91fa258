/** What a car is to a peer, as it would stand in any such project. */
import type { Car } from '../support/records.ts';

/** A row by its columns, as a driver returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** The cars of a database. `done` is called at once, or once it is durable. */
export interface Cars {
  readonly item: (identifier: string, done: (row: Row | undefined) => void) => void;
  readonly list: (brandKey: string, size: number, offset: number, done: (rows: Row[], total: number) => void) => void;
  readonly insert: (car: Car, done: () => void) => void;
  readonly update: (power: number, identifier: string, done: (row: Row | undefined) => void) => void;
}

const MARKS = /\p{M}/gu;

export const fold = (text: string): string => text.normalize('NFD').replace(MARKS, '').toLowerCase();

export const COLUMNS = 'identifier, brand, model, year, doors, "enginePower", version, clima, ac, fuel';
export const ALL_COLUMNS = `${COLUMNS}, "brandKey", "modelKey"`;

/** @param seq the type of the column that orders cars. The other types are PostgreSQL's, and SQLite's affinities. */
export const tableWith = (seq: string): string => `
  CREATE TABLE cars (seq ${seq}, identifier text NOT NULL UNIQUE, brand text NOT NULL, model text NOT NULL,
    year integer, doors integer, "enginePower" integer, version text, clima boolean, ac boolean, fuel text,
    "brandKey" text NOT NULL, "modelKey" text NOT NULL);
  CREATE INDEX cars_brand ON cars ("brandKey", seq);
  CREATE INDEX cars_model ON cars ("modelKey", seq);
  CREATE INDEX cars_year ON cars (year, seq)`;

/** @returns a cell for each of all columns */
export const cellsOf = (car: Car): (string | number | boolean | null)[] => {
  const { identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel } = car;
  const cells = [identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel];
  return [...cells.map((cell) => cell ?? null), fold(brand), fold(model)];
};

/** SQLite has no booleans. */
const flagOf = (cell: unknown) => (cell === null ? undefined : cell === true || cell === 1);

/** Constant shape; `undefined` is left out of JSON. */
export const carOf = (row: Row) => ({
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

export const linkOf = (brand: string, size: number, page: number, total: number): string => {
  const last = Math.max(1, Math.ceil(total / size));
  // Before the first page there is none, that is, 0.
  const pages = { first: 1, prev: Math.min(page - 1, last), next: page < last ? page + 1 : 0, last };
  const path = `/api/cars?brand=${encodeURIComponent(brand)}&number_of_elements=${size}`;
  const links = Object.entries(pages).filter(([, number]) => number > 0);
  return links.map(([relation, number]) => `<${path}&page=${number}>; rel="${relation}"`).join(', ');
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
const count = { type: 'integer', minimum: 1 };
const closed = (properties: object, required: readonly string[]) =>
  ({ type: 'object', properties, required, additionalProperties: false }) as const;

// Fastify compiles these once: bodies and queries are checked by them.
const listProperties = { brand: properties.brand, number_of_elements: count, page: { ...count, default: 1 } };
export const listQuery = closed(listProperties, ['brand', 'number_of_elements']);
export const carBody = closed(properties, ['brand', 'model']);
export const carChanges = closed({ enginePower: properties.enginePower }, ['enginePower']);
