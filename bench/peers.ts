import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillPeer, fillStore } from './databases.ts';
import { type Car, carAt, carsUpTo } from './records.ts';
import type { Launch } from './servers.ts';

export type Scenario = 'item' | 'list' | 'post';

/** Elements of the list that is asked for. */
export const PAGE = 50;

/** What a run is about, whatever keeps the records. */
export interface Ground {
  readonly folder: string;
  readonly cars: number;
  /** The service's own answers, for those that only repeat them. */
  readonly answers: string;
  /** The process of a database server, whose CPU is told apart. */
  readonly database?: number;
}

/** The files that every start gets a copy of, so that nobody reads what another start wrote. */
export interface World extends Ground {
  readonly service: string;
  readonly peer: string;
  readonly counted: string;
  readonly json: string;
}

interface ListAnswer {
  /** Of the cars alone. */
  readonly text: string;
  readonly total: number;
}

/** How somebody is asked and answers. */
export interface Speaker {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
  readonly itemPath: (car: Car) => string;
  readonly listPath: (brand: string) => string;
  /** How many items are asked for, the first of all. */
  readonly items?: number;
  /** In how many ways each list is asked for. */
  readonly spellings?: number;
  /** Answers the same bytes whatever is asked for. */
  readonly isConstant?: true;
  /** The address of everything. */
  readonly collection: string;
  /** A car as it stands in an answer. */
  readonly shape: (car: Car) => object;
  readonly readItem: (text: string) => string;
  readonly readList: (text: string, headers: Headers) => ListAnswer;
}

/** Somebody who takes turns. */
export interface Contender<W extends Ground = World> extends Speaker {
  readonly launch: (world: W) => Launch | Promise<Launch>;
}

export const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

let starts = 0;
const copyOf = ({ folder }: World, file: string): string => {
  const copy = join(folder, `start-${++starts}.db`);
  copyFileSync(file, copy);
  return copy;
};

/** @returns the files of a run; of `cars` records each */
export const makeWorld = async (folder: string, cars: number): Promise<World> => {
  const at = (name: string): string => join(folder, name);
  const world: World = {
    folder,
    cars,
    service: at('service.db'),
    peer: at('peer.db'),
    counted: at('counted.db'),
    json: at('db.json'),
    answers: at('answers.json'),
  };
  await fillStore(`sqlite:${world.service}`, cars);
  fillPeer(world.peer, cars, false);
  fillPeer(world.counted, cars, true);
  const records = carsUpTo(cars).map(withId);
  // In production json-server does not start without it; empty, so that it costs nothing to look into.
  mkdirSync(at('public'));
  writeFileSync(world.json, JSON.stringify({ cars: records }));
  return world;
};

export const serviceArguments = ['--import', './src/preload.js', 'src/main.ts'];

const readList = (text: string, headers: Headers): ListAnswer => {
  const total = Number(headers.get('x-total-count'));
  const link = headers.get('link') ?? '';
  for (const relation of total > PAGE ? ['first', 'next', 'last'] : ['first', 'last']) {
    if (!link.includes(`rel="${relation}"`)) throw new Error(`no link to the ${relation} page: ${link}`);
  }
  return { text, total };
};

export const english = {
  collection: '/api/cars',
  itemPath: ({ identifier }: Car) => `/api/cars/${identifier}`,
  listPath: (brand: string) => `/api/cars?brand=${encodeURIComponent(brand)}&number_of_elements=${PAGE}`,
  shape: (car: Car) => car,
  readItem: (text: string) => text,
  readList,
};

const spanish = {
  collection: '/api/coches',
  itemPath: ({ identifier }: Car) => `/api/coches/${identifier}`,
  listPath: (brand: string) => `/api/coches?marca=${encodeURIComponent(brand)}&numero_de_elementos=${PAGE}`,
  // Literal, so that a wrong word in the service's tables is found and not repeated.
  shape: (car: Car) => ({
    identificador: car.identifier,
    marca: car.brand,
    modelo: car.model,
    anio: car.year,
    puertas: car.doors,
    cilindrada: car.enginePower,
    version: car.version,
    climatizador: car.clima,
    ac: car.ac,
    fuel: car.fuel,
  }),
  readItem: (text: string) => text,
  readList,
};

