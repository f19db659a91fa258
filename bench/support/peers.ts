import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { here } from './load.ts';
import { carAt } from './records.ts';
import type { Launch } from './servers.ts';
import { ENGLISH, itemPath, SPANISH, type Words } from './workloads.ts';

/** The databases that every start gets a copy of, so that nobody reads what another start wrote. */
export interface Dataset {
  readonly folder: string;
  readonly cars: number;
  readonly service: string;
  readonly peer: string;
  /** The peer's, with a counter per brand. */
  readonly counted: string;
}

/** Somebody who takes turns. */
export interface Contender<D = Dataset> {
  readonly name: string;
  readonly words: Words;
  readonly launch: (dataset: D) => Launch | Promise<Launch>;
}

export const serviceArguments = ['--import', './src/preload.js', 'src/main.ts'];

let starts = 0;
const copyOf = ({ folder }: Dataset, file: string): string => {
  const copy = join(folder, `start-${++starts}.db`);
  copyFileSync(file, copy);
  return copy;
};

const launchService = (dataset: Dataset): Launch => ({
  args: () => serviceArguments,
  env: { DATABASE_URL: `sqlite:${copyOf(dataset, dataset.service)}` },
  readyPath: '/livez',
});

const launchPeer =
  (file: 'peer' | 'counted', TECHNIQUES: string) =>
  (dataset: Dataset): Launch => ({
    args: () => [here('peers/fastify-sqlite.js')],
    env: { DATABASE: copyOf(dataset, dataset[file]), TECHNIQUES },
    readyPath: itemPath(ENGLISH, carAt(0)),
  });

export const service: Contender = { name: 'this service, /api/cars', words: ENGLISH, launch: launchService };
export const serviceInSpanish: Contender = {
  name: 'this service, /api/coches',
  words: SPANISH,
  launch: launchService,
};
const fastify = (name: string, file: 'peer' | 'counted' = 'peer', techniques = ''): Contender => ({
  name,
  words: ENGLISH,
  launch: launchPeer(file, techniques),
});
export const fastifySqlite = fastify('Fastify + node:sqlite');
export const fastifyCounter = fastify('… with a counter for the total', 'counted', 'counter');
export const fastifyGroup = fastify('… with group commit', 'peer', 'group');
