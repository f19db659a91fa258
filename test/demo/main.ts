/** The service on a temporary database with real cars in it, and what to try. Nothing is left behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { catalogue } from '../../src/catalogue.ts';
import { createLog } from '../../src/host/log/log.ts';
import { endOnSignals, startOrExit } from '../../src/host/service/process.ts';
import { startService } from '../../src/host/service/service.ts';
import { readConfig } from '../../src/host/settings/config.ts';
import { invitations } from './commands.ts';
import { readVehicles, type Vehicle } from './vehicles.ts';

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

/** Cars sent at one time: they share commits. */
const AT_ONCE = 50;

const data = (file: string): URL => new URL(`../data/${file}`, import.meta.url);

const load = async (address: string, vehicles: readonly Vehicle[]): Promise<void> => {
  for (let at = 0; at < vehicles.length; at += AT_ONCE) {
    const answers = vehicles.slice(at, at + AT_ONCE).map((vehicle) =>
      fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(vehicle),
      }),
    );
    for (const answer of await Promise.all(answers)) {
      if (answer.status !== 201) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
      await answer.body?.cancel();
    }
  }
};

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
  const english = readVehicles(data('vehicles.en.csv'), ',', ['year']);
  const spanish = readVehicles(data('vehiculos.es.csv'), ';', ['anio']);
  await load(`${service.origin}/api/cars`, english);
  await load(`${service.origin}/api/coches`, spanish);
  log.info(`${english.length} cars read in English, ${spanish.length} in Spanish; they are one catalogue`);
  return { service, log };
});
// In this order: a signal that is on its way must find a listener.
endOnSignals(service.stop, log);
process.off('SIGINT', leave).off('SIGTERM', leave);

for (const { title, links, commands } of invitations(service.origin)) {
  process.stdout.write(`\n${title}\n\n${[...links, ...commands].map((line) => `  ${line}\n`).join('')}`);
}
process.stdout.write('\nCtrl-C ends it; nothing is kept.\n');