const launchService = (world: World): Launch => ({
  args: () => serviceArguments,
  env: { DATABASE_URL: `sqlite:${copyOf(world, world.service)}` },
  readyPath: '/livez',
});

/** Our own, in either tree. */
export const service: Contender = {
  ...english,
  name: 'this service, /api/cars',
  scenarios: ['item', 'list', 'post'],
  launch: launchService,
};

export const serviceInSpanish: Contender = {
  ...spanish,
  name: 'this service, /api/coches',
  scenarios: ['item', 'list'],
  launch: launchService,
};

/** The service again, asked for more than it keeps: no address comes again before its answer was dropped. */
export const serviceAnew: Contender = {
  ...service,
  name: '… asked for more answers than it keeps',
  scenarios: ['item', 'list'],
  items: 10_000,
  spellings: 256,
};

const constant = (name: string, file: string): Contender => ({
  ...english,
  name,
  isConstant: true,
  scenarios: ['item', 'list'],
  launch: ({ answers }) => ({
    args: () => [here(`peers/${file}`)],
    env: { ANSWERS: answers },
    readyPath: english.itemPath(carAt(0)),
  }),
});

const withDatabase = (name: string, file: string, env: Readonly<Record<string, string>> = {}): Contender => ({
  ...english,
  name,
  scenarios: ['item', 'list', 'post'],
  launch: (world) => ({
    args: () => [here(`peers/${file}`)],
    env: { DATABASE: copyOf(world, env.TECHNIQUES?.includes('counter') ? world.counted : world.peer), ...env },
    readyPath: english.itemPath(carAt(0)),
  }),
});

const technique = (name: string, TECHNIQUES: string, ...scenarios: readonly Scenario[]): Contender => ({
  ...withDatabase(name, 'fastify-techniques.js', { TECHNIQUES }),
  scenarios,
});

export const raw = constant('raw node:http, constant bytes', 'raw.js');
export const fastifySqlite = withDatabase('Fastify + node:sqlite', 'fastify-sqlite.js');
export const fastifyCounter = technique('… with a counter for the total', 'counter', 'list');
export const fastifyText = technique('… with rows as arrays, JSON as text', 'text', 'item');
export const fastifyCounterText = technique('… with both: counter, arrays and text', 'counter,text', 'list');
export const fastifyGroup = technique('… with group commit', 'group', 'post');

/** Its key is always `id`. */
const withId = ({ identifier, ...rest }: Car) => ({ id: identifier, ...rest });

export const jsonServer: Contender = {
  name: 'json-server 1.0 beta',
  // A POST there rewrites the whole file and flushes nothing to the disk: neither the same work nor the same safety.
  scenarios: ['item', 'list'],
  launch: ({ folder, json }) => ({
    args: (port) => [here('node_modules/json-server/lib/bin.js'), json, '--port', String(port)],
    cwd: folder,
    readyPath: `/cars/${carAt(0).identifier}`,
  }),
  itemPath: ({ identifier }) => `/cars/${identifier}`,
  listPath: (brand) => `/cars?brand=${encodeURIComponent(brand)}&_page=1&_per_page=${PAGE}`,
  collection: '/cars',
  shape: withId,
  // It indents.
  readItem: (text) => JSON.stringify(JSON.parse(text)),
  readList: (text) => {
    const { items, data } = JSON.parse(text) as { readonly items: number; readonly data: readonly object[] };
    return { text: JSON.stringify(data), total: items };
  },
};

/** Everybody, in the order of the tables. */
export const contenders: readonly Contender[] = [
  raw,
  constant('bare hono route, constant bytes', 'hono.js'),
  service,
  serviceInSpanish,
  serviceAnew,
  fastifySqlite,
  fastifyCounter,
  fastifyText,
  fastifyCounterText,
  fastifyGroup,
  withDatabase('Fastify + better-sqlite3', 'fastify-better.js'),
  withDatabase('Express + better-sqlite3', 'express-better.js'),
  jsonServer,
];
