/** What a file changes, listed with its report: in a check as it would be, else as it was done. */
import { expect, onTestFinished, test } from 'vitest';
import { type TestResponse, useFreshApp } from '../../support/app/app.ts';
import { counted, inSpanish, spanishCsv, uploader } from '../../support/app/reports.ts';

const ALL = 'resolution=replace-all; allow-deletions';
const LISTED = 'return=representation';
const HEADER = 'identifier,brand,model,year,version';
const seat = { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008, version: 'GT' };
const audi = { identifier: 'c', brand: 'Audi', model: 'A3' };

/** Lines of the list, as they are written. */
const linesIn = (changes: readonly object[]) => changes.map((change) => JSON.stringify(inSpanish(change))).join(',\n');
const first = [
  { row: 2, key: 'a', action: 'created', after: seat },
  { row: 3, key: 'b', action: 'created', after: { identifier: 'b', brand: 'Citroën', model: 'C4' } },
  { row: 4, key: 'c', action: 'created', after: audi },
];
const second = [
  { row: 2, key: 'a', action: 'updated', before: { year: 2008, version: 'GT' }, after: { year: 2009 } },
  { row: 4, key: 'd', action: 'created', after: { identifier: 'd', brand: 'Fiat', model: '5"0' } },
  { key: 'c', action: 'deleted', before: audi },
];
const SECOND = { created: 1, updated: 1, unchanged: 1, deleted: 1, cleared: 1 };

const app = useFreshApp();
const post = uploader(app.send, '/api/coches');
const table = (...rows: readonly string[]) => spanishCsv(HEADER, ...rows);
const nights = [
  table('a,Seat,Ibiza,2008,GT', 'b,Citroën,C4,,', 'c,Audi,A3,,'),
  table('a,Seat,Ibiza,2009,', 'b,Citroën,C4,,', 'd,Fiat,"5""0",,'),
] as const;
/** The report, and the lines of the list as they were sent. */
const reported = ({ json, text }: TestResponse) => {
  const { cambios: changes, ...rest } = json;
  return [rest, changes && text.split('\n').slice(1, -2).join('\n')];
};

test('is listed each night, in a check as when it is stored, and nothing where nothing differs', async () => {
  const nightly = async (file: string, counts: object, changes: readonly object[]) => {
    const checked = await post(file, `${ALL}, handling=check, ${LISTED}`);
    expect(reported(checked)).toEqual([counted({ dryRun: true, ...counts }), linesIn(changes)]);
    const done = await post(file, `${ALL}, ${LISTED}`);
    expect(reported(done)).toEqual([counted(counts), linesIn(changes)]);
    expect(done.headers.get('preference-applied')).toBe(`${ALL}, ${LISTED}`);
  };
  await nightly(nights[0], { created: 3 }, first);
  await nightly(nights[1], SECOND, second);
  await nightly(nights[1], { unchanged: 3 }, []);
});

test('of an array is listed, too', async () => {
  const sent = first.map(({ after }) => inSpanish({ after }).despues);
  const done = await post(sent, LISTED, 'application/json');
  const changes = first.map((change) => ({ ...change, row: change.row - 1 }));
  expect(reported(done)).toEqual([counted({ created: 3 }), linesIn(changes)]);
});

test.each(['merge-duplicates', 'replace-all; allow-deletions'])(
  'has each deletion once with %s',
  async (resolution) => {
    await post(nights[0], ALL);
    const rows = ['a,,,,,true', 'c,,,,,true', 'b,Citroën,C4,,,', 'a,,,,,true'];
    const file = spanishCsv(`${HEADER},deleted`, ...rows);
    for (const handling of [', handling=check', '']) {
      const { json } = await post(file, `resolution=${resolution}${handling}, ${LISTED}`);
      const keys = json.cambios.map((change: Record<string, unknown>) => change.clave);
      expect([json.eliminados, keys]).toEqual([2, ['a', 'c']]);
    }
    expect((await app.send('GET', '/api/cars')).json.length).toBe(1);
  },
);

test('is not listed unless asked for, where nothing is stored, or by a request that is sent again', async () => {
  expect(await post(nights[0], 'return=minimal')).toMatchObject({ status: 200, json: counted({ created: 3 }) });
  const refused = await post(nights[0], LISTED);
  expect([refused.status, 'cambios' in refused.json, 'cambios' in refused.json.report]).toEqual([422, false, false]);
  const send = (prefer: string) => post(nights[1], prefer, 'text/csv', { 'idempotency-key': 'night' });
  expect(reported(await send(`${ALL}, ${LISTED}`))[1]).toBe(linesIn(second));
  const again = await send(`${ALL}, ${LISTED}`);
  expect(reported(again)).toEqual([counted(SECOND), undefined]);
  expect([again.headers.get('preference-applied'), again.headers.get('idempotency-replayed')]).toEqual([ALL, 'true']);
  expect((await send(ALL)).json).toEqual(counted(SECOND));
});

test('without a folder for temporary files nothing is stored, and its client reads why', async () => {
  const { TMPDIR } = process.env;
  onTestFinished(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  process.env.TMPDIR = '/nowhere';
  const { status, json, headers } = await post(nights[0]);
  const detail = 'No hay espacio para guardar el archivo mientras se lee. No se ha guardado nada de él.';
  expect([status, json.code, json.detail]).toEqual([503, 'unavailable', detail]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await app.send('GET', '/api/cars')).json).toEqual([]);
});
