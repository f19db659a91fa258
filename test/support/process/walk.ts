/** Prints, as JSON, the files of `src/` of which a function runs whenever it sends one of the requests that it is given, as V8 counts them. */
import { Session } from 'node:inspector/promises';
import { mock } from 'node:test';
import { catalogue } from '../../../src/catalogue.ts';
import { createLog } from '../../../src/host/log/log.ts';
import { startService } from '../../../src/host/service/service.ts';
import { readConfig } from '../../../src/host/settings/config.ts';

const source = new URL('../../../src/', import.meta.url).href;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** @returns the files of which a function has run since the last call; the module itself begins at 0 */
const filesRun = async (): Promise<readonly string[]> => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const isCalled = ({ ranges: [whole] }: (typeof result)[number]['functions'][number]): boolean =>
    whole !== undefined && whole.count > 0 && whole.startOffset > 0;
  return result
    .filter(({ url, functions }) => url.startsWith(source) && functions.some(isCalled))
    .map(({ url }) => url.slice(source.length));
};

// What is done regularly is no part of a request, however long one takes.
mock.timers.enable({ apis: ['setInterval'] });
const config = readConfig();
const log = createLog({ level: 'error', format: config.LOG_FORMAT });
const service = await startService(catalogue, config, log);
const headers = { 'content-type': 'application/json' };
const first = JSON.stringify({ identifier: 'ibiza-1', brand: 'Seat', model: 'Ibiza', year: 2008 });
await fetch(`${service.origin}/api/cars`, { method: 'POST', headers, body: first });
const car = { headers, body: JSON.stringify({ marca: 'Seat', modelo: 'Ibiza', anio: 2008 }) };
const file = { headers: { 'content-type': 'text/csv' }, body: 'marca;modelo;anio\nSeat;Ibiza;2008\n' };

/** So often is each sent: what the first one loads is not loaded again. */
const TIMES = 3;
const walked: Record<string, readonly string[]> = {};
for (const request of process.argv.slice(2)) {
  const [method = '', path = ''] = request.split(' ');
  for (let time = 0; time < TIMES; time++) {
    await filesRun();
    const posted = path.startsWith('/api/importaciones/') ? file : car;
    const sent = method === 'POST' ? posted : {};
    const response = await fetch(service.origin + path, { method, ...sent });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    const files = await filesRun();
    walked[request] = files.filter((file) => walked[request]?.includes(file) ?? true);
  }
}
await service.stop();
console.log(JSON.stringify(walked));
process.exit(0);
