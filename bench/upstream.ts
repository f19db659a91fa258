/** What the service before an API costs in memory: a long list that passes through it, and many connections. */
import { en } from '../test/support/app/trees.ts';
import { mappingFile, ownApi } from './support/api.ts';
import { burst, openClient } from './support/load.ts';
import { memory } from './support/machine.ts';
import { carsUpTo } from './support/records.ts';
import { goalTable } from './support/report.ts';
import { get, startServer } from './support/servers.ts';
import { WORKLOADS } from './support/workloads.ts';

const CONNECTIONS = 1_000;
const REQUESTS = 20_000;

/** @param many items of the list */
export const passing = async (many: number): Promise<string> => {
  await using api = await ownApi(many);
  await using server = await startServer(await api.create(), { env: { UPSTREAM_MAPPING: mappingFile } });
  const send = openClient(server.origin);
  let asked = 0;
  const ask = () => send(WORKLOADS.uniform.requestAt(en, many, asked++));
  const { sent, seconds } = await burst(CONNECTIONS, REQUESTS, ask);
  const crowded = memory(server.pid, 'VmHWM');
  const started = performance.now();
  let bytes = 0;
  for await (const chunk of await get(server.origin + en.cars)) bytes += chunk.length;
  const rate = many / (performance.now() - started);
  const expected = carsUpTo(many).reduce((sum, car) => sum + JSON.stringify(car).length + 1, 1);
  if (bytes < expected) throw new Error(`the list of all cars has ${bytes} bytes instead of ${expected}`);
  const more = memory(server.pid, 'VmHWM') - crowded;
  return goalTable(`Before an API: ${CONNECTIONS} connections at once, then a list of ${many.toLocaleString('en')}`, [
    ['items over the connections', 'requests/s', [sent / seconds], ''],
    ['the most memory meanwhile', 'MiB', [crowded], '≤ 350'],
    ['the list', 'thousand items/s', [rate], ''],
    ['more memory meanwhile', 'MiB', [more], '≤ 64'],
  ]);
};
