/** What a running service has measured after requests that are typed out, in both languages. */
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { editedLocales, type LooseTable } from '../../support/language/locale-folder.ts';
import { shared, temporaryFolder } from '../../support/process/folder.ts';
import { project } from '../../support/process/service.ts';
import { serveHere } from '../../support/process/service-here.ts';

/** What each line of a text of metrics says. */
const samplesIn = (text: string) =>
  [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => {
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', of = '']) => [label, of] as const);
    return { name, labels: Object.fromEntries<string | undefined>(pairs), value: Number(value) };
  });

/** @returns tells the sum of all samples of a name that have these labels, among others; 0 where there is none */
const valuesIn = (text: string) => {
  const samples = samplesIn(text);
  return (name: string, labels: Readonly<Record<string, string>> = {}): number =>
    samples
      .filter((each) => each.name === name)
      .filter((each) => Object.entries(labels).every(([label, value]) => each.labels[label] === value))
      .reduce((sum, { value }) => sum + value, 0);
};

const open = async (env: Readonly<Record<string, string>> = {}, options: Parameters<typeof serveHere>[1] = {}) => {
  const service = await serveHere({ METRICS_PORT: '0', LOG_LEVEL: 'debug', ...env }, options);
  const { metrics } = service;
  if (!metrics) throw new Error('nothing is measured');
  const read = async () => valuesIn(await metrics());
  const send = async (...sent: Parameters<typeof service.send>) => {
    const response = await service.send(...sent);
    await response.text();
    return response.status;
  };
  /** Sends bytes as they are, until the service closes the connection. */
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(service.port, '127.0.0.1');
      let answer = '';
      socket.setEncoding('latin1').on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('close', () => resolve(answer)).on('error', reject);
      socket.write(bytes, 'latin1');
    });
  const logged = (): readonly Readonly<Record<string, unknown>>[] =>
    service
      .lines()
      .filter((line) => line.includes('"message":"request"'))
      .map((line) => JSON.parse(line));
  return { ...service, text: metrics, read, send, raw, logged };
};

/** A busy machine is no fault. */
const LATE = { timeout: 30_000 };

const CAR = { brand: 'Seat', model: 'Ibiza', identifier: 'ibiza' };
const COCHE = { marca: 'Citroën', modelo: 'C4', identificador: 'c4' };
const FOREIGN = { origin: 'https://example.org' };

