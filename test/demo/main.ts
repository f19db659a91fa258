/** The service on a temporary database with real cars in it, and what to try. Nothing is left behind. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { catalogue } from '../../src/catalogue.ts';
import { createLog } from '../../src/host/log/log.ts';
import { endOnSignals, startOrExit } from '../../src/host/service/process.ts';
import { startService } from '../../src/host/service/service.ts';
import { readConfig } from '../../src/host/settings/config.ts';
import { invitations } from './commands.ts';

const HELP = `npm run demo

Serves the catalogue with real cars on a temporary database, of which nothing is left, and says what to try.
Settings are those of npm start, but DATABASE_URL.
`;
try {
  if (parseArgs({ options: { help: { type: 'boolean' } } }).values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n${HELP}`);
  process.exit(2);
}

/** Imports a file of `test/data`. @returns how many cars are in it */
async function load(address: string, file: string, word: string): Promise<number> {
  const body = readFileSync(new URL(`../data/${file}`, import.meta.url));
  const response = await fetch(address, { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${address}: ${response.status} ${text}`);
  return JSON.parse(text)[word];
}

const folder = mkdtempSync(join(tmpdir(), 'car-dealer-catalogue-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
// Until there is something to stop with care, a signal just ends the process, by way of `exit`.
const leave = (): never => process.exit(1);
process.on('SIGINT', leave).on('SIGTERM', leave);

const { service, log } = await startOrExit(async () => {
  const DATABASE_URL = `sqlite:${join(folder, 'demo.db')}`;
  // What there is to try must not come after a line for each car.
  const config = { ...readConfig(), LOG_CHANGES: 'off' as const, DATABASE_URL };
  const log = createLog({ level: config.LOG_LEVEL, format: config.LOG_FORMAT });
  const service = await startService(catalogue, config, log);
  const english = await load(`${service.origin}/api/cars`, 'vehicles.en.csv', 'created');
  const spanish = await load(`${service.origin}/api/coches`, 'vehiculos.es.csv', 'creados');
  log.info(`${english} cars read in English, ${spanish} in Spanish; they are one catalogue`);
  return { service, log };
});
// In this order: a signal that is on its way must find a listener.
endOnSignals(service.stop, log);
process.off('SIGINT', leave).off('SIGTERM', leave);

for (const { title, links, commands } of invitations(service.origin)) {
  process.stdout.write(`\n${title}\n\n${[...links, ...commands].map((line) => `  ${line}\n`).join('')}`);
}
process.stdout.write('\nCtrl-C ends it; nothing is kept.\n');