test('requests by method, route, language and status', async () => {
  const { send, raw, read, logged } = await open();
  const expected: (readonly [method: string, route: string, language: string, status: string])[] = [];
  const ask = async (
    [method, path, body, headers]: Parameters<typeof send>,
    route: string,
    language: string,
    status: number,
  ) => {
    expect(await send(method, path, body, headers)).toBe(status);
    expected.push([method, route, language, String(status)]);
  };
  await ask(['POST', '/api/cars', CAR], '/api/cars', 'en', 201);
  await ask(['POST', '/api/coches', COCHE], '/api/coches', 'es', 201);
  await ask(['POST', '/api/coches', COCHE], '/api/coches', 'es', 409);
  await ask(['POST', '/api/coches', {}, FOREIGN], '/api/coches', 'es', 403);
  for (let time = 0; time < 4; time++) await ask(['GET', '/api/coches/c4'], '/api/coches/:cars', 'es', 200);
  await ask(['GET', '/api/cars/ibiza/'], '/api/cars/:cars', 'en', 200);
  await ask(['HEAD', '/api/cars/ibiza'], '/api/cars/:cars', 'en', 200);
  await ask(['GET', '/api/coches/nada'], '/api/coches/:cars', 'es', 404);
  await ask(['GET', '/api/coches?marca=Seat'], '/api/coches', 'es', 200);
  await ask(['GET', '/api/cars/ibiza/oils'], '/api/cars/:cars/oils', 'en', 200);
  await ask(['PUT', '/api/coches/c4', { puertas: 5 }], '/api/coches/:cars', 'es', 200);
  await ask(['PATCH', '/api/coches'], '/api/coches', 'es', 405);
  await ask(['DELETE', '/api/coches/c4'], '/api/coches/:cars', 'es', 204);
  await ask(['GET', '/api/coches/c4/oils'], 'none', 'es', 404);
  await ask(['GET', '/api/coches/%ff'], 'none', 'es', 400);
  await ask(['GET', '/nada'], 'none', 'none', 404);
  await ask(['GET', '/api'], '/api', 'none', 200);
  await ask(['GET', '/livez'], '/livez', 'none', 200);
  // What the policies refuse.
  expect(await raw('GET /api/coches HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  expected.push(['GET', '/api/coches', 'es', '400']);

  const count = async () => (await read())('catalogue_http_requests_total');
  await expect.poll(count, LATE).toBe(expected.length);
  const value = await read();
  for (const [method, route, language, status] of expected) {
    const labels = { method, route, language };
    const same = expected.filter((each) => each.join() === [method, route, language, status].join()).length;
    expect(value('catalogue_http_requests_total', { ...labels, status }), `${method} ${route} ${status}`).toBe(same);
  }
  expect(value('catalogue_http_request_duration_seconds_count')).toBe(expected.length);
  expect(value('catalogue_http_request_duration_seconds_count', { language: 'es', route: '/api/coches/:cars' })).toBe(
    7,
  );
  expect(value('catalogue_http_request_duration_seconds_sum', { language: 'es' })).toBeGreaterThan(0);
  expect(value('catalogue_http_requests_in_progress')).toBe(0);
  // The log tells of each of them, too.
  expect(logged().map(({ status }) => String(status))).toEqual(expected.map(([, , , status]) => status));
});

/** One service for what follows, one test after the other; some of its words were others before. */
const place = shared(async (whenOver) => {
  const edit = ({ paths }: LooseTable, tag: string): void => {
    if (tag === 'es')
      paths.cars = { word: 'coches', former: [{ word: 'autos', since: '2026-01-15', until: '2199-06-30' }] };
  };
  const env = { BACKUP_DIR: temporaryFolder(whenOver), LOCALES_DIR: editedLocales(edit, whenOver) };
  const service = await open(env, { whenOver });
  await service.send('POST', '/api/cars', CAR);
  return service;
});

test('commits, rows and sizes', async () => {
  const { send, read } = place();
  const before = await read();
  await Promise.all([
    send('POST', '/api/coches', COCHE),
    send('POST', '/api/cars/ibiza/oils', { type: '5W-30' }),
    send('PUT', '/api/cars/ibiza', { doors: 5 }),
  ]);
  const after = await read();
  const more = (name: string, labels = {}) => after(name, labels) - before(name, labels);
  expect(more('catalogue_store_commit_writes_sum')).toBe(3);
  expect(more('catalogue_store_commit_writes_count')).toBeGreaterThanOrEqual(1);
  expect(more('catalogue_store_commit_duration_seconds_count')).toBe(more('catalogue_store_commit_writes_count'));
  expect(more('catalogue_store_commit_duration_seconds_sum')).toBeGreaterThan(0);
  expect(after('catalogue_items', { collection: 'cars' })).toBe(2);
  expect(before('catalogue_items', { collection: 'cars' })).toBe(1);
  expect(after('catalogue_items', { collection: 'oils' })).toBe(1);
  expect(after('catalogue_hooks_suspended')).toBe(0);
  expect(after('catalogue_database_bytes')).toBeGreaterThan(4_096);
  expect(after('catalogue_database_log_bytes')).toBeGreaterThan(0);
  expect(after('catalogue_database_ready')).toBe(1);
});

test('a long list, as long as it is read', async () => {
  const { send, read, origin } = place();
  const cars = Array.from({ length: 3_000 }, (_, at) => ({
    ...CAR,
    identifier: `car-${at}`,
    version: 'v'.repeat(200),
  }));
  expect(await send('POST', '/api/cars', cars)).toBe(200);
  const state = async () => {
    const value = await read();
    return [value('catalogue_list_streams'), value('catalogue_http_requests_in_progress')];
  };
  expect(await state()).toEqual([0, 0]);
  const asked = httpRequest(`${origin}/api/coches`).end();
  const response = await new Promise<NodeJS.ReadableStream>((resolve) => asked.on('response', resolve));
  expect(await state()).toEqual([1, 1]);
  expect((await read())('catalogue_http_connections')).toBeGreaterThanOrEqual(1);
  asked.on('error', () => {});
  response.on('error', () => {});
  asked.destroy();
  await expect.poll(state, LATE).toEqual([0, 0]);
});

test('neither log nor metrics have anything that lets anybody in, or anything of the catalogue', async () => {
  const { send, text, lines, logged, keys } = await open({ ACCESS: 'write' }, { clients: ['feed of "Seville"'] });
  const key = keys[0]?.key ?? '';
  const headers = { authorization: `Bearer ${key}`, 'x-api-key': key, cookie: 'session=of-somebody' };
  expect(await send('POST', '/api/coches?token=of-somebody', COCHE, headers)).not.toBe(401);
  expect(await send('POST', '/api/coches', COCHE, headers)).toBe(201);
  expect(await send('POST', '/api/coches', COCHE, { 'x-api-key': `${key}1` })).toBe(401);
  expect(await send('GET', '/api/coches?marca=Citro%C3%ABn', undefined, headers)).toBe(200);
  await expect.poll(() => logged().length, LATE).toBeGreaterThan(3);
  const log = lines().join('');
  expect(logged().find(({ status }) => status === 201)?.client).toBe('feed of "Seville"');
  for (const written of [log, await text()]) {
    for (const secret of [key, key.slice(-32), 'of-somebody', 'Citro']) expect(written).not.toContain(secret);
  }
  expect(await text()).not.toContain('Seville');
});

test('nothing is measured without METRICS_PORT', async () => {
  const service = await serveHere();
  expect(service.metrics).toBeUndefined();
  expect((await fetch(`${service.origin}/metrics`)).status).toBe(404);
});

test('the event loop, while something holds it', async () => {
  const { read } = place();
  const late = async () => {
    const until = performance.now() + 150;
    while (performance.now() < until);
    // What is held up is measured before the second one.
    for (let turns = 0; turns < 2; turns++) await turn();
    return (await read())('nodejs_eventloop_lag_max_seconds');
  };
  await expect.poll(late, LATE).toBeGreaterThan(0.1);
  const value = await read();
  expect(value('catalogue_event_loop_busy_seconds_total')).toBeGreaterThan(0.1);
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  expect(value('process_start_time_seconds')).toBeGreaterThan(1.7e9);
});

test('the documentation has each family, its type and its labels', async () => {
  const { send, text, read } = place();
  expect(await send('GET', '/api/autos/ibiza')).toBe(200);
  expect((await read())('catalogue_former_words_total', { language: 'es', word: 'autos' })).toBe(1);
  const lines = readFileSync(join(project, 'docs/monitoring.md'), 'utf8').split('\n');
  const documented = lines.flatMap((line) => {
    const [, name = '', type, labels = ''] =
      /^\| `([a-z_]+)` \| (counter|gauge|histogram) \|([^|]*)\|/.exec(line) ?? [];
    return name === '' ? [] : [[name, type, ...labels.matchAll(/`(\w+)`/g).map(([, label]) => label)]];
  });
  const written = await text();
  const samples = samplesIn(written);
  const measured = [...written.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => {
    const own = samples.filter((each) => each.name.replace(/_(?:bucket|sum|count)$/, '') === name);
    const labels = new Set(own.flatMap((each) => Object.keys(each.labels).filter((label) => label !== 'le')));
    return [name, type, ...labels];
  });
  // The rest are those of every program with prom-client.
  const names = documented.map(([name]) => name);
  const ours = measured.filter(([name = '']) => name.startsWith('catalogue_') || names.includes(name));
  expect(documented.toSorted()).toEqual(ours.toSorted());
});

test('alerts and dashboard have only metrics and labels that there are', async () => {
  const samples = samplesIn(await place().text());
  const metrics = new Set(samples.map(({ name }) => name));
  // The last four are Prometheus' own, and one of kube-state-metrics.
  const others = ['job', 'instance', 'alertstate', 'cronjob'];
  const labels = new Set([...samples.flatMap((each) => Object.keys(each.labels)), ...others]);
  const files = [
    'deploy/prometheus/alerts.yaml',
    'deploy/prometheus/alerts.test.yaml',
    'deploy/grafana/catalogue.json',
  ];
  for (const file of files) {
    const content = readFileSync(join(project, file), 'utf8').replaceAll('\\"', '"');
    const named = [...content.matchAll(/\b(?:catalogue|process|nodejs)_[a-z_\d]+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !metrics.has(name))).toEqual([]);
    const by = [...content.matchAll(/\bby \(([a-z_, ]+)\)/g)].flatMap(([, list = '']) => list.split(', '));
    const matched = [...content.matchAll(/[{,](\w+)=~?"/g)].map(([, label = '']) => label);
    const unknown = [...by, ...matched].filter((label) => !labels.has(label) && label !== 'alertname');
    expect([file, unknown]).toEqual([file, []]);
  }
});
